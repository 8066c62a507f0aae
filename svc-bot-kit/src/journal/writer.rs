//! The thread that owns the connection; concurrent writes share one commit.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::oneshot;

use crate::error::{Error, Result};

/// Writes per commit at most.
const BATCH_MAX: usize = 256;

/// The thread of a journal. Dropping this ends it and closes the file.
pub(super) struct Writer {
    queue: Option<Sender<Box<dyn Write>>>,
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

    /// Runs a write. Once started it completes even if the caller is dropped.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        let (reply, answered) = oneshot::channel();
        // The caller may have been dropped.
        self.enqueue(work, move |result| drop(reply.send(result)));
        answered.await.unwrap_or_else(|gone| Err(Error::journal("failed unexpectedly", Some(gone))))
    }

    /// The same, on a thread that waits meanwhile.
    pub(super) fn write_and_wait<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        let (reply, answered) = sync_channel(1);
        self.enqueue(work, move |result| drop(reply.send(result)));
        answered
            .recv()
            .unwrap_or_else(|gone| Err(Error::journal("failed unexpectedly", Some(gone))))
    }

    /// Queues a write. If the thread has ended, it is dropped together with what would take its result.
    fn enqueue<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
        reply: impl FnOnce(Result<T>) + Send + 'static,
    ) {
        if let Some(queue) = &self.queue {
            let task = Task { work: Some(work), value: None, reply };
            let _ = queue.send(Box::new(task));
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // A panic was already reported to the caller of the write.
            let _ = thread.join();
        }
    }
}

/// A queued write.
trait Write: Send {
    /// Runs the statements. Returns false if they failed and must be rolled back.
    fn run(&mut self, tx: &Transaction<'_>) -> bool;

    /// Sends the result to the caller, given the result of the commit.
    fn notify(self: Box<Self>, committed: Result<(), Arc<rusqlite::Error>>);
}

struct Task<F, T, R> {
    work: Option<F>,
    value: Option<rusqlite::Result<T>>,
    reply: R,
}

impl<F, T, R> Write for Task<F, T, R>
where
    F: FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send,
    T: Send,
    R: FnOnce(Result<T>) + Send,
{
    fn run(&mut self, tx: &Transaction<'_>) -> bool {
        self.value = self.work.take().map(|work| work(tx));
        matches!(self.value, Some(Ok(_)))
    }

    fn notify(self: Box<Self>, committed: Result<(), Arc<rusqlite::Error>>) {
        const PROBLEM: &str = "can't be written";
        let result = match (self.value, committed) {
            (Some(Ok(value)), Ok(())) => Ok(value),
            (Some(Err(error)), _) => Err(Error::journal(PROBLEM, Some(error))),
            (_, Err(error)) => Err(Error::journal(PROBLEM, Some(error))),
            (None, Ok(())) => Err(Error::journal::<rusqlite::Error>(PROBLEM, None)),
        };
        (self.reply)(result);
    }
}

fn serve(mut connection: Connection, waiting: &Receiver<Box<dyn Write>>) {
    while let Ok(first) = waiting.recv() {
        let mut batch = vec![first];
        batch.extend(waiting.try_iter().take(BATCH_MAX - 1));
        let committed = commit(&mut connection, &mut batch).map_err(Arc::new);
        for work in batch {
            work.notify(committed.clone());
        }
    }
}

/// Runs each write in its own savepoint, so that a failed one has no effect on the others, and commits
/// them together.
fn commit(connection: &mut Connection, batch: &mut [Box<dyn Write>]) -> rusqlite::Result<()> {
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

    /// Blocks the thread until this is dropped, so that later writes form one batch.
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
    async fn a_failed_write_has_no_effect_on_others() {
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
    async fn a_failed_commit_is_reported_to_the_whole_batch() {
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
    async fn a_panic_in_a_write_is_reported_to_its_caller() {
        let writer = writer();
        let bug = writer.write(|_| -> rusqlite::Result<()> { panic!("a bug") }).await;
        assert!(bug.unwrap_err().to_string().contains("failed unexpectedly"));
        assert!(note(&writer, "one").await.is_err(), "the connection is not used after a panic");
    }
}
