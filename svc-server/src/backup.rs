//! Backup and restore of the data folder of a SQLite server, as one archive.

use std::fs::{self, File};
use std::path::Path;

use crate::config::Config;
use crate::db::{DatabaseUrl, Db};
use crate::error::{Error, Result};

/// Name of the database inside the archive.
const DATABASE: &str = "svc.db";

/// Writes a consistent copy of the data to the new file `target`, also while a server runs.
pub fn write(db: &Db, config: &Config, target: &Path) -> Result<()> {
    let folder = tempfile::tempdir_in(&config.data_dir).map_err(Error::internal)?;
    let copy = folder.path().join(DATABASE);
    db.backup(&copy)?;
    let file = File::create_new(target)
        .map_err(|error| Error::internal(format!("can't create {}: {error}", target.display())))?;
    let mut archive = tar::Builder::new(file);
    archive.append_path_with_name(&copy, DATABASE).map_err(Error::internal)?;
    let file = archive.into_inner().map_err(Error::internal)?;
    file.sync_all().map_err(Error::internal)
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
        // Names inside an archive are never used as paths; only what is known is taken.
        if entry.path().is_ok_and(|path| path.as_os_str() == DATABASE) {
            return unpack(&mut entry, &database);
        }
    }
    Err(Error::internal(format!("{} is no backup: it holds no {DATABASE}", source.display())))
}

/// Writes the database beside its place and renames it, so that a half one is never found.
fn unpack(entry: &mut impl std::io::Read, database: &Path) -> Result<()> {
    let partial = database.with_extension("partial");
    let mut file = File::create(&partial).map_err(Error::internal)?;
    std::io::copy(entry, &mut file).map_err(Error::internal)?;
    file.sync_all().map_err(Error::internal)?;
    fs::rename(&partial, database).map_err(Error::internal)
}
