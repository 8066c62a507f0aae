//! How a job travels to a database thread and its result back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use tokio::sync::oneshot;

use super::trouble::Trouble;
use super::tx::Tx;
use crate::error::{Error, Result};

/// Whether a job may change anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    /// A read that a caller waits for, so that its time is limited.
    Answer,
    /// A read whose statements share one snapshot.
    Snapshot,
    Write,
}

/// A message in the queue of a database thread.
pub(super) enum Message {
    /// Run this job and answer it.
    Run(Access, Box<dyn Job>),
    /// End the thread that takes this message.
    Stop,
}

/// A job with its result type erased, so that one thread can run all of them.
pub(super) trait Job: Send {
    /// Runs the job and keeps its result; `true` when its changes are to be committed.
    fn run(&mut self, tx: &mut Tx<'_>) -> bool;

    /// When it was queued.
    fn queued_at(&self) -> Instant;

    /// Sends the kept result to the caller, or what became of the transaction instead.
    fn answer(self: Box<Self>, end: Result<(), Trouble>);
}

/// The one implementation of [`Job`].
struct Task<T, F, K> {
    job: F,
    result: Option<Result<T>>,
    kept: K,
    caller: oneshot::Sender<Result<T>>,
    queued_at: Instant,
}

/// Wraps a job; its result arrives at the receiver. `kept` sees it first, once the changes are
/// committed, and also when the caller has gone.
pub(super) fn task<T, F, K>(job: F, kept: K) -> (Box<dyn Job>, oneshot::Receiver<Result<T>>)
where
    T: Send + 'static,
    F: Fn(&mut Tx<'_>) -> Result<T> + Send + 'static,
    K: FnOnce(&mut T) + Send + 'static,
{
    let (caller, answer) = oneshot::channel();
    (Box::new(Task { job, result: None, kept, caller, queued_at: present() }), answer)
}

impl<T, F, K> Job for Task<T, F, K>
where
    T: Send,
    F: Fn(&mut Tx<'_>) -> Result<T> + Send,
    K: FnOnce(&mut T) + Send,
{
    fn run(&mut self, tx: &mut Tx<'_>) -> bool {
        // A panicking job changes nothing but its transaction, and that is rolled back.
        let mut result = catch_unwind(AssertUnwindSafe(|| (self.job)(tx)))
            .unwrap_or_else(|_| Err(Error::internal("a database job panicked")));
        if result.is_ok() && tx.trouble().is_some() {
            result = Err(Error::internal("a database job went on after a failed statement"));
        }
        let keep = result.is_ok();
        self.result = Some(result);
        keep
    }

    fn queued_at(&self) -> Instant {
        self.queued_at
    }

    fn answer(self: Box<Self>, end: Result<(), Trouble>) {
        let result = match (end, self.result) {
            (Ok(()), Some(mut result)) => {
                if let Ok(result) = &mut result {
                    (self.kept)(result);
                }
                result
            }
            (Err(trouble), _) => Err(trouble.error()),
            (Ok(()), None) => Err(Error::internal("a database job was answered but not run")),
        };
        metrics::histogram!("svc_database_job_seconds")
            .record(self.queued_at.elapsed().as_secs_f64());
        // The caller may have gone; what was committed stays.
        let _ = self.caller.send(result);
    }
}

#[expect(clippy::disallowed_methods, reason = "callers wait in real time, whatever the clock")]
fn present() -> Instant {
    Instant::now()
}
