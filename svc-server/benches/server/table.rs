//! The figures, as a readable table and as JSON.

use std::fmt;

use serde::Serialize;

/// A figure with its goal.
#[derive(Serialize)]
pub(crate) struct Row {
    what: String,
    goal: String,
    median: f64,
    low: f64,
    high: f64,
    note: String,
}

/// All figures of a run.
#[derive(Default, Serialize)]
pub(crate) struct Table {
    rows: Vec<Row>,
}

impl Table {
    /// Adds the median and the range of some samples.
    pub(crate) fn add(
        &mut self,
        what: &str,
        goal: &str,
        mut samples: Vec<f64>,
        note: impl Into<String>,
    ) {
        samples.sort_by(f64::total_cmp);
        let (Some(low), Some(high)) = (samples.first(), samples.last()) else {
            return;
        };
        let row = Row {
            what: what.to_owned(),
            goal: goal.to_owned(),
            median: samples[samples.len() / 2],
            low: *low,
            high: *high,
            note: note.into(),
        };
        eprintln!("  {row}");
        self.rows.push(row);
    }

    /// The figures as JSON.
    pub(crate) fn json(&self) -> String {
        serde_json::to_string(self).expect("numbers and texts")
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, goal, median, low, high, note } = self;
        write!(f, "{what:<44} {goal:>10} {median:>8.2}  ({low:.2} – {high:.2})  {note}")
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<44} {:>10} {:>8}  (range)  note", "what", "goal", "median")?;
        self.rows.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}
