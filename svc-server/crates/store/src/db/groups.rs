//! What each group of jobs did, for tests and benches that count what a request costs.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// Jobs that ran together: those of one commit, or of one snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// `write`, `read` or `snapshot`.
    pub kind: &'static str,
    /// How many jobs they were.
    pub jobs: usize,
    /// Statements they ran, without those that begin and end transactions.
    pub statements: u64,
    /// Steps of SQLite's virtual machine; none on PostgreSQL.
    pub steps: u64,
    /// Round trips to PostgreSQL, with those that begin and end transactions; none on SQLite.
    pub trips: u64,
    /// Pages (4 KiB each) that their commit appended to SQLite's write-ahead log.
    pub log_pages: u64,
}

/// Records groups between `watch` and `take`. Clones share one record.
#[derive(Clone, Debug, Default)]
pub struct Groups(Arc<Mutex<Option<Vec<Group>>>>);

impl Groups {
    /// Notes groups from now on.
    pub fn watch(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Vec::new());
    }

    /// The groups since then.
    pub fn take(&self) -> Vec<Group> {
        mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)).unwrap_or_default()
    }

    pub(super) fn note(&self, group: Group) {
        if let Some(groups) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            groups.push(group);
        }
    }
}
