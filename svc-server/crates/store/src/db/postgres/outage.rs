//! What happens after a round trip that did not end in time.
//!
//! One slow statement is no outage: a new connection decides. If it is not answered either, every
//! connection is given up, and requests are refused at once until a probe succeeds; they would wait
//! in the queue for a server that does not answer.
//!
//! Every thread that tries to connect meets a server that refuses connections. So failures to connect are
//! logged here too, once for all threads.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Builder;
use tokio::time::timeout;

use super::client::present;
use super::target::Target;
use super::timeline::SELECT_TIMELINE;
use crate::db::tx::Failure;
use crate::panics::caught_now;

/// How long a probe may take, and the pause until the next.
const PROBE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(250);

/// The least time between two lines of the log about connections that could not be made.
const LOGGED_EVERY: Duration = Duration::from_secs(5);

/// Whether the database answers. Clones share one state.
#[derive(Clone, Default)]
pub(in crate::db) struct Outage(Arc<State>);

#[derive(Default)]
struct State {
    is_down: AtomicBool,
    is_probed: AtomicBool,
    is_closed: AtomicBool,
    /// Counts outages: a connection from before one is given up.
    epoch: AtomicU64,
    connects: Mutex<Connects>,
}

/// What the log said of connections that could not be made.
#[derive(Default)]
struct Connects {
    /// Failures since the last line about them.
    unlogged: u64,
    logged_at: Option<Instant>,
    /// Whether that line is not followed by one that the database answers again.
    is_failing: bool,
}

impl Connects {
    /// Counts a failure; how many there were since the last line, if the next one is due.
    fn fail(&mut self, now: Instant) -> Option<u64> {
        self.unlogged += 1;
        if self.logged_at.is_some_and(|at| now < at + LOGGED_EVERY) {
            return None;
        }
        self.logged_at = Some(now);
        self.is_failing = true;
        Some(mem::take(&mut self.unlogged))
    }

    /// Whether a connection that was made ends what the log said.
    fn succeed(&mut self) -> bool {
        if self.is_failing {
            self.unlogged = 0;
        }
        mem::replace(&mut self.is_failing, false)
    }
}

impl Outage {
    /// Whether requests are refused at once.
    pub(in crate::db) fn is_down(&self) -> bool {
        self.0.is_down.load(Ordering::Acquire)
    }

    /// The number of outages so far.
    pub(super) fn epoch(&self) -> u64 {
        self.0.epoch.load(Ordering::Acquire)
    }

    /// Notes that no connection could be made. The log has the first failure, and then a line every few seconds.
    pub(super) fn not_connected(&self, error: &Failure) {
        metrics::counter!("svc_database_connects_failed_total").increment(1);
        let due = self.connects().fail(present());
        if let Some(failures) = due {
            tracing::warn!(%error, failures, "cannot connect to the database");
        }
    }

    /// Notes that a connection was made.
    pub(super) fn connected(&self) {
        if self.connects().succeed() {
            tracing::info!("the database answers again");
        }
    }

    fn connects(&self) -> MutexGuard<'_, Connects> {
        self.0.connects.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends a probe that goes on: the database is closed.
    pub(in crate::db) fn close(&self) {
        self.0.is_closed.store(true, Ordering::Release);
    }

    /// Asks the database on a connection of its own, unless that is done already.
    pub(super) fn suspect(&self, target: &Target) {
        metrics::counter!("svc_db_overruns_total").increment(1);
        if self.0.is_probed.swap(true, Ordering::AcqRel) {
            return;
        }
        let (outage, target) = (self.clone(), target.clone());
        let probing = thread::Builder::new().name("db-probe".to_owned());
        if probing.spawn(move || outage.probe(&target)).is_err() {
            self.0.is_probed.store(false, Ordering::Release);
        }
    }

    fn probe(&self, target: &Target) {
        // Without its probe an outage would not end.
        let responds = || caught_now(|| answers(target)).unwrap_or(false);
        while !self.0.is_closed.load(Ordering::Acquire) && !responds() {
            if !self.0.is_down.swap(true, Ordering::AcqRel) {
                tracing::error!("the database does not answer; requests are refused until it does");
                self.0.epoch.fetch_add(1, Ordering::AcqRel);
            }
            thread::sleep(PAUSE);
        }
        let was_failing = self.connects().succeed();
        if self.0.is_down.swap(false, Ordering::AcqRel) || was_failing {
            tracing::info!("the database answers again");
        }
        self.0.is_probed.store(false, Ordering::Release);
    }
}

/// Whether a primary answers a new connection in time.
fn answers(target: &Target) -> bool {
    let Ok(runtime) = Builder::new_current_thread().enable_all().build() else { return false };
    let asking = async {
        let (client, connection) = target.connect().await?;
        tokio::select! {
            answered = client.simple_query(SELECT_TIMELINE) => answered.map(|_| ()),
            ended = connection => ended,
        }
    };
    runtime.block_on(async { timeout(PROBE, asking).await }).is_ok_and(|answer| answer.is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_that_fail_are_logged_at_once_and_then_every_few_seconds() {
        let (mut connects, begun) = (Connects::default(), present());
        let after = |milliseconds| begun + Duration::from_millis(milliseconds);
        assert!(!connects.succeed());
        assert_eq!(connects.fail(begun), Some(1));
        for tenth in 1..50 {
            assert_eq!(connects.fail(after(tenth * 100)), None);
        }
        assert_eq!(connects.fail(after(5_000)), Some(50));
        assert_eq!([connects.succeed(), connects.succeed()], [true, false]);
        // One that fails now and then, while others are made, is no line each time.
        assert_eq!(connects.fail(after(6_000)), None);
        assert!(!connects.succeed());
        assert_eq!(connects.fail(after(10_000)), Some(2));
        assert!(connects.succeed());
    }
}
