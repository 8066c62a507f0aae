//! Connections, subscriptions, and the sessions that outlive their connections.
//!
//! One lock guards all of it. A mailbox has its own, which may be taken while this one is held,
//! never the other way round.

mod state;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use svc_core::config::MqttLimits;
use svc_store::trace::Trace;
use svc_types::{ChannelId, UserId};
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::Instant;

use self::state::{Listener, State};
use super::mailbox::{Mailbox, Message};
use super::revocations::{Epoch, Outdated};
use crate::policy::Topic;
use crate::wire::{Filter, Reason};

/// Bytes of will messages that may be delayed at a time; further ones are published at once. An account
/// has at most as many as sessions that outlast a connection, so a few accounts do not use all of it.
const WILL_BYTES_MAX: usize = 64 * 1_048_576;

/// Sessions per connection that the limits allow.
const SESSIONS_PER_CONNECTION: usize = 2;

/// The longest session expiry.
pub(super) const EXPIRY_MAX: Duration = Duration::from_hours(24);

/// All sessions of the broker.
#[derive(Debug)]
pub(crate) struct Hub {
    state: Mutex<State>,
    /// A permit for each byte of will messages that may be delayed.
    pub(super) wills: Arc<Semaphore>,
    limits: MqttLimits,
}

/// An authenticated client that enters the hub.
pub(super) struct Arrival {
    pub(super) client: Arc<str>,
    pub(super) account: UserId,
    /// Whether an earlier session is discarded.
    pub(super) clean: bool,
    pub(super) expiry: Duration,
    pub(super) window: Option<u16>,
    /// When it was authorized.
    pub(super) epoch: Epoch,
}

/// A connection's handle on its session.
#[derive(Debug)]
pub(super) struct SessionHandle {
    pub(super) client: Arc<str>,
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) notify: Arc<Notify>,
    /// Identifies this connection among those of the session.
    pub(super) number: u64,
    pub(super) session_present: bool,
    life: watch::Receiver<u64>,
}

impl SessionHandle {
    /// Waits until the client resumes the session, or the session is removed.
    pub(super) async fn resumed_or_removed(&mut self) {
        // An error means that the session was removed.
        let _ = self.life.changed().await;
    }

    /// Whether the client has resumed the session, even if it ended since.
    pub(super) fn was_resumed(&self) -> bool {
        *self.life.borrow() != self.number
    }
}

/// What an event of this node means for the subscribers of its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// There are none, or they have it.
    None,
    /// It is the next one for them.
    Next,
    /// They lack what comes after this number.
    Behind(i64),
}

/// Why a connection can't enter the hub.
#[derive(Debug)]
pub(super) enum EnterError {
    /// The broker refuses it.
    Refused(Reason),
    /// The account lost a right since it was authorized: authorize it again.
    Outdated,
}

