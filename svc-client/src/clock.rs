//! Time and randomness, injected so that tests control them.

use std::pin::Pin;
use std::time::Duration;

use svc_types::Timestamp;

/// A future that completes when some time has passed.
pub(crate) type Waiting = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Source of time and randomness for the retry loop.
pub(crate) trait Clock: Send + Sync + 'static {
    /// Now, in UTC.
    fn now(&self) -> Timestamp;

    /// Monotonic time since the clock was created.
    fn elapsed(&self) -> Duration;

    /// A pause between attempts.
    fn pause(&self, duration: Duration) -> Waiting;

    /// A deadline for concurrent work: completes when `elapsed` reaches `end`.
    ///
    /// Apart from [`pause`](Self::pause), so that a clock moved by hand can skip pauses and still
    /// let the network finish first.
    fn alarm(&self, end: Duration) -> Waiting;

    /// A random number.
    fn dice(&self) -> u8;
}

/// The system clock with tokio's timers.
pub(crate) struct SystemClock {
    start: tokio::time::Instant,
}

impl SystemClock {
    pub(crate) fn new() -> Self {
        Self { start: tokio::time::Instant::now() }
    }
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    fn now(&self) -> Timestamp {
        let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Timestamp::from_millis(0).plus(since_1970.unwrap_or_default())
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn pause(&self, duration: Duration) -> Waiting {
        Box::pin(tokio::time::sleep(duration))
    }

    fn alarm(&self, end: Duration) -> Waiting {
        // A limit beyond what an instant can hold is far enough for `sleep`.
        Box::pin(tokio::time::sleep(end.saturating_sub(self.elapsed())))
    }

    fn dice(&self) -> u8 {
        let [number] = random();
        number
    }
}

/// Random bytes of the operating system.
///
/// Zeros if it has none: keys remain unique by their time to the millisecond, and pauses only lose
/// their jitter. Failing the call would be worse.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    if getrandom::fill(&mut bytes).is_err() {
        tracing::warn!("the operating system gave no random bytes");
    }
    bytes
}
