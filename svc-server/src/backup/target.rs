//! Where archives are kept: a folder, or a place in a bucket.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use svc_core::config::Config;
use svc_store::error::{Error, Result};
use svc_types::Timestamp;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use super::failed;
use super::name::{BEGINNING, name_of, time_of};
use super::workplace::Workplace;
use crate::blobs::{Archives, is_url};

/// The flag that names it.
const FLAG: &str = "--to";

/// A place for archives.
#[derive(Debug)]
pub(super) enum Target {
    Folder(PathBuf),
    Bucket(Archives),
}

impl Target {
    /// The place that the operator named. One that can never work is refused; a store that is silent may answer later.
    pub(super) async fn open(config: &Config, to: &Path) -> Result<Self> {
        if !is_url(to) {
            make_workplace(to)?;
            return Ok(Self::Folder(to.to_owned()));
        }
        let archives = Archives::at(config, FLAG, &to.to_string_lossy())?;
        if let Some(why) = archives.refuse_useless(FLAG).await? {
            tracing::warn!(place = archives.url(), error = why, "the bucket does not answer yet");
        }
        Ok(Self::Bucket(archives))
    }

    /// A folder in which an archive is written, beside where it is put; none where it is put into a bucket.
    pub(super) fn workplace(&self) -> Result<Option<Workplace>> {
        match self {
            Self::Folder(folder) => make_workplace(folder).map(Some),
            Self::Bucket(_) => Ok(None),
        }
    }

    /// When its archives were made.
    pub(super) async fn times(&self) -> Result<Vec<Timestamp>> {
        match self {
            Self::Folder(folder) => times_in(folder).map_err(|error| failed(folder, &error)),
            Self::Bucket(archives) => {
                let names = archives.list(BEGINNING).await?;
                Ok(names.iter().filter_map(|name| time_of(name)).collect())
            }
        }
    }

    /// Puts a file there under the name of its time; it is complete when it appears.
    pub(super) async fn put(
        &self,
        archive: &Path,
        time: Timestamp,
        stop: &CancellationToken,
    ) -> Result<()> {
        let name = name_of(time);
        match self {
            Self::Folder(folder) => {
                let (from, folder) = (archive.to_owned(), folder.clone());
                let putting = spawn_blocking(move || {
                    rename(&from, &folder, &name).map_err(|error| failed(&folder, &error))
                });
                putting.await.map_err(Error::internal)?
            }
            Self::Bucket(archives) => {
                let file = File::open(archive).map_err(|error| failed(archive, &error))?;
                archives.put(&name, file, stop).await
            }
        }
    }

    /// Deletes the archive of a time; another program may have done so.
    pub(super) async fn delete(&self, time: Timestamp) -> Result<()> {
        let name = name_of(time);
        match self {
            Self::Folder(folder) => {
                let file = folder.join(name);
                match fs::remove_file(&file) {
                    Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(&file, &error)),
                    _ => Ok(()),
                }
            }
            Self::Bucket(archives) => archives.delete(&name).await,
        }
    }

    /// Where an archive of a time is, for people.
    pub(super) fn place_of(&self, time: Timestamp) -> String {
        let name = name_of(time);
        match self {
            Self::Folder(folder) => folder.join(name).display().to_string(),
            Self::Bucket(archives) => format!("{}/{name}", archives.url()),
        }
    }
}

/// Makes a folder beside archives. The folder of archives is not made: it may be a disk that is not there yet.
fn make_workplace(folder: &Path) -> Result<Workplace> {
    Workplace::make_in(folder).map_err(|error| {
        let place = folder.display();
        let rule = "must be a folder in which svc-server may write, or s3://bucket/prefix";
        Error::setup(format!("{FLAG}: {place} {rule}: {error}"))
    })
}

fn times_in(folder: &Path) -> io::Result<Vec<Timestamp>> {
    let names = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name()));
    let times = names.map(|name| name.map(|name| name.to_str().and_then(time_of)));
    times.filter_map(io::Result::transpose).collect()
}

/// Renames a file into a folder, where it survives a power cut. One of the same second holds as much and is replaced.
fn rename(from: &Path, folder: &Path, name: &str) -> io::Result<()> {
    fs::rename(from, folder.join(name))?;
    File::open(folder)?.sync_all()
}
