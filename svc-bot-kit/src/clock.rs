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

    /// Waits for this moment.
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

    /// The clock of a bot: that of its machine, and what a test has moved it by. Clones are the same
    /// clock.
    ///
    /// Only what a bot remembers is moved, such as how long an order has waited and when a handler
    /// that failed starts again; other pauses and timeouts take the time they take.
    #[derive(Clone, Debug, Default)]
    pub struct Clock(Arc<watch::Sender<Duration>>);

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
            self.0.send_modify(|moved| *moved = moved.saturating_add(by));
        }

        pub(crate) fn now(&self) -> Timestamp {
            super::now().plus(*self.0.borrow())
        }

        /// Waits for this moment.
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
