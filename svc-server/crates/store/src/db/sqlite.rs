//! SQLite: one writer with group commit, several readers.

mod checkpoint;
mod connect;
mod prepared;
mod reader;
mod statement;
mod time_limit;
mod writer;

use std::cell::Cell;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Mutex, RwLock};

use rusqlite::{Connection, ErrorCode, MAIN_DB, ToSql, ffi};
use tempfile::TempDir;
use tokio::runtime::Handle;

use self::checkpoint::Checkpointer;
use self::connect::{
    Durability, connect_reader, connect_writer, create_private, forget_counts, undo_in_memory,
};
use self::reader::Reader;
use self::time_limit::TimeLimit;
use self::writer::Writer;
use super::engine::{Engine, Queue, Queues, StorageFull};
use super::meter::Meter;
use super::settings::Settings;
use super::{migrate, moving};
use crate::clock::Clock;
use crate::error::{Error, Result};

pub(super) use self::connect::connect_for_upkeep;
pub(super) use self::prepared::{Statements, each};
pub(super) use self::statement::{trouble, value};

/// Opens the file at `path`, which is created when missing.
pub(super) fn open(path: &Path, settings: &Settings, clock: &Clock) -> Result<Engine> {
    start(path, Durability::Full, settings, clock)
}

/// Opens a temporary database.
pub(super) fn open_throw_away(settings: &Settings, clock: &Clock) -> Result<Engine> {
    let folder = TempDir::with_prefix("svc-").map_err(Error::internal)?;
    let path = folder.path().join("svc.db");
    #[cfg(feature = "testing")]
    crate::testing::sqlite::copy_template(&path)?;
    let mut engine = start(&path, Durability::None, settings, clock)?;
    engine.folder = Some(folder);
    Ok(engine)
}

fn start(
    path: &Path,
    durability: Durability,
    settings: &Settings,
    clock: &Clock,
) -> Result<Engine> {
    let mut connection = open_writer(path, durability, settings)?;
    let checkpointer = Checkpointer::start(path, durability, &mut connection)?;

    let meter = Meter::default();
    let write_queue = Queue::new(settings.queue_max);
    let read_queue = Queue::new(settings.queue_max);
    let storage_full = StorageFull::default();
    let writer = Writer {
        connection,
        checkpointer,
        clock: clock.clone(),
        group_max: settings.group_max.max(1),
        storage_full: storage_full.clone(),
        meter: meter.clone(),
        careful: Cell::new(0),
        runtime: Handle::try_current().ok(),
    };
    let mut threads =
        vec![write_queue.serve("db-writer".to_owned(), move |queue| writer.run(queue))?];
    for number in 0..settings.readers.max(1) {
        let reader = open_reader(path, settings, clock, &meter)?;
        threads
            .push(read_queue.serve(format!("db-reader-{number}"), move |queue| reader.run(queue))?);
    }
    let queues = Queues {
        writes: write_queue.sender,
        reads: read_queue.sender,
        replicas: super::postgres::Replicas::default(),
    };
    Ok(Engine {
        url: settings.url.clone(),
        file: Some(path.to_owned()),
        folder: None,
        signals: None,
        queues: RwLock::new(Some(queues)),
        threads: Mutex::new(threads),
        storage_full,
        connections: None,
        outage: super::postgres::Outage::default(),
        #[cfg(feature = "testing")]
        groups: meter.groups,
    })
}

/// The connection that writes, to tables that are up to date.
fn open_writer(path: &Path, durability: Durability, settings: &Settings) -> Result<Connection> {
    // What can't be looked for is named when it is opened.
    if !settings.migrate && path.try_exists().is_ok_and(|is_there| !is_there) {
        return Err(Error::internal(format!("there is no database at {}", path.display())));
    }
    let mut connection = connect_writer(path, durability).map_err(|error| at(path, &error))?;
    moving::refuse_moved(&connection, path)?;
    if settings.migrate {
        update(&mut connection, path)?;
    } else {
        migrate::refuse_other(migrate::SQLITE, &mut connection)?;
    }
    undo_in_memory(&connection).map_err(Error::internal)?;
    Ok(connection)
}

fn open_reader(path: &Path, settings: &Settings, clock: &Clock, meter: &Meter) -> Result<Reader> {
    let mut connection = connect_reader(path).map_err(|error| at(path, &error))?;
    let limit = TimeLimit::watch(&mut connection, settings.read_time_max);
    let limit = limit.map_err(|error| at(path, &error))?;
    Ok(Reader { connection, limit, clock: clock.clone(), meter: meter.clone() })
}

