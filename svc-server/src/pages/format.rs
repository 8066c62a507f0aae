//! Credits, money and times for display.

use std::borrow::Borrow;
use std::fmt::{self, Display};
use std::sync::OnceLock;
use std::time::Duration;

use jiff::Zoned;
use jiff::tz::TimeZone;
use svc_types::Timestamp;
use svc_types::money::{TOKEN, TOKEN_DECIMALS, digits};

use crate::language::{Language, number};

/// Below this age, times are relative.
const RELATIVE_SECONDS: u64 = 7 * 86_400;

/// Longest name of a time zone; the longest of the database has 30 characters.
const ZONE_LENGTH_MAX: usize = 48;

/// An amount with a sign, for lists of transactions: `+5`, `+0.5`, `−60`.
pub(super) fn signed(language: Language, credits: impl Display) -> String {
    let amount = number::amount(language, credits);
    if amount == "0" || amount.starts_with('−') { amount } else { format!("+{amount}") }
}

/// An amount with its unit: `1 credit`, `0.5 credits`.
pub(super) fn credits(language: Language, credits: impl Display) -> String {
    language.message("credits-amount").amount(credits).to_string()
}

/// A price: `Free`, `1 credit`, `1,240 credits`.
pub(super) fn price(language: Language, price: impl Display) -> String {
    let text = price.to_string();
    if text == "0" { language.text("credits-free") } else { credits(language, text) }
}

/// An amount of money in the smallest unit of its currency: `1,240.50 USD`. Tokens have decimals of their
/// own.
pub(super) fn money(
    language: Language,
    amount: impl Borrow<i64>,
    currency: &str,
    decimals: impl Borrow<u32>,
) -> String {
    let decimals = if currency == TOKEN { TOKEN_DECIMALS } else { *decimals.borrow() };
    let number = number::grouped(language, &digits(*amount.borrow(), decimals));
    format!("{number} {}", currency.to_uppercase())
}

/// A share between 0 and 1: `98%`. Only the whole is shown as 100%, and only nothing as 0%.
pub(super) fn percent(language: Language, share: impl Borrow<f64>) -> String {
    let share: f64 = *share.borrow();
    let is_part = share > 0.0 && share < 1.0;
    let percent = if is_part { (share * 100.0).clamp(1.0, 99.0) } else { share * 100.0 };
    language.message("number-percent").with("n", format!("{percent:.0}")).to_string()
}

/// A mean of ratings: `4.0`.
pub(super) fn stars(language: Language, rating: impl Borrow<f64>) -> String {
    let rating: f64 = *rating.borrow();
    number::amount(language, format!("{rating:.1}"))
}

/// A duration in its largest unit: `42 s`, `5 min`, `3 h`, `2 d`.
pub(super) fn duration(language: Language, seconds: impl Borrow<f64>) -> String {
    let seconds = *seconds.borrow();
    let (count, id) = match seconds {
        ..120.0 => (seconds, "time-seconds"),
        ..7_200.0 => (seconds / 60.0, "time-minutes"),
        ..172_800.0 => (seconds / 3_600.0, "time-hours"),
        _ => (seconds / 86_400.0, "time-days"),
    };
    language.message(id).with("n", format!("{count:.0}")).to_string()
}

/// A waiting time in words, rounded up: `45 seconds`, `30 minutes`, `2 hours`.
pub(super) fn span(language: Language, seconds: impl Borrow<u64>) -> String {
    let seconds = *seconds.borrow();
    let (count, id) = match seconds {
        0..120 => (seconds, "span-seconds"),
        120..7200 => (seconds.div_ceil(60), "span-minutes"),
        7200..172_800 => (seconds.div_ceil(3600), "span-hours"),
        _ => (seconds.div_ceil(86_400), "span-days"),
    };
    language.message(id).count(count).to_string()
}

