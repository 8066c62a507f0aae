//! Bar charts as SVG, each with a summary and a table of the same values.
//!
//! Places are shares of the drawing, so that text keeps its size however wide the page is.

use std::fmt::{self, Display};

use svc_types::{Balance, Timestamp};

use super::{Frame, format};
use crate::language::{Language, number};

/// Most intervals of the value axis.
const INTERVALS_MAX: i64 = 4;

/// Most labels of the time axis that fit on a phone, and most if one of them is longer than `22 Nov`.
const LABELS_MAX: usize = 5;
const LONG_LABELS_MAX: usize = 4;
const SHORT_LABEL: usize = 6;

/// Most hours that are labelled by their time of day; more are labelled by their day.
const HOURS_NAMED_MAX: usize = 48;

/// The least height of a bar.
const SEEN: Share = Share(120);

/// A share of the drawing's width or height, in hundredths of a percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Share(i64);

impl Share {
    const ALL: Self = Self(10_000);

    /// A part of a positive whole.
    fn of(part: i128, whole: i128) -> Self {
        Self(i64::try_from(part * i128::from(Self::ALL.0) / whole).unwrap_or(Self::ALL.0))
    }
}

impl askama::filters::HtmlSafe for Share {}

impl Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 % 100 {
            0 => write!(f, "{}%", self.0 / 100),
            rest if rest % 10 == 0 => write!(f, "{}.{}%", self.0 / 100, rest / 10),
            rest => write!(f, "{}.{rest:02}%", self.0 / 100),
        }
    }
}

/// What the values of a chart are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Things that are counted.
    Count,
    /// Credits, in millionths.
    Credits,
}

impl Unit {
    /// A value without its unit, as in a table with a heading.
    fn amount(self, language: Language, value: i64) -> String {
        match self {
            Self::Count => number::amount(language, value),
            Self::Credits => number::amount(language, Balance::from_micros(value)),
        }
    }

    /// A value with its unit.
    fn text(self, language: Language, value: i64) -> String {
        match self {
            Self::Count => number::amount(language, value),
            Self::Credits => format::credits(language, Balance::from_micros(value)),
        }
    }

    /// What the values of the axis are, where the title doesn't say it.
    fn caption(self, language: Language, steps: &Steps) -> Option<String> {
        let id = if steps.is_hourly { "chart-credits-hour" } else { "chart-credits-day" };
        match self {
            Self::Count => None,
            Self::Credits => Some(language.text(id)),
        }
    }
}

/// The steps of the time axis.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    /// The whole name of each step.
    names: Vec<String>,
    /// The label of each step on the axis.
    labels: Vec<String>,
    is_hourly: bool,
    /// How the zone of the labels is named.
    note: String,
}

impl Steps {
    /// Hours or days that begin at these instants, in the visitor's zone.
    pub(super) fn of(frame: &Frame, starts: &[Timestamp], is_hourly: bool) -> Self {
        let name = |start: &Timestamp| frame.step(start, is_hourly);
        let is_short = is_hourly && starts.len() <= HOURS_NAMED_MAX;
        let label = |start: &Timestamp| {
            if is_short { frame.time_of_day(start) } else { frame.step(start, false) }
        };
        Self {
            names: starts.iter().map(name).collect(),
            labels: starts.iter().map(label).collect(),
            is_hourly,
            note: frame.steps_note(is_hourly),
        }
    }

    /// Every which step has a label.
    fn labelled(&self) -> usize {
        let is_long = self.labels.iter().any(|label| label.chars().count() > SHORT_LABEL);
        let most = if is_long { LONG_LABELS_MAX } else { LABELS_MAX };
        let every = self.labels.len().div_ceil(most).max(1);
        // A day is named once.
        let by_days = self.is_hourly && self.labels.len() > HOURS_NAMED_MAX;
        if by_days { every.next_multiple_of(24) } else { every }
    }
}

/// The values of one kind, a value for each step.
#[derive(Clone, Debug)]
pub(super) struct Series {
    /// The id of what they are.
    pub(super) name: &'static str,
    /// The values, which may be negative.
    pub(super) values: Vec<i64>,
}

