//! The statements of a connection, each prepared once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rusqlite::{Connection, PrepFlags, Statement, StatementStatus, params_from_iter};

use super::statement::trouble;
use crate::db::row::{self, Row};
use crate::db::sql::Sql;
use crate::db::trouble::Trouble;
use crate::db::tx::Failure;
use crate::db::value::Value;
use crate::error::Result;

/// Statements found by the address of their text, which is part of the program. The cache of
/// `rusqlite` hashes and copies the text at each use: 2,000 instructions, for a few hundred that
/// look a row up.
pub(super) struct Prepared<'c> {
    connection: &'c Connection,
    statements: HashMap<(usize, usize), Statement<'c>>,
}

/// What a transaction sees of [`Prepared`].
pub(in crate::db) trait Statements {
    /// Runs a statement and hands over each row of its result.
    fn query(&mut self, sql: Sql, values: &[Value<'_>], each: &mut Each<'_>) -> Outcome;

    /// Runs a statement that gives no rows.
    fn execute(&mut self, sql: Sql, values: &[Value<'_>]) -> Outcome;

    /// The steps of the query plan.
    #[cfg(any(test, feature = "testing"))]
    fn explain(&mut self, sql: Sql, values: &[Value<'_>]) -> Result<Vec<String>, Failure>;
}

/// Receives the rows of a result.
pub(in crate::db) type Each<'a> = dyn FnMut(&rusqlite::Row<'_>) -> Result<()> + 'a;

/// What running a statement came to.
pub(in crate::db) type Outcome = Result<Done, Failure>;

/// A statement that ran.
#[derive(Clone, Copy, Debug)]
pub(in crate::db) struct Done {
    /// Rows that were changed; of queries none.
    pub(in crate::db) rows: u64,
    /// Steps of SQLite's virtual machine.
    pub(in crate::db) steps: u64,
}

/// Hands over each row of the result. Adds the steps of SQLite's virtual machine to `steps`.
pub(in crate::db) fn each(
    statements: &mut dyn Statements,
    sql: Sql,
    values: &[Value<'_>],
    steps: &mut u64,
    each: &mut row::Each<'_>,
) -> Result<(), Failure> {
    let done = statements.query(sql, values, &mut |row| each(&mut Row::sqlite(row)))?;
    *steps += done.steps;
    Ok(())
}

impl<'c> Prepared<'c> {
    pub(super) fn new(connection: &'c Connection) -> Self {
        Self { connection, statements: HashMap::new() }
    }

    /// Runs a statement that frames a transaction.
    pub(super) fn step(&mut self, sql: Sql) -> Result<(), Trouble> {
        let done = self.find(sql).and_then(|statement| statement.execute([]));
        done.map(|_| ()).map_err(|error| {
            tracing::warn!(%error, sql = sql.text(), "a transaction failed");
            trouble(&error)
        })
    }

    fn find(&mut self, sql: Sql) -> rusqlite::Result<&mut Statement<'c>> {
        let text = sql.text();
        match self.statements.entry((text.as_ptr().addr(), text.len())) {
            Entry::Occupied(found) => Ok(found.into_mut()),
            Entry::Vacant(place) => {
                let flags = PrepFlags::SQLITE_PREPARE_PERSISTENT;
                Ok(place.insert(self.connection.prepare_with_flags(text, flags)?))
            }
        }
    }
}

impl Statements for Prepared<'_> {
    fn query(&mut self, sql: Sql, values: &[Value<'_>], each: &mut Each<'_>) -> Outcome {
        let statement = self.find(sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            each(row)?;
        }
        drop(rows);
        Ok(done(statement, 0))
    }

    fn execute(&mut self, sql: Sql, values: &[Value<'_>]) -> Outcome {
        let statement = self.find(sql)?;
        let rows = statement.execute(params_from_iter(values))?;
        Ok(done(statement, rows as u64))
    }

    #[cfg(any(test, feature = "testing"))]
    fn explain(&mut self, sql: Sql, values: &[Value<'_>]) -> Result<Vec<String>, Failure> {
        let text = format!("explain query plan {}", sql.text());
        let mut statement = self.connection.prepare(&text)?;
        let steps = statement.query_map(params_from_iter(values), |row| row.get("detail"))?;
        Ok(steps.collect::<Result<_, _>>()?)
    }
}

/// Counts what a statement did, and lets go of its values: some are pictures.
fn done(statement: &mut Statement<'_>, rows: u64) -> Done {
    statement.clear_bindings();
    let steps = statement.reset_status(StatementStatus::VmStep);
    Done { rows, steps: u64::try_from(steps).unwrap_or(0) }
}
