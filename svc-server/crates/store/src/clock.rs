//! The one source of time: the system's, or one that tests move by hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use svc_types::Timestamp;
use tokio::sync::watch;

/// Tells the time and waits for it. Clones share one time.
#[derive(Clone, Debug)]
pub struct Clock(Source);

#[derive(Clone, Debug)]
enum Source {
    /// With the latest instant that was told: what is over stays over when the machine's clock is
    /// set back.
    System(Arc<AtomicI64>),
    Manual(Arc<watch::Sender<Timestamp>>),
}

/// Longest single wait on the system clock, so that a clock that was set forward is noticed.
const SLEEP_MAX: Duration = Duration::from_mins(1);

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self(Source::System(Arc::default()))
    }

    /// A clock that stands still at `start` until it is moved.
    pub fn manual(start: Timestamp) -> Self {
        Self(Source::Manual(Arc::new(watch::Sender::new(start))))
    }

    /// The present instant, never before one that was told.
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System(latest) => {
                let now = system_now().as_millis();
                Timestamp::from_millis(latest.fetch_max(now, Ordering::Relaxed).max(now))
            }
            Source::Manual(time) => *time.borrow(),
        }
    }

    /// Whether tests move this clock.
    pub fn is_manual(&self) -> bool {
        matches!(self.0, Source::Manual(_))
    }

    /// Moves a manual clock forward and wakes whoever waits for the new time.
    ///
    /// # Panics
    /// On the system clock, which nobody moves.
    pub fn advance(&self, by: Duration) {
        match &self.0 {
            Source::System(_) => panic!("only a manual clock can be moved"),
            Source::Manual(time) => time.send_modify(|now| *now = now.plus(by)),
        }
    }

    /// Waits until the clock shows `time` or later.
    pub async fn sleep_until(&self, time: Timestamp) {
        match &self.0 {
            Source::System(_) => loop {
                let left = time.since(system_now());
                if left.is_zero() {
                    return;
                }
                tokio::time::sleep(left.min(SLEEP_MAX)).await;
            },
            Source::Manual(clock) => {
                let mut changes = clock.subscribe();
                // The sender lives in `self`, so the wait can only end by the time being reached.
                let _ = changes.wait_for(|now| *now >= time).await;
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
fn system_now() -> Timestamp {
    let since_1970 = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or(Duration::ZERO);
    Timestamp::from_millis(i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX))
}