/// A bar chart, whose series stand on one another.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    /// What it shows.
    pub(super) title: String,
    /// What the values of the axis are, where the title doesn't say it.
    pub(super) unit: Option<String>,
    /// The text alternative: sum, time and peak.
    pub(super) summary: String,
    /// Days of which zone the steps are.
    pub(super) note: String,
    /// The names of the series, if there are several.
    pub(super) legend: Vec<String>,
    /// Lines across the drawing, with the values of the axis.
    pub(super) lines: Vec<Mark>,
    /// Labels of the time axis.
    pub(super) marks: Vec<Mark>,
    /// The steps.
    pub(super) columns: Vec<Column>,
    /// The same as a table.
    pub(super) table: Table,
}

/// A label of an axis, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) at: Share,
    pub(super) label: String,
}

/// A step: what the pointer shows there, and its bars.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) x: Share,
    pub(super) width: Share,
    pub(super) title: String,
    pub(super) bars: Vec<Bar>,
}

/// A bar of one series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bar {
    /// The number of the series, from 1 on.
    pub(super) series: usize,
    pub(super) y: Share,
    pub(super) height: Share,
}

/// The values as text.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// What a step is.
    pub(super) step: String,
    pub(super) heads: Vec<String>,
    /// The name of each step with its values.
    pub(super) rows: Vec<(String, Vec<String>)>,
    pub(super) sums: Vec<String>,
}

impl Chart {
    /// A chart of these series; `None` if all values are 0. `title` is the id of its title.
    pub(super) fn of(
        language: Language,
        title: &'static str,
        unit: Unit,
        steps: &Steps,
        series: &[Series],
    ) -> Option<Self> {
        if series.iter().all(|one| one.values.iter().all(|value| *value == 0)) {
            return None;
        }
        let figures = Figures { language, unit, steps, series };
        let scale = Scale::of(series, steps.names.len());
        let column = |place| figures.column(place, &scale);
        let (count, every) = (steps.names.len(), steps.labelled());
        // Counted from the newest step, which is looked for most.
        let is_labelled = |place: &usize| (count - 1 - *place).is_multiple_of(every);
        let mark =
            |place: usize| Mark { at: middle(place, count), label: steps.labels[place].clone() };
        let line = |value| Mark { at: scale.y(value), label: unit.amount(language, value) };
        Some(Self {
            title: language.text(title),
            unit: unit.caption(language, steps),
            summary: figures.summary(title),
            note: steps.note.clone(),
            legend: figures.legend(),
            lines: scale.lines().map(line).collect(),
            marks: (0..count).filter(is_labelled).map(mark).collect(),
            columns: (0..count).map(column).collect(),
            table: figures.table(),
        })
    }

    /// Whether the values of the axis need more room.
    pub(super) fn has_long_labels(&self) -> bool {
        self.lines.iter().any(|line| line.label.len() > 6)
    }
}

/// The value axis: from `low` to `high` by intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scale {
    low: i64,
    high: i64,
    interval: i64,
}

impl Scale {
    /// The axis of series that stand on one another, negative values below zero.
    fn of(series: &[Series], steps: usize) -> Self {
        let sum = |place: usize, is_wanted: fn(i64) -> bool| -> i64 {
            let values = series.iter().map(|one| one.values[place]);
            values.filter(|value| is_wanted(*value)).sum()
        };
        let high = (0..steps).map(|place| sum(place, |value| value > 0)).max().unwrap_or(0);
        let low = (0..steps).map(|place| sum(place, |value| value < 0)).min().unwrap_or(0);
        let interval = interval((high - low).max(1));
        Self {
            low: low.div_euclid(interval) * interval,
            high: -(-high).div_euclid(interval) * interval,
            interval,
        }
    }

    /// How far from the top a value stands.
    fn y(&self, value: i64) -> Share {
        let span = i128::from(self.high) - i128::from(self.low);
        let share = Share::of(i128::from(self.high) - i128::from(value), span.max(1));
        // Tenths of a percent are finer than a pixel, and a year of bars stays a small page.
        Share(share.0 / 10 * 10)
    }

    /// The values with a line.
    fn lines(&self) -> impl Iterator<Item = i64> + use<> {
        let Self { low, high, interval } = *self;
        (0..=(high - low) / interval).map(move |number| low + number * interval)
    }

