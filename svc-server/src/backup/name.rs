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

/// Which of these times are older than `keep`. The newest is never among them.
pub(super) fn expired(times: &[Timestamp], now: Timestamp, keep: Duration) -> Vec<Timestamp> {
    let newest = newest(times, now);
    let is_expired = |time: &Timestamp| now.since(*time) > keep && Some(*time) != newest;
    times.iter().copied().filter(is_expired).collect()
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
        assert_eq!(expired(&times, now, 34 * DAY), times[..2]);
        assert_eq!(expired(&times[..2], now, 34 * DAY), times[..1]);
        assert!(expired(&times[..1], now, 34 * DAY).is_empty());
        assert!(expired(&[], now, 34 * DAY).is_empty());
    }

    #[test]
    fn a_time_in_the_future_is_not_the_newest() {
        let now = time("2026-03-01T00:00:00Z");
        let times = [now.minus(60 * DAY), now.plus(DAY)];
        assert_eq!(newest(&times, now), Some(times[0]));
        assert!(expired(&times, now, DAY).is_empty());
    }
}
