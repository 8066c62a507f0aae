//! Bounds the memory that the bodies of uploads take together.
//!
//! A body has its room from its head on, however slowly it comes. So the bodies of one account share a part of it:
//! else an account that sends nothing of some images would keep the uploads of all others waiting. The part has room
//! for more than one image, because that of a lost connection is read until its time is over.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

const KIB: usize = 1024;

/// Most of it, in KiB: seven images of 8 MiB at once, or one form with four and three more.
const KIB_MAX: u32 = 64 * 1024;

/// What the bodies of one sender share of it, in KiB. A larger body waits until it is the only one of its sender.
const KIB_OF_SENDER: u32 = KIB_MAX / 2;

/// Room for bodies that are read.
#[derive(Debug)]
pub(crate) struct LargeBodies {
    room: Arc<Semaphore>,
    /// The shares of senders that have a body here.
    shares: Mutex<HashMap<String, Arc<Semaphore>>>,
}

/// The room of a body, which is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Room {
    _share: OwnedSemaphorePermit,
    _kib: OwnedSemaphorePermit,
}

impl Default for LargeBodies {
    fn default() -> Self {
        let room = Arc::new(Semaphore::const_new(KIB_MAX as usize));
        Self { room, shares: Mutex::default() }
    }
}

impl LargeBodies {
    /// Waits until a body of this size may be read. A sender is an account, or a network without one.
    pub(crate) async fn room(&self, sender: &str, bytes: usize) -> Option<Room> {
        let kib = u32::try_from(bytes.div_ceil(KIB)).unwrap_or(u32::MAX).min(KIB_MAX);
        // The semaphores are never closed.
        let share = self.share(sender).acquire_many_owned(kib.min(KIB_OF_SENDER)).await.ok()?;
        let kib = Arc::clone(&self.room).acquire_many_owned(kib).await.ok()?;
        Some(Room { _share: share, _kib: kib })
    }

    fn share(&self, sender: &str) -> Arc<Semaphore> {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        // One that is only in the list has no body here.
        shares.retain(|_, share| Arc::strong_count(share) > 1);
        let whole = || Arc::new(Semaphore::new(KIB_OF_SENDER as usize));
        Arc::clone(shares.entry(sender.to_owned()).or_insert_with(whole))
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
        let first = bodies.room("ada", usize::MAX).now_or_never();
        assert!(matches!(first, Some(Some(_))), "a body of any size is read alone");
        assert!(bodies.room("bob", 1).now_or_never().is_none(), "there is no room");
        drop(first);
        let two = [bodies.room("ada", 33 * MIB), bodies.room("bob", 31 * MIB)];
        let two = two.map(FutureExt::now_or_never);
        assert!(two.iter().all(|room| matches!(room, Some(Some(_)))), "both fit");
    }

    #[test]
    fn bodies_of_one_sender_keep_no_other_waiting() {
        let bodies = LargeBodies::default();
        let own = (0..4).map(|_| bodies.room("ada", 8 * MIB).now_or_never());
        let mut own: Vec<_> = own.collect();
        assert!(
            own.iter().all(|room| matches!(room, Some(Some(_)))),
            "an account has room for some"
        );
        let more = (0..9).map(|_| Box::pin(bodies.room("ada", 8 * MIB)));
        let mut more: Vec<_> = more.collect();
        assert!(
            more.iter_mut().all(|room| room.now_or_never().is_none()),
            "more wait for the first"
        );
        let other = bodies.room("bob", 8 * MIB).now_or_never();
        assert!(matches!(other, Some(Some(_))));
        drop(own.pop());
        assert!(
            matches!(more.remove(0).now_or_never(), Some(Some(_))),
            "it is the turn of the next"
        );
        drop((own, more, other));
        assert!(matches!(bodies.room("cyd", 1).now_or_never(), Some(Some(_))));
        assert_eq!(bodies.shares.lock().unwrap().len(), 1, "those without a body are forgotten");
    }
}
