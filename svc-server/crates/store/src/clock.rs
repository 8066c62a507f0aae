//! The only source of time: the system clock, or one that tests advance.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use svc_types::Timestamp;
use tokio::sync::watch;

/// A clock. Clones share one time.
#[derive(Clone, Debug)]
pub struct Clock(Source);

#[derive(Clone, Debug)]
enum Source {
    /// With the latest instant returned: what has expired stays expired when the system clock is set
    /// back.
    System(Arc<AtomicI64>),
    Manual(Arc<watch::Sender<Timestamp>>),
}

/// Longest single sleep, so that a system clock that is set forward is noticed.
const SLEEP_MAX: Duration = Duration::from_mins(1);

impl Clock {
    /// The system clock.
    pub fn system() -> Self {
        Self(Source::System(Arc::default()))
    }

    /// A clock that stays at `start` until it is advanced.
    pub fn manual(start: Timestamp) -> Self {
        Self(Source::Manual(Arc::new(watch::Sender::new(start))))
    }

    /// The present instant, never earlier than one returned before.
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System(latest) => {
                let now = system_now().as_millis();
                Timestamp::from_millis(latest.fetch_max(now, Ordering::Relaxed).max(now))
            }
            Source::Manual(time) => *time.borrow(),
        }
    }

    /// How far the system clock is behind this one, which stands still until it is reached.
    pub fn ahead(&self) -> Duration {
        match &self.0 {
            Source::System(_) => self.now().since(system_now()),
            Source::Manual(_) => Duration::ZERO,
        }
    }

    /// Whether this is a manual clock.
    pub fn is_manual(&self) -> bool {
        matches!(self.0, Source::Manual(_))
    }

    /// Advances a manual clock and wakes the tasks that wait for the new time.
    ///
    /// # Panics
    /// On the system clock.
    pub fn advance(&self, by: Duration) {
        match &self.0 {
            Source::System(_) => panic!("only a manual clock can be moved"),
            Source::Manual(time) => time.send_modify(|now| *now = now.plus(by)),
        }
    }

    /// Waits until the clock shows `time` or later, but no longer than the time that is left now: after the system
    /// clock was far ahead, this one stands still, and work in the background must continue.
    pub async fn sleep_until(&self, time: Timestamp) {
        match &self.0 {
            Source::System(_) => {
                let mut left = time.since(self.now());
                while !left.is_zero() {
                    let slept = left.min(SLEEP_MAX);
                    tokio::time::sleep(slept).await;
                    left = left.saturating_sub(slept).min(time.since(self.now()));
                }
            }
            Source::Manual(clock) => {
                let mut changes = clock.subscribe();
                // The sender lives in `self`, so the wait can only end by the time being reached.
                let _ = changes.wait_for(|now| *now >= time).await;
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the only place that reads the system clock")]
fn system_now() -> Timestamp {
    let since_1970 = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or(Duration::ZERO);
    Timestamp::from_millis(i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[test]
    fn a_system_clock_that_was_set_back_is_noticed() {
        let hour = Duration::from_hours(1);
        let set_back = Arc::new(AtomicI64::new(system_now().plus(hour).as_millis()));
        let ahead = Clock(Source::System(set_back)).ahead();
        assert!(ahead <= hour && ahead + Duration::from_mins(1) > hour, "{ahead:?}");
        assert_eq!(Clock::system().ahead(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_ends_although_the_clock_stands_still() {
        let (clock, hour) = (Clock::system(), Duration::from_hours(1));
        let begun = Instant::now();
        // Time passes only for the runtime.
        clock.sleep_until(clock.now().plus(hour)).await;
        assert!(begun.elapsed() + SLEEP_MAX > hour && begun.elapsed() <= hour + SLEEP_MAX);
    }
}