    /// The bar from one value to another.
    fn bar(&self, series: usize, from: i64, to: i64) -> Bar {
        let (top, bottom) = (self.y(from.max(to)), self.y(from.min(to)));
        let height = Share(bottom.0 - top.0).max(SEEN);
        let y = if to > from { Share((bottom.0 - height.0).max(0)) } else { top };
        Bar { series, y, height }
    }
}

/// The least of 1, 2, 5, 10, 20, … that divides a span into few intervals.
fn interval(span: i64) -> i64 {
    let mut ten: i64 = 1;
    loop {
        for times in [1, 2, 5] {
            let interval = ten.saturating_mul(times);
            if (span - 1) / interval < INTERVALS_MAX {
                return interval;
            }
        }
        ten = ten.saturating_mul(10);
    }
}

/// The middle of a step.
fn middle(place: usize, steps: usize) -> Share {
    Share::of(2 * wide(place) + 1, 2 * wide(steps))
}

/// Places are small; so is what a share of them becomes.
fn wide(place: usize) -> i128 {
    i128::try_from(place).unwrap_or(i128::MAX)
}

/// What a chart shows, and how.
struct Figures<'a> {
    language: Language,
    unit: Unit,
    steps: &'a Steps,
    series: &'a [Series],
}

impl Figures<'_> {
    fn column(&self, place: usize, scale: &Scale) -> Column {
        let Self { language, unit, steps, series } = *self;
        let [x, next] = [place, place + 1].map(|at| Share::of(wide(at), wide(steps.names.len())));
        let (mut above, mut below) = (0, 0);
        let mut bars = Vec::new();
        for (number, one) in (1..).zip(series) {
            let value = one.values[place];
            let from = if value > 0 { &mut above } else { &mut below };
            if value != 0 {
                bars.push(scale.bar(number, *from, *from + value));
            }
            *from += value;
        }
        let value = |one: &Series| unit.text(language, one.values[place]);
        let named = |one: &Series| format!("{} {}", language.text(one.name), value(one));
        let values = match series {
            [one] => value(one),
            several => several.iter().map(named).collect::<Vec<_>>().join(", "),
        };
        let title = format!("{}: {values}", steps.names[place]);
        Column { x, width: Share(next.0 - x.0), title, bars }
    }

    /// The names of several series.
    fn legend(&self) -> Vec<String> {
        match self.series {
            [_] => Vec::new(),
            several => several.iter().map(|one| self.language.text(one.name)).collect(),
        }
    }

    /// The sum, the time and the peak, in words.
    fn summary(&self, title: &str) -> String {
        let Self { language, unit, steps, series } = *self;
        let count = steps.names.len();
        let sums = (0..count).map(|place| series.iter().map(|one| one.values[place]).sum::<i64>());
        let total: i64 = sums.clone().sum();
        // Of equal peaks the earliest.
        let peak = sums.enumerate().max_by_key(|(place, sum)| (*sum, usize::MAX - place));
        let (place, most) = peak.unwrap_or_default();
        let id = if steps.is_hourly { "chart-summary-hours" } else { "chart-summary-days" };
        let message = language.message(id).with("title", language.text(title)).count(count);
        let message = message.with("total", unit.text(language, total));
        let message = message.with("most", unit.amount(language, most));
        message.with("peak", &steps.names[place]).to_string()
    }

    fn table(&self) -> Table {
        let Self { language, unit, steps, series } = *self;
        let head = |one: &Series| match unit {
            Unit::Count => language.text(one.name),
            Unit::Credits => language
                .message("chart-in-credits")
                .with("name", language.text(one.name))
                .to_string(),
        };
        let value = |value| unit.amount(language, value);
        let cells = |place: usize| series.iter().map(|one| value(one.values[place])).collect();
        let rows = steps.names.iter().enumerate().map(|(place, name)| (name.clone(), cells(place)));
        Table {
            step: language.text(if steps.is_hourly { "chart-hour" } else { "chart-day" }),
            heads: series.iter().map(head).collect(),
            rows: rows.collect(),
            sums: series.iter().map(|one| value(one.values.iter().sum())).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
