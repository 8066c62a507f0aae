//! Instants and durations on the wire.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

/// An instant in UTC with millisecond precision.
///
/// On the wire it is RFC 3339 with three decimals and `Z`: `2026-01-31T09:30:00.000Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The largest instant that is written: 26 hours before the end of the year 9999, so that it lies in that year in
/// every time zone.
const MILLIS_MAX: i64 = 253_402_207_200_000;

impl Timestamp {
    /// The instant this many milliseconds after 1970-01-01T00:00:00Z, clamped to the time from then to
    /// 26 hours before the end of the year 9999.
    pub const fn from_millis(millis: i64) -> Self {
        if millis < 0 {
            Self(0)
        } else if millis > MILLIS_MAX {
            Self(MILLIS_MAX)
        } else {
            Self(millis)
        }
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded up.
    pub const fn as_seconds_ceil(self) -> i64 {
        (self.0 + 999) / 1000
    }

    /// The instant `duration` later, at most 26 hours before the end of the year 9999.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(MILLIS_MAX);
        Self::from_millis(self.0.saturating_add(millis))
    }

    /// The instant `duration` earlier, at the earliest 1970.
    #[must_use]
    pub fn minus(self, duration: Duration) -> Self {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(MILLIS_MAX);
        Self::from_millis(self.0.saturating_sub(millis))
    }

    /// Time from `earlier` until this instant, zero when `earlier` is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0 - earlier.0).unwrap_or(0))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instant = jiff::Timestamp::from_millisecond(self.0)
            .expect("every Timestamp lies between 1970 and 9999");
        write!(f, "{instant:.3}")
    }
}

/// The text is not an RFC 3339 instant from 1970 to 26 hours before the end of the year 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimestampError;

impl fmt::Display for TimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time must be RFC 3339, such as 2026-01-31T09:30:00.000Z")
    }
}

impl std::error::Error for TimestampError {}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        let instant: jiff::Timestamp = text.parse().map_err(|_| TimestampError)?;
        let millis = instant.as_millisecond();
        if (0..=MILLIS_MAX).contains(&millis) { Ok(Self(millis)) } else { Err(TimestampError) }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Timestamp;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an RFC 3339 time such as 2026-01-31T09:30:00.000Z")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Timestamp, E> {
                text.parse().map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

impl JsonSchema for Timestamp {
    fn schema_name() -> Cow<'static, str> {
        "Timestamp".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "format": "date-time",
            "maxLength": 64,
            "examples": ["2026-01-31T09:30:00.000Z"],
        })
    }
}

/// A duration in one unit, such as `7d`: `^[1-9][0-9]{0,5}(s|m|h|d)$`.
///
/// `1d` is 86,400 seconds. Each use states the allowed range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(Duration);

/// The largest number of units in a duration.
const COUNT_MAX: u64 = 999_999;

impl Span {
    /// A duration of whole seconds.
    pub const fn from_secs(seconds: u64) -> Self {
        Self(Duration::from_secs(seconds))
    }

    /// The duration.
    pub const fn duration(self) -> Duration {
        self.0
    }
}

/// The text is not a duration in one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanError;

impl fmt::Display for SpanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a duration must be 1 to 999999 of one unit s, m, h or d, such as 7d")
    }
}

impl std::error::Error for SpanError {}

impl FromStr for Span {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Self, SpanError> {
        let (digits, unit) = text.split_at_checked(text.len().wrapping_sub(1)).ok_or(SpanError)?;
        let seconds = match unit {
            "s" => 1,
            "m" => 60,
            "h" => 3_600,
            "d" => 86_400,
            _ => return Err(SpanError),
        };
        let canonical = (1..=6).contains(&digits.len())
            && !digits.starts_with('0')
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        let count: u64 = digits.parse().map_err(|_| SpanError)?;
        if canonical { Ok(Self::from_secs(count * seconds)) } else { Err(SpanError) }
    }
}

impl fmt::Display for Span {
    /// Writes the largest unit that divides it. If six digits are too few for that, as for the seconds of twelve days,
    /// whole minutes or hours are written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        let units = [(86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")];
        let exact =
            units.into_iter().find(|(size, _)| seconds >= *size && seconds.is_multiple_of(*size));
        let exact = exact.filter(|(size, _)| seconds / size <= COUNT_MAX);
        let short = || units.into_iter().rev().find(|(size, _)| seconds / size <= COUNT_MAX);
        let (size, unit) = exact.or_else(short).unwrap_or((86_400, "d"));
        write!(f, "{}{unit}", seconds / size)
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Span;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a duration of one unit s, m, h or d, such as 7d")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Span, E> {
                text.parse().map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

impl JsonSchema for Span {
    fn schema_name() -> Cow<'static, str> {
        "Duration".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[1-9][0-9]{0,5}(s|m|h|d)$", "maxLength": 7 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_with_three_decimals_and_z() {
        let time = Timestamp::from_millis(1_769_851_800_000);
        assert_eq!(time.to_string(), "2026-01-31T09:30:00.000Z");
        assert_eq!("2026-01-31T10:30:00+01:00".parse(), Ok(time));
    }

    #[test]
    fn the_first_and_the_last_time_can_be_written() {
        for (millis, text) in
            [(i64::MIN, "1970-01-01T00:00:00.000Z"), (i64::MAX, "9999-12-30T22:00:00.000Z")]
        {
            let time = Timestamp::from_millis(millis);
            assert_eq!((time.to_string().as_str(), text.parse()), (text, Ok(time)));
        }
    }

    #[test]
    fn a_time_before_1970_or_without_an_offset_is_refused() {
        for text in ["1969-12-31T23:59:59Z", "2026-01-31T09:30:00", "2026-01-31", "now", ""] {
            assert_eq!(text.parse::<Timestamp>(), Err(TimestampError), "{text}");
        }
    }

    #[test]
    fn a_duration_has_one_unit_and_no_leading_zero() {
        assert_eq!("7d".parse(), Ok(Span::from_secs(7 * 86_400)));
        assert_eq!("90m".parse::<Span>().map(|span| span.to_string()), Ok("90m".to_owned()));
        for text in
            ["", "d", "7", "07d", "0s", "1.5d", "7D", "7d12h", "P7D", "1000000s", "７d", "+7d"]
        {
            assert_eq!(text.parse::<Span>(), Err(SpanError), "{text}");
        }
    }

    #[test]
    fn a_duration_is_written_with_at_most_six_digits() {
        let day = 86_400;
        for (seconds, text) in [
            (90, "90s"),
            (999_999, "999999s"),
            (14 * day, "14d"),
            (12 * day + 1, "17280m"),
            (800 * day + 1, "19200h"),
        ] {
            assert_eq!(Span::from_secs(seconds).to_string(), text);
            assert!(text.parse::<Span>().is_ok(), "{text}");
        }
    }
}
