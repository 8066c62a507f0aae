//! What came before: each event is handled once.

use std::collections::{HashMap, VecDeque};
use std::error::Error;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};

use super::refused::Refused;

/// Why a store failed.
pub type StoreError = Box<dyn Error + Send + Sync>;

/// What tells an event from others: the id that is signed, else the SHA-256 of the body.
///
/// Never `X-Webhook-Id`, which anybody may change, nor the signature, which changes with the secret.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReplayKey(String);

impl ReplayKey {
    pub(super) fn of_id(id: &str) -> Self {
        Self(id.to_owned())
    }

    pub(super) fn of_body(body: &[u8]) -> Self {
        let hex =
            |byte: &u8| [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16));
        Self(Sha256::digest(body).iter().flat_map(hex).flatten().collect())
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a store knows of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Seen {
    /// Nothing: now it is claimed by who asked.
    Never,
    /// It is claimed, and not confirmed.
    Claimed,
    /// It was handled.
    Confirmed,
}

/// Remembers which events were handled.
///
/// Keep what is confirmed for 14 days: nothing about an event is sent later than that. Calls should
/// be short, because they are made between a request's arrival and its handler.
pub trait ReplayStore: Send + Sync + 'static {
    /// Claims an event nobody has claimed, in one step.
    fn claim(&self, key: &ReplayKey) -> Result<Seen, StoreError>;

    /// The event was handled.
    fn confirm(&self, key: &ReplayKey) -> Result<(), StoreError>;

    /// The event was not handled, and may come again.
    fn release(&self, key: &ReplayKey) -> Result<(), StoreError>;
}

/// An event somebody works on; let go of when dropped without a confirmation, so that a handler
/// that fails, panics or is given up is called again.
#[derive(Debug)]
pub(super) struct Claim(Option<Held>);

struct Held {
    store: Arc<dyn ReplayStore>,
    key: ReplayKey,
}

impl Claim {
    pub(super) fn new(store: Arc<dyn ReplayStore>, key: ReplayKey) -> Result<Self, Refused> {
        match store.claim(&key).map_err(Refused::Store)? {
            Seen::Never => Ok(Self(Some(Held { store, key }))),
            Seen::Claimed => Err(Refused::InProgress),
            Seen::Confirmed => Err(Refused::Duplicate),
        }
    }

    pub(super) fn confirm(mut self) -> Result<(), Refused> {
        match self.0.take() {
            Some(held) => held.store.confirm(&held.key).map_err(Refused::Store),
            None => Ok(()),
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some(held) = self.0.take()
            && let Err(error) = held.store.release(&held.key)
        {
            tracing::error!(%error, key = held.key.as_str(), "a webhook could not be let go of");
        }
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.fmt(f)
    }
}

/// Remembers the latest events in memory, and forgets them when the process ends.
#[derive(Debug)]
pub struct MemoryReplay {
    most: usize,
    known: Mutex<Events>,
}

#[derive(Debug, Default)]
struct Events {
    /// Whether each is confirmed.
    events: HashMap<ReplayKey, bool>,
    /// Those that are confirmed, oldest first.
    confirmed: VecDeque<ReplayKey>,
}

impl MemoryReplay {
    /// Remembers at most this many events, about 200 bytes each.
    ///
    /// Take more than come in 14 days, for that long an event may be sent again.
    ///
    /// ```
    /// let store = svc_bot_kit::MemoryReplay::new(100_000);
    /// ```
    pub fn new(most: usize) -> Self {
        Self { most: most.max(1), known: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, Events> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ReplayStore for MemoryReplay {
    fn claim(&self, key: &ReplayKey) -> Result<Seen, StoreError> {
        let mut known = self.known();
        match known.events.get(key) {
            Some(true) => return Ok(Seen::Confirmed),
            Some(false) => return Ok(Seen::Claimed),
            None => {}
        }
        if known.events.len() >= self.most {
            let oldest = known.confirmed.pop_front();
            let oldest = oldest.ok_or("all it remembers is being handled")?;
            known.events.remove(&oldest);
        }
        known.events.insert(key.clone(), false);
        Ok(Seen::Never)
    }

    fn confirm(&self, key: &ReplayKey) -> Result<(), StoreError> {
        let mut known = self.known();
        if known.events.insert(key.clone(), true) != Some(true) {
            known.confirmed.push_back(key.clone());
        }
        Ok(())
    }

    fn release(&self, key: &ReplayKey) -> Result<(), StoreError> {
        let mut known = self.known();
        if known.events.get(key) == Some(&false) {
            known.events.remove(key);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> ReplayKey {
        ReplayKey::of_id(name)
    }

    #[test]
    fn memory_is_bounded_and_forgets_the_oldest_that_is_done() {
        let store = MemoryReplay::new(2);
        assert_eq!(store.claim(&key("a")).unwrap(), Seen::Never);
        assert_eq!(store.claim(&key("a")).unwrap(), Seen::Claimed);
        assert_eq!(store.claim(&key("b")).unwrap(), Seen::Never);
        assert!(store.claim(&key("c")).is_err(), "what is being handled is not forgotten");
        store.confirm(&key("b")).unwrap();
        assert_eq!(store.claim(&key("b")).unwrap(), Seen::Confirmed);
        assert_eq!(store.claim(&key("c")).unwrap(), Seen::Never);
        assert_eq!(store.known().events.len(), 2);
        store.release(&key("c")).unwrap();
        assert_eq!(store.claim(&key("b")).unwrap(), Seen::Never, "it was forgotten");
    }

    #[test]
    fn of_those_who_claim_at_once_one_wins() {
        let store = MemoryReplay::new(100);
        let won = std::thread::scope(|scope| {
            let claim = || store.claim(&key("a")).unwrap() == Seen::Never;
            let claims: Vec<_> = (0..8).map(|_| scope.spawn(claim)).collect();
            claims.into_iter().map(|one| one.join().unwrap()).filter(|won| *won).count()
        });
        assert_eq!(won, 1);
    }
}
