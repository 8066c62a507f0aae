//! Values and errors of SQLite.

use std::error::Error as StdError;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, ToSql};

use crate::db::trouble::Trouble;
use crate::db::value::Value;

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
        // Only the reader's time limit interrupts statements.
        Some(ErrorCode::OperationInterrupted) => Trouble::TooLong,
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
