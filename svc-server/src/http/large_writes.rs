//! Lets small writes pass large ones.
//!
//! The database commits groups of writes one after the other, and a group takes time in proportion
//! to its bytes. A few clients that keep sending texts of many kilobytes would make every group,
//! and so every other client's writes, ten times slower. So only a few large writes at a time enter
//! the database's queue; the others wait here, in order.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of the largest write that does not wait.
const SMALL: u64 = 4 * 1024;

/// Kilobytes of large writes in the database's queue at the same time.
const ADMITTED_KIB: u32 = 64;

/// Admits large writes.
#[derive(Debug)]
pub(crate) struct LargeWrites(Arc<Semaphore>);

impl Default for LargeWrites {
    fn default() -> Self {
        Self(Arc::new(Semaphore::const_new(ADMITTED_KIB as usize)))
    }
}

impl LargeWrites {
    /// Waits until a write of this size may be queued. The job owns the permit and drops it when it
    /// is done, because a client that disconnects does not remove its job from the queue.
    pub(crate) async fn admit(&self, bytes: u64) -> Option<OwnedSemaphorePermit> {
        if bytes <= SMALL {
            return None;
        }
        // A write larger than the total limit is admitted alone.
        let kib = u32::try_from(bytes / 1024).unwrap_or(u32::MAX).min(ADMITTED_KIB);
        // The semaphore is never closed.
        Arc::clone(&self.0).acquire_many_owned(kib).await.ok()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn small_writes_pass_large_ones_that_wait() {
        let writes = LargeWrites::default();
        let first = writes.admit(u64::MAX).now_or_never();
        assert!(matches!(first, Some(Some(_))), "a write of any size is admitted alone");
        assert!(writes.admit(SMALL + 1).now_or_never().is_none(), "a large write waits");
        assert!(matches!(writes.admit(SMALL).now_or_never(), Some(None)), "a small one does not");
        drop(first);
        assert!(writes.admit(SMALL + 1).now_or_never().is_some(), "its turn has come");
    }
}
