//! Numbers, credits and times for display.

use std::borrow::Borrow;
use std::fmt::{self, Display};

use jiff::tz::TimeZone;
use svc_core::services::billing::topup::{CURRENCY, DECIMALS};
use svc_types::Timestamp;

/// From this number on, counters are short: `12K`.
const COMPACT_FROM: u64 = 10_000;

/// Below this age, times are relative.
const RELATIVE_SECONDS: u64 = 7 * 86_400;

/// Longest name of a time zone; the longest of the database has 30 characters.
const ZONE_LENGTH_MAX: usize = 48;

/// A counter: `9,999`, then `12K`, `3.4M`.
pub(super) fn count(number: impl Display) -> String {
    let text = number.to_string();
    match text.parse::<u64>() {
        Ok(number) if number >= COMPACT_FROM => compact(number),
        _ => grouped(&text),
    }
}

/// A number of at least [`COMPACT_FROM`], rounded down.
fn compact(number: u64) -> String {
    let (unit, name) = match number {
        0..1_000_000 => (1_000, "K"),
        1_000_000..1_000_000_000 => (1_000_000, "M"),
        _ => (1_000_000_000, "B"),
    };
    let (whole, tenth) = (number / unit, number % unit / (unit / 10));
    match tenth {
        0 => format!("{whole}{name}"),
        _ if whole >= 100 => format!("{whole}{name}"),
        tenth => format!("{whole}.{tenth}{name}"),
    }
}

/// A number with its thousands grouped, and a minus sign: `1,240.5`, `−60`.
fn grouped(text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("−", rest),
        None => ("", text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut number = String::from(sign);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            number.push(',');
        }
        number.push(digit);
    }
    if !fraction.is_empty() {
        number.push('.');
        number.push_str(fraction);
    }
    number
}

/// An amount of credits without its unit, never shortened: `1,240`, `−60`.
pub(super) fn amount(credits: impl Display) -> String {
    grouped(&credits.to_string())
}

/// An amount with a sign, for lists of transactions: `+5`, `−60`.
pub(super) fn signed(credits: impl Display) -> String {
    let amount = amount(credits);
    if amount.starts_with(['−', '0']) { amount } else { format!("+{amount}") }
}

/// An amount with its unit: `1 credit`, `0.5 credits`.
pub(super) fn credits(credits: impl Display) -> String {
    let amount = amount(credits);
    let unit = if amount == "1" { "credit" } else { "credits" };
    format!("{amount} {unit}")
}

/// A price: `Free`, `1 credit`, `1,240 credits`.
pub(super) fn price(price: impl Display) -> String {
    let text = price.to_string();
    if text == "0" { "Free".to_owned() } else { credits(text) }
}

/// An amount of money in the smallest unit of its currency: `1,240.50 USD`. Tokens have decimals of their
/// own.
pub(super) fn money(
    amount: impl Borrow<i64>,
    currency: &str,
    decimals: impl Borrow<u32>,
) -> String {
    let decimals = if currency == CURRENCY { DECIMALS } else { *decimals.borrow() };
    let amount = *amount.borrow();
    let unit = 10_i64.pow(decimals);
    let mut fraction = match decimals {
        0 => String::new(),
        _ => format!(".{:0width$}", amount % unit, width = decimals as usize),
    };
    // Cents are always shown, what is smaller only where there is some.
    while fraction.len() > 3 && fraction.ends_with('0') {
        fraction.pop();
    }
    format!("{}{fraction} {}", grouped(&(amount / unit).to_string()), currency.to_uppercase())
}

/// A share between 0 and 1: `98 %`.
pub(super) fn percent(share: impl Borrow<f64>) -> String {
    // A non-breaking space keeps the sign with its number.
    format!("{:.0}\u{a0}%", *share.borrow() * 100.0)
}

