//! Rows as a change leaves them.
//!
//! SQLite collects what `returning` gives in a temporary table, which costs more than reading the
//! row again by its key. There the change and the reading are two statements, between which nobody
//! else writes; PostgreSQL answers both in one round trip.

use super::row::FromRow;
use super::sql::Sql;
use super::tx::{Connection, Tx};
use super::value::Value;
use crate::error::{Error, Result};

/// A change and the rows that it answers, made by [`returning!`](crate::returning!).
#[derive(Clone, Copy, Debug)]
pub struct Returning {
    change: Sql,
    reading: Sql,
    both: Sql,
}

impl Returning {
    /// A change, the query of what it changed, and both in one statement.
    #[doc(hidden)]
    pub const fn new(change: Sql, reading: Sql, both: Sql) -> Self {
        Self { change, reading, both }
    }
}

/// A change that answers columns of the rows it changed, and where these are found by their key.
///
/// The key must find exactly what was changed. The columns stand in both statements, so they are
/// names of the table and no parameters.
///
/// ```
/// use svc_store::returning;
///
/// let number = returning!(
///     "update head set last = last + 1 where stream = $1",
///     "last",
///     "head where stream = $1"
/// );
/// ```
#[macro_export]
macro_rules! returning {
    ($change:expr, $columns:expr, $rows:expr $(,)?) => {
        $crate::db::Returning::new(
            $crate::sql!($change),
            $crate::sql!("select ", $columns, " from ", $rows),
            $crate::sql!($change, " returning ", $columns),
        )
    };
}

impl Tx<'_> {
    /// Every row that was changed; the key's values are those of the query of the rows.
    #[track_caller]
    pub fn all_returning<R: FromRow>(
        &mut self,
        statement: Returning,
        values: &[Value<'_>],
        key: &[Value<'_>],
    ) -> Result<Vec<R>> {
        if matches!(self.connection(), Connection::Postgres(_)) {
            return self.all(statement.both, values);
        }
        match self.execute(statement.change, values)? {
            0 => Ok(vec![]),
            _ => self.all(statement.reading, key),
        }
    }

    /// The row that was changed, if there is one; several are a fault.
    #[track_caller]
    pub fn optional_returning<R: FromRow>(
        &mut self,
        statement: Returning,
        values: &[Value<'_>],
        key: &[Value<'_>],
    ) -> Result<Option<R>> {
        let mut rows = self.all_returning(statement, values, key)?;
        let row = rows.pop();
        if rows.is_empty() {
            Ok(row)
        } else {
            Err(Error::internal("a change of one row changed several"))
        }
    }

    /// The only row that was changed; another number of rows is a fault.
    #[track_caller]
    pub fn one_returning<R: FromRow>(
        &mut self,
        statement: Returning,
        values: &[Value<'_>],
        key: &[Value<'_>],
    ) -> Result<R> {
        let row = self.optional_returning(statement, values, key)?;
        row.ok_or_else(|| Error::internal("a statement that must change one row changed none"))
    }
}
