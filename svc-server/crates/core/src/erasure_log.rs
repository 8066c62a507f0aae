//! The log of erased accounts: a file outside the database, so that a restored backup does not bring
//! an account back.
//!
//! A line is written and synced once the erasure of an account can't be taken back any more, before it
//! is complete. Lines are only added, and hold an id and a time. Every node keeps a log of its own,
//! and completes it from the database by those that other nodes erased.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use svc_store::error::{Error, Result};
use svc_types::{Timestamp, UserId};

use crate::data_dir;

/// Longest line that is read; ours are much shorter.
const LINE_MAX: u64 = 1024;

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The account.
    pub account: UserId,
    /// When its erasure was noted.
    pub erased_at: Timestamp,
}

/// The log of this node.
#[derive(Clone, Debug)]
pub struct ErasureLog {
    path: Arc<PathBuf>,
    /// Accounts that the log names, once it was read.
    known: Arc<Mutex<Option<HashSet<UserId>>>>,
}

impl ErasureLog {
    /// The log in this file, which need not exist yet.
    pub fn new(path: PathBuf) -> Self {
        Self { path: Arc::new(path), known: Arc::default() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates the file, unless it exists; the answer is whether it was created. One that other users can write to is
    /// refused: they could have accounts erased.
    pub async fn prepare(&self) -> Result<bool> {
        self.blocking(|log| {
            let is_new = !log.path.exists();
            open(&log.path).map_err(|error| log.failed(&error))?;
            data_dir::refuse_writable_file(&log.path)?;
            Ok(is_new)
        })
        .await
    }

    /// Adds the accounts that it does not name yet, and waits until they are on disk.
    pub async fn add(&self, entries: Vec<Entry>) -> Result<()> {
        self.blocking(move |log| {
            let mut known = log.known.lock().unwrap_or_else(PoisonError::into_inner);
            let known = match &mut *known {
                Some(known) => known,
                unread => unread.insert(log.read()?),
            };
            let is_new = |entry: &Entry| !known.contains(&entry.account);
            let new: Vec<Entry> = entries.into_iter().filter(is_new).collect();
            if new.is_empty() {
                return Ok(());
            }
            append(&log.path, &new).map_err(|error| log.failed(&error))?;
            known.extend(new.into_iter().map(|entry| entry.account));
            Ok(())
        })
        .await
    }

    /// The accounts that it names.
    pub async fn accounts(&self) -> Result<HashSet<UserId>> {
        self.blocking(Self::read).await
    }

    fn read(&self) -> Result<HashSet<UserId>> {
        match File::open(&*self.path) {
            Ok(file) => accounts(file).map_err(|error| self.failed(&error)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(HashSet::new()),
            Err(error) => Err(self.failed(&error)),
        }
    }

    fn failed(&self, error: &io::Error) -> Error {
        let path = self.path.display();
        Error::setup(format!(
            "can't use {path}, the log of erased accounts (backup.erasures): {error}"
        ))
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let log = self.clone();
        tokio::task::spawn_blocking(move || work(&log)).await.map_err(Error::internal)?
    }
}

/// Opens the log for adding, and syncs its folder when it is new.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).mode(0o600);
    match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        opened => return opened,
    }
    let file = options.create(true).open(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    Ok(file)
}

/// Adds lines by one write, so that those of two processes do not mix.
fn append(path: &Path, entries: &[Entry]) -> io::Result<()> {
    let mut file = open(path)?;
    let mut lines = Vec::new();
    if !ends_with_line(&mut file)? {
        // A crash left a part of a line, whose account is noted again.
        lines.push(b'\n');
    }
    for entry in entries {
        serde_json::to_writer(&mut lines, entry)?;
        lines.push(b'\n');
    }
    file.write_all(&lines)?;
    file.sync_all()
}

fn ends_with_line(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// The accounts of a log. Parts of lines, which a crash leaves, are skipped.
fn accounts(file: File) -> io::Result<HashSet<UserId>> {
    let (mut reader, mut accounts) = (BufReader::new(file), HashSet::new());
    loop {
        let mut line = Vec::new();
        if reader.by_ref().take(LINE_MAX).read_until(b'\n', &mut line)? == 0 {
            return Ok(accounts);
        }
        match serde_json::from_slice::<Entry>(&line) {
            Ok(entry) => {
                accounts.insert(entry.account);
            }
            Err(error) => tracing::warn!(%error, "skipped a line of the log of erased accounts"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: u8) -> Entry {
        let account = UserId::from(format!("usr_{number}"));
        Entry { account, erased_at: Timestamp::from_millis(1_769_851_800_000) }
    }

    #[tokio::test]
    async fn an_account_is_noted_once_and_found_by_the_next_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("erasures.log");
        let log = ErasureLog::new(path.clone());
        log.prepare().await.unwrap();
        log.add(vec![entry(1)]).await.unwrap();
        log.add(vec![entry(1), entry(2)]).await.unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let line = "{\"account\":\"usr_1\",\"erasedAt\":\"2026-01-31T09:30:00.000Z\"}\n";
        assert_eq!(text, format!("{line}{}", line.replace("usr_1", "usr_2")));
        let next = ErasureLog::new(path.clone());
        next.add(vec![entry(2)]).await.unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }

    #[tokio::test]
    async fn a_part_of_a_line_hides_no_other_account() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("erasures.log");
        let log = ErasureLog::new(path.clone());
        log.add(vec![entry(1)]).await.unwrap();
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"account\":\"us").unwrap();
        let next = ErasureLog::new(path);
        next.add(vec![entry(2)]).await.unwrap();
        let found = next.accounts().await.unwrap();
        assert_eq!(found, HashSet::from([entry(1).account, entry(2).account]));
    }

    #[tokio::test]
    async fn a_log_that_others_may_write_is_refused() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("erasures.log");
        let log = ErasureLog::new(path.clone());
        log.prepare().await.unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o620)).unwrap();
        let refused = log.prepare().await.unwrap_err();
        assert!(refused.is_setup() && refused.to_string().contains("chmod"), "{refused}");
    }
}