/// A duration in its largest unit: `42 s`, `5 min`, `3 h`, `2 d`.
pub(super) fn duration(seconds: impl Borrow<f64>) -> String {
    let seconds = *seconds.borrow();
    let (count, unit) = match seconds {
        ..120.0 => (seconds, "s"),
        ..7_200.0 => (seconds / 60.0, "min"),
        ..172_800.0 => (seconds / 3_600.0, "h"),
        _ => (seconds / 86_400.0, "d"),
    };
    format!("{count:.0} {unit}")
}

/// The time zone of the visitor.
#[derive(Clone, Debug)]
pub struct Zone {
    zone: TimeZone,
    /// Its name, if the browser has given one.
    name: Option<String>,
}

impl Zone {
    /// The zone that the script's cookie names; UTC without one.
    pub fn of(name: Option<&str>) -> Self {
        let name = name.filter(|name| name.len() <= ZONE_LENGTH_MAX);
        let found = name.and_then(|name| Some((name, TimeZone::get(name).ok()?)));
        match found {
            Some((name, zone)) => Self { zone, name: Some(name.to_owned()) },
            None => Self { zone: TimeZone::UTC, name: None },
        }
    }

    /// The name, for labels of fields that take a local time.
    pub(super) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("UTC")
    }

    /// The instant of a local time such as `2026-01-31T09:30`; the later one of a repeated hour.
    pub(super) fn instant(&self, text: &str) -> Option<Timestamp> {
        let local: jiff::civil::DateTime = text.parse().ok()?;
        let instant = self.zone.to_ambiguous_timestamp(local).later().ok()?;
        Some(Timestamp::from_millis(instant.as_millisecond()))
    }

    /// A part of an instant in this zone, by the directives of `strftime`.
    fn part(&self, at: Timestamp, directives: &str) -> String {
        let instant = jiff::Timestamp::from_millisecond(at.as_millis()).unwrap_or_default();
        instant.to_zoned(self.zone.clone()).strftime(directives).to_string()
    }

    /// A day: `22 Nov`, with the year in another year than that of `now`.
    pub(super) fn day(&self, at: Timestamp, now: Timestamp) -> String {
        let is_this_year = self.part(at, "%Y") == self.part(now, "%Y");
        self.part(at, if is_this_year { "%-d %b" } else { "%-d %b %Y" })
    }

    /// The time of day: `19:48`.
    pub(super) fn time_of_day(&self, at: Timestamp) -> String {
        self.part(at, "%H:%M")
    }

    /// An instant without its zone: `25 Nov, 19:48`.
    pub(super) fn minute(&self, at: Timestamp, now: Timestamp) -> String {
        format!("{}, {}", self.day(at, now), self.time_of_day(at))
    }

    /// An instant with its zone: `25 Nov, 19:48 CET`.
    pub(super) fn exact(&self, at: Timestamp, now: Timestamp) -> String {
        format!("{} {}", self.minute(at, now), self.part(at, "%Z"))
    }
}

/// A `time` element, ready for a template.
#[derive(Clone, Debug)]
pub struct Time {
    at: Timestamp,
    text: String,
    title: String,
    is_deadline: bool,
}

impl askama::filters::HtmlSafe for Time {}

impl Time {
    /// How long ago, with the exact time as its title.
    pub(super) fn ago(at: Timestamp, now: Timestamp, zone: &Zone) -> Self {
        let text = age(now.since(at).as_secs()).unwrap_or_else(|| zone.day(at, now));
        Self { at, text, title: zone.exact(at, now), is_deadline: false }
    }

    /// The exact time.
    pub(super) fn exact(at: Timestamp, now: Timestamp, zone: &Zone) -> Self {
        Self { at, text: zone.exact(at, now), title: String::new(), is_deadline: false }
    }

    /// A day.
    pub(super) fn day(at: Timestamp, now: Timestamp, zone: &Zone) -> Self {
        Self { at, text: zone.day(at, now), title: zone.exact(at, now), is_deadline: false }
    }

