//! Waiting for another side, with a limit, after which a test fails and says what did not come.

use std::time::{Duration, Instant};

use tokio::task::yield_now;
use tokio::time::timeout;

/// How long a test waits for what takes milliseconds on a machine that is not busy.
pub const PATIENCE: Duration = Duration::from_mins(2);

/// What a future gives.
///
/// # Panics
/// If that takes too long.
pub async fn in_time<T>(what: &str, comes: impl Future<Output = T>) -> T {
    timeout(PATIENCE, comes).await.unwrap_or_else(|_| gives_up(what))
}

/// Asks again and again until it is so.
///
/// # Panics
/// If that takes too long.
pub async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let asking = async {
        while !is_so().await {
            yield_now().await;
        }
    };
    in_time(what, asking).await;
}

/// Looks again and again until something is found.
///
/// # Panics
/// If that takes too long.
pub async fn found<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let looking = async {
        loop {
            if let Some(found) = look().await {
                return found;
            }
            yield_now().await;
        }
    };
    in_time(what, looking).await
}

/// The same on a thread that may block.
///
/// # Panics
/// If that takes too long.
pub fn found_by_thread<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        if begun.elapsed() > PATIENCE {
            gives_up(what);
        }
    }
}

fn gives_up(what: &str) -> ! {
    panic!("a test waited for {} seconds in vain: {what}", PATIENCE.as_secs());
}

#[expect(clippy::disallowed_methods, reason = "tests wait in real time, whatever the clock")]
fn now() -> Instant {
    Instant::now()
}
