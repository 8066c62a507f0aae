//! The clock of this crate.

use svc_types::Timestamp;

#[expect(clippy::disallowed_methods, reason = "the only place that reads the system clock")]
pub(crate) fn now() -> Timestamp {
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp::from_millis(0).plus(since_1970.unwrap_or_default())
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
        tokio::time::sleep(at.since(now())).await;
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
                let left = at.since(self.now());
                tokio::select! {
                    () = tokio::time::sleep(left) => return,
                    Ok(()) = moved.changed() => {}
                }
            }
        }
    }
}
