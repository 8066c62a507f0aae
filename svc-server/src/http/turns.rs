//! Bounds the slow work that one caller has under way at a time.
//!
//! Schemas, passwords and pictures are checked on a few threads with a short queue, and what is refused costs nothing.
//! Without a bound, an account that sends many such requests at once would fill the queue, and those of all other
//! accounts would be refused.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Slow jobs that one caller may have under way at a time: few, compared with the length of a queue.
const AT_ONCE: usize = 4;

/// The callers that have slow work under way.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<HashMap<String, Arc<Semaphore>>>);

/// The right to one slow job, until it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    _permit: Option<OwnedSemaphorePermit>,
}

impl Turns {
    /// Waits until the caller may begin. Attempts without an account are limited by their network.
    pub(super) async fn take(&self, caller: Option<&str>) -> Turn {
        let Some(caller) = caller else { return Turn { _permit: None } };
        // The semaphores are never closed.
        Turn { _permit: self.share(caller).acquire_owned().await.ok() }
    }

    fn share(&self, caller: &str) -> Arc<Semaphore> {
        let mut shares = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A semaphore that only the map holds has nothing under way.
        shares.retain(|_, share| Arc::strong_count(share) > 1);
        let whole = || Arc::new(Semaphore::new(AT_ONCE));
        Arc::clone(shares.entry(caller.to_owned()).or_insert_with(whole))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn slow_work_of_one_caller_keeps_no_other_waiting() {
        let turns = Turns::default();
        let take = |caller: &'static str| turns.take(Some(caller)).now_or_never();
        let mut own: Vec<_> = (0..AT_ONCE).map(|_| take("ada")).collect();
        assert!(own.iter().all(Option::is_some));
        assert!(take("ada").is_none(), "it waits for its own work");
        assert!(take("bob").is_some());
        assert!(turns.take(None).now_or_never().is_some());
        drop(own.pop());
        assert!(take("ada").is_some());
    }
}
