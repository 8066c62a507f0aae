//! Backup and restore of the data folder of a SQLite server, as one archive.
//!
//! The archive also holds the encryption key, without which encrypted secrets can't be restored, so
//! only its owner can read it. It says when it was made: accounts that were erased since must not come
//! back, and how many the log of erased accounts knows depends on its age.
//!
//! | module | what it holds |
//! |---|---|
//! | `command` | the forms of `svc-server backup` |
//! | `pack` | writes an archive |
//! | `schedule` | backups every so often, each verified before it gets its name |
//! | `due` | when the next one is due, for the metrics of the server |
//! | `verify` | restores an archive aside and audits it |
//! | `target` | where archives are kept: a folder, or a place in a bucket |
//! | `name` | names of archives, which say when each was made |
//! | `workplace` | a private folder that is gone afterwards |

mod command;
pub(crate) mod due;
mod name;
mod pack;
mod schedule;
mod target;
mod verify;
mod workplace;

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use svc_core::app::App;
use svc_core::config::Config;
use svc_core::encryption::{self, Encryption};
use svc_core::tasks::erase::{self, Erased};
use svc_core::tasks::node;
use svc_store::clock::Clock;
use svc_store::db::{DatabaseUrl, Db};
use svc_store::error::{Error, Result};
use svc_types::Timestamp;

use self::command::Fetched;
pub use self::command::run;
use self::workplace::Workplace;
use crate::app::ServerApp;

/// Name of the database inside the archive.
const DATABASE: &str = "svc.db";

/// Name of the description inside the archive, which comes first.
const ABOUT: &str = "backup.json";

/// Largest description that is read.
const ABOUT_MAX: u64 = 64 * 1024;

/// What an archive says about itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct About {
    /// When it was made.
    created_at: Timestamp,
    /// Version of the program that made it.
    version: String,
    /// The SHA-256 of its database, which archives of earlier programs lack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    database_sha256: Option<String>,
}

/// A private folder in `place`, for copies and for what is restored aside.
fn workplace_in(place: &Path) -> Result<Workplace> {
    Workplace::make_in(place).map_err(|error| {
        let rule = "must be a folder in which svc-server may write, or --aside another one";
        Error::setup(format!("{} {rule}: {error}", place.display()))
    })
}

#[track_caller]
fn failed(place: &Path, error: &io::Error) -> Error {
    Error::internal(format!("{}: {error}", place.display()))
}

/// Creates a file that only its owner can read.
fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Whether a backup may be restored without the log of erased accounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingLog {
    /// It is refused.
    Refused,
    /// The operator knows that no account was erased since.
    Allowed,
}

/// Puts a backup into an empty data folder, and erases again what was erased since it was made. The
/// answer is how many accounts that were. The database appears only once that is done.
pub async fn restore(
    config: &Config,
    source: &Path,
    missing: MissingLog,
    clock: &Clock,
) -> Result<usize> {
    let DatabaseUrl::Sqlite(database) = config.database_url().map_err(Error::internal)? else {
        let message = "restore is for SQLite; PostgreSQL brings pg_restore, and the server erases \
            again what its log of erased accounts names when it starts";
        return Err(Error::setup(message));
    };
    refuse_remains(&database)?;
    let fetched = Fetched::of(config, source).await?;
    let (place, archive) = (partial(&database), fetched.archive.clone());
    // What an interrupted restore left belongs to another backup.
    discard(config, &place);
    let (unpacked, settings, now) = (place.clone(), config.clone(), clock.now());
    let unpack = move || unpack(&settings, &archive, &unpacked, missing, now);
    let unpacked = tokio::task::spawn_blocking(unpack).await.map_err(Error::internal)?;
    drop(fetched);
    let erased = match unpacked {
        Ok(_) => erase_again(config, &place, missing, clock).await,
        Err(error) => Err(error),
    };
    let erased = erased.inspect_err(|_| discard(config, &place))?;
    remove_logs(&place)?;
    name_key(config)?;
    fs::rename(&place, &database).map_err(Error::internal)?;
    Ok(erased)
}

