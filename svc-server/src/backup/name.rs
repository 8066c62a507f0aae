//! Names of archives that the server gives itself: they say when each was made.

use std::time::Duration;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use svc_types::Timestamp;

/// The name of an archive of a time in UTC.
const FORMAT: &str = "svc-%Y%m%dT%H%M%SZ.tar";

/// What each name begins with.
pub(super) const BEGINNING: &str = "svc-";

/// The name of an archive that was made then, to the second.
pub(super) fn name_of(time: Timestamp) -> String {
    let time = jiff::Timestamp::from_millisecond(time.as_millis());
    time.expect("every Timestamp lies between 1970 and 9999").strftime(FORMAT).to_string()
}

/// When an archive of this name was made; none for other names, whose files are left alone.
pub(super) fn time_of(name: &str) -> Option<Timestamp> {
    let time = DateTime::strptime(FORMAT, name).ok()?.to_zoned(TimeZone::UTC).ok()?;
    let time = Timestamp::from_millis(time.timestamp().as_millisecond());
    (name_of(time) == name).then_some(time)
}

/// The newest of these times. Those that lie in the future come from a clock that was wrong.
pub(super) fn newest(times: &[Timestamp], now: Timestamp) -> Option<Timestamp> {
    times.iter().copied().filter(|time| *time <= now).max()
}

/// Most archives that are deleted at once after none was made for longer than they are kept.
const AFTER_A_PAUSE: usize = 10;

/// Archives that are deleted now.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Expired {
    /// When they were made, the oldest first.
    pub(super) times: Vec<Timestamp>,
    /// How many more are too old, and are left to the next rounds.
    pub(super) left: usize,
}

/// Which of these times are older than `keep`. The newest is never among them. If none lies within `keep` after them,
/// the clock may be wrong, and all archives there are would go: then it is a few in each round.
pub(super) fn expired(times: &[Timestamp], now: Timestamp, keep: Duration) -> Expired {
    let newest = newest(times, now);
    let is_expired = |time: &Timestamp| now.since(*time) > keep && Some(*time) != newest;
    let (mut times, kept): (Vec<_>, Vec<_>) = times.iter().copied().partition(is_expired);
    times.sort_unstable();
    let ends = times.last().copied().zip(kept.into_iter().min());
    let is_pause = ends.is_some_and(|(last, next)| next.since(last) > keep);
    let left = if is_pause { times.len().saturating_sub(AFTER_A_PAUSE) } else { 0 };
    times.truncate(times.len() - left);
    Expired { times, left }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_hours(24);

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_name_says_when_its_archive_was_made() {
        let made = time("2026-01-31T09:30:00.000Z");
        assert_eq!(name_of(made), "svc-20260131T093000Z.tar");
        assert_eq!(time_of("svc-20260131T093000Z.tar"), Some(made));
    }

    #[test]
    fn other_names_are_left_alone() {
        for name in [
            "svc-20260131T093000Z.tar.gz",
            "svc-20260131T093000Z.tar.partial",
            "svc-20260231T093000Z.tar",
            "svc-2026131T093000Z.tar",
            "svc- 20260131T093000Z.tar",
            "svc-before.tar",
            "other-20260131T093000Z.tar",
            "",
        ] {
            assert_eq!(time_of(name), None, "{name}");
        }
    }

    #[test]
    fn the_newest_archive_stays_however_old_it_is() {
        let now = time("2026-03-01T00:00:00Z");
        let times = [90, 60, 34, 1].map(|days| now.minus(DAY * days));
        let expired = |times: &[Timestamp]| expired(times, now, 34 * DAY).times;
        assert_eq!(expired(&times), times[..2]);
        assert_eq!(expired(&times[..2]), times[..1]);
        assert!(expired(&times[..1]).is_empty() && expired(&[]).is_empty());
    }

    #[test]
    fn a_clock_that_jumps_ahead_leaves_most_archives_for_the_next_rounds() {
        let jumped = time("2028-03-01T00:00:00Z");
        let before = time("2026-03-01T00:00:00Z");
        let days = (1..=30).rev();
        let mut times: Vec<Timestamp> = days.map(|days| before.minus(DAY * days)).collect();
        let oldest = times[..AFTER_A_PAUSE].to_vec();
        times.push(jumped);
        assert_eq!(expired(&times, jumped, 34 * DAY), Expired { times: oldest, left: 20 });
        let lowered = expired(&times[..30], before, 7 * DAY);
        assert_eq!(lowered, Expired { times: times[..23].to_vec(), left: 0 }, "no pause, no doubt");
    }

    #[test]
    fn a_time_in_the_future_is_not_the_newest() {
        let now = time("2026-03-01T00:00:00Z");
        let times = [now.minus(60 * DAY), now.plus(DAY)];
        assert_eq!(newest(&times, now), Some(times[0]));
        assert!(expired(&times, now, DAY).times.is_empty());
    }
}
