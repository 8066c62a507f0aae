//! The beat of an open stream: when it sends a keep-alive comment, and when it checks its credential.

use std::time::Duration;

use svc_store::clock::Clock;
use svc_types::Timestamp;

/// How often a credential is checked that nobody ended: it may have expired.
const CHECK_EVERY: Duration = Duration::from_mins(2);

/// When both are due next.
#[derive(Debug)]
pub(super) struct Beat {
    comment_every: Duration,
    next_comment: Timestamp,
    next_check: Timestamp,
}

impl Beat {
    /// Begins now, with a comment after each such time.
    pub(super) fn begin(clock: &Clock, comment_every: Duration) -> Self {
        let now = clock.now();
        let (next_comment, next_check) = (now.plus(comment_every), now.plus(CHECK_EVERY));
        Self { comment_every, next_comment, next_check }
    }

    /// Notes that the credential was checked.
    pub(super) fn checked(&mut self, clock: &Clock) {
        self.next_check = clock.now().plus(CHECK_EVERY);
    }

    /// Waits for what is due next: for a comment, which the caller sends, the answer is true. Dropped before, it has
    /// changed nothing.
    pub(super) async fn next(&mut self, clock: &Clock) -> bool {
        let wake_at = self.next_check.min(self.next_comment);
        clock.sleep_until(wake_at).await;
        let now = clock.now();
        // After the system clock was set back, this one stands still. What was waited for has passed all the same.
        let missing = wake_at.since(now);
        self.next_check = self.next_check.minus(missing);
        self.next_comment = self.next_comment.minus(missing);
        if now < self.next_comment {
            return false;
        }
        self.next_comment = now.plus(self.comment_every);
        true
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn comments_and_checks_go_on_while_the_clock_stands_still() {
        // Time passes only for the runtime.
        let (clock, begun) = (Clock::system(), Instant::now());
        let mut beat = Beat::begin(&clock, Duration::from_secs(15));
        for _ in 0..2 {
            let mut comments = 0;
            while beat.next(&clock).await {
                comments += 1;
            }
            beat.checked(&clock);
            assert_eq!(comments, 8);
        }
        let passed = begun.elapsed();
        assert!(passed <= CHECK_EVERY * 2 + Duration::from_secs(1), "{passed:?}");
    }
}
