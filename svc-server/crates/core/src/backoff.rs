//! The pause before work that failed is tried again.

use std::time::Duration;

/// A pause that doubles with each failure, from the first up to the longest.
pub fn pause(first: Duration, failures: i64, longest: Duration) -> Duration {
    let doublings = u32::try_from(failures.max(0)).unwrap_or(u32::MAX);
    first.saturating_mul(2_u32.saturating_pow(doublings)).min(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_doubles_until_it_is_the_longest() {
        let minutes = |failures| {
            let pause = pause(Duration::from_mins(2), failures, Duration::from_hours(1));
            pause.as_secs() / 60
        };
        assert_eq!([0, 1, 2, 4, 5, 31, i64::MAX].map(minutes), [2, 4, 8, 32, 60, 60, 60]);
        assert_eq!(minutes(-1), 2);
    }
}
