//! The queues and threads both engines are made of.

use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use svc_types::Code;
use tempfile::TempDir;

use super::job::{Access, Message, task};
use super::settings::DatabaseUrl;
use super::trouble::{Trouble, refused};
use super::tx::Tx;
use super::sqlite;
use crate::error::{Error, Result};

/// An open database: its queues and the threads that serve them.
pub(super) struct Engine {
    url: DatabaseUrl,
    writes: Sender<Message>,
    reads: Sender<Message>,
    threads: Mutex<Vec<Thread>>,
    storage_full: StorageFull,
    /// The file of a SQLite database.
    file: Option<PathBuf>,
    /// The folder of a throw-away database, removed with it.
    _folder: Option<TempDir>,
}

/// A thread and the queue through which it can be ended.
pub(super) struct Thread {
    queue: Sender<Message>,
    handle: JoinHandle<()>,
}

/// Whether the last write found the disk full.
#[derive(Clone, Default)]
pub(super) struct StorageFull(Arc<AtomicBool>);

impl StorageFull {
    /// Notes how a commit ended.
    pub(super) fn note(&self, end: Result<(), Trouble>) {
        match end {
            Ok(()) => self.0.store(false, Ordering::Relaxed),
            Err(Trouble::Full) => self.0.store(true, Ordering::Relaxed),
            Err(_) => {}
        }
    }
}

/// A queue of at most `queue_max` jobs.
pub(super) struct Queue {
    pub(super) sender: Sender<Message>,
    pub(super) receiver: Receiver<Message>,
}

impl Queue {
    pub(super) fn new(queue_max: usize) -> Self {
        let (sender, receiver) = bounded(queue_max);
        Self { sender, receiver }
    }

    /// Starts a thread that serves this queue.
    pub(super) fn serve(
        &self,
        name: String,
        work: impl FnOnce(Receiver<Message>) + Send + 'static,
    ) -> Result<Thread> {
        let receiver = self.receiver.clone();
        let handle = thread::Builder::new()
            .name(name)
            .spawn(move || work(receiver))
            .map_err(Error::internal)?;
        Ok(Thread { queue: self.sender.clone(), handle })
    }
}
