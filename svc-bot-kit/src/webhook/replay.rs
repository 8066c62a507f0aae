//! Detects repeated events, so that each is handled once.

use std::collections::{HashMap, VecDeque};
use std::error::Error;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};

use super::refused::Refused;

/// The error of a [`ReplayStore`].
pub type StoreError = Box<dyn Error + Send + Sync>;

/// Identifies an event: its signed id, otherwise the SHA-256 of the body.
///
/// It is never `X-Webhook-Id`, which is not signed, nor the signature, which depends on the secret.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReplayKey(String);

impl ReplayKey {
    pub(crate) fn of_id(id: &str) -> Self {
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

/// The state of an event in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Seen {
    /// It is new, and is now claimed by the caller.
    Never,
    /// It is claimed but not confirmed.
    Claimed,
    /// It was handled.
    Confirmed,
}

/// Remembers which events were handled.
///
/// Keep confirmed events for 14 days: the platform sends no event for longer. Calls must be fast,
/// because they run synchronously before the handler.
pub trait ReplayStore: Send + Sync + 'static {
    /// Claims an event if it is neither claimed nor confirmed, atomically. Returns its state before.
    fn claim(&self, key: &ReplayKey) -> Result<Seen, StoreError>;

    /// Marks the event as handled.
    fn confirm(&self, key: &ReplayKey) -> Result<(), StoreError>;

    /// Releases the claim: the event was not handled and may come again.
    fn release(&self, key: &ReplayKey) -> Result<(), StoreError>;
}

/// A claimed event. Dropping it without a confirmation releases it, so that the event is handled again
/// after its handler failed, panicked or was dropped.
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
            tracing::error!(%error, key = held.key.as_str(), "a webhook could not be released");
        }
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.fmt(f)
    }
}

/// A replay store in memory, which is lost when the process ends. A `Journal` outlasts it.
#[derive(Debug)]
pub struct MemoryReplay {
    most: usize,
    known: Mutex<Events>,
}

#[derive(Debug, Default)]
struct Events {
    /// Whether each event is confirmed.
    events: HashMap<ReplayKey, bool>,
    /// The confirmed events, oldest first.
    confirmed: VecDeque<ReplayKey>,
}

impl MemoryReplay {
    /// Creates a store for at most this many events, about 200 bytes each.
    ///
    /// Choose more than you receive in 14 days, because the platform may repeat an event for that long.
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
            let oldest = oldest.ok_or("every event in the store is being handled")?;
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
    fn memory_is_bounded_and_drops_the_oldest_confirmed_event() {
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
        store.confirm(&key("b")).unwrap();
        store.confirm(&key("a")).unwrap();
        assert_eq!(store.claim(&key("c")).unwrap(), Seen::Never);
        assert_eq!(store.claim(&key("a")).unwrap(), Seen::Confirmed, "b was confirmed before it");
    }

    #[test]
    fn one_of_several_concurrent_claims_wins() {
        let store = MemoryReplay::new(100);
        let won = std::thread::scope(|scope| {
            let claim = || store.claim(&key("a")).unwrap() == Seen::Never;
            let claims: Vec<_> = (0..8).map(|_| scope.spawn(claim)).collect();
            claims.into_iter().map(|one| one.join().unwrap()).filter(|won| *won).count()
        });
        assert_eq!(won, 1);
    }
}
