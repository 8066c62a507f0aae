//! The handle of a journal.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use rusqlite::Transaction;

use super::open;
use super::writer::Writer;
use crate::error::{Error, Result};

/// The persistent state of a bot or a buyer, in a SQLite file.
///
/// Clones share the journal. Only one process can have a file open at a time, and only its owner can
/// read the file. Finished jobs are kept for 7 days. It is a [`ReplayStore`](crate::ReplayStore), too:
/// webhooks that were handled are remembered for 14 days.
///
/// ```
/// # fn main() -> svc_bot_kit::Result<()> {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("wordbot.db");
/// use svc_bot_kit::Journal;
///
/// let journal = Journal::open(&path)?;
/// let second = Journal::open(&path).unwrap_err();
/// assert!(second.to_string().contains("used by another process"));
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Journal(Arc<Writer>);

impl Journal {
    /// Opens the journal in this file, or creates it.
    ///
    /// # Errors
    /// [`Error::Journal`] if another process has the file open, if the file is not a journal, or if a
    /// later version of this crate wrote it.
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

    /// Creates a journal in memory, which is lost when the process ends.
    ///
    /// ```
    /// # fn main() -> svc_bot_kit::Result<()> {
    /// let journal = svc_bot_kit::Journal::memory()?;
    /// # Ok(()) }
    /// ```
    pub fn memory() -> Result<Self> {
        Ok(Self(Arc::new(Writer::start(open::memory()?)?)))
    }

    /// Runs statements that take effect together or not at all. Concurrent writes may share a commit.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        self.0.write(work).await
    }

    /// The same where nothing can be awaited: the thread waits for the disk.
    pub(super) fn write_and_wait<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        self.0.write_and_wait(work)
    }
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal").finish_non_exhaustive()
    }
}

impl Error {
    /// An error of the journal; `problem` completes the sentence "the journal …".
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
#[path = "tests.rs"]
mod tests;
