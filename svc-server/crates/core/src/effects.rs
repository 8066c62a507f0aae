//! What a transaction has for the tasks that tell the world, handed over once it is kept.
//!
//! It saves them a look at the database, and is never the only way: whatever is lost here, because
//! the process ends or a queue is full, is found in the tables a few seconds later.

use std::mem;
use std::sync::{Mutex, PoisonError};

use svc_types::{ChannelId, EventId, UserId};
use tokio::sync::{Notify, mpsc};

use crate::listeners::Listeners;

/// Events that wait for the relay; further ones are left to its sweeper.
const EVENTS_MAX: usize = 8_192;

/// What one transaction has to tell.
#[derive(Debug, Default)]
pub struct CommitEffects {
    /// Events to be relayed to the broker, in the order of their numbers.
    pub events: Vec<LiveEvent>,
    /// Accounts with new events.
    pub affected: Vec<UserId>,
    /// Whether a webhook has a new delivery.
    pub deliveries: bool,
    /// Accounts whose connections to the broker end, because their key is no longer theirs.
    pub ended: Vec<UserId>,
    /// Accounts that no longer belong to a channel.
    pub left: Vec<(UserId, ChannelId)>,
}

/// How much was told at some moment.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    events: usize,
    affected: usize,
    ended: usize,
    left: usize,
}

impl CommitEffects {
    /// A place to go back to.
    pub const fn mark(&self) -> Mark {
        Mark {
            events: self.events.len(),
            affected: self.affected.len(),
            ended: self.ended.len(),
            left: self.left.len(),
        }
    }

    /// Forgets what was told since. That a webhook may have a delivery stays: it is only a hint.
    pub fn forget_since(&mut self, mark: Mark) {
        self.events.truncate(mark.events);
        self.affected.truncate(mark.affected);
        self.ended.truncate(mark.ended);
        self.left.truncate(mark.left);
    }
}

/// An event as it was written.
#[derive(Clone, Debug)]
pub struct LiveEvent {
    /// Its id.
    pub id: EventId,
    /// Whose it is: an account, a channel, or the feed of all.
    pub stream: String,
    /// Its number in the stream.
    pub seq: i64,
    /// Its kind.
    pub kind: String,
    /// The bytes a webhook carries.
    pub body: String,
}

/// Where effects of this process's transactions arrive.
#[derive(Debug)]
pub struct PostCommit {
    events: mpsc::Sender<LiveEvent>,
    waiting: Mutex<Option<mpsc::Receiver<LiveEvent>>>,
    deliveries: Notify,
    /// Who waits in this process for what happens to an account.
    pub listeners: Listeners,
}

impl Default for PostCommit {
    fn default() -> Self {
        let (events, waiting) = mpsc::channel(EVENTS_MAX);
        Self {
            events,
            waiting: Mutex::new(Some(waiting)),
            deliveries: Notify::new(),
            listeners: Listeners::default(),
        }
    }
}

impl PostCommit {
    /// Hands over what a transaction told. Never waits.
    pub fn announce(&self, effects: &mut CommitEffects) {
        for event in mem::take(&mut effects.events) {
            if self.events.try_send(event).is_err() {
                break;
            }
        }
        // Streams of an account that lost a right see whether they may go on.
        let ended = mem::take(&mut effects.ended);
        self.listeners.call(mem::take(&mut effects.affected).iter().chain(&ended));
        if mem::take(&mut effects.deliveries) {
            self.deliveries.notify_one();
        }
    }

    /// The events to relay, for the one relay of the process.
    pub fn events(&self) -> Option<mpsc::Receiver<LiveEvent>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Waits until a webhook has had a new delivery since the last time.
    pub async fn deliveries(&self) {
        self.deliveries.notified().await;
    }
}
