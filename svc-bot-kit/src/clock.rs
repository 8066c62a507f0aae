//! The one look at the time of day.

use svc_types::Timestamp;

#[expect(clippy::disallowed_methods, reason = "a bot has no clock but that of its machine")]
pub(crate) fn now() -> Timestamp {
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp::from_millis(0).plus(since_1970.unwrap_or_default())
}

/// The clock of a bot: that of its machine, unless a test moves it.
#[cfg(all(feature = "bot", not(feature = "testing")))]
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock(());

#[cfg(all(feature = "bot", not(feature = "testing")))]
#[expect(clippy::unused_self, reason = "the one of tests has something to look at")]
impl Clock {
    pub(crate) fn now(&self) -> Timestamp {
        now()
    }
}

#[cfg(feature = "testing")]
pub use by_hand::Clock;

#[cfg(feature = "testing")]
mod by_hand {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use svc_types::Timestamp;

    /// The clock of a bot: that of its machine, and what a test has moved it by. Clones are the same
    /// clock.
    ///
    /// Only what a bot remembers is moved, such as how long an order has waited; pauses and timeouts
    /// take the time they take.
    #[derive(Clone, Debug, Default)]
    pub struct Clock(Arc<AtomicU64>);

    impl Clock {
        /// The time of the machine.
        ///
        /// ```
        /// let clock = svc_bot_kit::testing::Clock::new();
        /// ```
        pub fn new() -> Self {
            Self::default()
        }

        /// Moves it on; counted in milliseconds.
        ///
        /// ```
        /// let clock = svc_bot_kit::testing::Clock::new();
        /// clock.advance(std::time::Duration::from_secs(60));
        /// ```
        pub fn advance(&self, by: Duration) {
            let millis = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
            self.0.fetch_add(millis, Ordering::AcqRel);
        }

        pub(crate) fn now(&self) -> Timestamp {
            super::now().plus(Duration::from_millis(self.0.load(Ordering::Acquire)))
        }
    }
}
