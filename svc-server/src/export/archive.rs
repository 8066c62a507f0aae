//! The ZIP file, with checksums and a manifest.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use sha2::{Digest, Sha256};
use svc_core::keys;
use svc_store::error::{Error, Result};
use svc_types::{Timestamp, UserId};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Version of the format, as the manifest names it. It grows when a file is renamed or removed, or
/// its lines change their meaning.
const FORMAT: u32 = 2;

/// Largest size of a file without the ZIP64 extension.
const SMALL_MAX: u64 = u32::MAX as u64;

/// What the archive has written and nobody has taken yet.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file of the archive, as the manifest lists it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    name: String,
    records: u64,
    bytes: u64,
    sha256: String,
}

/// The manifest.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Manifest<'a> {
    format: &'static str,
    version: u32,
    account: &'a UserId,
    created_at: Timestamp,
    files: &'a [Entry],
}

/// The file that is being written.
struct Open {
    name: String,
    records: u64,
    bytes: u64,
    hash: Sha256,
}

/// A ZIP file that is being made.
pub(super) struct Archive {
    zip: Option<ZipWriter<StreamWriter<Written>>>,
    written: Written,
    options: SimpleFileOptions,
    files: Vec<Entry>,
    open: Option<Open>,
    /// Bytes that may still be added, before compression.
    left: u64,
}

impl Archive {
    /// An empty archive for this many bytes.
    pub(super) fn new(bytes_max: u64, created_at: Timestamp) -> Self {
        let written = Written::default();
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(date_time(created_at))
            .unix_permissions(0o600)
            .large_file(bytes_max > SMALL_MAX);
        Self {
            zip: Some(ZipWriter::new_stream(written.clone())),
            written,
            options,
            files: Vec::new(),
            open: None,
            left: bytes_max,
        }
    }

    /// Begins a file, and ends the one before.
    pub(super) fn begin(&mut self, name: &str) -> Result<()> {
        self.end();
        let options = self.options;
        self.zip()?.start_file(name, options).map_err(Error::internal)?;
        self.open = Some(Open { name: name.to_owned(), records: 0, bytes: 0, hash: Sha256::new() });
        Ok(())
    }

    /// Adds to the file that was begun; false if it is too much for the archive.
    pub(super) fn write(&mut self, bytes: &[u8], records: u64) -> Result<bool> {
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else { return Ok(false) };
        self.left = left;
        self.zip()?.write_all(bytes).map_err(Error::internal)?;
        let open = self.open.as_mut().ok_or_else(|| Error::internal("no file was begun"))?;
        open.records += records;
        open.bytes += bytes.len() as u64;
        open.hash.update(bytes);
        Ok(true)
    }

    /// Adds the manifest, and ends the archive.
    pub(super) fn finish(&mut self, account: &UserId, created_at: Timestamp) -> Result<()> {
        self.end();
        let manifest = Manifest {
            format: "svc-export",
            version: FORMAT,
            account,
            created_at,
            files: &self.files,
        };
        let manifest = serde_json::to_vec_pretty(&manifest).map_err(Error::internal)?;
        let options = self.options;
        let zip = self.zip()?;
        zip.start_file("manifest.json", options).map_err(Error::internal)?;
        zip.write_all(&manifest).map_err(Error::internal)?;
        let zip = self.zip.take().ok_or_else(finished)?;
        zip.finish().map(drop).map_err(Error::internal)
    }

    /// Takes a piece of this size if at least `least` bytes are there. The last one is smaller.
    pub(super) fn take(&self, size: usize, least: usize) -> Option<Vec<u8>> {
        let mut written = self.written.0.lock().unwrap_or_else(PoisonError::into_inner);
        if written.is_empty() || written.len() < least {
            return None;
        }
        let end = size.min(written.len());
        let rest = written.split_off(end);
        Some(std::mem::replace(&mut written, rest))
    }

    fn zip(&mut self) -> Result<&mut ZipWriter<StreamWriter<Written>>> {
        self.zip.as_mut().ok_or_else(finished)
    }

    fn end(&mut self) {
        let Some(Open { name, records, bytes, hash }) = self.open.take() else { return };
        let sha256 = keys::hex(&hash.finalize());
        self.files.push(Entry { name, records, bytes, sha256 });
    }
}

fn finished() -> Error {
    Error::internal("the archive is finished")
}

/// The time of the files; ZIP knows no time zone.
fn date_time(at: Timestamp) -> DateTime {
    let utc = jiff::Timestamp::from_millisecond(at.as_millis()).ok();
    let utc = utc.map(|at| at.to_zoned(jiff::tz::TimeZone::UTC).datetime());
    utc.and_then(|utc| {
        let part = |number: i8| u8::try_from(number).unwrap_or_default();
        DateTime::from_date_and_time(
            utc.year().unsigned_abs(),
            part(utc.month()),
            part(utc.day()),
            part(utc.hour()),
            part(utc.minute()),
            part(utc.second()),
        )
        .ok()
    })
    .unwrap_or_default()
}