    /// A deadline, with the time left: `25 Nov, 19:48 CET (2 d left)`.
    pub(super) fn deadline(at: Timestamp, now: Timestamp, zone: &Zone) -> Self {
        let text = format!("{} ({})", zone.exact(at, now), left(at.since(now).as_secs()));
        Self { at, text, title: String::new(), is_deadline: true }
    }
}

impl Display for Time {
    /// Digits, letters of zones and punctuation; nothing of it is a visitor's.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, text, title, is_deadline } = self;
        write!(f, "<time datetime=\"{at}\"")?;
        if !title.is_empty() {
            write!(f, " title=\"{title}\"")?;
        }
        if *is_deadline {
            f.write_str(" data-deadline")?;
        }
        write!(f, ">{text}</time>")
    }
}

/// An age in words; `None` from 7 days on.
fn age(seconds: u64) -> Option<String> {
    Some(match seconds {
        0..60 => "just now".to_owned(),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..86_400 => format!("{} h ago", seconds / 3600),
        86_400..RELATIVE_SECONDS => format!("{} d ago", seconds / 86_400),
        _ => return None,
    })
}

/// The time left, as the script counts it down too.
fn left(seconds: u64) -> String {
    match seconds {
        0 => "now due".to_owned(),
        1..3600 => format!("{} min left", seconds.div_ceil(60)),
        3600..172_800 => format!("{} h left", seconds / 3600),
        _ => format!("{} d left", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn counters_are_grouped_then_short() {
        let pairs = [(0, "0"), (999, "999"), (1_240, "1,240"), (9_999, "9,999"), (10_000, "10K")];
        let more =
            [(12_345, "12.3K"), (999_999, "999K"), (3_400_000, "3.4M"), (2_000_000_000, "2B")];
        for (number, text) in pairs.into_iter().chain(more) {
            assert_eq!(count(number), text);
        }
    }

    #[test]
    fn amounts_are_never_short_and_have_a_unit() {
        let amounts = ["1240", "1234567.5", "-60", "0", "1", "0.5"].map(amount);
        assert_eq!(amounts, ["1,240", "1,234,567.5", "−60", "0", "1", "0.5"]);
        assert_eq!(["5", "-60", "0"].map(signed), ["+5", "−60", "0"]);
        assert_eq!(["0", "1", "0.5"].map(price), ["Free", "1 credit", "0.5 credits"]);
    }

    #[test]
    fn times_are_relative_for_a_week_then_days_in_the_zone_of_the_visitor() {
        let (now, zone) = (at("2026-11-25T18:48:00Z"), Zone::of(Some("Europe/Berlin")));
        let ago = |text: &str| Time::ago(at(text), now, &zone).text;
        assert_eq!(ago("2026-11-25T18:47:30Z"), "just now");
        assert_eq!(ago("2026-11-25T18:43:00Z"), "5 min ago");
        assert_eq!(ago("2026-11-24T18:00:00Z"), "1 d ago");
        assert_eq!(ago("2026-11-18T18:48:00Z"), "18 Nov");
        assert_eq!(ago("2025-11-30T23:30:00Z"), "1 Dec 2025", "it was December in Berlin");
        assert_eq!(zone.exact(now, now), "25 Nov, 19:48 CET");
        assert_eq!(Zone::of(None).exact(now, now), "25 Nov, 18:48 UTC");
        let deadline = Time::deadline(at("2026-11-28T06:48:00Z"), now, &zone);
        assert_eq!(deadline.text, "28 Nov, 07:48 CET (2 d left)");
    }

    #[test]
    fn an_unknown_zone_is_utc() {
        for name in ["", "../../etc/passwd", "Mars/Olympus", "<b>", &"x".repeat(1000)] {
            assert_eq!(Zone::of(Some(name)).name(), "UTC", "{name}");
        }
        let berlin = Zone::of(Some("Europe/Berlin"));
        assert_eq!(berlin.instant("2026-11-25T19:48"), Some(at("2026-11-25T18:48:00Z")));
        assert_eq!(berlin.instant("never"), None);
    }
}
