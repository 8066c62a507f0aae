//! Endpoints that go.

use super::check::is_equal;
use crate::time::Timestamp;

/// When an endpoint was deprecated (RFC 9745), and until when it is served at least (RFC 8594).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deprecated {
    /// Since when nothing new should use it.
    pub since: Timestamp,
    /// Twelve months later.
    pub sunset: Timestamp,
}

const DAY_MILLIS: i64 = 86_400_000;

impl Deprecated {
    /// An endpoint that is deprecated since a day such as `2026-03-01`; fails to compile for others.
    const fn on(day: &str) -> Self {
        let text = day.as_bytes();
        let is_date = text.len() == 10 && text[4] == b'-' && text[7] == b'-';
        assert!(is_date, "a date is written as 2026-03-01");
        let (year, month, day) = (number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
        assert!(month >= 1 && month <= 12 && day >= 1 && day <= 31, "there is no such day");
        let since = Timestamp::from_millis(days(year, month, day) * DAY_MILLIS);
        let sunset = Timestamp::from_millis(days(year + 1, month, day) * DAY_MILLIS);
        Self { since, sunset }
    }
}

/// The deprecation in a list of flags and what follows each: `as deprecated "2026-03-01"`. Fails to
/// compile where this flag has no date, and where another one has.
#[doc(hidden)]
pub const fn deprecated(flags: &[(&str, &str)]) -> Option<Deprecated> {
    let (mut index, mut found) = (0, None);
    while index < flags.len() {
        let (flag, since) = flags[index];
        let goes = is_equal(flag.as_bytes(), b"deprecated");
        assert!(goes != since.is_empty(), "`deprecated`, and no other flag, is followed by a date");
        if goes {
            found = Some(Deprecated::on(since));
        }
        index += 1;
    }
    found
}

/// The number that these digits write.
const fn number(text: &[u8], from: usize, to: usize) -> i64 {
    let (mut index, mut number) = (from, 0);
    while index < to {
        assert!(text[index].is_ascii_digit(), "a date is written as 2026-03-01");
        number = number * 10 + (text[index] - b'0') as i64;
        index += 1;
    }
    number
}

/// Days since 1970-01-01 of a day in the Gregorian calendar, counted in years that begin in March.
const fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let from_march = (month + 9) % 12;
    let of_year = (153 * from_march + 2) / 5 + day - 1;
    year * 365 + year / 4 - year / 100 + year / 400 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deprecated_endpoint_is_served_for_a_year() {
        for (day, since, sunset) in [
            ("2026-03-01", "2026-03-01T00:00:00.000Z", "2027-03-01T00:00:00.000Z"),
            ("2026-12-31", "2026-12-31T00:00:00.000Z", "2027-12-31T00:00:00.000Z"),
            ("2028-02-29", "2028-02-29T00:00:00.000Z", "2029-03-01T00:00:00.000Z"),
            ("2027-01-15", "2027-01-15T00:00:00.000Z", "2028-01-15T00:00:00.000Z"),
        ] {
            let found = deprecated(&[("strict", ""), ("deprecated", day)]).unwrap();
            assert_eq!(
                (found.since.to_string(), found.sunset.to_string()),
                (since.into(), sunset.into())
            );
        }
        assert_eq!(deprecated(&[("strict", "")]), None);
    }
}
