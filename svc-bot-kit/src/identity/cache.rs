//! What is known about tokens, and one question at a time about each.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};
use svc_client::types::api::agents::AgentProfile;
use tokio::time::Instant;

use super::denied::Denied;

/// Most tokens that are remembered.
const TOKENS_MAX: usize = 10_000;

/// What the platform says about a token.
pub(super) type Outcome = Result<AgentProfile, Denied>;

/// What is known about tokens, by their SHA-256: the tokens themselves are not kept.
#[derive(Default)]
pub(super) struct Cache(Mutex<HashMap<[u8; 32], Arc<Slot>>>);

/// One token.
#[derive(Default)]
struct Slot {
    /// How often the platform has answered.
    flights: AtomicU64,
    /// The last answer; locked while the platform is asked.
    last: tokio::sync::Mutex<Option<CachedOutcome>>,
}

struct CachedOutcome {
    outcome: Outcome,
    until: Instant,
}

impl Cache {
    /// The outcome for a token: remembered, or by `ask`, which also says how long it holds.
    ///
    /// Whoever comes while the platform is being asked gets that answer, even one that is not
    /// remembered: in an outage a hundred visitors wait for one failure, not for a hundred.
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

    /// The place of a token, a new one if need be.
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
            // A flood of tokens: forgetting costs a question each, and keeps the bound.
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
    /// Whether it is in use, or its answer still holds.
    fn is_worth_keeping(self: &Arc<Self>, now: Instant) -> bool {
        let holds = |known: &CachedOutcome| known.until > now;
        let last = self.last.try_lock();
        Arc::strong_count(self) > 1 || last.is_ok_and(|last| last.as_ref().is_some_and(holds))
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
    async fn the_cache_is_bounded_and_drops_what_no_longer_holds_first() {
        let cache = Cache::default();
        let len = || cache.0.lock().unwrap().len();
        remember(&cache, 0, 5).await;
        for token in 1..TOKENS_MAX {
            remember(&cache, token, 0).await;
        }
        assert_eq!(len(), TOKENS_MAX);
        remember(&cache, TOKENS_MAX, 5).await;
        assert_eq!(len(), 2, "the one that holds and the new one");

        for token in TOKENS_MAX + 1..3 * TOKENS_MAX {
            remember(&cache, token, 5).await;
            assert!(len() <= TOKENS_MAX);
        }
    }

    #[tokio::test]
    async fn a_question_that_is_given_up_does_not_block_the_next() {
        let cache = Cache::default();
        let never = cache.get("token", std::future::pending);
        let given_up = tokio::time::timeout(Duration::ZERO, never).await;
        assert!(given_up.is_err());
        let answer = cache.get("token", || async { (Err(Denied::Expired), Duration::ZERO) });
        assert_eq!(answer.await, Err(Denied::Expired));
    }
}
