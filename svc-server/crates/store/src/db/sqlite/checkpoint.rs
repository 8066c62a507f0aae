//! Moves the write-ahead log into the database file while writes go on.
//!
//! By itself SQLite does this inside the commit that fills the log: all writers then wait until
//! thousands of pages are copied and synced. Here a thread copies most of them, and the writer only
//! the few that were logged meanwhile. It has to: the log starts over when all of it was moved, and
//! beside a busy writer the thread alone would never get that far.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use rusqlite::Connection;

use super::connect::{Durability, connect_for_upkeep, set_durability};
use crate::error::{Error, Result};

/// Pages of the log (4 KiB each) that are written before they are moved. The pages written most
/// are then moved once instead of ten times; a start reads at most a few more.
const LOG_PAGES: u32 = 4_096;

/// The writer's side.
pub(super) struct Checkpointer {
    state: Arc<State>,
    /// Asks the thread to copy. `None` once it is to end.
    ask: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What the writer and the thread share.
#[derive(Default)]
struct State {
    /// Pages in the log after the last commit.
    logged: AtomicU32,
    /// Pages that commits have appended since they were last counted.
    appended: AtomicU32,
    /// Whether the thread has copied and the writer has yet to finish.
    copied: AtomicBool,
}

impl Checkpointer {
    /// Takes over the checkpoints of the writing connection.
    pub(super) fn start(
        path: &Path,
        durability: Durability,
        writer: &mut Connection,
    ) -> Result<Self> {
        let state = Arc::new(State::default());
        let hooked = Arc::clone(&state);
        let hook = move |_: &mut rusqlite::hooks::Wal, pages: i32| {
            let pages = pages.unsigned_abs();
            let before = hooked.logged.swap(pages, Ordering::Relaxed);
            // Fewer than before: the log has started over.
            let appended = pages.checked_sub(before).unwrap_or(pages);
            hooked.appended.fetch_add(appended, Ordering::Relaxed);
            Ok(())
        };
        // It replaces the hook by which SQLite would move the log.
        writer.wal_hook(Some(hook)).map_err(Error::internal)?;
        let connection = connect_for_upkeep(path).map_err(Error::internal)?;
        set_durability(&connection, durability).map_err(Error::internal)?;
        let (ask, asked) = bounded(0);
        let shared = Arc::clone(&state);
        let thread = thread::Builder::new()
            .name("db-checkpoint".to_owned())
            .spawn(move || copy_when_asked(&connection, &asked, &shared))
            .map_err(Error::internal)?;
        Ok(Self { state, ask: Some(ask), thread: Some(thread) })
    }

    /// Pages appended to the log since the last call.
    pub(super) fn pages_logged(&self) -> u64 {
        self.state.appended.swap(0, Ordering::Relaxed).into()
    }

    /// Has a full log moved; the writer calls it after each commit.
    pub(super) fn after_commit(&self, writer: &Connection) {
        if self.state.logged.load(Ordering::Relaxed) < LOG_PAGES {
            return;
        }
        if self.state.copied.swap(false, Ordering::Acquire) {
            move_log(writer);
        } else if let Some(ask) = &self.ask
            // It is full while the thread copies. A thread that panicked never will, and the log would grow for good.
            && matches!(ask.try_send(()), Err(TrySendError::Disconnected(())))
        {
            move_log(writer);
        }
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.ask = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn copy_when_asked(connection: &Connection, asked: &Receiver<()>, state: &State) {
    for () in asked {
        move_log(connection);
        state.copied.store(true, Ordering::Release);
    }
}

/// Moves what no reader needs in the log any more.
fn move_log(connection: &Connection) {
    if let Err(error) = connection.query_row("pragma wal_checkpoint(passive)", [], |_| Ok(())) {
        // The log grows until it succeeds; no write is lost.
        tracing::warn!(%error, "the write-ahead log could not be moved into the database");
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::connect::connect_writer;
    use super::*;

    #[test]
    fn a_log_is_moved_although_the_thread_that_copies_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("svc.db");
        let mut writer = connect_writer(&path, Durability::None).unwrap();
        let mut checkpointer = Checkpointer::start(&path, Durability::None, &mut writer).unwrap();
        // As if the thread had panicked: nobody is asked any more.
        checkpointer.ask = Some(bounded(0).0);
        writer
            .execute_batch("create table t (b blob); insert into t values (zeroblob(20000000))")
            .unwrap();
        checkpointer.after_commit(&writer);
        let moved = fs::metadata(&path).unwrap().len();
        assert!(moved > 20_000_000, "{moved}");
    }
}
