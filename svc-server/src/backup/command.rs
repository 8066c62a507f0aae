//! `svc-server backup`: one archive, archives by a schedule, or the verification of one.

use std::env;
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use svc_core::config::Config;
use svc_store::clock::Clock;
use svc_store::db::{DatabaseUrl, NOT_POSTGRES};
use svc_store::error::{Error, Result};
use tokio_util::sync::CancellationToken;

use super::pack::write;
use super::schedule::Schedule;
use super::verify::verify;
use super::workplace::Workplace;
use super::workplace_in;
use crate::blobs::{self, Archives};
use crate::cli::{BackupArgs, BackupCommand};
use crate::server;

/// What is said of a server whose files are in a bucket.
const NO_FILES: &str = "files in the bucket are not in it";

/// Runs the command until it is done or `stop` is cancelled.
pub async fn run(
    config: Config,
    given: &BackupArgs,
    stop: &CancellationToken,
    say: fn(&str),
) -> Result<()> {
    match given {
        BackupArgs {
            command: Some(BackupCommand::Verify { file, aside: given }),
            file: None,
            to: None,
            every: None,
            keep: None,
            aside: None,
        } => {
            let line = verify_file(&config, file, given.as_deref(), stop).await?;
            say(&line);
            Ok(())
        }
        BackupArgs { command: None, to: Some(to), .. } => {
            Box::pin(make_verified(config, to, given, stop, say)).await
        }
        BackupArgs { command: None, file: Some(file), .. } => make_one(config, file, say).await,
        _ => Err(Error::setup("backup needs FILE, --to or verify FILE, and only one of them")),
    }
}

/// Writes an archive to a new file.
async fn make_one(config: Config, target: &Path, say: fn(&str)) -> Result<()> {
    let has_bucket = config.storage.bucket().map_err(Error::internal)?.is_some();
    let database = sqlite_file(&config)?;
    server::find(&config)?;
    let (owned, now) = (target.to_owned(), Clock::system().now());
    let written = tokio::task::spawn_blocking(move || write(&database, &config, &owned, now));
    written.await.map_err(Error::internal)??;
    say(&format!("wrote {}", target.display()));
    if has_bucket {
        say(NO_FILES);
    }
    Ok(())
}

/// Makes a verified backup now, or by a schedule.
async fn make_verified(
    config: Config,
    to: &Path,
    given: &BackupArgs,
    stop: &CancellationToken,
    say: fn(&str),
) -> Result<()> {
    let database = sqlite_file(&config)?;
    if given.every.is_none() {
        server::find(&config)?;
    } else {
        find_folder(&database)?;
    }
    let has_bucket = config.storage.bucket().map_err(Error::internal)?.is_some();
    let aside = aside(&config, given.aside.as_deref());
    let schedule = Schedule::open(config, database.clone(), to, aside, given.keep).await?;
    if let Some(every) = given.every {
        let interval = schedule.interval(every)?;
        say(&format!("backing up {} to {} every {every}", database.display(), to.display()));
        if has_bucket {
            say(NO_FILES);
        }
        return schedule.run(interval, stop, say).await;
    }
    schedule.once(stop, say).await?;
    if has_bucket {
        say(NO_FILES);
    }
    Ok(())
}

/// A schedule may begin before its server has made the database, but not before its folder is there: it would fail for
/// ever in a wrong one, where no server looks for the time of the next backup, and no alert would say so.
fn find_folder(database: &Path) -> Result<()> {
    match database.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => Err(Error::setup(format!(
            "there is no folder {}: name the server's by --config, --data-dir or --database-url",
            folder.display()
        ))),
        _ => Ok(()),
    }
}

/// Restores an archive aside and audits it there; the answer is a line about it.
async fn verify_file(
    config: &Config,
    file: &Path,
    given: Option<&Path>,
    stop: &CancellationToken,
) -> Result<String> {
    sqlite_file(config)?;
    let work = workplace_in(&aside(config, given))?;
    let archive = local(config, file, &work, stop).await?;
    let contents = verify(config, archive, &work.file("restored"), &Clock::system(), stop).await?;
    Ok(format!("verified {}: {contents}", file.display()))
}

/// The archive as a file: itself, or a copy of one in a bucket.
async fn local(
    config: &Config,
    file: &Path,
    work: &Workplace,
    stop: &CancellationToken,
) -> Result<PathBuf> {
    if !blobs::is_url(file) {
        return Ok(file.to_owned());
    }
    let (url, copy) = (file.to_string_lossy(), work.file("fetched.tar"));
    let (place, name) = blobs::split(&url);
    let archives = Archives::at(config, "FILE", place)?;
    let to = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&copy);
    archives.fetch(name, to.map_err(Error::internal)?, stop).await?;
    Ok(copy)
}

/// Reads an archive of a bucket into the data folder before it is restored. The copy is removed when it is dropped.
pub(super) struct Fetched {
    /// The archive as a file.
    pub(super) archive: PathBuf,
    _work: Option<Workplace>,
}

impl Fetched {
    pub(super) async fn of(config: &Config, file: &Path) -> Result<Self> {
        if !blobs::is_url(file) {
            return Ok(Self { archive: file.to_owned(), _work: None });
        }
        let work = workplace_in(&config.data_dir)?;
        let archive = local(config, file, &work, &CancellationToken::new()).await?;
        Ok(Self { archive, _work: Some(work) })
    }
}

/// The file of the database, which only SQLite has.
fn sqlite_file(config: &Config) -> Result<PathBuf> {
    match config.database_url().map_err(Error::internal)? {
        DatabaseUrl::Sqlite(file) => Ok(file),
        DatabaseUrl::SqliteMemory | DatabaseUrl::Postgres(_) => Err(Error::setup(NOT_POSTGRES)),
    }
}

/// Where archives are restored to be verified. Beside the data there is room for it, and nobody else may read there;
/// the folder for temporary files may be in memory, so it is only for machines without a server.
fn aside(config: &Config, given: Option<&Path>) -> PathBuf {
    match given {
        Some(given) => given.to_owned(),
        None if config.data_dir.is_dir() => config.data_dir.clone(),
        None => env::temp_dir(),
    }
}
