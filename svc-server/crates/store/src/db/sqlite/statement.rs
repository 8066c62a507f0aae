//! Statements on a SQLite connection.

use std::error::Error as StdError;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, Statement, StatementStatus, ToSql, params_from_iter};

use crate::db::row::{FromRow, Row};
use crate::db::sql::Sql;
use crate::db::trouble::Trouble;
use crate::db::tx::Failure;
use crate::db::value::Value;

/// Every row of the result. Adds the steps of SQLite's virtual machine to `steps`.
pub(in crate::db) fn all<R: FromRow>(
    connection: &Connection,
    sql: Sql,
    values: &[Value<'_>],
    steps: &mut u64,
) -> Result<Vec<R>, Failure> {
    let mut statement = connection.prepare_cached(sql.text())?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(R::from_row(&mut Row::sqlite(row))?);
    }
    drop(rows);
    *steps += take_steps(&statement);
    Ok(all)
}

/// Changes rows and returns their number. Adds the steps of SQLite's virtual machine to `steps`.
pub(in crate::db) fn execute(
    connection: &Connection,
    sql: Sql,
    values: &[Value<'_>],
    steps: &mut u64,
) -> Result<u64, Failure> {
    let mut statement = connection.prepare_cached(sql.text())?;
    let rows = statement.execute(params_from_iter(values))?;
    *steps += take_steps(&statement);
    Ok(rows as u64)
}

/// The steps of a statement since the last call.
fn take_steps(statement: &Statement<'_>) -> u64 {
    u64::try_from(statement.reset_status(StatementStatus::VmStep)).unwrap_or(0)
}

/// Runs a statement that frames a part of a transaction.
pub(in crate::db) fn frame(connection: &Connection, statement: &str) -> Result<(), Failure> {
    connection.prepare_cached(statement)?.execute([])?;
    Ok(())
}

/// The steps of the query plan.
#[cfg(any(test, feature = "testing"))]
pub(in crate::db) fn explain(
    connection: &Connection,
    sql: Sql,
    values: &[Value<'_>],
) -> Result<Vec<String>, Failure> {
    let mut statement = connection.prepare(&format!("explain query plan {}", sql.text()))?;
    let steps = statement.query_map(params_from_iter(values), |row| row.get("detail"))?;
    Ok(steps.collect::<Result<_, _>>()?)
}

/// The value of one column.
pub(in crate::db) fn value<'a>(
    row: &'a rusqlite::Row<'_>,
    index: usize,
) -> Result<Value<'a>, Box<dyn StdError + Send + Sync>> {
    match row.get_ref(index)? {
        ValueRef::Null => Ok(Value::Null),
        ValueRef::Integer(value) => Ok(Value::Integer(value)),
        ValueRef::Text(text) => Ok(Value::Text(str::from_utf8(text)?)),
        ValueRef::Blob(bytes) => Ok(Value::Blob(bytes)),
        ValueRef::Real(_) => Err("no column holds floating point numbers".into()),
    }
}

/// What an error means for the transaction.
pub(in crate::db) fn trouble(error: &rusqlite::Error) -> Trouble {
    match error.sqlite_error_code() {
        // SQLite says so too when the system call for a write answers ENOSPC.
        Some(ErrorCode::DiskFull) => Trouble::Full,
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::SystemIoFailure
            | ErrorCode::DatabaseCorrupt
            | ErrorCode::CannotOpen
            | ErrorCode::OutOfMemory,
        ) => Trouble::Unavailable,
        _ => Trouble::Statement,
    }
}

/// Runs a statement that frames a transaction.
pub(super) fn step(connection: &Connection, sql: &str) -> Result<(), Trouble> {
    let done = connection.prepare_cached(sql).and_then(|mut statement| statement.execute([]));
    done.map(|_| ()).map_err(|error| {
        tracing::warn!(%error, sql, "a transaction failed");
        trouble(&error)
    })
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Self::Null => ValueRef::Null,
            Self::Bool(value) => ValueRef::Integer(value.into()),
            Self::Integer(value) => ValueRef::Integer(value),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
