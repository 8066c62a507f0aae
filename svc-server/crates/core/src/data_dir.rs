//! The data folder, and the files in it that hold secrets.

use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;

use svc_store::error::{Error, Result};

use crate::config::Config;

/// Creates the data folder, accessible only to the server's user. One that other users can write to
/// is refused, because they could replace the database or a key.
pub fn make(config: &Config) -> Result<()> {
    let place = &config.data_dir;
    make_folder(place)?;
    if mode(place)? & WRITABLE_BY_OTHERS == 0 {
        return Ok(());
    }
    let place = place.display();
    Err(Error::setup(format!("others may write in the data folder {place}: chmod go-w {place}")))
}

/// Creates a folder that only the server's user can access, unless it exists.
pub fn make_folder(place: &Path) -> Result<()> {
    let mut folder = std::fs::DirBuilder::new();
    folder.recursive(true).mode(0o700);
    folder.create(place).map_err(|error| {
        Error::setup(format!("can't make the data folder {}: {error}", place.display()))
    })
}

/// Permission bits that let other users write.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// Permission bits that let other users read or write.
const OPEN_TO_OTHERS: u32 = 0o066;

fn mode(place: &Path) -> Result<u32> {
    let found = std::fs::metadata(place);
    let found =
        found.map_err(|error| Error::setup(format!("can't open {}: {error}", place.display())));
    found.map(|found| found.permissions().mode())
}

/// Refuses a file that other users can write to.
pub fn refuse_writable_file(place: &Path) -> Result<()> {
    if mode(place)? & WRITABLE_BY_OTHERS == 0 {
        return Ok(());
    }
    let place = place.display();
    Err(Error::setup(format!("others may write {place}: chmod go-w {place}")))
}

/// Refuses a secret file that other users can read: they may have read it.
pub fn refuse_open_file(place: &Path) -> Result<()> {
    if mode(place)? & OPEN_TO_OTHERS == 0 {
        return Ok(());
    }
    let place = place.display();
    let message = format!("others may read or write {place}, which is a secret: chmod 600 {place}");
    Err(Error::setup(message))
}
