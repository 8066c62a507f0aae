//! The ledger of what a buyer spends.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{ErrorCode, Transaction};
use tokio::sync::Mutex;

use crate::error::{Error, Result};
use crate::journal::Journal;

/// How often to try to open a file that another process uses.
const ATTEMPTS_MAX: u32 = 100;
/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(50);

/// A journal that is open only during a transaction, so that processes can share the file.
#[derive(Clone, Debug)]
pub(super) struct SpendLedger(Arc<Mutex<Storage>>);

#[derive(Debug)]
enum Storage {
    /// Opened on the first write.
    Memory(Option<Journal>),
    File(PathBuf),
}

impl SpendLedger {
    pub(super) fn memory() -> Self {
        Self(Arc::new(Mutex::new(Storage::Memory(None))))
    }

    pub(super) fn file(path: &Path) -> Self {
        Self(Arc::new(Mutex::new(Storage::File(path.to_owned()))))
    }

    /// Runs statements in one transaction.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        let mut storage = self.0.lock().await;
        storage.open().await?.write(work).await
    }
}

impl Storage {
    async fn open(&mut self) -> Result<Journal> {
        match self {
            Self::Memory(Some(journal)) => Ok(journal.clone()),
            Self::Memory(none) => Ok(none.insert(Journal::memory()?).clone()),
            Self::File(path) => open_shared(path).await,
        }
    }
}

/// Opens the file once no other process uses it.
async fn open_shared(path: &Path) -> Result<Journal> {
    for _ in 1..ATTEMPTS_MAX {
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
