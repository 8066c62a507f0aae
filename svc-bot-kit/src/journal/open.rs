//! The file of a journal: private to its owner, and locked by one process.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::replay;
use super::tables::{self, open_error};
use crate::error::{Error, Result};

pub(super) fn file(path: &Path) -> Result<Connection> {
    create_private(path).map_err(|error| {
        Error::journal(format!("{} can't be opened", path.display()), Some(error))
    })?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    configure(Connection::open_with_flags(path, flags).map_err(open_error)?)
}

pub(super) fn memory() -> Result<Connection> {
    configure(Connection::open_in_memory().map_err(open_error)?)
}

/// Creates the file, private to its owner from the start, or makes an existing one private. An
/// existing file is not opened here: closing it would release every POSIX lock that this process holds
/// on it.
fn create_private(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => restrict(path),
        made => made.map(drop),
    }
}

fn restrict(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Locks the file for this process, for as long as the connection lives.
fn configure(mut connection: Connection) -> Result<Connection> {
    // Another process keeps its lock for as long as it runs, so waiting does not help.
    connection.busy_timeout(Duration::ZERO).map_err(open_error)?;
    // Before the file is read, so that SQLite uses no memory shared with other processes.
    connection.pragma_update(None, "locking_mode", "exclusive").map_err(open_error)?;
    // Before anything is changed, because the file may not be a journal.
    tables::migrate(&mut connection)?;
    connection.pragma_update(None, "journal_mode", "wal").map_err(open_error)?;
    connection.pragma_update(None, "synchronous", "full").map_err(open_error)?;
    replay::release_all(&connection).map_err(open_error)?;
    Ok(connection)
}
