//! Times as people read them, in the zone of this machine.

use std::time::Duration;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use svc_client::types::{Span, Timestamp};

/// Day and minute: `2026-01-31 09:30`.
pub(crate) fn minute(time: Timestamp) -> String {
    local(time, "%Y-%m-%d %H:%M")
}

/// Hour and minute: `09:30`.
pub(crate) fn clock(time: Timestamp) -> String {
    local(time, "%H:%M")
}

/// Hour, minute and second: `09:30:05`.
pub(crate) fn second(time: Timestamp) -> String {
    local(time, "%H:%M:%S")
}

fn local(time: Timestamp, form: &str) -> String {
    let instant = jiff::Timestamp::from_millisecond(time.as_millis());
    let instant = instant.expect("every Timestamp lies between 1970 and 9999");
    instant.to_zoned(TimeZone::system()).strftime(form).to_string()
}

/// The time of this machine.
#[expect(clippy::disallowed_methods, reason = "a command line runs in real time")]
pub(crate) fn now() -> Timestamp {
    Timestamp::from_millis(jiff::Timestamp::now().as_millisecond())
}

/// The time of this machine in whole seconds.
pub(crate) fn now_seconds() -> i64 {
    now().as_millis() / 1000
}

/// The time after a span from now.
pub(crate) fn from_now(span: Span) -> Timestamp {
    now().plus(span.duration())
}

/// A time as it is typed: RFC 3339, or day and minute as they are printed here.
pub(crate) fn parse(text: &str) -> Result<Timestamp, String> {
    if let Ok(time) = text.parse() {
        return Ok(time);
    }
    let local: Result<DateTime, _> = text.parse();
    let zoned = local.and_then(|local| local.to_zoned(TimeZone::system()));
    let time = zoned.map(|zoned| Timestamp::from_millis(zoned.timestamp().as_millisecond()));
    time.map_err(|_| "must be like 2026-12-01T09:00:00Z, or 2026-12-01 09:00".to_owned())
}

/// A past time as it is typed: how long ago it was, such as `2h`, or the time itself.
pub(crate) fn past(text: &str) -> Result<Timestamp, String> {
    if let Ok(span) = text.parse::<Span>() {
        return Ok(now().minus(span.duration()));
    }
    let rule = "must be like 2h for two hours ago, 2026-12-01T09:00:00Z, or 2026-12-01 09:00";
    parse(text).map_err(|_| rule.to_owned())
}

/// What is left: `29m58s`.
pub(crate) fn left(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds}s"),
        (0, _) => format!("{minutes}m{seconds}s"),
        _ => format!("{hours}h{minutes}m{seconds}s"),
    }
}

/// A window of a limit: `30 min`.
pub(crate) fn window(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds > 0 && seconds % 60 == 0 => format!("{} min", seconds / 60),
        seconds => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short() {
        assert_eq!(left(Duration::from_secs(1798)), "29m58s");
        assert_eq!(left(Duration::from_secs(9)), "9s");
        assert_eq!(left(Duration::from_secs(3_725)), "1h2m5s");
        assert_eq!(window(Duration::from_mins(30)), "30 min");
        assert_eq!(window(Duration::from_secs(1)), "1 s");
    }
}