/// A duration in words, exactly: in the largest unit of which it is a whole number. Up to two days are hours.
pub(super) fn whole_span(language: Language, time: Duration) -> String {
    let seconds = time.as_secs();
    let is_whole = |unit: u64| seconds.is_multiple_of(unit);
    let (unit, id) = if seconds > 172_800 && is_whole(86_400) {
        (86_400, "span-days")
    } else if is_whole(3_600) {
        (3_600, "span-hours")
    } else if is_whole(60) {
        (60, "span-minutes")
    } else {
        (1, "span-seconds")
    };
    language.message(id).count(seconds / unit).to_string()
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

    /// An instant as a field takes it: `2026-01-31T09:30`.
    pub(super) fn typed(&self, at: Timestamp) -> String {
        self.local(at).strftime("%Y-%m-%dT%H:%M").to_string()
    }

    /// An instant in this zone.
    fn local(&self, at: Timestamp) -> Zoned {
        let instant = jiff::Timestamp::from_millisecond(at.as_millis()).unwrap_or_default();
        instant.to_zoned(self.zone.clone())
    }

    /// A day: `22 Nov`, with the year in another year than that of `now`.
    pub(super) fn day(&self, language: Language, at: Timestamp, now: Timestamp) -> String {
        day_of(language, &self.local(at), &self.local(now))
    }

    /// The time of day: `19:48`.
    pub(super) fn time_of_day(&self, at: Timestamp) -> String {
        time_of(&self.local(at))
    }

    /// An instant without its zone: `25 Nov, 19:48`.
    pub(super) fn minute(&self, language: Language, at: Timestamp, now: Timestamp) -> String {
        minute_of(language, &self.local(at), &self.local(now))
    }

    /// An instant with its zone: `25 Nov, 19:48 CET`.
    pub(super) fn exact(&self, language: Language, at: Timestamp, now: Timestamp) -> String {
        let at = self.local(at);
        format!("{} {}", minute_of(language, &at, &self.local(now)), at.strftime("%Z"))
    }
}

fn day_of(language: Language, at: &Zoned, now: &Zoned) -> String {
    let month = language.text(&format!("month-{}", at.month()));
    let day = language.message("day").with("day", at.day()).with("month", month);
    if at.year() == now.year() { day.to_string() } else { format!("{day} {}", at.year()) }
}

fn time_of(at: &Zoned) -> String {
    format!("{:02}:{:02}", at.hour(), at.minute())
}

fn minute_of(language: Language, at: &Zoned, now: &Zoned) -> String {
    format!("{}, {}", day_of(language, at, now), time_of(at))
}

/// A `time` element, ready for a template.
#[derive(Clone, Debug)]
pub struct Time {
    at: Timestamp,
    text: String,
    title: String,
    /// How the script keeps it current.
    current: Current,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Current {
    No,
    Age,
    Deadline,
}

impl askama::filters::HtmlSafe for Time {}

/// How a visitor reads times.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    pub(super) language: Language,
    pub(super) zone: Zone,
    pub(super) now: Timestamp,
}

impl Clock {
    /// How long ago, with the exact time as its title; from 7 days on the day.
    pub(super) fn ago(&self, at: Timestamp) -> Time {
        match age(self.language, self.now.since(at).as_secs()) {
            Some(text) => Time { at, text, title: self.exact(at), current: Current::Age },
            None => self.day(at),
        }
    }

    /// The exact time.
    pub(super) fn at(&self, at: Timestamp) -> Time {
        Time { at, text: self.exact(at), title: String::new(), current: Current::No }
    }

    /// A day, with the exact time as its title.
    pub(super) fn day(&self, at: Timestamp) -> Time {
        let text = self.zone.day(self.language, at, self.now);
        Time { at, text, title: self.exact(at), current: Current::No }
    }

    /// A deadline, with the time left: `25 Nov, 19:48 CET (2 d left)`.
    pub(super) fn deadline(&self, at: Timestamp) -> Time {
        let left = left(self.language, at.since(self.now).as_secs());
        let text = format!("{} ({left})", self.exact(at));
        Time { at, text, title: String::new(), current: Current::Deadline }
    }

    fn exact(&self, at: Timestamp) -> String {
        self.zone.exact(self.language, at, self.now)
    }
}

impl Display for Time {
    /// Digits, letters of zones and punctuation; nothing of it is a visitor's.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, text, title, current } = self;
        write!(f, "<time datetime=\"{at}\"")?;
        if !title.is_empty() {
            write!(f, " title=\"{title}\"")?;
        }
        f.write_str(match current {
            Current::No => "",
            Current::Age => " data-ago",
            Current::Deadline => " data-deadline",
        })?;
        write!(f, ">{text}</time>")
    }
}

