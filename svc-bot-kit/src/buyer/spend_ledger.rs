//! Where it is written down what is spent.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{ErrorCode, Transaction};
use tokio::sync::Mutex;

use crate::error::{Error, Result};
use crate::journal::Journal;

/// How often a file that another process writes is tried, and the time in between.
const TRIES_MAX: u32 = 100;
const PAUSE: Duration = Duration::from_millis(50);

/// A journal that is open only while something is written.
#[derive(Clone, Debug)]
pub(super) struct SpendLedger(Arc<Mutex<Place>>);

#[derive(Debug)]
enum Place {
    /// In memory, once something was written.
    Memory(Option<Journal>),
    File(PathBuf),
}

impl SpendLedger {
    pub(super) fn memory() -> Self {
        Self(Arc::new(Mutex::new(Place::Memory(None))))
    }

    pub(super) fn file(path: &Path) -> Self {
        Self(Arc::new(Mutex::new(Place::File(path.to_owned()))))
    }

    /// Runs statements in one transaction.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        let mut place = self.0.lock().await;
        place.open().await?.write(work).await
    }
}

impl Place {
    async fn open(&mut self) -> Result<Journal> {
        match self {
            Self::Memory(Some(journal)) => Ok(journal.clone()),
            Self::Memory(none) => Ok(none.insert(Journal::memory()?).clone()),
            Self::File(path) => file(path).await,
        }
    }
}

/// Opens the file, after another process has let go of it.
async fn file(path: &Path) -> Result<Journal> {
    for _ in 1..TRIES_MAX {
        match open(path).await {
            Err(error) if is_busy(&error) => tokio::time::sleep(PAUSE).await,
            opened => return opened,
        }
    }
    open(path).await
}

async fn open(path: &Path) -> Result<Journal> {
    let path = path.to_owned();
    let opened = tokio::task::spawn_blocking(move || Journal::open(path)).await;
    opened.unwrap_or_else(|error| Err(Error::journal("could not be opened", Some(error))))
}

fn is_busy(error: &Error) -> bool {
    let Error::Journal { source: Some(source), .. } = error else {
        return false;
    };
    let code = source.downcast_ref().and_then(rusqlite::Error::sqlite_error_code);
    matches!(code, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}
