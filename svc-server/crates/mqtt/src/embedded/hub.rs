//! Who is connected, who listens to what, and the sessions that outlive their connections.
//!
//! One lock: a message goes to all who listen while nobody comes or goes. A mailbox has its own,
//! taken while this one is held and never the other way round.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use svc_core::config::MqttLimits;
use svc_types::{ChannelId, UserId};
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::Instant;

use super::mailbox::{Mailbox, Message};
use super::revocations::{Epoch, Revocations};
use crate::policy::Topic;
use crate::wire::{Filter, Reason};

/// Sessions of an account that outlive their connections; the oldest makes room.
const LASTING_MAX: usize = 10;

/// Last words that wait for their clients to come back; when there are more, they are said at once.
const WILLS_MAX: usize = 100;

/// Sessions, for each connection that the limits allow.
const SESSIONS_PER_CONNECTION: usize = 2;

/// How long a session outlives its connection at most.
pub(super) const EXPIRY_MAX: Duration = Duration::from_hours(24);

/// All sessions of the broker.
#[derive(Debug)]
pub(crate) struct Hub {
    state: Mutex<State>,
    /// One for each last word that may wait.
    pub(super) wills: Arc<Semaphore>,
    limits: MqttLimits,
}

#[derive(Debug, Default)]
struct State {
    sessions: HashMap<Arc<str>, Session>,
    /// Client ids of an account's sessions, oldest first.
    accounts: HashMap<UserId, Vec<Arc<str>>>,
    listeners: HashMap<Arc<str>, Vec<Listener>>,
    revocations: Revocations,
    connections: u64,
    is_closing: bool,
}

#[derive(Debug)]
struct Session {
    account: UserId,
    mailbox: Arc<Mailbox>,
    topics: Vec<Arc<str>>,
    expiry: Duration,
    gone_at: Option<Instant>,
    /// Its latest connection.
    number: u64,
    /// The same for those who wait for what becomes of the session; dropped with it.
    life: watch::Sender<u64>,
}

impl Session {
    /// Whether its client may still come back to it. One that ends with its connection is over for
    /// whoever takes that connection's place.
    fn outlasts(&self, now: Instant) -> bool {
        !self.expiry.is_zero() && !self.is_over(now)
    }

    fn is_over(&self, now: Instant) -> bool {
        self.gone_at.is_some_and(|gone| now.duration_since(gone) >= self.expiry)
    }
}

#[derive(Debug)]
struct Listener {
    client: Arc<str>,
    mailbox: Arc<Mailbox>,
    acknowledged: bool,
}

/// A client that was authenticated.
pub(super) struct Arrival {
    pub(super) client: Arc<str>,
    pub(super) account: UserId,
    /// Whether its earlier session is forgotten.
    pub(super) clean: bool,
    pub(super) expiry: Duration,
    pub(super) window: Option<u16>,
    /// When it was asked whether it may come.
    pub(super) epoch: Epoch,
}

/// A client's place in the hub.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) client: Arc<str>,
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) notify: Arc<Notify>,
    /// Tells this connection from others of the session.
    pub(super) number: u64,
    pub(super) session_present: bool,
    life: watch::Receiver<u64>,
}

impl Place {
    /// Waits until the client comes back to the session, or the session is over and forgotten.
    pub(super) async fn is_settled(&mut self) {
        // An error says that it is over.
        let _ = self.life.changed().await;
    }

    /// Whether the client has come back to the session, whatever became of it then.
    pub(super) fn was_resumed(&self) -> bool {
        *self.life.borrow() != self.number
    }
}

/// The account lost a right while this one was asked for: ask again.
#[derive(Debug)]
pub(super) struct Outdated;