/// An age in words; `None` from 7 days on.
fn age(language: Language, seconds: u64) -> Option<String> {
    let (count, id) = match seconds {
        0..60 => (0, "ago-now"),
        60..3600 => (seconds / 60, "ago-minutes"),
        3600..86_400 => (seconds / 3600, "ago-hours"),
        86_400..172_800 => (1, "ago-day"),
        172_800..RELATIVE_SECONDS => (seconds / 86_400, "ago-days"),
        _ => return None,
    };
    Some(language.message(id).with("n", count).to_string())
}

/// The time left, as the script counts it down too.
fn left(language: Language, seconds: u64) -> String {
    let (count, id) = match seconds {
        0 => (0, "left-none"),
        1..3600 => (seconds.div_ceil(60), "left-minutes"),
        3600..172_800 => (seconds / 3600, "left-hours"),
        _ => (seconds / 86_400, "left-days"),
    };
    language.message(id).with("n", count).to_string()
}

/// The ids of the texts that the script writes too.
const OF_SCRIPT: [&str; 15] = [
    "ago-now",
    "ago-minutes",
    "ago-hours",
    "ago-day",
    "ago-days",
    "left-none",
    "left-minutes",
    "left-hours",
    "left-days",
    "script-length",
    "script-too-long",
    "script-copied",
    "script-new-post",
    "script-new-posts",
    "script-field",
];

/// The texts that the script writes too, by the ids of the catalogue; `{n}` stands for a number. Every
/// page has them, so each language makes them once.
pub(super) fn script_texts(language: Language) -> &'static str {
    static TEXTS: [OnceLock<String>; Language::COUNT] =
        [const { OnceLock::new() }; Language::COUNT];
    // No quotes, which would be escaped five times as long.
    let text = |id: &str| {
        let message = language.message(id).with("n", "{n}").with("most", "{most}");
        format!("{id}={message}")
    };
    TEXTS[language.index()].get_or_init(|| OF_SCRIPT.map(text).join("|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EN: Language = Language::English;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn amounts_are_never_short_and_have_a_unit() {
        let amounts =
            ["1240", "1234567.5", "-60", "0", "1", "0.5"].map(|text| number::amount(EN, text));
        assert_eq!(amounts, ["1,240", "1,234,567.5", "−60", "0", "1", "0.5"]);
        let moved = ["5", "0.5", "-60", "-0.5", "0"].map(|text| signed(EN, text));
        assert_eq!(moved, ["+5", "+0.5", "−60", "−0.5", "0"]);
        assert_eq!(
            ["0", "1", "0.5"].map(|text| price(EN, text)),
            ["Free", "1 credit", "0.5 credits"]
        );
    }

    #[test]
    fn ratings_have_one_decimal() {
        assert_eq!([4.0, 4.5].map(|rating| stars(EN, rating)), ["4.0", "4.5"]);
        assert_eq!(stars(Language::German, 4.0), "4,0");
    }

    #[test]
    fn shares_are_written_as_each_language_does() {
        assert_eq!([0.0, 0.714, 1.0].map(|share| percent(EN, share)), ["0%", "71%", "100%"]);
        assert_eq!([0.997, 0.003].map(|share| percent(EN, share)), ["99%", "1%"]);
        assert_eq!(percent(Language::German, 0.714), "71\u{a0}%");
    }

    #[test]
    fn times_are_relative_for_a_week_then_days_in_the_zone_of_the_visitor() {
        let (now, zone) = (at("2026-11-25T18:48:00Z"), Zone::of(Some("Europe/Berlin")));
        let clock = Clock { language: EN, zone, now };
        let ago = |text: &str| clock.ago(at(text)).text;
        assert_eq!(ago("2026-11-25T18:47:30Z"), "just now");
        assert_eq!(ago("2026-11-25T18:43:00Z"), "5 min ago");
        assert_eq!(ago("2026-11-24T18:00:00Z"), "1 d ago");
        assert_eq!(ago("2026-11-18T18:48:00Z"), "18 Nov");
        assert_eq!(ago("2025-11-30T23:30:00Z"), "1 Dec 2025", "it was December in Berlin");
        assert_eq!(clock.at(now).text, "25 Nov, 19:48 CET");
        assert_eq!(Zone::of(None).exact(EN, now, now), "25 Nov, 18:48 UTC");
        let deadline = clock.deadline(at("2026-11-28T06:48:00Z"));
        assert_eq!(deadline.text, "28 Nov, 07:48 CET (2\u{a0}d left)");
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
