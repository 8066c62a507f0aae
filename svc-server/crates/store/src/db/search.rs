//! The full-text index of each engine.
//!
//! Texts come cut into words by `services/search`, so that both engines find the same. A word holds
//! letters, digits, marks and one of `_@$!#`, never a space, a quotation mark or a backslash: what a
//! person typed can't become a part of the language of an engine.

use std::fmt::Write;

use super::pair::Pair;
use super::row::FromRow;
use super::tx::{Connection, Tx};
use super::value::Value;
use crate::error::Result;
use crate::{sql, values};

/// Pages of the index written in one transaction, so that no other write waits long.
const TIDIED_PAGES: i64 = 500;

/// A statement over the documents that were found, newest first: `found.doc`. Its own parameters
/// begin with `$5`.
#[macro_export]
macro_rules! select_found {
    ($($rest:expr),+ $(,)?) => {
        $crate::db::Pair::new(
            $crate::sql!(
                "with found (doc) as (
                    select rowid from search_index
                    where search_index match $1 and rowid < $2 and rowid > $3
                    order by rowid desc limit $4
                 ) ",
                $($rest),+
            ),
            $crate::sql!(
                "with found (doc) as (
                    select newest.doc from search_newest($1, $2, $3, $4) as newest (doc)
                 ) ",
                $($rest),+
            ),
        )
    };
}

/// What a document must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// All of these words.
    pub words: Vec<String>,
    /// A word that begins so.
    pub beginning: Option<String>,
}

impl Wanted {
    /// In the query syntax of FTS5.
    fn for_sqlite(&self) -> String {
        let words = self.words.iter().map(|word| format!("\"{word}\""));
        let beginning = self.beginning.iter().map(|word| format!("\"{word}\" *"));
        words.chain(beginning).collect::<Vec<_>>().join(" AND ")
    }

    /// As a `tsquery`.
    fn for_postgres(&self) -> String {
        let words = self.words.iter().map(|word| format!("'{word}'"));
        let beginning = self.beginning.iter().map(|word| format!("'{word}':*"));
        words.chain(beginning).collect::<Vec<_>>().join(" & ")
    }
}

/// The documents to search: those between two, newest first.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// Those before this one.
    pub before: i64,
    /// Those after this one.
    pub after: i64,
    /// At most this many.
    pub most: i64,
}

impl Tx<'_> {
    /// The rows of a [`select_found!`](crate::select_found) statement.
    #[track_caller]
    pub fn search<R: FromRow>(
        &mut self,
        statement: Pair,
        wanted: &Wanted,
        range: Range,
        values: &[Value<'_>],
    ) -> Result<Vec<R>> {
        let (sql, wanted) = match self.connection() {
            Connection::Sqlite(_) => (statement.sqlite, wanted.for_sqlite()),
            Connection::Postgres(_) => (statement.postgres, wanted.for_postgres()),
        };
        let own = values![wanted, range.before, range.after, range.most];
        self.all(sql, &[own, values].concat())
    }

    /// Indexes a document with these words, each once; it replaces what was indexed before.
    #[track_caller]
    pub fn index<'w>(&mut self, doc: i64, words: impl IntoIterator<Item = &'w str>) -> Result<()> {
        let mut text = String::new();
        for word in words {
            let space = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{space}{word}");
        }
        let sql = match self.connection() {
            Connection::Sqlite(_) => {
                sql!("insert or replace into search_index (rowid, words) values ($1, $2)")
            }
            Connection::Postgres(_) => sql!(
                "insert into search_index (doc, words)
                 values ($1, array_to_tsvector(string_to_array($2, ' ')))
                 on conflict (doc) do update set words = excluded.words"
            ),
        };
        self.write(sql, values![doc, text])
    }

    /// Takes words of documents that are gone out of the file, some at a time; whether there is
    /// more to do. PostgreSQL does it by itself when it vacuums.
    pub fn tidy_index(&mut self, is_first: bool) -> Result<bool> {
        let Connection::Sqlite(_) = self.connection() else { return Ok(false) };
        let changes = sql!("select total_changes()");
        let before: i64 = self.one(changes, &[])?;
        // A negative number of pages takes all parts of the index together at first.
        let pages = if is_first { -TIDIED_PAGES } else { TIDIED_PAGES };
        let merge = sql!("insert into search_index (search_index, rank) values ('merge', $1)");
        self.execute(merge, values![pages])?;
        let after: i64 = self.one(changes, &[])?;
        // The statement itself counts as one change (SQLite, FTS5, section 6.8).
        Ok(after - before > 1)
    }

    /// Takes a document out of the index.
    #[track_caller]
    pub fn unindex(&mut self, doc: i64) -> Result<()> {
        let sql = match self.connection() {
            Connection::Sqlite(_) => sql!("delete from search_index where rowid = $1"),
            Connection::Postgres(_) => sql!("delete from search_index where doc = $1"),
        };
        self.write(sql, values![doc])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_engine_is_asked_in_its_language() {
        let words = vec!["ada".to_owned(), "#ünı".to_owned()];
        let wanted = Wanted { words, beginning: Some("co".to_owned()) };
        assert_eq!(wanted.for_sqlite(), "\"ada\" AND \"#ünı\" AND \"co\" *");
        assert_eq!(wanted.for_postgres(), "'ada' & '#ünı' & 'co':*");
    }
}