impl Hub {
    /// A hub without sessions.
    pub(crate) fn new(limits: MqttLimits) -> Self {
        Self { state: Mutex::default(), wills: Arc::new(Semaphore::new(WILLS_MAX)), limits }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// To be read before a right is asked for, and given with what uses it.
    pub(super) fn epoch(&self) -> Epoch {
        self.state().revocations.epoch()
    }

    /// Lets a client in, or says why not.
    pub(super) fn enter(&self, arrival: Arrival) -> Result<Result<Place, Reason>, Outdated> {
        let mut state = self.state();
        if state.is_closing {
            return Ok(Err(Reason::Unavailable));
        }
        if state.revocations.concern(&arrival.account, arrival.epoch) {
            return Err(Outdated);
        }
        let is_known = state.sessions.contains_key(&arrival.client);
        let most = self.limits.connections.saturating_mul(SESSIONS_PER_CONNECTION);
        if !is_known && state.sessions.len() >= most {
            return Ok(Err(Reason::Quota));
        }
        let others = state.connected(&arrival.account, &arrival.client);
        if others >= self.limits.connections_per_account {
            return Ok(Err(Reason::Quota));
        }
        let earlier = state.sessions.get(&arrival.client);
        if arrival.clean || earlier.is_some_and(|earlier| !earlier.outlasts(Instant::now())) {
            state.purge(&arrival.client, Reason::TakenOver);
        }
        if !arrival.expiry.is_zero() {
            state.make_room(&arrival.account, &arrival.client);
        }
        Ok(Ok(state.hold(arrival)))
    }

    /// Lets a client go. The answer is how long its session is kept.
    pub(super) fn leave(&self, place: &Place, expiry: Option<Duration>) -> Duration {
        let mut state = self.state();
        let is_own = place.mailbox.release(place.number);
        let Some(session) = state.session_of(place) else { return Duration::ZERO };
        if !is_own {
            // It goes on with another connection.
            return EXPIRY_MAX;
        }
        session.gone_at = Some(Instant::now());
        // A session that was to end with its connection can't be made lasting at its end.
        if let Some(expiry) = expiry.filter(|_| !session.expiry.is_zero()) {
            session.expiry = expiry.min(EXPIRY_MAX);
        }
        let kept = session.expiry;
        if kept.is_zero() {
            state.purge(&place.client, Reason::Normal);
        }
        kept
    }

    /// Lets a client hear a topic.
    pub(super) fn subscribe(
        &self,
        place: &Place,
        topics: &[(Arc<str>, bool)],
        epoch: Epoch,
    ) -> Result<(), Outdated> {
        let mut state = self.state();
        let state = &mut *state;
        let Some(session) = state.sessions.get(&place.client) else { return Ok(()) };
        if state.revocations.concern(&session.account, epoch) {
            return Err(Outdated);
        }
        for (topic, acknowledged) in topics {
            state.listen(place, topic, *acknowledged);
        }
        Ok(())
    }

    /// How many topics a client would hear with these.
    pub(super) fn subscriptions_with(&self, place: &Place, asked: &[Filter]) -> usize {
        let state = self.state();
        let own = state.sessions.get(&place.client).into_iter().flat_map(|session| &session.topics);
        let asked = asked.iter().map(|filter| &*filter.topic);
        own.map(|topic| &**topic).chain(asked).collect::<HashSet<&str>>().len()
    }

    /// Ends a subscription; the answer is whether there was one.
    pub(super) fn unsubscribe(&self, place: &Place, topic: &str) -> bool {
        self.state().unlisten(&place.client, topic)
    }

    /// Sends a message to all who listen.
    pub(crate) fn publish(&self, topic: &str, payload: Bytes) {
        let state = self.state();
        let Some((name, listeners)) = state.listeners.get_key_value(topic) else { return };
        let message = Arc::new(Message { topic: Arc::clone(name), payload });
        let put = |listener: &Listener| listener.mailbox.put(&message, listener.acknowledged);
        let dropped: u64 = listeners.iter().map(put).sum();
        metrics::counter!("svc_mqtt_messages_total").increment(listeners.len() as u64);
        if dropped > 0 {
            metrics::counter!("svc_mqtt_dropped_total").increment(dropped);
        }
    }

    /// Ends all connections and sessions of an account.
    pub(crate) fn end(&self, account: &UserId) {
        let mut state = self.state();
        state.revocations.note(account);
        for client in state.accounts.get(account).cloned().unwrap_or_default() {
            state.purge(&client, Reason::Administrative);
        }
    }

    /// An account no longer hears a channel, and nothing of it that still waits.
    pub(crate) fn revoke(&self, account: &UserId, channel: &ChannelId) {
        let topic = Topic::Channel(channel.clone()).to_string();
        let mut state = self.state();
        state.revocations.note(account);
        for client in state.accounts.get(account).cloned().unwrap_or_default() {
            // Also where the client has ended the subscription itself.
            state.unlisten(&client, &topic);
            state.sessions[&client].mailbox.forget(&topic);
        }
    }

    /// The accounts with a session.
    pub(crate) fn accounts(&self) -> Vec<UserId> {
        self.state().accounts.keys().cloned().collect()
    }

    /// Forgets sessions whose time is over.
    pub(super) fn sweep(&self) {
        let mut state = self.state();
        let now = Instant::now();
        let over = state.sessions.iter().filter(|(_, session)| session.is_over(now));
        for client in over.map(|(client, _)| Arc::clone(client)).collect::<Vec<_>>() {
            state.purge(&client, Reason::Normal);
        }
        state.measure();
    }

    /// Lets nobody in any more, and ends all connections.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.is_closing = true;
        for session in state.sessions.values() {
            session.mailbox.end(Reason::ShuttingDown);
        }
    }
}

