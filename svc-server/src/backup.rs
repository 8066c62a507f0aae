//! Backup and restore of the data folder of a SQLite server, as one archive.
//!
//! The archive also holds the encryption key, without which encrypted secrets can't be restored, so
//! only its owner can read it.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use svc_core::config::Config;
use svc_core::encryption;
use svc_store::db::{DatabaseUrl, Db};
use svc_store::error::{Error, Result};

/// Name of the database inside the archive.
const DATABASE: &str = "svc.db";

/// Writes a consistent copy of the data to the new file `target`, also while a server runs.
pub fn write(db: &Db, config: &Config, target: &Path) -> Result<()> {
    let folder = tempfile::tempdir_in(&config.data_dir).map_err(Error::internal)?;
    let copy = folder.path().join(DATABASE);
    db.backup(&copy)?;
    let file = create(target)
        .map_err(|error| Error::internal(format!("can't create {}: {error}", target.display())))?;
    let mut archive = tar::Builder::new(file);
    let key = config.data_dir.join(encryption::FILE);
    if key.exists() {
        archive.append_path_with_name(&key, encryption::FILE).map_err(Error::internal)?;
    }
    archive.append_path_with_name(&copy, DATABASE).map_err(Error::internal)?;
    let file = archive.into_inner().map_err(Error::internal)?;
    file.sync_all().map_err(Error::internal)
}

/// Creates a file that only its owner can read.
fn create(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Puts a backup into an empty data folder.
pub fn restore(config: &Config, source: &Path) -> Result<()> {
    let DatabaseUrl::Sqlite(database) = config.database_url().map_err(Error::internal)? else {
        return Err(Error::internal("restore is for SQLite; PostgreSQL brings pg_restore"));
    };
    if database.exists() {
        let place = database.display();
        return Err(Error::internal(format!("{place} exists; restore needs an empty data folder")));
    }
    let file = File::open(source)
        .map_err(|error| Error::internal(format!("can't read {}: {error}", source.display())))?;
    let mut archive = tar::Archive::new(file);
    for entry in archive.entries().map_err(Error::internal)? {
        let mut entry = entry.map_err(Error::internal)?;
        // Names in the archive are never used as paths: only the two known entries are restored.
        // The database comes last, so the backup is complete once it is there.
        let is = |name: &str| entry.path().is_ok_and(|path| path.as_os_str() == name);
        let (is_key, is_database) = (is(encryption::FILE), is(DATABASE));
        if is_key {
            unpack(&mut entry, &config.data_dir.join(encryption::FILE))?;
        } else if is_database {
            return unpack(&mut entry, &database);
        }
    }
    Err(Error::internal(format!("{} is no backup: it holds no {DATABASE}", source.display())))
}

/// Writes to a temporary file and renames it, so that no partial file is ever visible.
fn unpack(entry: &mut impl std::io::Read, path: &Path) -> Result<()> {
    let partial = path.with_extension("partial");
    // An interrupted restore may have left one.
    let _ = fs::remove_file(&partial);
    let mut file = create(&partial).map_err(Error::internal)?;
    std::io::copy(entry, &mut file).map_err(Error::internal)?;
    file.sync_all().map_err(Error::internal)?;
    fs::rename(&partial, path).map_err(Error::internal)
}
