//! The thread that works with the file: what waits at the same time is kept by one commit.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::oneshot;

use crate::error::{Error, Result};

/// Most pieces of work that one commit keeps.
const BATCH_MAX: usize = 256;

/// The thread of a journal. It ends, and the file is closed, when this is dropped.
pub(super) struct Writer {
    queue: Option<Sender<Box<dyn Work>>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start(connection: Connection) -> Result<Self> {
        let (queue, waiting) = channel();
        let thread = thread::Builder::new().name("journal".to_owned());
        let thread = thread.spawn(move || serve(connection, &waiting));
        let thread = thread.map_err(|error| Error::journal("has no thread", Some(error)))?;
        Ok(Self { queue: Some(queue), thread: Some(thread) })
    }

    /// Has work done; once begun it ends, also when the caller is gone.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        let (owner, waits) = oneshot::channel();
        let task = Task { work: Some(work), value: None, owner };
        if let Some(queue) = &self.queue {
            // A thread that is gone drops it, which is what the line below hears.
            let _ = queue.send(Box::new(task));
        }
        waits.await.unwrap_or_else(|gone| Err(Error::journal("could not do its work", Some(gone))))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // Its panic was told to who waited for it.
            let _ = thread.join();
        }
    }
}

/// A task of work of any kind.
trait Work: Send {
    /// Does it; false when it failed, so that nothing of it may be kept.
    fn run(&mut self, tx: &Transaction<'_>) -> bool;

    /// Tells who waits what came of it, and of keeping it.
    fn notify(self: Box<Self>, kept: Result<(), Arc<rusqlite::Error>>);
}

struct Task<F, T> {
    work: Option<F>,
    value: Option<rusqlite::Result<T>>,
    owner: oneshot::Sender<Result<T>>,
}

impl<F, T> Work for Task<F, T>
where
    F: FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send,
    T: Send,
{
    fn run(&mut self, tx: &Transaction<'_>) -> bool {
        self.value = self.work.take().map(|work| work(tx));
        matches!(self.value, Some(Ok(_)))
    }

    fn notify(self: Box<Self>, kept: Result<(), Arc<rusqlite::Error>>) {
        const PROBLEM: &str = "can't be written";
        let told = match (self.value, kept) {
            (Some(Ok(value)), Ok(())) => Ok(value),
            (Some(Err(error)), _) => Err(Error::journal(PROBLEM, Some(error))),
            (_, Err(error)) => Err(Error::journal(PROBLEM, Some(error))),
            (None, Ok(())) => Err(Error::journal::<rusqlite::Error>(PROBLEM, None)),
        };
        // Who is gone need not know.
        let _ = self.owner.send(told);
    }
}

fn serve(mut connection: Connection, waiting: &Receiver<Box<dyn Work>>) {
    while let Ok(first) = waiting.recv() {
        let mut batch = vec![first];
        batch.extend(waiting.try_iter().take(BATCH_MAX - 1));
        let kept = keep(&mut connection, &mut batch).map_err(Arc::new);
        for work in batch {
            work.notify(kept.clone());
        }
    }
}

/// Does each task in a savepoint of its own, so that one that fails leaves nothing and harms no
/// other; all are kept together, or none.
fn keep(connection: &mut Connection, batch: &mut [Box<dyn Work>]) -> rusqlite::Result<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for work in batch {
        tx.prepare_cached("savepoint task")?.execute([])?;
        if !work.run(&tx) {
            tx.prepare_cached("rollback to task")?.execute([])?;
        }
        tx.prepare_cached("release task")?.execute([])?;
    }
    tx.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writer() -> Writer {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("create table note (text text unique)").unwrap();
        Writer::start(connection).unwrap()
    }

    async fn note(writer: &Writer, text: &'static str) -> Result<usize> {
        writer.write(move |tx| tx.execute("insert into note values (?1)", [text])).await
    }

    async fn count(writer: &Writer) -> i64 {
        let count = "select count(*) from note";
        writer.write(move |tx| tx.query_row(count, [], |row| row.get(0))).await.unwrap()
    }

    /// Holds the thread up until this is dropped, so that what is put in meanwhile is one batch.
    async fn hold_up(writer: &Arc<Writer>) -> Sender<()> {
        let (let_go, dropped) = channel::<()>();
        let (begun, is_held) = oneshot::channel();
        let writer = Arc::clone(writer);
        let hold = move |_: &Transaction<'_>| {
            begun.send(()).unwrap();
            Ok(dropped.recv().is_err())
        };
        tokio::spawn(async move { writer.write(hold).await });
        is_held.await.unwrap();
        let_go
    }

    #[tokio::test]
    async fn what_fails_leaves_nothing_and_harms_nothing_else() {
        let writer = Arc::new(writer());
        let held = hold_up(&writer).await;
        let (one, twice, two) = (note(&writer, "one"), note(&writer, "one"), note(&writer, "two"));
        let let_go = async { drop(held) };
        let (one, twice, two, ()) = tokio::join!(one, twice, two, let_go);
        assert!(one.is_ok() && two.is_ok());
        assert!(twice.unwrap_err().to_string().contains("can't be written"));
        assert_eq!(count(&writer).await, 2);
    }

    #[tokio::test]
    async fn what_can_not_be_kept_is_told_to_all_of_the_batch() {
        let writer = Arc::new(writer());
        let held = hold_up(&writer).await;
        let (one, end) = (note(&writer, "one"), writer.write(|tx| tx.execute("rollback", [])));
        let (one, end, ()) = tokio::join!(one, end, async { drop(held) });
        assert!(one.is_err() && end.is_err());
        assert_eq!(count(&writer).await, 0);
        note(&writer, "two").await.unwrap();
        assert_eq!(count(&writer).await, 1);
    }

    #[tokio::test]
    async fn a_bug_in_a_piece_is_told_to_who_waits() {
        let writer = writer();
        let bug = writer.write(|_| -> rusqlite::Result<()> { panic!("a bug") }).await;
        assert!(bug.unwrap_err().to_string().contains("could not do its work"));
        assert!(note(&writer, "one").await.is_err(), "what it may have broken is not worked with");
    }
}
