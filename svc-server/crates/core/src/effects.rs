//! The effects of a transaction outside the database, delivered after its commit.
//!
//! They save a query and are never the only path: effects that are lost because the process ends or
//! a queue is full are found in the tables a few seconds later.

use std::mem;
use std::sync::{Mutex, PoisonError};

use svc_store::trace::Trace;
use svc_types::{AppId, ChannelId, EventId, Timestamp, UserId};
use tokio::sync::{Notify, mpsc};

use crate::bus::Hints;
use crate::listeners::Listeners;
use crate::waits::Waits;

/// Most events queued for the relay; further ones are left to its sweeper.
const EVENTS_MAX: usize = 8_192;

/// The effects of one transaction.
#[derive(Debug, Default)]
pub struct CommitEffects {
    /// Events to be relayed to the broker, in the order of their numbers.
    pub events: Vec<LiveEvent>,
    /// Ids of accounts and channels with new events, and the number of each.
    pub affected: Vec<(String, i64)>,
    /// Whether a webhook has a new delivery.
    pub deliveries: bool,
    /// Accounts whose broker connections end because they lost their key or access.
    pub ended: Vec<UserId>,
    /// Accounts that lost a credential other than a key: their streams are authenticated again.
    pub checked: Vec<UserId>,
    /// Accounts that left or lost a channel.
    pub left: Vec<(UserId, ChannelId)>,
    /// Ids of orders and payments that changed.
    pub changed: Vec<String>,
    /// Apps that verified an identity, and when: a job may run more than once before its commit.
    pub verified: Vec<(AppId, Timestamp)>,
}

/// A position in the effects.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    events: usize,
    affected: usize,
    ended: usize,
    checked: usize,
    left: usize,
    changed: usize,
    verified: usize,
}

impl CommitEffects {
    /// The present position, for [`forget_since`](Self::forget_since).
    pub const fn mark(&self) -> Mark {
        Mark {
            events: self.events.len(),
            affected: self.affected.len(),
            ended: self.ended.len(),
            checked: self.checked.len(),
            left: self.left.len(),
            changed: self.changed.len(),
            verified: self.verified.len(),
        }
    }

    /// Removes the effects since `mark`. `deliveries` stays set: it is only a hint.
    pub fn forget_since(&mut self, mark: Mark) {
        self.events.truncate(mark.events);
        self.affected.truncate(mark.affected);
        self.ended.truncate(mark.ended);
        self.checked.truncate(mark.checked);
        self.left.truncate(mark.left);
        self.changed.truncate(mark.changed);
        self.verified.truncate(mark.verified);
    }
}

/// An event as it was stored.
#[derive(Clone, Debug)]
pub struct LiveEvent {
    /// Its id.
    pub id: EventId,
    /// Its stream: an account, a channel or the global feed.
    pub stream: String,
    /// Its number in the stream.
    pub seq: i64,
    /// Its kind.
    pub kind: String,
    /// The body, as webhooks send it.
    pub body: String,
    /// The trace of the request that caused it.
    pub trace: Option<Trace>,
}

/// What the relay gets.
#[derive(Debug)]
pub enum Relayed {
    /// An event that this process committed.
    Here(LiveEvent),
    /// Events that other processes committed.
    Elsewhere(Hints),
}

/// Delivers the effects of this process's commits.
#[derive(Debug)]
pub struct PostCommit {
    events: mpsc::Sender<Relayed>,
    waiting: Mutex<Option<mpsc::Receiver<Relayed>>>,
    deliveries: Notify,
    /// Streams of this process that wait for events of an account or a channel.
    pub listeners: Listeners,
    /// Requests of this process that wait for a change of an order or a payment.
    pub waits: Waits,
}

impl Default for PostCommit {
    fn default() -> Self {
        let (events, waiting) = mpsc::channel(EVENTS_MAX);
        Self {
            events,
            waiting: Mutex::new(Some(waiting)),
            deliveries: Notify::new(),
            listeners: Listeners::default(),
            waits: Waits::default(),
        }
    }
}

impl PostCommit {
    /// Delivers the effects of a committed transaction. Never blocks.
    pub fn announce(&self, effects: &mut CommitEffects) {
        for event in mem::take(&mut effects.events) {
            if self.events.try_send(Relayed::Here(event)).is_err() {
                break;
            }
        }
        // Streams of an account that lost a right check whether they may continue.
        let (ended, checked) = (mem::take(&mut effects.ended), mem::take(&mut effects.checked));
        self.listeners.check(ended.iter().chain(&checked));
        for (id, seq) in mem::take(&mut effects.affected) {
            self.listeners.call(&id, seq);
        }
        for subject in mem::take(&mut effects.changed) {
            self.waits.call(&subject);
        }
        if mem::take(&mut effects.deliveries) {
            self.deliveries.notify_one();
        }
    }

    /// Hands hints of other processes to the relay. Never blocks: what is lost is found by a look.
    pub(crate) fn pass_on(&self, hints: Hints) {
        let _ = self.events.try_send(Relayed::Elsewhere(hints));
    }

    /// The events to relay, for the one relay of the process.
    pub fn events(&self) -> Option<mpsc::Receiver<Relayed>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Waits until a webhook has a new delivery.
    pub async fn deliveries(&self) {
        self.deliveries.notified().await;
    }
}
