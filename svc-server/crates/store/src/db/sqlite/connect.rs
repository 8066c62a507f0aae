//! Connections to a SQLite file.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

/// How long to wait for another writing process, such as an admin command.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Page cache of a connection in KiB; a larger one is not measurably faster.
const CACHE_KIB: i64 = 16 * 1024;

/// Whether a commit survives a power cut.
#[derive(Clone, Copy)]
pub(super) enum Durability {
    Full,
    None,
}

/// Connects for writing; the file is created when missing.
pub(super) fn connect_writer(
    path: &Path,
    durability: Durability,
) -> Result<Connection, rusqlite::Error> {
    if path.exists() {
        keep_private(path);
    } else {
        // Of two processes that start at once, either may create the file.
        let _ = create_private(path);
    }
    let connection =
        connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    set_durability(&connection, durability)?;
    // Deleted content is overwritten in place.
    connection.pragma_update(None, "secure_delete", true)?;
    Ok(connection)
}

/// Sets whether the connection syncs what it writes.
pub(super) fn set_durability(
    connection: &Connection,
    durability: Durability,
) -> Result<(), rusqlite::Error> {
    let synchronous = match durability {
        Durability::Full => "full",
        Durability::None => "off",
    };
    connection.pragma_update(None, "synchronous", synchronous)
}

/// Keeps what undoes a savepoint in memory: a job touches more pages than SQLite keeps there by
/// itself, and would write each of them to a temporary file before the log. Not before migrations,
/// whose indexes are sorted where there is room.
pub(super) fn undo_in_memory(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.pragma_update(None, "temp_store", "memory")
}

/// Forgets what an operator's `analyze` counted. Pages are read along the index of their order,
/// which statistics do not show: with them SQLite would read all accounts first.
pub(super) fn forget_counts(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.execute_batch("drop table if exists sqlite_stat1; drop table if exists sqlite_stat4")
}

/// Connects for work on the file itself.
pub(in crate::db) fn connect_for_upkeep(path: &Path) -> Result<Connection, rusqlite::Error> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
}

/// Connects for reading.
pub(super) fn connect_reader(path: &Path) -> Result<Connection, rusqlite::Error> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, rusqlite::Error> {
    // Each connection belongs to one thread, so SQLite needs no locks of its own.
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    // Without it, plans depend on bound values after `analyze`, and some are 20 times slower.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    Ok(connection)
}

/// Makes a file private that other users could read, such as a copy made by hand.
fn keep_private(path: &Path) {
    let mode = fs::metadata(path).map(|found| found.permissions().mode());
    if mode.is_ok_and(|mode| mode & 0o077 != 0) {
        let kept = fs::set_permissions(path, Permissions::from_mode(0o600));
        tracing::warn!(path = %path.display(), ?kept, "others could open the database; its mode is 0600 now");
    }
}

/// Creates a file that only its owner can read, since it holds messages and password hashes.
///
/// SQLite gives the files beside it the same permissions.
pub(super) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    options.mode(0o600).open(path)
}
