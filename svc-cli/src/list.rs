//! Which part of a list is shown, and how to go on.

use clap::Args;
use svc_client::types::{Cursor, Limit};

use crate::output::Output;

/// Which part of a list.
#[derive(Clone, Debug, Args)]
pub(crate) struct Page {
    /// Items to show, 1 to 100; 20 when left out.
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u32>,
    /// Go on where an earlier list ended.
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
}

impl Page {
    /// Items to ask for.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.limit.map(Into::into)
    }

    /// Where to begin.
    pub(crate) fn cursor(&self) -> Option<Cursor> {
        self.cursor.as_deref().map(Into::into)
    }
}

/// Tells which command shows the rest of a list.
pub(crate) fn more(out: Output, command: &str, next: Option<&Cursor>) {
    if let Some(cursor) = next {
        out.note(&format!("more: {command} --cursor {cursor}"));
    }
}

/// The rows of a list, or a word for none.
pub(crate) fn rows(rows: impl Iterator<Item = String>, none: &str) -> String {
    let rows: Vec<String> = rows.collect();
    if rows.is_empty() { none.to_owned() } else { rows.join("\n") }
}
