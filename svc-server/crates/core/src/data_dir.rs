//! The data folder, and the files in it that hold secrets.

use std::fs::Metadata;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
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

/// Those of users outside the group of a file.
const OPEN_TO_ALL: u32 = 0o006;

/// Those of [`OPEN_TO_OTHERS`], but for reading by the group. Root gives a service a key by `root:svc` and 0640, as
/// PostgreSQL allows it, too; the group of another user's file may be any.
const OPEN_BESIDES_THE_GROUP: u32 = 0o026;

fn about(place: &Path) -> Result<Metadata> {
    let found = std::fs::metadata(place);
    found.map_err(|error| Error::setup(format!("can't open {}: {error}", place.display())))
}

fn mode(place: &Path) -> Result<u32> {
    about(place).map(|about| about.mode())
}

/// Refuses a file that other users can write to.
pub fn refuse_writable_file(place: &Path) -> Result<()> {
    if mode(place)? & WRITABLE_BY_OTHERS == 0 {
        return Ok(());
    }
    let place = place.display();
    Err(Error::setup(format!("others may write {place}: chmod go-w {place}")))
}

/// Whether a place is a file that users outside its group can read or write. A pipe is none.
pub fn is_open_to_all(place: &Path) -> bool {
    let is_open = |found: Metadata| found.is_file() && found.mode() & OPEN_TO_ALL != 0;
    std::fs::metadata(place).is_ok_and(is_open)
}

/// Refuses a secret file of the server itself that other users can read: they may have read it.
pub fn refuse_open_own_file(place: &Path) -> Result<()> {
    if mode(place)? & OPEN_TO_OTHERS == 0 { Ok(()) } else { Err(open_to_others("", place, "")) }
}

/// Refuses a secret file that this setting names and other users can read.
pub fn refuse_open_file(setting: &str, place: &Path) -> Result<()> {
    let about = about(place)?;
    if !is_open(about.uid(), about.mode()) {
        return Ok(());
    }
    let or = ", or 640 if root owns it and the server is in its group";
    Err(open_to_others(&format!("{setting}: "), place, or))
}

/// Whether other users may read or write a secret file of this owner.
const fn is_open(owner: u32, mode: u32) -> bool {
    let forbidden = if owner == 0 { OPEN_BESIDES_THE_GROUP } else { OPEN_TO_OTHERS };
    mode & forbidden != 0
}

fn open_to_others(of: &str, place: &Path, or: &str) -> Error {
    let place = place.display();
    Error::setup(format!(
        "{of}others may read or write {place}, which is a secret: chmod 600 {place}{or}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_may_read_a_secret_only_if_root_owns_it() {
        for (mode, of_root, of_svc) in [
            (0o600, false, false),
            (0o400, false, false),
            (0o440, false, true),
            (0o640, false, true),
            (0o660, true, true),
            (0o644, true, true),
            (0o602, true, true),
        ] {
            assert_eq!([is_open(0, mode), is_open(1_000, mode)], [of_root, of_svc], "{mode:o}");
        }
    }
}