impl Hub {
    /// A hub without sessions.
    pub(crate) fn new(limits: MqttLimits) -> Self {
        Self { state: Mutex::default(), wills: Arc::new(Semaphore::new(WILL_BYTES_MAX)), limits }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The present epoch. Read it before authorizing, and pass it to the call that relies on that.
    pub(super) fn epoch(&self) -> Epoch {
        self.state().revocations.epoch()
    }

    /// Attaches a connection to its session, which is created if need be.
    pub(super) fn enter(&self, arrival: Arrival) -> Result<SessionHandle, EnterError> {
        let mut state = self.state();
        if state.is_closing {
            return Err(EnterError::Refused(Reason::Unavailable));
        }
        if state.revocations.concern(&arrival.account, arrival.epoch) {
            return Err(EnterError::Outdated);
        }
        let is_known = state.sessions.contains_key(&arrival.client);
        let most = self.limits.connections.saturating_mul(SESSIONS_PER_CONNECTION);
        if !is_known && state.sessions.len() >= most {
            return Err(EnterError::Refused(Reason::Quota));
        }
        let others = state.connected(&arrival.account, &arrival.client);
        if others >= self.limits.connections_per_account {
            return Err(EnterError::Refused(Reason::Quota));
        }
        let earlier = state.sessions.get(&arrival.client);
        if arrival.clean || earlier.is_some_and(|earlier| !earlier.outlasts(Instant::now())) {
            state.purge(&arrival.client, Reason::TakenOver);
        }
        if !arrival.expiry.is_zero() {
            state.make_room(&arrival.account, &arrival.client);
        }
        Ok(state.hold(arrival))
    }

    /// The mailbox of a client's session, if it has one.
    pub(super) fn mailbox_of(&self, client: &str) -> Option<Arc<Mailbox>> {
        self.state().sessions.get(client).map(|session| Arc::clone(&session.mailbox))
    }

    /// Detaches a connection. Returns how long its session is kept.
    pub(super) fn leave(&self, handle: &SessionHandle, expiry: Option<Duration>) -> Duration {
        let mut state = self.state();
        let was_held = handle.mailbox.release(handle.number);
        let Some(session) = state.session_of(handle) else { return Duration::ZERO };
        if !was_held {
            // Another connection has taken over the session.
            return EXPIRY_MAX;
        }
        session.gone_at = Some(Instant::now());
        // MQTT 5 §3.14.2.2.2: a session without expiry can't be given one at its end.
        if let Some(expiry) = expiry.filter(|_| !session.expiry.is_zero()) {
            session.expiry = expiry.min(EXPIRY_MAX);
        }
        let kept = session.expiry;
        if kept.is_zero() {
            state.purge(&handle.client, Reason::Normal);
        }
        kept
    }

    /// Adds subscriptions.
    pub(super) fn subscribe(
        &self,
        handle: &SessionHandle,
        topics: &[(Arc<str>, bool)],
        heads: &[(String, i64)],
        epoch: Epoch,
    ) -> Result<(), Outdated> {
        let mut state = self.state();
        let state = &mut *state;
        let Some(session) = state.sessions.get(&handle.client) else { return Ok(()) };
        if state.revocations.concern(&session.account, epoch) {
            return Err(Outdated);
        }
        for (stream, head) in heads {
            // Others may have got less than this, and this client gets what they get.
            if !state.listens_to(stream) || !state.positions.contains_key(stream) {
                state.positions.insert(stream.clone(), *head);
            }
        }
        for (topic, acknowledged) in topics {
            state.add_listener(handle, topic, *acknowledged);
        }
        Ok(())
    }

    /// How many subscriptions a client would have with these.
    pub(super) fn subscriptions_with(&self, handle: &SessionHandle, asked: &[Filter]) -> usize {
        let state = self.state();
        let own =
            state.sessions.get(&handle.client).into_iter().flat_map(|session| &session.topics);
        let asked = asked.iter().map(|filter| &*filter.topic);
        own.map(|topic| &**topic).chain(asked).collect::<HashSet<&str>>().len()
    }

    /// Ends a subscription; returns whether there was one.
    pub(super) fn unsubscribe(&self, handle: &SessionHandle, topic: &str) -> bool {
        self.state().remove_listener(&handle.client, topic)
    }

    /// Puts a message into the mailboxes of all subscribers.
    pub(crate) fn publish(&self, topic: &str, payload: Bytes, trace: Option<Trace>) {
        let state = self.state();
        let Some((name, listeners)) = state.listeners.get_key_value(topic) else { return };
        let message = Arc::new(Message { topic: Arc::clone(name), payload, trace });
        let put = |listener: &Listener| listener.mailbox.put(&message, listener.acknowledged);
        let dropped: u64 = listeners.iter().map(put).sum();
        metrics::counter!("svc_mqtt_messages_total").increment(listeners.len() as u64);
        if dropped > 0 {
            metrics::counter!("svc_mqtt_dropped_total").increment(dropped);
        }
    }

    /// What an event of this node means for subscribers. The next one counts as published.
    pub(crate) fn step(&self, stream: &str, seq: i64) -> Step {
        let mut state = self.state();
        if !state.listens_to(stream) {
            return Step::None;
        }
        match state.positions.get_mut(stream) {
            Some(position) if seq <= *position => Step::None,
            Some(position) if seq == *position + 1 => {
                *position = seq;
                Step::Next
            }
            Some(position) => Step::Behind(*position),
            None => Step::Behind(seq - 1),
        }
    }

    /// What subscribers of a stream have, if that is less than up to this number.
    pub(crate) fn behind(&self, stream: &str, seq: i64) -> Option<i64> {
        let state = self.state();
        let position = state.positions.get(stream).copied().filter(|position| *position < seq)?;
        state.listens_to(stream).then_some(position)
    }

    /// Subscribers of a stream have everything up to this number.
    pub(crate) fn reach(&self, stream: &str, seq: i64) {
        if let Some(position) = self.state().positions.get_mut(stream) {
            *position = seq.max(*position);
        }
    }

    /// The streams with subscribers, other than the feed.
    pub(crate) fn streams(&self) -> Vec<String> {
        let mut state = self.state();
        let State { positions, listeners, .. } = &mut *state;
        positions.retain(|stream, _| {
            Topic::of_stream(stream).iter().any(|topic| listeners.contains_key(topic.as_str()))
        });
        positions.keys().cloned().collect()
    }

    /// Whether a topic has a subscriber.
    pub(crate) fn has_listener(&self, topic: &str) -> bool {
        self.state().listeners.contains_key(topic)
    }

    /// Whether the global feed has a subscriber.
    pub(crate) fn follows_feed(&self) -> bool {
        self.has_listener(&Topic::GlobalFeed.to_string())
    }

    /// Ends all connections and sessions of an account.
    pub(crate) fn end(&self, account: &UserId) {
        let mut state = self.state();
        state.revocations.note(account);
        for client in state.accounts.get(account).cloned().unwrap_or_default() {
            state.purge(&client, Reason::Administrative);
        }
    }

    /// Ends the subscriptions of an account to a channel, and drops its undelivered messages.
    pub(crate) fn revoke(&self, account: &UserId, channel: &ChannelId) {
        let topic = Topic::Channel(channel.clone()).to_string();
        let mut state = self.state();
        state.revocations.note(account);
        for client in state.accounts.get(account).cloned().unwrap_or_default() {
            // Also after the client unsubscribed: messages may be left in its mailbox.
            state.remove_listener(&client, &topic);
            state.sessions[&client].mailbox.forget(&topic);
        }
    }

    /// The accounts with a session.
    pub(crate) fn accounts(&self) -> Vec<UserId> {
        self.state().accounts.keys().cloned().collect()
    }

    /// Removes expired sessions.
    pub(super) fn sweep(&self) {
        let mut state = self.state();
        let now = Instant::now();
        let over = state.sessions.iter().filter(|(_, session)| session.is_over(now));
        for client in over.map(|(client, _)| Arc::clone(client)).collect::<Vec<_>>() {
            state.purge(&client, Reason::Normal);
        }
        state.measure();
    }

    /// Refuses further connections, and ends the open ones.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.is_closing = true;
        for session in state.sessions.values() {
            session.mailbox.end(Reason::ShuttingDown);
        }
    }
}

#[cfg(test)]
#[path = "hub_tests.rs"]
mod tests;
