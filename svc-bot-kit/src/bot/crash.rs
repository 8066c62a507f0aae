//! Named points at which a test can crash the bot: through the harness in the same process, or by
//! aborting the process at the point named in `SVC_CRASH_AT`.

/// Where a test crashes the bot; does nothing without the feature `testing`.
#[cfg(not(feature = "testing"))]
#[derive(Clone, Debug, Default)]
pub(crate) struct Crash(());

#[cfg(not(feature = "testing"))]
#[expect(clippy::unused_self, reason = "the version for tests has state")]
impl Crash {
    pub(crate) fn point(&self, _name: &'static str) -> std::future::Ready<()> {
        std::future::ready(())
    }

    pub(crate) fn fired(&self) -> std::future::Pending<()> {
        std::future::pending()
    }
}

#[cfg(feature = "testing")]
pub(crate) use real::Crash;

#[cfg(feature = "testing")]
mod real {
    use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

    use tokio::sync::watch;

    /// Where a test crashes the bot.
    #[derive(Clone, Debug)]
    pub(crate) struct Crash(Arc<Shared>);

    #[derive(Debug)]
    struct Shared {
        /// The index of the point at which to crash.
        at: Option<usize>,
        /// The points reached so far.
        reached: Mutex<Vec<&'static str>>,
        is_dead: watch::Sender<bool>,
    }

    impl Default for Crash {
        fn default() -> Self {
            Self::at(None)
        }
    }

    /// The point at which this process aborts and on which pass, from `SVC_CRASH_AT`:
    /// `a call is sent:1` is the first pass.
    static ABORT: LazyLock<Option<(String, usize)>> = LazyLock::new(|| {
        #[expect(clippy::disallowed_methods, reason = "the documented setting of tests")]
        let chosen = std::env::var("SVC_CRASH_AT").ok()?;
        let (point, count) = chosen.rsplit_once(':')?;
        Some((point.to_owned(), count.parse().ok()?))
    });

    impl Crash {
        /// Crashes the bot at the point with this index.
        pub(crate) fn at(at: Option<usize>) -> Self {
            let is_dead = watch::Sender::new(false);
            Self(Arc::new(Shared { at, reached: Mutex::default(), is_dead }))
        }

        /// A point worth crashing at. Nothing continues past the chosen one.
        pub(crate) async fn point(&self, name: &'static str) {
            let is_chosen = {
                let mut reached = self.reached();
                reached.push(name);
                if let Some((point, count)) = &*ABORT
                    && name == point
                    && reached.iter().filter(|reached| **reached == name).count() == *count
                {
                    std::process::abort();
                }
                self.0.at == Some(reached.len() - 1)
            };
            if is_chosen {
                self.0.is_dead.send_replace(true);
            }
            if *self.0.is_dead.borrow() {
                std::future::pending::<()>().await;
            }
        }

        /// Waits for the crash.
        pub(crate) async fn fired(&self) {
            let mut is_dead = self.0.is_dead.subscribe();
            if is_dead.wait_for(|is_dead| *is_dead).await.is_err() {
                std::future::pending::<()>().await;
            }
        }

        /// The names of the points that were reached, in order.
        pub(crate) fn points(&self) -> Vec<&'static str> {
            self.reached().clone()
        }

        fn reached(&self) -> MutexGuard<'_, Vec<&'static str>> {
            self.0.reached.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }
}
