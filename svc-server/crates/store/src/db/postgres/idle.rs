//! The connections that no job uses.

use std::mem;
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

/// Counts connections for a metric. Clones share the counts, which change together: one that a job takes or gives back
/// is counted once at any time.
#[derive(Clone, Default)]
pub(in crate::db) struct Connections(Arc<Mutex<Counts>>);

#[derive(Default)]
struct Counts {
    busy: usize,
    idle: usize,
}

/// That a connection is counted as one that a job uses, until this is dropped.
pub(super) struct Busy(Option<Connections>);

impl Idle {
    pub(super) fn of(session: Session) -> Self {
        let idle = Self::default();
        idle.lock().push(session);
        idle.connections.note(1, 0);
        idle
    }

    /// The one that was used last, for a job.
    pub(super) fn take(&self) -> Option<(Session, Busy)> {
        let mut sessions = self.lock();
        let session = sessions.pop()?;
        self.connections.note(sessions.len(), 1);
        drop(sessions);
        Some((session, Busy(Some(self.connections.clone()))))
    }

    /// Counts a new connection, for a job.
    pub(super) fn busy(&self) -> Busy {
        self.connections.lock().busy += 1;
        Busy(Some(self.connections.clone()))
    }

    /// Takes back one that a job has used.
    pub(super) fn put(&self, session: Session, mut busy: Busy) {
        let mut sessions = self.lock();
        sessions.push(session);
        self.connections.note(sessions.len(), -1);
        drop(sessions);
        busy.0 = None;
    }

    /// Gives all of them up: what ended one connection has probably ended the others.
    pub(super) fn clear(&self) {
        let mut sessions = self.lock();
        let given_up = mem::take(&mut *sessions);
        self.connections.note(0, 0);
        // Closing them may take a moment, for which nobody waits at the lock.
        drop(sessions);
        drop(given_up);
    }

    /// The counts of these connections and of those that jobs use.
    pub(super) fn connections(&self) -> Connections {
        self.connections.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connections {
    /// How many are busy, and how many idle.
    pub(in crate::db) fn count(&self) -> [usize; 2] {
        let counts = self.lock();
        [counts.busy, counts.idle]
    }

    /// Notes how many are idle, and how many more jobs use one.
    fn note(&self, idle: usize, more_busy: isize) {
        let mut counts = self.lock();
        counts.idle = idle;
        counts.busy = counts.busy.saturating_add_signed(more_busy);
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        if let Some(connections) = self.0.take() {
            let mut counts = connections.lock();
            counts.busy = counts.busy.saturating_sub(1);
        }
    }
}
