//! Writes an archive.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use sha2::{Digest, Sha256};
use svc_core::config::Config;
use svc_core::{encryption, keys};
use svc_store::error::{Error, Result};
use svc_types::Timestamp;

use super::workplace::Workplace;
use super::{ABOUT, About, DATABASE, create, failed};

/// Bytes of a file that are hashed at once.
const HASHED_AT_ONCE: usize = 256 * 1024;

/// Writes a consistent copy of the data to the new file `target`, also while a server runs.
pub(super) fn write(database: &Path, config: &Config, target: &Path, now: Timestamp) -> Result<()> {
    // Before the copy, which takes minutes for many gigabytes.
    if target.exists() {
        return Err(not_created(target, &"it exists"));
    }
    // Beside the archive, where as much room is needed anyway: the disk of the data may be full.
    let beside = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let work = Workplace::make_in(beside.unwrap_or_else(|| Path::new(".")))
        .map_err(|error| not_created(target, &error))?;
    let copy = work.file(DATABASE);
    svc_store::db::copy_file(database, &copy)?;
    pack_copy(config, &copy, target, now)
}

#[track_caller]
fn not_created(target: &Path, why: &dyn Display) -> Error {
    Error::internal(format!("can't create {}: {why}", target.display()))
}

/// Writes an archive with this copy of the database to the new file `target`.
pub(super) fn pack_copy(config: &Config, copy: &Path, target: &Path, now: Timestamp) -> Result<()> {
    let file = create(target).map_err(|error| not_created(target, &error))?;
    let packed = pack(file, config, copy, now, target);
    if packed.is_err() {
        // A part of an archive must not pass for a backup.
        let _ = fs::remove_file(target);
    }
    packed
}

/// Writes the archive, with this copy of the database. What fails names its file.
fn pack(file: File, config: &Config, copy: &Path, now: Timestamp, target: &Path) -> Result<()> {
    let open = |place: &Path| File::open(place).map_err(|error| failed(place, &error));
    let unwritten = |error: io::Error| failed(target, &error);
    let mut archive = tar::Builder::new(file);
    // The copy may hold what was erased a moment ago, but nothing from after `now`.
    let about = About {
        created_at: now,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        database_sha256: Some(digest(copy)?),
    };
    let about = serde_json::to_vec(&about).map_err(Error::internal)?;
    let mut header = tar::Header::new_gnu();
    header.set_size(about.len() as u64);
    header.set_mode(0o600);
    archive.append_data(&mut header, ABOUT, &*about).map_err(unwritten)?;
    let key = config.data_dir.join(encryption::FILE);
    if key.exists() {
        archive.append_file(encryption::FILE, &mut open(&key)?).map_err(unwritten)?;
    }
    archive.append_file(DATABASE, &mut open(copy)?).map_err(unwritten)?;
    let file = archive.into_inner().map_err(unwritten)?;
    file.sync_all().map_err(unwritten)
}

/// The SHA-256 of a file, as `sha256sum` prints it.
pub(super) fn digest(place: &Path) -> Result<String> {
    let failed = |error: io::Error| failed(place, &error);
    let mut file = BufReader::with_capacity(HASHED_AT_ONCE, File::open(place).map_err(failed)?);
    let mut hash = Sha256::new();
    loop {
        let bytes = file.fill_buf().map_err(failed)?;
        let read = bytes.len();
        if read == 0 {
            return Ok(keys::hex(&hash.finalize()));
        }
        hash.update(bytes);
        file.consume(read);
    }
}