/// Brings the tables up to date.
fn update(connection: &mut Connection, path: &Path) -> Result<()> {
    // A file or folder that is read-only is refused now, and not at the first write of a request.
    if connection.is_readonly(MAIN_DB).map_err(|error| at(path, &error))? {
        return Err(read_only(&format!("{}: the file is read-only", path.display())));
    }
    refuse_read_only_folder(path)?;
    connection.execute_batch("begin immediate; rollback").map_err(|error| at(path, &error))?;
    migrate::sqlite(connection)?;
    forget_counts(connection).map_err(Error::internal)
}

/// An error of opening a file, which names it.
#[track_caller]
fn at(path: &Path, error: &rusqlite::Error) -> Error {
    let text = match error {
        // Without what SQLite adds of its own numbers.
        rusqlite::Error::SqliteFailure(_, Some(text)) => text.clone(),
        other => other.to_string(),
    };
    let message = format!("{}: {text}", path.display());
    let extended = error.sqlite_extended_error_code();
    if matches!(extended, Some(ffi::SQLITE_IOERR_SHMSIZE | ffi::SQLITE_IOERR_SHMOPEN)) {
        let place = path.display();
        return Error::internal(format!(
            "{place}: the disk is full: there is no room for {place}-shm, which takes 32 KiB"
        ));
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Error::setup(format!(
            "{message}: put a backup in its place, or name another file by database_url"
        )),
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => {
            read_only(&message)
        }
        _ => Error::internal(message),
    }
}

/// Refuses a folder in which no file can be made. SQLite makes none while the log that a killed server left is there.
fn refuse_read_only_folder(path: &Path) -> Result<()> {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    let made = path.parent().map(tempfile::tempfile_in);
    match made {
        Some(Err(error)) if matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem) => {
            Err(read_only(&format!("{}: its folder is read-only", path.display())))
        }
        _ => Ok(()),
    }
}

fn read_only(message: &str) -> Error {
    Error::setup(format!("{message}; the server's user must be able to write it and its folder"))
}

/// Truncates the write-ahead log of the file at `path`, which contains deleted texts until it is
/// overwritten. Slow readers postpone this to the next time.
pub(super) fn empty_log(path: &Path) -> Result<()> {
    let connection = connect_for_upkeep(path).map_err(|error| at(path, &error))?;
    let sql = "pragma wal_checkpoint(truncate)";
    connection.query_row(sql, [], |_| Ok(())).map_err(|error| at(path, &error))
}

/// Writes a consistent copy of the file at `path` to the new file `target`.
pub(super) fn backup(path: &Path, target: &Path) -> Result<()> {
    let connection = connect_reader(path).map_err(|error| at(path, &error))?;
    moving::refuse_moved(&connection, path)?;
    let failed = |why: &dyn fmt::Display| {
        Error::internal(format!("can't write {}: {why}", target.display()))
    };
    let file = create_private(target).map_err(|error| failed(&error))?;
    let text = target.to_str().ok_or_else(|| Error::internal("the path of a copy is no text"))?;
    let copied = connection
        .execute("vacuum into $1", [text])
        .map_err(|error| failed(&error))
        .and_then(|_| file.sync_all().map_err(|error| failed(&error)));
    if copied.is_err() {
        // A partial copy is worse than none.
        let _ = fs::remove_file(target);
    }
    copied
}

/// Reads every page of each table of the file at `path`, and of its indexes. What is damaged is an error that names
/// the table.
pub(super) fn check_tables(path: &Path) -> Result<()> {
    let connection = connect_reader(path).map_err(|error| at(path, &error))?;
    // The index of words is left out, which SQLite checks in another way; its parts are tables of their own.
    let names =
        "select name from sqlite_schema where type = 'table' and rootpage > 0 order by name";
    for table in strings(&connection, names, &[]).map_err(|error| at(path, &error))? {
        let check = "select integrity_check from pragma_integrity_check($1)";
        let found = match strings(&connection, check, &[&table]) {
            Ok(found) if found == ["ok"] => continue,
            Ok(found) => found.join("; "),
            Err(error) => error.to_string(),
        };
        return Err(Error::internal(format!("the table {table} is damaged: {found}")));
    }
    Ok(())
}

fn strings(
    connection: &Connection,
    sql: &str,
    values: &[&dyn ToSql],
) -> Result<Vec<String>, rusqlite::Error> {
    connection.prepare(sql)?.query_map(values, |row| row.get(0))?.collect()
}
