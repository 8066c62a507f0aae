//! Bounds the memory that the bodies of uploads take together.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

const KIB: usize = 1024;

/// Most of it, in KiB: seven images of 8 MiB at once, or one form with four and three more.
const KIB_MAX: u32 = 64 * 1024;

/// Room for bodies that are read.
#[derive(Debug)]
pub(crate) struct LargeBodies(Arc<Semaphore>);

impl Default for LargeBodies {
    fn default() -> Self {
        Self(Arc::new(Semaphore::const_new(KIB_MAX as usize)))
    }
}

impl LargeBodies {
    /// Waits until a body of so many bytes may be read. The room is free again when the permit is dropped.
    pub(crate) async fn room(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        let kib = u32::try_from(bytes.div_ceil(KIB)).unwrap_or(u32::MAX).min(KIB_MAX);
        // The semaphore is never closed.
        Arc::clone(&self.0).acquire_many_owned(kib).await.ok()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    const MIB: usize = 1024 * KIB;

    #[test]
    fn bodies_wait_for_each_others_room() {
        let bodies = LargeBodies::default();
        let first = bodies.room(usize::MAX).now_or_never();
        assert!(matches!(first, Some(Some(_))), "a body of any size is read alone");
        assert!(bodies.room(1).now_or_never().is_none(), "there is no room");
        drop(first);
        let two = [bodies.room(33 * MIB), bodies.room(31 * MIB)].map(FutureExt::now_or_never);
        assert!(two.iter().all(|room| matches!(room, Some(Some(_)))), "both fit");
    }
}
