//! What a job may do in its transaction.

use svc_types::Timestamp;

use super::meter::Work;
use super::row::{Each, FromRow, Row};
use super::sql::Sql;
use super::trouble::Trouble;
use super::value::Value;
use super::{postgres, sqlite};
use crate::error::{Error, Result};
use crate::sql;

/// A transaction, handed to a job.
///
/// A failed statement ends the transaction on PostgreSQL, so it does on SQLite too: the job is
/// rolled back even if it answers `Ok`. Expected conflicts are written `on conflict do nothing`.
pub struct Tx<'a> {
    connection: Connection<'a>,
    now: Timestamp,
    trouble: Option<Trouble>,
    work: Work,
    /// Whether a statement changed rows, or may have.
    has_changed: bool,
    #[cfg(feature = "testing")]
    plans: Option<super::Plans>,
}

/// The connection the transaction runs on.
pub(super) enum Connection<'a> {
    Sqlite(&'a mut (dyn sqlite::Statements + 'a)),
    Postgres(&'a mut postgres::Session),
}

/// Why a statement gave no result.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error("{}", postgres::describe(.0))]
    Postgres(#[from] ::postgres::Error),
    /// The server began no transaction: it is of no use, such as a standby after a failover.
    #[error("no transaction: {}", postgres::describe(.0))]
    NotBegun(::postgres::Error),
    /// PostgreSQL did not answer in time, by this machine's clock.
    #[error("the database did not answer in time")]
    Overrun,
    /// A read took longer than its caller waits.
    #[error("the statement took too long")]
    TooLong,
    #[error(transparent)]
    Row(#[from] Error),
}

impl Failure {
    pub(super) fn trouble(&self) -> Trouble {
        match self {
            Self::Sqlite(error) => sqlite::trouble(error),
            Self::Postgres(error) => postgres::trouble(error),
            Self::NotBegun(_) => Trouble::Lost,
            Self::Overrun => Trouble::Overrun,
            Self::TooLong => Trouble::TooLong,
            Self::Row(_) => Trouble::Statement,
        }
    }
}

impl<'a> Tx<'a> {
    pub(super) const fn new(connection: Connection<'a>, now: Timestamp) -> Self {
        Self {
            connection,
            now,
            trouble: None,
            work: Work { statements: 0, steps: 0 },
            has_changed: false,
            #[cfg(feature = "testing")]
            plans: None,
        }
    }

    /// The engine, for what each does in its own way.
    pub(super) const fn connection(&self) -> &Connection<'a> {
        &self.connection
    }

    /// Notes the plan of each statement from now on, if they are watched.
    #[cfg(feature = "testing")]
    pub fn note_plans(&mut self, plans: &super::Plans) {
        self.plans = plans.are_watched().then(|| plans.clone());
    }

    #[cfg(feature = "testing")]
    fn note_plan(&mut self, sql: Sql, values: &[Value<'_>]) {
        if let Some(plans) = self.plans.clone()
            && let Ok(steps) = self.explain(sql, values)
        {
            plans.note(sql, steps);
        }
    }

    /// Whether a statement failed, so that the transaction can't be kept.
    pub const fn is_lost(&self) -> bool {
        self.trouble.is_some()
    }

    /// What the last failed statement means, if one failed.
    pub(super) const fn trouble(&self) -> Option<Trouble> {
        self.trouble
    }

    /// What its statements cost.
    pub(super) const fn work(&self) -> Work {
        self.work
    }

    /// Whether a statement changed rows, or may have.
    pub(super) const fn has_changed(&self) -> bool {
        self.has_changed
    }

    /// Notes that something was changed.
    pub(super) const fn note_change(&mut self) {
        self.has_changed = true;
    }

    /// Notes how many rows a statement changed or gave.
    fn note_rows(&mut self, sql: Sql, rows: u64) {
        self.has_changed |= rows > 0 && sql.is_change();
    }

    /// The instant of this transaction.
    pub const fn now(&self) -> Timestamp {
        self.now
    }

    /// The only row of the result; another number of rows is a fault.
    #[track_caller]
    pub fn one<R: FromRow>(&mut self, sql: Sql, values: &[Value<'_>]) -> Result<R> {
        let row = self.optional(sql, values)?;
        row.ok_or_else(|| Error::internal("a statement that must give one row gave none"))
    }

    /// The row of the result, if there is one; several are a fault.
    #[track_caller]
    pub fn optional<R: FromRow>(&mut self, sql: Sql, values: &[Value<'_>]) -> Result<Option<R>> {
        let mut rows = self.all(sql, values)?;
        let row = rows.pop();
        if rows.is_empty() {
            Ok(row)
        } else {
            Err(Error::internal("a statement that may give one row gave several"))
        }
    }

    /// Every row of the result.
    #[track_caller]
    pub fn all<R: FromRow>(&mut self, sql: Sql, values: &[Value<'_>]) -> Result<Vec<R>> {
        let mut rows = Vec::new();
        self.each(sql, values, &mut |row| {
            rows.push(R::from_row(row)?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// Hands over each row of the result: the part of [`Self::all`] that is compiled once for all types of rows.
    #[track_caller]
    fn each(&mut self, sql: Sql, values: &[Value<'_>], each: &mut Each<'_>) -> Result<()> {
        self.work.statements += 1;
        #[cfg(feature = "testing")]
        self.note_plan(sql, values);
        let mut count = 0;
        let mut counted = |row: &mut Row<'_>| {
            count += 1;
            each(row)
        };
        let done = match &mut self.connection {
            Connection::Sqlite(statements) => {
                sqlite::each(*statements, sql, values, &mut self.work.steps, &mut counted)
            }
            Connection::Postgres(session) => session.each(sql, values, &mut counted),
        };
        match done {
            Ok(()) => {
                self.note_rows(sql, count);
                Ok(())
            }
            Err(failure) => Err(self.fail(failure)),
        }
    }

    /// Locks the rows of a `select … for update` until the transaction ends.
    ///
    /// On SQLite nothing happens: there the single writer is the lock. On PostgreSQL the next statement
    /// waits for it.
    #[track_caller]
    pub fn lock(&mut self, sql: Sql, values: &[Value<'_>]) -> Result<()> {
        match &self.connection {
            Connection::Sqlite(_) => Ok(()),
            Connection::Postgres(_) => self.write(sql, values),
        }
    }

    /// Locks the rows of a `select … for update`, and returns whether there are `rows` of them.
    ///
    /// On SQLite nothing can have changed since they were read, so they are not read again.
    #[track_caller]
    pub fn lock_all(&mut self, sql: Sql, values: &[Value<'_>], rows: u64) -> Result<bool> {
        match &self.connection {
            Connection::Sqlite(_) => Ok(true),
            Connection::Postgres(_) => self.execute(sql, values).map(|found| found == rows),
        }
    }

    /// Changes rows and returns how many.
    #[track_caller]
    pub fn execute(&mut self, sql: Sql, values: &[Value<'_>]) -> Result<u64> {
        self.work.statements += 1;
        #[cfg(feature = "testing")]
        self.note_plan(sql, values);
        let rows = match &mut self.connection {
            Connection::Sqlite(statements) => {
                let done = statements.execute(sql, values);
                done.map(|done| {
                    self.work.steps += done.steps;
                    done.rows
                })
            }
            Connection::Postgres(session) => session.execute(sql, values),
        };
        match rows {
            Ok(rows) => {
                self.note_rows(sql, rows);
                Ok(rows)
            }
            Err(failure) => Err(self.fail(failure)),
        }
    }

    /// Changes rows, however many. If that fails, a later statement does, or the commit: PostgreSQL gets
    /// it with the next one, so that it takes no round trip of its own.
    #[track_caller]
    pub fn write(&mut self, sql: Sql, values: &[Value<'_>]) -> Result<()> {
        let Connection::Postgres(session) = &mut self.connection else {
            return self.execute(sql, values).map(drop);
        };
        self.work.statements += 1;
        let queued = session.write(sql, values);
        // How many rows it changes is known later.
        self.note_rows(sql, 1);
        queued.map_err(|failure| self.fail(failure))
    }

    /// Marks a place to which the transaction can be rolled back.
    #[track_caller]
    pub fn set_savepoint(&mut self) -> Result<()> {
        self.frame(sql!("savepoint attempt"))
    }

    /// Keeps what was done since the latest savepoint, and forgets that.
    #[track_caller]
    pub fn release_savepoint(&mut self) -> Result<()> {
        self.frame(sql!("release savepoint attempt"))
    }

    /// Undoes what was done since the latest savepoint, and forgets that. Locks stay.
    #[track_caller]
    pub fn roll_back_to_savepoint(&mut self) -> Result<()> {
        self.frame(sql!("rollback to savepoint attempt"))?;
        self.frame(sql!("release savepoint attempt"))
    }

    #[track_caller]
    fn frame(&mut self, sql: Sql) -> Result<()> {
        let done = match &mut self.connection {
            Connection::Sqlite(statements) => statements.execute(sql, &[]).map(|_| ()),
            Connection::Postgres(session) => session.frame(sql.text()),
        };
        done.map_err(|failure| self.fail(failure))
    }

    /// Runs statements that define tables; only PostgreSQL runs such while a server runs.
    #[track_caller]
    pub(super) fn define(&mut self, statements: &str) -> Result<()> {
        let Connection::Postgres(session) = &mut self.connection else { return Ok(()) };
        self.work.statements += 1;
        session.define(statements).map_err(|failure| self.fail(failure))
    }

    /// The engine's plan for a statement, for tests that watch which index it uses.
    #[cfg(any(test, feature = "testing"))]
    #[track_caller]
    pub fn explain(&mut self, sql: Sql, values: &[Value<'_>]) -> Result<Vec<String>> {
        let lines = match &mut self.connection {
            Connection::Sqlite(statements) => statements.explain(sql, values),
            Connection::Postgres(session) => session.explain(sql, values),
        };
        match lines {
            Ok(lines) => Ok(lines),
            Err(failure) => Err(self.fail(failure)),
        }
    }

    /// Remembers that the transaction is lost, and says so.
    #[track_caller]
    fn fail(&mut self, failure: Failure) -> Error {
        let trouble = failure.trouble();
        self.trouble = Some(trouble);
        match failure {
            Failure::Row(error) => error,
            failure if matches!(trouble, Trouble::Statement | Trouble::Duplicate) => {
                Error::internal(failure.to_string())
            }
            failure => {
                tracing::warn!(error = %failure, ?trouble, "a statement failed");
                trouble.error()
            }
        }
    }
}
