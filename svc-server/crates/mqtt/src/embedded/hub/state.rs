//! What the lock of the hub guards: sessions, and who listens to which topic.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use svc_types::UserId;
use tokio::sync::watch;
use tokio::time::Instant;

use super::{Arrival, SessionHandle};
use crate::embedded::mailbox::Mailbox;
use crate::embedded::revocations::Revocations;
use crate::policy::Topic;
use crate::wire::Reason;

/// Persistent sessions per account; beyond that, the oldest is removed.
const PERSISTENT_MAX: usize = 10;

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) sessions: HashMap<Arc<str>, Session>,
    /// Client ids of an account's sessions, oldest first.
    pub(super) accounts: HashMap<UserId, Vec<Arc<str>>>,
    pub(super) listeners: HashMap<Arc<str>, Vec<Listener>>,
    /// Of each stream with subscribers, the number of the latest event that was published. Empty where
    /// there is one node.
    pub(super) positions: HashMap<String, i64>,
    pub(super) revocations: Revocations,
    connections: u64,
    pub(super) is_closing: bool,
}

#[derive(Debug)]
pub(super) struct Session {
    pub(super) account: UserId,
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) topics: Vec<Arc<str>>,
    pub(super) expiry: Duration,
    pub(super) gone_at: Option<Instant>,
    /// The number of its latest connection.
    number: u64,
    /// Publishes `number` to delayed wills; closed when the session is removed.
    life: watch::Sender<u64>,
}

impl Session {
    /// Whether its client may resume it. A session without expiry ends with its connection, also when
    /// another connection takes over.
    pub(super) fn outlasts(&self, now: Instant) -> bool {
        !self.expiry.is_zero() && !self.is_over(now)
    }

    pub(super) fn is_over(&self, now: Instant) -> bool {
        self.gone_at.is_some_and(|gone| now.duration_since(gone) >= self.expiry)
    }
}

#[derive(Debug)]
pub(super) struct Listener {
    client: Arc<str>,
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) acknowledged: bool,
}

impl State {
    pub(super) fn listens_to(&self, stream: &str) -> bool {
        Topic::of_stream(stream).iter().any(|topic| self.listeners.contains_key(topic.as_str()))
    }

    /// Open connections of an account with other client ids.
    pub(super) fn connected(&self, account: &UserId, client: &str) -> usize {
        let of_account = self.accounts.get(account).into_iter().flatten();
        let is_open = |other: &&Arc<str>| {
            let session = self.sessions.get(*other);
            &***other != client && session.is_some_and(|session| session.mailbox.is_held())
        };
        of_account.filter(is_open).count()
    }

    /// Evicts the oldest persistent session of an account if it has the maximum number.
    pub(super) fn make_room(&mut self, account: &UserId, client: &str) {
        let of_account = self.accounts.get(account).into_iter().flatten();
        let is_persistent =
            |other: &&Arc<str>| &***other != client && !self.sessions[*other].expiry.is_zero();
        let persistent: Vec<_> = of_account.filter(is_persistent).cloned().collect();
        let is_idle = |other: &&Arc<str>| !self.sessions[*other].mailbox.is_held();
        let oldest = persistent.iter().find(is_idle).or(persistent.first());
        if let Some(oldest) = oldest.filter(|_| persistent.len() >= PERSISTENT_MAX) {
            self.purge(&Arc::clone(oldest), Reason::Quota);
        }
    }

    /// Attaches a new connection to its session, which is created if need be.
    pub(super) fn hold(&mut self, arrival: Arrival) -> SessionHandle {
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
        SessionHandle { client, mailbox, notify, number, session_present, life }
    }

    pub(super) fn add_listener(
        &mut self,
        handle: &SessionHandle,
        topic: &Arc<str>,
        acknowledged: bool,
    ) {
        let Some(session) = self.session_of(handle) else { return };
        let is_new = !session.topics.contains(topic);
        if is_new {
            session.topics.push(Arc::clone(topic));
        }
        let listeners = self.listeners.entry(Arc::clone(topic)).or_default();
        if is_new {
            let (client, mailbox) = (Arc::clone(&handle.client), Arc::clone(&handle.mailbox));
            listeners.push(Listener { client, mailbox, acknowledged });
        } else if let Some(own) = listeners.iter_mut().find(|own| own.client == handle.client) {
            own.acknowledged = acknowledged;
        }
    }

    /// The session of a connection, unless it was replaced by another session.
    pub(super) fn session_of(&mut self, handle: &SessionHandle) -> Option<&mut Session> {
        let session = self.sessions.get_mut(&handle.client)?;
        Arc::ptr_eq(&session.mailbox, &handle.mailbox).then_some(session)
    }

    pub(super) fn remove_listener(&mut self, client: &str, topic: &str) -> bool {
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

    /// Removes a session, and ends its connection.
    pub(super) fn purge(&mut self, client: &str, reason: Reason) {
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
    pub(super) fn measure(&self) {
        metrics::gauge!("svc_mqtt_sessions").set(self.sessions.len() as f64);
        metrics::gauge!("svc_mqtt_topics").set(self.listeners.len() as f64);
    }
}
