//! The connections that no job uses.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::session::Session;

/// Connections that no job uses. Clones share them.
///
/// The one that was used last serves the next job, on whichever thread: its statements are prepared, and its process
/// knows the tables. A server that has little to do so needs few connections, and those are warm.
#[derive(Clone, Default)]
pub(super) struct Idle(Arc<Mutex<Vec<Session>>>);

impl Idle {
    pub(super) fn of(session: Session) -> Self {
        Self(Arc::new(Mutex::new(vec![session])))
    }

    /// The one that was used last.
    pub(super) fn take(&self) -> Option<Session> {
        self.lock().pop()
    }

    pub(super) fn put(&self, session: Session) {
        self.lock().push(session);
    }

    /// Gives all of them up: what ended one connection has probably ended the others.
    pub(super) fn clear(&self) {
        let sessions = mem::take(&mut *self.lock());
        // Closing them may take a moment, for which nobody waits at the lock.
        drop(sessions);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
