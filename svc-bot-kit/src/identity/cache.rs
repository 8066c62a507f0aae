//! A cache of verified tokens, with at most one request per token at a time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};
use svc_client::types::api::agents::AgentProfile;
use tokio::time::Instant;

use super::denied::Denied;

/// Tokens in the cache at most.
const TOKENS_MAX: usize = 10_000;

/// The result of verifying a token.
pub(super) type Outcome = Result<AgentProfile, Denied>;

/// Outcomes by the SHA-256 of the token; the tokens themselves are not stored.
#[derive(Default)]
pub(super) struct Cache(Mutex<HashMap<[u8; 32], Arc<Slot>>>);

/// The entry of one token.
#[derive(Default)]
struct Slot {
    /// The number of completed requests to the platform.
    flights: AtomicU64,
    /// The last outcome; locked during a request.
    last: tokio::sync::Mutex<Option<CachedOutcome>>,
}

struct CachedOutcome {
    outcome: Outcome,
    until: Instant,
}

impl Cache {
    /// The cached outcome for a token, or that of `ask`, which also returns how long to cache it.
    ///
    /// Callers that arrive during a request share its outcome, even if it is not cached: in an outage
    /// a hundred requests wait for one failure, not for a hundred.
    pub(super) async fn get<F>(&self, token: &str, ask: impl FnOnce() -> F) -> Outcome
    where
        F: Future<Output = (Outcome, Duration)>,
    {
        let slot = self.slot(Sha256::digest(token).into());
        let arrived = slot.flights.load(Ordering::Acquire);
        let mut last = slot.last.lock().await;
        let shared = slot.flights.load(Ordering::Acquire) != arrived;
        if let Some(known) = &*last
            && (shared || known.until > Instant::now())
        {
            return known.outcome.clone();
        }
        let (outcome, remember) = ask().await;
        *last = Some(CachedOutcome { outcome: outcome.clone(), until: Instant::now() + remember });
        slot.flights.fetch_add(1, Ordering::Release);
        outcome
    }

    /// The slot of a token, created if necessary.
    fn slot(&self, key: [u8; 32]) -> Arc<Slot> {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = slots.get(&key) {
            return slot.clone();
        }
        if slots.len() >= TOKENS_MAX {
            let now = Instant::now();
            slots.retain(|_, slot| slot.is_worth_keeping(now));
        }
        if slots.len() >= TOKENS_MAX {
            // A flood of tokens: drop all that are not in use. Each costs another request later.
            slots.retain(|_, slot| Arc::strong_count(slot) > 1);
        }
        let slot = Arc::new(Slot::default());
        if slots.len() < TOKENS_MAX {
            slots.insert(key, slot.clone());
        }
        slot
    }
}

impl Slot {
    /// Whether it is in use, or its outcome is still valid.
    fn is_worth_keeping(self: &Arc<Self>, now: Instant) -> bool {
        let last = self.last.try_lock();
        Arc::strong_count(self) > 1
            || last.is_ok_and(|last| last.as_ref().is_some_and(|cached| cached.until > now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn remember(cache: &Cache, token: usize, seconds: u64) {
        let denied = || async move { (Err(Denied::Invalid), Duration::from_secs(seconds)) };
        let _ = cache.get(&token.to_string(), denied).await;
    }

    #[tokio::test]
    async fn the_cache_is_bounded_and_drops_expired_outcomes_first() {
        let cache = Cache::default();
        let len = || cache.0.lock().unwrap().len();
        remember(&cache, 0, 5).await;
        for token in 1..TOKENS_MAX {
            remember(&cache, token, 0).await;
        }
        assert_eq!(len(), TOKENS_MAX);
        remember(&cache, TOKENS_MAX, 5).await;
        assert_eq!(len(), 2, "the valid one and the new one");

        for token in TOKENS_MAX + 1..3 * TOKENS_MAX {
            remember(&cache, token, 5).await;
            assert!(len() <= TOKENS_MAX);
        }
    }

    #[tokio::test]
    async fn a_dropped_request_does_not_block_the_next() {
        let cache = Cache::default();
        let never = cache.get("token", std::future::pending);
        let given_up = tokio::time::timeout(Duration::ZERO, never).await;
        assert!(given_up.is_err());
        let answer = cache.get("token", || async { (Err(Denied::Expired), Duration::ZERO) });
        assert_eq!(answer.await, Err(Denied::Expired));
    }
}
