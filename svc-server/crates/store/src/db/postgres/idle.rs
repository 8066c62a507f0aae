//! The connections that no job uses.

use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::session::Session;

/// Connections that no job uses. Clones share them.
///
/// The one that was used last serves the next job, on whichever thread: its statements are prepared, and its process
/// knows the tables. A server that has little to do so needs few connections, and those are warm.
#[derive(Clone, Default)]
pub(super) struct Idle {
    sessions: Arc<Mutex<Vec<Session>>>,
    connections: Connections,
}

/// Counts connections for a metric. Clones share the counts.
#[derive(Clone, Default)]
pub(in crate::db) struct Connections(Arc<Counts>);

#[derive(Default)]
struct Counts {
    busy: AtomicUsize,
    idle: AtomicUsize,
}

/// A connection that a job uses, until it is dropped.
pub(super) struct Busy(Connections);

impl Idle {
    pub(super) fn of(session: Session) -> Self {
        let idle = Self::default();
        idle.put(session);
        idle
    }

    /// The one that was used last.
    pub(super) fn take(&self) -> Option<Session> {
        let mut sessions = self.lock();
        let session = sessions.pop();
        self.note(&sessions);
        session
    }

    pub(super) fn put(&self, session: Session) {
        let mut sessions = self.lock();
        sessions.push(session);
        self.note(&sessions);
    }

    /// Gives all of them up: what ended one connection has probably ended the others.
    pub(super) fn clear(&self) {
        let mut sessions = self.lock();
        let given_up = mem::take(&mut *sessions);
        self.note(&sessions);
        // Closing them may take a moment, for which nobody waits at the lock.
        drop(sessions);
        drop(given_up);
    }

    /// Counts a connection that a job uses.
    pub(super) fn busy(&self) -> Busy {
        self.connections.0.busy.fetch_add(1, Ordering::Relaxed);
        Busy(self.connections.clone())
    }

    /// The counts of these connections and of those that jobs use.
    pub(super) fn connections(&self) -> Connections {
        self.connections.clone()
    }

    fn note(&self, sessions: &[Session]) {
        self.connections.0.idle.store(sessions.len(), Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connections {
    /// How many are busy, and how many idle.
    pub(in crate::db) fn count(&self) -> [usize; 2] {
        [&self.0.busy, &self.0.idle].map(|count| count.load(Ordering::Relaxed))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}
