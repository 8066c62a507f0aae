//! Pages of lists, and the command for the next page.

use std::fmt::Display;

use clap::Args;
use svc_client::types::{Cursor, Limit, Paged};

use crate::caller::Caller;
use crate::error::Result;
use crate::output::Output;
use crate::raw::WithRaw;
use crate::shell::quoted;

/// Which part of a list.
#[derive(Clone, Debug, Args)]
pub(crate) struct Page {
    /// Page size: 1 to 100, 20 when omitted.
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u32>,
    /// Cursor of the page, from the page before.
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
}

impl Page {
    /// Items to ask for.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.limit.map(Into::into)
    }

    /// A command with its page size, to be typed again for the next page.
    pub(crate) fn repeated(&self, line: Line) -> Line {
        let limit = self.limit.map(|limit| limit.to_string());
        line.option("--limit", limit.as_deref())
    }

    /// Where to begin.
    pub(crate) fn cursor(&self) -> Option<Cursor> {
        self.cursor.as_deref().map(Into::into)
    }
}

/// Requests a page, prints it as `people` formats it, and names the command for the next one.
pub(crate) async fn show<E: Paged>(
    caller: &Caller,
    request: E,
    line: &Line,
    people: impl FnOnce(&[E::Item]) -> String,
) -> Result<()> {
    let Some(answer) = caller.send(request).await? else {
        return Ok(());
    };
    let WithRaw { value, raw } = answer.value;
    let (items, next) = E::into_page(value);
    caller.out.page(&raw, &text(&items, next.as_ref(), people))?;
    more(caller.out, &line.0, next.as_ref());
    Ok(())
}

/// A command as it was typed, to be typed again for the next page.
pub(crate) struct Line(String);

impl Line {
    pub(crate) fn new(command: &str) -> Self {
        Self(command.to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Adds a word that is not a flag.
    pub(crate) fn word(self, word: Option<&str>) -> Self {
        self.with(word.map(quoted))
    }

    /// Adds a flag that was given.
    pub(crate) fn flag(self, flag: &str, is_given: bool) -> Self {
        self.with(is_given.then_some(flag))
    }

    /// Adds a flag with its value if there is one.
    pub(crate) fn option(self, flag: &str, value: Option<&str>) -> Self {
        self.with(value.map(|value| format!("{flag} {}", quoted(value))))
    }

    fn with(self, part: Option<impl Display>) -> Self {
        match part {
            Some(part) => Self(format!("{} {part}", self.0)),
            None => self,
        }
    }
}

/// Prints the command for the next page of a list.
pub(crate) fn more(out: Output, command: &str, next: Option<&Cursor>) {
    if let Some(cursor) = next {
        out.note(&format!("more: {command} --cursor {cursor}"));
    }
}

/// The items of a page as `people` formats them. Of an empty page behind which the list goes on, `people` would
/// say that there is nothing.
pub(crate) fn text<T>(
    items: &[T],
    next: Option<&Cursor>,
    people: impl FnOnce(&[T]) -> String,
) -> String {
    if items.is_empty() && next.is_some() { "none on this page".to_owned() } else { people(items) }
}

/// The rows of a list, or `none`.
pub(crate) fn rows(rows: impl Iterator<Item = String>, none: &str) -> String {
    let rows: Vec<String> = rows.collect();
    if rows.is_empty() { none.to_owned() } else { rows.join("\n") }
}
