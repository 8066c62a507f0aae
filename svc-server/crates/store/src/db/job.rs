//! How a job travels to a database thread and its result back.

use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::position::Position;
use super::trouble::Trouble;
use super::tx::Tx;
use crate::error::{Error, Result};
use crate::panics::caught_now;
use crate::trace::{Context, Kind, Span};

/// Whether a job may change anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    /// A read that a caller waits for, so that its time is limited.
    Answer,
    /// The same, on a replica that is recent and has this commit if one is named.
    Recent(Option<Position>),
    /// A read whose statements share one snapshot.
    Snapshot,
    Write,
}

impl Access {
    /// Its kind in metrics.
    pub(super) const fn kind(self) -> &'static str {
        match self {
            Self::Read | Self::Answer => "read",
            Self::Recent(_) => "replica",
            Self::Snapshot => "snapshot",
            Self::Write => "write",
        }
    }

    /// Begins the span of a job, if what asks for it is recorded.
    pub(super) fn begin(self, context: Option<&Context>) -> Option<Span> {
        let name = match self {
            Self::Read | Self::Answer | Self::Recent(_) => "database read",
            Self::Snapshot => "database snapshot",
            Self::Write => "database write",
        };
        context?.begin(Kind::Internal, name)
    }
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

    /// What its round trips belong to, if they are recorded.
    fn context(&self) -> Option<&Context>;

    /// Keeps the position of its commit.
    fn committed_at(&mut self, position: Option<Position>);

    /// Sends the kept result to the caller, or how the transaction failed; `jobs` shared it.
    fn answer(self: Box<Self>, end: Result<(), Trouble>, jobs: usize);
}

/// The result of a job, and what it left in the database.
pub(super) struct Answered<T> {
    pub(super) result: Result<T>,
    /// Whether it committed a change.
    pub(super) has_changed: bool,
    /// The position of its commit if replicas are read.
    pub(super) committed: Option<Position>,
}

/// The one implementation of [`Job`].
struct Task<T, F, K> {
    access: Access,
    job: F,
    result: Option<Result<T>>,
    has_changed: bool,
    position: Option<Position>,
    kept: K,
    caller: oneshot::Sender<Answered<T>>,
    queued_at: Instant,
    span: Option<Span>,
    /// How often it ran.
    runs: i64,
}

/// Wraps a job; its result arrives at the receiver. `kept` sees it first, once the changes are
/// committed, and also when the caller has gone.
pub(super) fn task<T, F, K>(
    access: Access,
    job: F,
    kept: K,
    span: Option<Span>,
) -> (Box<dyn Job>, oneshot::Receiver<Answered<T>>)
where
    T: Send + 'static,
    F: Fn(&mut Tx<'_>) -> Result<T> + Send + 'static,
    K: FnOnce(&mut T) + Send + 'static,
{
    let (caller, answer) = oneshot::channel();
    let (result, position, has_changed, queued_at) = (None, None, false, present());
    let task =
        Task { access, job, result, has_changed, position, kept, caller, queued_at, span, runs: 0 };
    (Box::new(task), answer)
}

impl<T, F, K> Job for Task<T, F, K>
where
    T: Send,
    F: Fn(&mut Tx<'_>) -> Result<T> + Send,
    K: FnOnce(&mut T) + Send,
{
    fn run(&mut self, tx: &mut Tx<'_>) -> bool {
        self.note_run();
        // A panicking job changes nothing but its transaction, and that is rolled back.
        let mut result = caught_now(|| (self.job)(tx))
            .unwrap_or_else(|_| Err(Error::internal("a database job panicked")));
        if result.is_ok() && tx.trouble().is_some() {
            result = Err(Error::internal("a database job went on after a failed statement"));
        }
        let keep = result.is_ok();
        self.has_changed = keep && tx.has_changed();
        self.result = Some(result);
        keep
    }

    fn queued_at(&self) -> Instant {
        self.queued_at
    }

    fn context(&self) -> Option<&Context> {
        self.span.as_ref().map(Span::context)
    }

    fn committed_at(&mut self, position: Option<Position>) {
        self.position = position;
    }

    fn answer(mut self: Box<Self>, end: Result<(), Trouble>, jobs: usize) {
        self.end_span(end, jobs);
        let result = match (end, self.result) {
            (Ok(()), Some(mut result)) => {
                let kept = self.kept;
                if let Ok(result) = &mut result
                    && let Err(error) = caught_now(|| kept(result))
                {
                    // It is committed all the same, and so are the jobs that are answered next.
                    tracing::error!(%error, "the effects of a commit could not be passed on");
                }
                result
            }
            (Err(trouble), _) => Err(trouble.error()),
            (Ok(()), None) => Err(Error::internal("a database job was answered but not run")),
        };
        metrics::histogram!("svc_database_job_seconds")
            .record(self.queued_at.elapsed().as_secs_f64());
        // The caller may have gone; what was committed stays.
        let _ = self.caller.send(Answered {
            result,
            has_changed: end.is_ok() && self.has_changed,
            committed: self.position,
        });
    }
}

impl<T, F, K> Task<T, F, K> {
    fn note_run(&mut self) {
        self.runs += 1;
        if self.runs == 1
            && let Some(span) = &mut self.span
        {
            span.note("svc.job.wait_us", micros(self.queued_at.elapsed()));
        }
    }

    fn end_span(&mut self, end: Result<(), Trouble>, jobs: usize) {
        let Some(mut span) = self.span.take() else { return };
        span.note("svc.job.group", i64::try_from(jobs).unwrap_or(i64::MAX));
        if self.runs > 1 {
            span.note("svc.job.runs", self.runs);
        }
        match (end, &self.result) {
            (Err(trouble), _) => span.fail(trouble.name()),
            (Ok(()), Some(Err(Error::Internal(_)))) => span.fail("internal"),
            (Ok(()), Some(Ok(_))) if self.access == Access::Write && !self.has_changed => {
                return span.end_in_vain();
            }
            (Ok(()), _) => {}
        }
        span.end();
    }
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

#[expect(clippy::disallowed_methods, reason = "callers wait in real time, whatever the clock")]
fn present() -> Instant {
    Instant::now()
}
