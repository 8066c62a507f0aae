//! The query plans of the statements that ran, for tests that check their indexes.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::sql::Sql;

/// A statement that ran, and its query plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The statement.
    pub sql: Sql,
    /// The steps of its plan.
    pub steps: Vec<String>,
}

/// Records query plans between `watch` and `take`. Clones share one record.
#[derive(Clone, Debug, Default)]
pub struct Plans {
    watched: Arc<AtomicBool>,
    noted: Arc<Mutex<Vec<Plan>>>,
}

impl Plans {
    /// Notes plans from now on.
    pub fn watch(&self) {
        self.watched.store(true, Ordering::Relaxed);
    }

    /// The plans since then, each statement once.
    pub fn take(&self) -> Vec<Plan> {
        self.watched.store(false, Ordering::Relaxed);
        mem::take(&mut *self.noted.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn are_watched(&self) -> bool {
        self.watched.load(Ordering::Relaxed)
    }

    pub(super) fn note(&self, sql: Sql, steps: Vec<String>) {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.iter().all(|plan| plan.sql != sql) {
            noted.push(Plan { sql, steps });
        }
    }
}
