//! The file of a journal: made for its owner alone, and held by one process.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::tables;
use crate::error::{Error, Result};

pub(super) fn file(path: &Path) -> Result<Connection> {
    let problem =
        |error| Error::journal(format!("{} can't be opened", path.display()), Some(error));
    create_private(path).map_err(problem)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    configure(Connection::open_with_flags(path, flags).map_err(open_error)?)
}

pub(super) fn memory() -> Result<Connection> {
    configure(Connection::open_in_memory().map_err(open_error)?)
}

/// Makes the file, for its owner alone from the first instant; from one that is there everybody
/// else's rights are taken. That one is not opened here: closing it would end every lock that this
/// process has on it (POSIX).
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

/// Takes the file for this process, for as long as the connection lives.
fn configure(mut connection: Connection) -> Result<Connection> {
    // A process that is in the way stays there: waiting would only hide it.
    connection.busy_timeout(Duration::ZERO).map_err(open_error)?;
    // Before the first look at the file, so that no memory is shared with other processes.
    connection.pragma_update(None, "locking_mode", "exclusive").map_err(open_error)?;
    // Before anything is changed, because the file may be something else.
    tables::migrate(&mut connection)?;
    connection.pragma_update(None, "journal_mode", "wal").map_err(open_error)?;
    connection.pragma_update(None, "synchronous", "full").map_err(open_error)?;
    Ok(connection)
}

/// Why a file can't be a journal now.
pub(super) fn open_error(error: rusqlite::Error) -> Error {
    let problem = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "is used by another process; each process needs a journal of its own"
        }
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => "is damaged or no journal",
        _ => "can't be opened",
    };
    Error::journal(problem, Some(error))
}
