//! Interrupts statements whose job has run out of time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;

/// Steps of SQLite's virtual machine between two looks at the clock, a fraction of a millisecond. A
/// statement with fewer never looks.
const STEPS: i32 = 10_000;

/// No limit.
const NEVER: u64 = u64::MAX;

/// When the present job of a connection has to end.
pub(super) struct TimeLimit {
    began: Instant,
    /// In microseconds since then.
    deadline: Arc<AtomicU64>,
    most: Duration,
}

impl TimeLimit {
    /// Watches the statements of a connection. Limited jobs may take this long.
    pub(super) fn watch(connection: &mut Connection, most: Duration) -> rusqlite::Result<Self> {
        let (began, deadline) = (present(), Arc::new(AtomicU64::new(NEVER)));
        let watched = Arc::clone(&deadline);
        let is_over = move || micros(began) > watched.load(Ordering::Relaxed);
        connection.progress_handler(STEPS, Some(is_over))?;
        Ok(Self { began, deadline, most })
    }

    /// A job begins; `is_limited` says whether it may be interrupted.
    pub(super) fn begin(&self, is_limited: bool) {
        let most = u64::try_from(self.most.as_micros()).unwrap_or(NEVER);
        let deadline = if is_limited { micros(self.began).saturating_add(most) } else { NEVER };
        self.deadline.store(deadline, Ordering::Relaxed);
    }
}

fn micros(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(NEVER)
}

#[expect(clippy::disallowed_methods, reason = "callers wait in real time, whatever the clock")]
fn present() -> Instant {
    Instant::now()
}