impl State {
    /// Connections of an account beside those of this client id.
    fn connected(&self, account: &UserId, client: &str) -> usize {
        let of_account = self.accounts.get(account).into_iter().flatten();
        let is_open = |other: &&Arc<str>| {
            let session = self.sessions.get(*other);
            &***other != client && session.is_some_and(|session| session.mailbox.is_held())
        };
        of_account.filter(is_open).count()
    }

    /// Makes room for one more lasting session of an account.
    fn make_room(&mut self, account: &UserId, client: &str) {
        let of_account = self.accounts.get(account).into_iter().flatten();
        let is_lasting =
            |other: &&Arc<str>| &***other != client && !self.sessions[*other].expiry.is_zero();
        let lasting: Vec<_> = of_account.filter(is_lasting).cloned().collect();
        let is_idle = |other: &&Arc<str>| !self.sessions[*other].mailbox.is_held();
        let oldest = lasting.iter().find(is_idle).or(lasting.first());
        if let Some(oldest) = oldest.filter(|_| lasting.len() >= LASTING_MAX) {
            self.purge(&Arc::clone(oldest), Reason::Quota);
        }
    }

    /// Gives a session to a new connection, and makes it if need be.
    fn hold(&mut self, arrival: Arrival) -> Place {
        let Arrival { client, account, expiry, window, .. } = arrival;
        self.connections += 1;
        let number = self.connections;
        let session_present = self.sessions.contains_key(&client);
        if !session_present {
            self.accounts.entry(account.clone()).or_default().push(Arc::clone(&client));
        }
        let session = self.sessions.entry(Arc::clone(&client)).or_insert_with(|| Session {
            account,
            mailbox: Arc::default(),
            topics: Vec::new(),
            expiry,
            gone_at: None,
            number,
            life: watch::Sender::default(),
        });
        (session.expiry, session.gone_at, session.number) = (expiry, None, number);
        session.life.send_replace(number);
        let (mailbox, life) = (Arc::clone(&session.mailbox), session.life.subscribe());
        let notify = mailbox.hold(number, window);
        Place { client, mailbox, notify, number, session_present, life }
    }

    fn listen(&mut self, place: &Place, topic: &Arc<str>, acknowledged: bool) {
        let Some(session) = self.session_of(place) else { return };
        let is_new = !session.topics.contains(topic);
        if is_new {
            session.topics.push(Arc::clone(topic));
        }
        let listeners = self.listeners.entry(Arc::clone(topic)).or_default();
        if is_new {
            let (client, mailbox) = (Arc::clone(&place.client), Arc::clone(&place.mailbox));
            listeners.push(Listener { client, mailbox, acknowledged });
        } else if let Some(own) = listeners.iter_mut().find(|own| own.client == place.client) {
            own.acknowledged = acknowledged;
        }
    }

    /// The session of a connection, unless it was lost to another.
    fn session_of(&mut self, place: &Place) -> Option<&mut Session> {
        let session = self.sessions.get_mut(&place.client)?;
        Arc::ptr_eq(&session.mailbox, &place.mailbox).then_some(session)
    }

    fn unlisten(&mut self, client: &str, topic: &str) -> bool {
        let Some(session) = self.sessions.get_mut(client) else { return false };
        let before = session.topics.len();
        session.topics.retain(|own| &**own != topic);
        if session.topics.len() == before {
            return false;
        }
        self.drop_listener(client, topic);
        true
    }

    fn drop_listener(&mut self, client: &str, topic: &str) {
        let Some(listeners) = self.listeners.get_mut(topic) else { return };
        if let Some(place) = listeners.iter().position(|listener| &*listener.client == client) {
            listeners.swap_remove(place);
        }
        if listeners.is_empty() {
            self.listeners.remove(topic);
        }
    }

    /// Forgets a session; its connection, if there is one, ends.
    fn purge(&mut self, client: &str, reason: Reason) {
        let Some(session) = self.sessions.remove(client) else { return };
        session.mailbox.end(reason);
        for topic in &session.topics {
            self.drop_listener(client, topic);
        }
        if let Some(of_account) = self.accounts.get_mut(&session.account) {
            of_account.retain(|other| &**other != client);
            if of_account.is_empty() {
                self.accounts.remove(&session.account);
            }
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a gauge of some thousands")]
    fn measure(&self) {
        metrics::gauge!("svc_mqtt_sessions").set(self.sessions.len() as f64);
        metrics::gauge!("svc_mqtt_topics").set(self.listeners.len() as f64);
    }
}

#[cfg(test)]
#[path = "hub_tests.rs"]
mod tests;
