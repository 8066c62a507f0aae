//! The clock of this crate.

use svc_types::Timestamp;

#[expect(clippy::disallowed_methods, reason = "the only place that reads the system clock")]
pub(crate) fn now() -> Timestamp {
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp::from_millis(0).plus(since_1970.unwrap_or_default())
}

/// Longest single sleep. Timers stand still while the machine is suspended, so the clock is read again after it.
#[cfg(feature = "bot")]
const SLEEP_MAX: std::time::Duration = std::time::Duration::from_secs(60);

/// Waits until a clock shows this time, but no longer than the time that is left now: it may be set back meanwhile.
#[cfg(feature = "bot")]
async fn wait(at: Timestamp, now: impl Fn() -> Timestamp) {
    let mut left = at.since(now());
    while !left.is_zero() {
        let slept = left.min(SLEEP_MAX);
        tokio::time::sleep(slept).await;
        left = left.saturating_sub(slept).min(at.since(now()));
    }
}

/// The clock of a bot: the system clock.
#[cfg(all(feature = "bot", not(feature = "testing")))]
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock(());

#[cfg(all(feature = "bot", not(feature = "testing")))]
#[expect(clippy::unused_self, reason = "the version for tests has state")]
impl Clock {
    pub(crate) fn now(&self) -> Timestamp {
        now()
    }

    /// Waits until this time.
    pub(crate) async fn until(&self, at: Timestamp) {
        wait(at, now).await;
    }
}

#[cfg(feature = "testing")]
pub use by_hand::Clock;

#[cfg(feature = "testing")]
mod by_hand {
    use std::sync::Arc;
    use std::time::Duration;

    use svc_types::Timestamp;
    use tokio::sync::watch;

    /// The clock of a bot under test: the system clock plus an offset. Clones share the offset.
    ///
    /// It affects times that a bot stores, such as the age of an order and the next attempt of a failed
    /// handler. Other pauses and timeouts run in real time.
    #[derive(Clone, Debug, Default)]
    pub struct Clock(Arc<watch::Sender<Duration>>);

    impl Clock {
        /// A clock with the system time.
        ///
        /// ```
        /// let clock = svc_bot_kit::testing::Clock::new();
        /// ```
        pub fn new() -> Self {
            Self::default()
        }

        /// Moves the clock forward, with millisecond precision.
        ///
        /// ```
        /// let clock = svc_bot_kit::testing::Clock::new();
        /// clock.advance(std::time::Duration::from_secs(60));
        /// ```
        pub fn advance(&self, by: Duration) {
            self.0.send_modify(|moved| *moved = moved.saturating_add(by));
        }

        pub(crate) fn now(&self) -> Timestamp {
            super::now().plus(*self.0.borrow())
        }

        /// Waits until this time.
        pub(crate) async fn until(&self, at: Timestamp) {
            let mut moved = self.0.subscribe();
            loop {
                tokio::select! {
                    () = super::wait(at, || self.now()) => return,
                    Ok(()) = moved.changed() => {}
                }
            }
        }
    }
}

#[cfg(all(test, feature = "bot"))]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use tokio::time::Instant;

    use super::*;

    const START: Timestamp = Timestamp::from_millis(0);
    const HOUR: Duration = Duration::from_secs(3_600);

    #[tokio::test(start_paused = true)]
    async fn a_wait_ends_soon_after_the_machine_was_suspended() {
        let begun = Instant::now();
        let is_first = Cell::new(true);
        let now = || if is_first.replace(false) { START } else { START.plus(HOUR) };
        wait(START.plus(HOUR), now).await;
        assert!(begun.elapsed() <= SLEEP_MAX);
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_ends_although_the_clock_was_set_back() {
        let begun = Instant::now();
        wait(START.plus(HOUR), || START).await;
        assert!(begun.elapsed() >= HOUR && begun.elapsed() <= HOUR + SLEEP_MAX);
    }
}
