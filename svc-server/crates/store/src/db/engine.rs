//! The queues and threads both engines are made of.

use std::mem;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use tempfile::TempDir;

use super::job::{Access, Answered, Job, Message, task};
use super::position;
use super::postgres::{Connections, Outage, Replicas, Target};
use super::settings::DatabaseUrl;
use super::trouble::Trouble;
use super::tx::Tx;
use crate::error::{Error, Result};
use crate::panics::caught_now;
use crate::trace;

/// An open database: its queues and the threads that serve them.
pub(super) struct Engine {
    /// What was opened.
    pub(super) url: DatabaseUrl,
    /// The file of a SQLite database.
    pub(super) file: Option<PathBuf>,
    /// The folder of a throw-away database, removed with it.
    pub(super) folder: Option<TempDir>,
    /// PostgreSQL itself, for signals between nodes.
    pub(super) signals: Option<Target>,
    /// Where jobs wait, until it is closed. A job that came after the threads had ended may hold the database: were the
    /// queues kept, each would keep the other for good.
    pub(super) queues: RwLock<Option<Queues>>,
    /// Counts connections to the primary of PostgreSQL.
    pub(super) connections: Option<Connections>,
    /// The threads, until they are stopped.
    pub(super) threads: Mutex<Vec<Thread>>,
    /// Whether the last write found the disk full.
    pub(super) storage_full: StorageFull,
    /// Whether PostgreSQL answers.
    pub(super) outage: Outage,
    /// What groups of jobs did.
    #[cfg(feature = "testing")]
    pub(super) groups: super::groups::Groups,
}

/// The queues of a database.
pub(super) struct Queues {
    pub(super) writes: Sender<Message>,
    pub(super) reads: Sender<Message>,
    /// Those of reads that need not be the latest.
    pub(super) replicas: Replicas,
}

impl Engine {
    /// Queues a job and waits for its result; `kept` sees it once it is committed.
    pub(super) async fn run<T, F, K>(&self, access: Access, job: F, kept: K) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Tx<'_>) -> Result<T> + Send + 'static,
        K: FnOnce(&mut T) + Send + 'static,
    {
        if self.outage.is_down() {
            return Err(Trouble::Unavailable.error());
        }
        let context = trace::current();
        let span = access.begin(context.as_ref());
        let (job, answer) = task(access, job, kept, span);
        self.queue(access, job)?;
        // The sender is gone when the database was closed before the job's turn came.
        let Ok(Answered { result, has_changed, committed }) = answer.await else {
            return Err(Trouble::Unavailable.error());
        };
        if let Some(committed) = committed {
            position::note_commit(committed);
        }
        if let Some(context) = context.filter(|_| has_changed) {
            context.note_done();
        }
        result
    }

    /// Looks at the queues; `None` once it is closed.
    pub(super) fn with_queues<T>(&self, look: impl FnOnce(&Queues) -> T) -> Option<T> {
        self.queues.read().unwrap_or_else(PoisonError::into_inner).as_ref().map(look)
    }

    fn queue(&self, access: Access, job: Box<dyn Job>) -> Result<()> {
        // A job that finds no place is dropped here, and not under the lock, as in `close`.
        let trouble = match self.with_queues(|queues| queues.put(access, job)) {
            Some(Ok(())) => return Ok(()),
            Some(Err(refused)) => Trouble::of(&refused),
            None => Trouble::Unavailable,
        };
        Err(trouble.error())
    }

    /// Lets the threads finish queued jobs, and joins them.
    pub(super) fn close(&self) {
        self.outage.close();
        let threads = mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        let here = thread::current().id();
        if threads.iter().any(|thread| thread.handle.thread().id() == here) {
            // The last handle went away inside a job. No thread can wait for itself, but all of
            // them end when the queues are dropped.
            return;
        }
        for thread in &threads {
            let _ = thread.queue.send(Message::Stop);
        }
        for thread in threads {
            let _ = thread.handle.join();
        }
        // Jobs that are left are dropped with them, and not under the lock: what they hold may look at the queues.
        let queues = self.queues.write().unwrap_or_else(PoisonError::into_inner).take();
        drop(queues);
    }
}

impl Queues {
    fn put(&self, access: Access, job: Box<dyn Job>) -> Result<(), TrySendError<Message>> {
        let (queue, access, job) = match access {
            Access::Read | Access::Answer | Access::Snapshot => (&self.reads, access, job),
            Access::Write => (&self.writes, access, job),
            Access::Recent(_) => match self.replicas.offer(access, job) {
                Some(job) => (&self.reads, Access::Answer, job),
                None => return Ok(()),
            },
        };
        queue.try_send(Message::Run(access, job))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.close();
    }
}

/// Whether the last write found the disk full.
#[derive(Clone, Default)]
pub(super) struct StorageFull(Arc<AtomicBool>);

impl StorageFull {
    pub(super) fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Notes how a transaction ended.
    pub(super) fn note(&self, end: Result<(), Trouble>) {
        match end {
            Ok(()) => self.0.store(false, Ordering::Relaxed),
            Err(Trouble::Full) => self.0.store(true, Ordering::Relaxed),
            Err(_) => {}
        }
    }
}

/// A thread, and the queue through which it is stopped.
pub(super) struct Thread {
    queue: Sender<Message>,
    handle: JoinHandle<()>,
}

/// How the process ends when a thread of the database can't go on (`EX_SOFTWARE` of sysexits.h).
pub(super) const EXIT_CODE: i32 = 70;

/// Ends the process after a panic in a thread of the database, outside of a job. Its work may be half done, and no
/// other thread would take it over: on SQLite only one writes.
fn give_up(name: &str) -> ! {
    tracing::error!(thread = name, "a thread of the database panicked; the server ends");
    process::exit(EXIT_CODE);
}

/// A bounded queue, while the threads that serve it are being started.
pub(super) struct Queue {
    pub(super) sender: Sender<Message>,
    receiver: Receiver<Message>,
}

impl Queue {
    pub(super) fn new(queue_max: usize) -> Self {
        let (sender, receiver) = bounded(queue_max);
        Self { sender, receiver }
    }

    /// Starts a thread that serves this queue.
    pub(super) fn serve<W>(&self, name: String, work: W) -> Result<Thread>
    where
        W: FnOnce(&Receiver<Message>) + Send + 'static,
    {
        let receiver = self.receiver.clone();
        let thread = thread::Builder::new().name(name.clone());
        let working = move || {
            if caught_now(|| work(&receiver)).is_err() {
                give_up(&name);
            }
        };
        let handle = thread.spawn(working).map_err(Error::internal)?;
        Ok(Thread { queue: self.sender.clone(), handle })
    }
}
