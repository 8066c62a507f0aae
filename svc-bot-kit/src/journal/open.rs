//! The file of a journal: made for its owner alone, and held by one process.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::tables;
use crate::error::{Error, Result};

pub(super) fn file(path: &Path) -> Result<Connection> {
    let problem =
        |error| Error::journal(format!("{} can't be opened", path.display()), Some(error));
    keep_private(&create(path).map_err(problem)?).map_err(problem)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    set_up(Connection::open_with_flags(path, flags).map_err(refused)?)
}

pub(super) fn memory() -> Result<Connection> {
    set_up(Connection::open_in_memory().map_err(refused)?)
}

/// Opens the file, which need not exist. It is made readable for its owner from the first instant.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Takes everybody else's rights from a file that existed.
fn keep_private(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Takes the file for this process, for as long as the connection lives.
fn set_up(mut connection: Connection) -> Result<Connection> {
    // A process that is in the way stays there: waiting would only hide it.
    connection.busy_timeout(Duration::ZERO).map_err(refused)?;
    // Before the first look at the file, so that no memory is shared with other processes.
    connection.pragma_update(None, "locking_mode", "exclusive").map_err(refused)?;
    // Before anything is changed, because the file may be something else.
    tables::bring_up(&mut connection)?;
    connection.pragma_update(None, "journal_mode", "wal").map_err(refused)?;
    connection.pragma_update(None, "synchronous", "full").map_err(refused)?;
    Ok(connection)
}

/// Why a file can't be a journal now.
pub(super) fn refused(error: rusqlite::Error) -> Error {
    let problem = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "is used by another process; each process needs a journal of its own"
        }
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => "is damaged or no journal",
        _ => "can't be opened",
    };
    Error::journal(problem, Some(error))
}
