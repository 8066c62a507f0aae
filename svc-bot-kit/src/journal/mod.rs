//! What a bot must not prune: a file beside it.
//!
//! [`open`] makes or opens the file and keeps everybody else out of it, [`tables`] says what is in
//! it. Each table has a file with its statements; all of them run on one connection, on the thread
//! of [`writer`], which may wait for the disk.

mod backlog;
#[cfg(feature = "bot")]
mod cursor;
#[cfg(feature = "bot")]
mod jobs;
mod open;
#[cfg(feature = "bot")]
mod outbox;
#[cfg(feature = "bot")]
mod prune;
#[cfg(feature = "bot")]
mod steps;
mod tables;
mod writer;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use rusqlite::Transaction;

use crate::error::{Error, Result};

use self::writer::Writer;

pub use backlog::Backlog;
#[cfg(feature = "bot")]
pub(crate) use cursor::Position;
#[cfg(feature = "bot")]
pub(crate) use jobs::{Job, Kind, NewJob, QueuedJob, State};
#[cfg(feature = "bot")]
pub(crate) use outbox::{Call, NewCall};

/// What a bot or a buyer must not prune, in a SQLite file of its own.
///
/// Clones are the same journal. One process may have a file open at a time; the file is readable
/// for its owner alone. What is finished is kept for 7 days.
///
/// ```
/// # fn main() -> svc_bot_kit::Result<()> {
/// # let folder = std::env::temp_dir().join(format!("journal-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("wordbot.db");
/// use svc_bot_kit::Journal;
///
/// let journal = Journal::open(&path)?;
/// let second = Journal::open(&path).unwrap_err();
/// assert!(second.to_string().contains("used by another process"));
/// # drop(journal);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Journal(Arc<Writer>);

impl Journal {
    /// Opens the journal in this file, or begins one there.
    ///
    /// Fails when another process has it open, when the file is something else, and when a later
    /// version of this crate wrote it.
    ///
    /// ```no_run
    /// # fn main() -> svc_bot_kit::Result<()> {
    /// let journal = svc_bot_kit::Journal::open("wordbot.db")?;
    /// # Ok(()) }
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let connection = open::file(path.as_ref())?;
        Ok(Self(Arc::new(Writer::start(connection)?)))
    }

    /// A journal that ends with the process: for tests, and for what may be forgotten.
    ///
    /// ```
    /// # fn main() -> svc_bot_kit::Result<()> {
    /// let journal = svc_bot_kit::Journal::memory()?;
    /// # Ok(()) }
    /// ```
    pub fn memory() -> Result<Self> {
        Ok(Self(Arc::new(Writer::start(open::memory()?)?)))
    }

    /// Runs statements that are kept together when they all succeed; what others ask for at the
    /// same time may be kept by the same commit.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        self.0.write(work).await
    }
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal").finish_non_exhaustive()
    }
}

impl Error {
    /// A problem with the journal.
    pub(crate) fn journal<E>(problem: impl Into<String>, source: Option<E>) -> Self
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        let source =
            source.map(|source| -> Box<dyn std::error::Error + Send + Sync> { Box::new(source) });
        Self::Journal { problem: problem.into(), source }
    }
}

#[cfg(test)]
mod tests;
