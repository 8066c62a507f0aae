//! The SQLite file that is moved.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension};
use svc_types::Timestamp;

use super::rows::{self, HEADER, TRAILER, Table};
use crate::db::migrate;
use crate::db::sqlite::connect_for_upkeep;
use crate::error::{Error, Result};

/// Bytes of rows that are passed on at once.
const CHUNK: usize = 64 * 1024;

/// A file that nobody else can write.
pub(super) struct Source {
    path: PathBuf,
    connection: Connection,
}

impl Source {
    /// Opens an existing file whose tables are of this version, and locks it.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let mut connection = connect_for_upkeep(path)
            .map_err(|error| Error::setup(format!("--from: {}: {error}", path.display())))?;
        refuse_moved(&connection, path)?;
        migrate::refuse_unequal(&mut connection)?;
        connection.execute_batch("begin immediate").map_err(Error::internal)?;
        Ok(Self { path: path.to_owned(), connection })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all rows of a table by its key, as binary `COPY` has them; the answer is how many.
    pub(super) fn write(&self, table: &Table, to: &mut impl Write) -> Result<u64> {
        let mut statement = self.connection.prepare(&select(table)).map_err(Error::internal)?;
        let mut selected = statement.query([]).map_err(Error::internal)?;
        let mut bytes = HEADER.to_vec();
        let mut count = 0;
        while let Some(row) = selected.next().map_err(Error::internal)? {
            rows::begin(&mut bytes, table.columns.len());
            for (index, column) in table.columns.iter().enumerate() {
                let value = row.get_ref(index).map_err(Error::internal)?;
                rows::append(&mut bytes, column.kind, value).ok_or_else(|| {
                    let (name, column) = (&table.name, &column.name);
                    Error::internal(format!("{name}.{column} holds a value of another type"))
                })?;
            }
            count += 1;
            if bytes.len() >= CHUNK {
                to.write_all(&bytes).map_err(|error| not_copied(table, error))?;
                bytes.clear();
            }
        }
        bytes.extend(TRAILER);
        to.write_all(&bytes).map_err(|error| not_copied(table, error))?;
        Ok(count)
    }

    /// Notes in the file where its data is now.
    pub(super) fn retire(self, place: &str, now: Timestamp) -> Result<()> {
        let noted = self
            .connection
            .execute_batch("create table moved (place text not null, at integer not null) strict")
            .and_then(|()| {
                let insert = "insert into moved (place, at) values (?1, ?2)";
                self.connection.execute(insert, (place, now.as_millis()))
            })
            .and_then(|_| self.connection.execute_batch("commit"));
        noted.map_err(Error::internal)
    }
}

/// Names in backquotes are always those of columns; SQLite takes unknown ones in quotation marks for texts.
fn select(table: &Table) -> String {
    let columns: Vec<_> = table.columns.iter().map(|it| format!("`{}`", it.name)).collect();
    let key: Vec<_> = table.key.iter().map(|name| format!("`{name}`")).collect();
    format!("select {} from `{}` order by {}", columns.join(", "), table.name, key.join(", "))
}

/// A table whose rows PostgreSQL did not take, or did not give back.
pub(super) fn not_copied(table: &Table, error: io::Error) -> Error {
    let cause = match error.downcast::<postgres::Error>() {
        Ok(error) => crate::db::postgres::describe(&error),
        Err(error) => error.to_string(),
    };
    Error::internal(format!("failed to copy {}: {cause}", table.name))
}

/// Refuses a file whose data was moved.
pub(in crate::db) fn refuse_moved(connection: &Connection, path: &Path) -> Result<()> {
    let is_noted = "select 1 from sqlite_schema where type = 'table' and name = 'moved'";
    let found: rusqlite::Result<Option<i64>> =
        connection.query_row(is_noted, [], |row| row.get(0)).optional();
    if found.map_err(Error::internal)?.is_none() {
        return Ok(());
    }
    let (place, at): (String, i64) = connection
        .query_row("select place, at from moved", [], |row| Ok((row.get(0)?, row.get(1)?)))
        .map_err(Error::internal)?;
    Err(Error::setup(format!(
        "the data in {} was moved to {place} at {}: database_url must name that database",
        path.display(),
        Timestamp::from_millis(at)
    )))
}