/// Refuses a folder with a database, or with the log of one that was moved away, which SQLite would apply to what is
/// restored.
fn refuse_remains(database: &Path) -> Result<()> {
    let [log, _] = logs(database);
    let found = if database.exists() {
        format!("{} exists", database.display())
    } else if fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
        format!("{} exists, the write-ahead log of another database", log.display())
    } else {
        return Ok(());
    };
    Err(Error::internal(format!("{found}; restore needs an empty data folder")))
}

/// Where the database and its key are until a restore is complete.
fn partial(file: &Path) -> PathBuf {
    file.with_extension("partial")
}

/// Where a file is until all of it is unpacked.
fn unfinished(file: &Path) -> PathBuf {
    file.with_extension("unpacking")
}

/// Removes what a failed or interrupted restore has unpacked.
fn discard(config: &Config, database: &Path) {
    let key = partial(&config.data_dir.join(encryption::FILE));
    let files = [unfinished(&key), unfinished(database), key, database.to_owned()];
    for file in files.into_iter().chain(logs(database)) {
        let _ = fs::remove_file(file);
    }
}

/// The write-ahead log of a database, and its index.
fn logs(database: &Path) -> [PathBuf; 2] {
    ["-wal", "-shm"].map(|end| {
        let mut name = database.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    })
}

/// Removes the write-ahead log of a closed database, which is empty.
fn remove_logs(database: &Path) -> Result<()> {
    let [log, index] = logs(database);
    if fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
        let message =
            format!("the restored database is incomplete: {} is not empty", log.display());
        return Err(Error::internal(message));
    }
    for file in [log, index] {
        match fs::remove_file(file) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(Error::internal(error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Unpacks key and database, unless the backup is too old or the log is missing. The answer is what the archive says
/// about itself.
fn unpack(
    config: &Config,
    source: &Path,
    database: &Path,
    missing: MissingLog,
    now: Timestamp,
) -> Result<About> {
    let file = File::open(source)
        .map_err(|error| Error::internal(format!("can't read {}: {error}", source.display())))?;
    let mut archive = tar::Archive::new(file);
    let mut about = None;
    let wrong = |why: &str| Error::internal(format!("{} is not a backup: {why}", source.display()));
    let unreadable = |error: io::Error| match error.kind() {
        // Their texts quote what is read, which may be a secret.
        ErrorKind::Other | ErrorKind::InvalidData | ErrorKind::UnexpectedEof => {
            wrong("it is not a tar archive, or it is damaged")
        }
        kind => wrong(&kind.to_string()),
    };
    for entry in archive.entries().map_err(unreadable)? {
        let mut entry = entry.map_err(unreadable)?;
        // Names in the archive are never used as paths: only the known entries are restored. The
        // description comes first and the database last, so the backup is complete once it is there.
        let is = |name: &str| entry.path().is_ok_and(|path| path.as_os_str() == name);
        let (is_about, is_key, is_database) = (is(ABOUT), is(encryption::FILE), is(DATABASE));
        if is_about {
            let described: About = serde_json::from_reader(entry.take(ABOUT_MAX))
                .map_err(|_| wrong(&format!("its {ABOUT} is not what svc-server writes")))?;
            refuse(config, &described, missing, now)?;
            about = Some(described);
            continue;
        }
        let Some(about) = &about else { break };
        if is_key {
            save_key(&mut entry, config)?;
        } else if is_database {
            save(&mut entry, database)?;
            refuse_damaged(about, database, source)?;
            return Ok(about.clone());
        }
    }
    Err(wrong(&format!("it holds no {}", if about.is_none() { ABOUT } else { DATABASE })))
}

/// Refuses a database that changed where its archive was kept.
fn refuse_damaged(about: &About, database: &Path, source: &Path) -> Result<()> {
    let Some(expected) = &about.database_sha256 else { return Ok(()) };
    if pack::digest(database)? == *expected {
        return Ok(());
    }
    let source = source.display();
    let message = format!("{source} is damaged: its {DATABASE} is not the one that was backed up");
    Err(Error::internal(message))
}

/// Refuses a backup that is older than the horizon, and one whose erasures are not known.
fn refuse(config: &Config, about: &About, missing: MissingLog, now: Timestamp) -> Result<()> {
    let horizon = config.backup.horizon;
    if now.since(about.created_at) > horizon {
        let message = format!(
            "the backup was made at {}, and backups older than backup.horizon ({} days) are not \
             restored, because they hold what was erased since",
            about.created_at,
            horizon.as_secs() / Duration::from_hours(24).as_secs()
        );
        return Err(Error::internal(message));
    }
    let log = config.erasures();
    if log.exists() || missing == MissingLog::Allowed {
        return Ok(());
    }
    let message = format!(
        "there is no log of erased accounts at {}: copy it from the folder of the lost server, or use \
         --without-erasures if no account was erased since {}",
        log.display(),
        about.created_at
    );
    Err(Error::internal(message))
}

/// Unpacks the key, which gets its name once the database is complete. Refuses to replace the key of another
/// server.
fn save_key(entry: &mut tar::Entry<'_, File>, config: &Config) -> Result<()> {
    let key = config.data_dir.join(encryption::FILE);
    save(entry, &partial(&key))?;
    let unpacked = fs::read(partial(&key)).map_err(Error::internal)?;
    match fs::read(&key) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Ok(own) if own.trim_ascii() == unpacked.trim_ascii() => Ok(()),
        _ => {
            let key = key.display();
            let message =
                format!("{key} is not the key of this backup: restore needs an empty data folder");
            Err(Error::internal(message))
        }
    }
}

/// Gives the unpacked key its name, if the backup has one.
fn name_key(config: &Config) -> Result<()> {
    let key = config.data_dir.join(encryption::FILE);
    match fs::rename(partial(&key), key) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::internal(error)),
        _ => Ok(()),
    }
}

/// Writes to a temporary file and renames it, so that no partial file is ever visible. An archive that ends
/// within the file is refused.
fn save(entry: &mut tar::Entry<'_, File>, path: &Path) -> Result<()> {
    let unfinished = unfinished(path);
    // An interrupted restore may have left one.
    let _ = fs::remove_file(&unfinished);
    let failed = |error: io::Error| failed(&unfinished, &error);
    let mut file = create(&unfinished).map_err(failed)?;
    let (copied, size) = (io::copy(entry, &mut file).map_err(failed)?, entry.size());
    if copied != size {
        let _ = fs::remove_file(&unfinished);
        let message = format!("the backup is not whole: it ends after {copied} of {size} bytes");
        return Err(Error::internal(message));
    }
    file.sync_all().map_err(failed)?;
    fs::rename(&unfinished, path).map_err(Error::internal)
}

/// Opens the unpacked database and erases again what the log names.
async fn erase_again(
    config: &Config,
    database: &Path,
    missing: MissingLog,
    clock: &Clock,
) -> Result<usize> {
    let mut settings = config.database().map_err(Error::internal)?;
    settings.url = DatabaseUrl::Sqlite(database.to_owned());
    let opened = clock.clone();
    let db = tokio::task::spawn_blocking(move || Db::open(&settings, &opened));
    let db = db.await.map_err(Error::internal)??;
    let public_url = config.public_url(config.listen);
    let app =
        ServerApp::new(db, clock.clone(), Encryption::none(), config.clone(), public_url).core();
    node::join_for_command(&app).await?;
    if missing == MissingLog::Refused {
        refuse_other_log(&app).await?;
    }
    let erased = erase::repeat(&app).await?;
    let db = app.db.clone();
    tokio::task::spawn_blocking(move || {
        db.close();
        db.empty_log()?;
        Ok(erased)
    })
    .await
    .map_err(Error::internal)?
}

/// Refuses a log that lacks accounts which the backup knows as erased: it is that of another server, or
/// not whole.
async fn refuse_other_log(app: &Arc<App>) -> Result<()> {
    let known = app.erasures.accounts().await?;
    let mut erased = Erased::within_horizon(app);
    while let Some(page) = erased.next_page().await? {
        if let Some(lacking) = page.iter().find(|entry| !known.contains(&entry.account)) {
            let (log, account) = (app.erasures.path().display(), &lacking.account);
            let message = format!(
                "{log} does not name {account}, which is erased in the backup: it is the log of another \
                 server, or not whole"
            );
            return Err(Error::internal(message));
        }
    }
    Ok(())
}
