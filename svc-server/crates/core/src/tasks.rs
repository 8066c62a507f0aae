//! Background tasks. Every node runs all of them; none needs a leader.

pub mod bus;
pub mod counts;
pub mod debts;
pub mod embed;
pub mod erase;
pub mod flush;
pub mod highlight;
pub mod index;
pub mod node;
pub mod rankings;
pub mod recover;
pub mod sealing;
pub mod sweep;
pub mod tallies;
pub mod tiers;
pub mod trust;
pub mod waits;

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use svc_store::error::{Error, Result};
use svc_store::panics::caught;
use svc_store::trace;
use svc_store::{sql, values};
use svc_types::{Code, Timestamp};
use tokio_util::sync::CancellationToken;

use crate::app::{App, Ctx};
use crate::due;
use crate::services::leaderboard;

/// Work that every node does again and again in the background.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Its name in logs and traces.
    pub name: &'static str,
    /// Time between two rounds.
    pub every: Duration,
    /// What the log says of a round that failed.
    pub failure: &'static str,
}

/// Does what fell due while no node ran, before anybody is served. On a new database that would be a
/// hundred statements that find nothing; what apps without an owner left waits for the next sweep.
pub async fn catch_up(app: &Arc<App>) -> Result<()> {
    if app.read(is_new).await? {
        return app.write(leaderboard::keep_empty).await;
    }
    // What can't be deleted keeps nobody from being served.
    sweep::TASK.round(app, sweep::once(app)).await;
    due::TASK.run(app, due::sweep(app)).await?;
    rankings::at_start(app).await;
    Ok(())
}

/// Whether nobody has signed up yet.
fn is_new(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    let first: Option<i64> = ctx.tx.optional(sql!("select 1 from account limit 1"), values![])?;
    Ok(first.is_none())
}

impl Task {
    /// Does a round after each period until `stop` is cancelled.
    ///
    /// A round that has begun finishes, so a stop waits for it. Work that may end at any await point is
    /// wrapped in [`until_stopped`].
    pub async fn repeat<W, F>(&self, app: &App, stop: &CancellationToken, mut work: W)
    where
        W: FnMut() -> F,
        F: Future<Output = Result<()>>,
    {
        let mut failures = FailureLog::default();
        self.note_done(app);
        loop {
            let next = app.clock.now().plus(self.every);
            if stop.run_until_cancelled(app.clock.sleep_until(next)).await.is_none() {
                return;
            }
            let done = self.run(app, work()).await;
            if failures.filter(&done).is_some() {
                self.log(&done);
            }
        }
    }

    /// The same with a first round this long after the start of the server, so that one that is often restarted works,
    /// too.
    pub async fn repeat_from<W, F>(
        &self,
        app: &App,
        stop: &CancellationToken,
        after: Duration,
        mut work: W,
    ) where
        W: FnMut() -> F,
        F: Future<Output = Result<()>>,
    {
        self.note_done(app);
        let first = app.started.plus(after);
        if stop.run_until_cancelled(app.clock.sleep_until(first)).await.is_some() {
            self.round(app, work()).await;
            self.repeat(app, stop, work).await;
        }
    }

    /// Does one round and logs its failure; whether it succeeded.
    pub async fn round(&self, app: &App, work: impl Future<Output = Result<()>>) -> bool {
        let done = self.run(app, work).await;
        self.log(&done);
        done.is_ok()
    }

    /// Logs a failure.
    fn log(&self, done: &Result<()>) {
        if let Err(error) = done {
            tracing::warn!(%error, task = self.name, "{}", self.failure);
        }
    }

    /// Records when a round succeeded, or the loop began: nothing else shows that rounds fail, or never end.
    pub fn note_done(&self, app: &App) {
        let since = app.clock.now().since(Timestamp::from_millis(0));
        metrics::gauge!("svc_task_done_timestamp_seconds", "task" => self.name)
            .set(since.as_secs_f64());
    }

    /// Does one round, which fails if it panics. It is a trace of its own if it does something.
    pub async fn run<T>(&self, app: &App, work: impl Future<Output = Result<T>>) -> Result<T> {
        let span = app.tracer.round(self.name);
        let context = span.as_ref().map(|span| span.context().clone());
        let done = trace::within(context, caught(work)).await;
        if done.is_ok() {
            self.note_done(app);
        }
        let Some(mut span) = span else { return done };
        if let Err(error) = &done {
            span.fail(error.code().to_string());
        }
        span.end();
        done
    }
}

/// Which of its failures a loop logs: only the first while the database is down, which is logged for all of them.
#[derive(Debug, Default)]
pub struct FailureLog {
    /// Whether the database was down in the last round.
    was_down: bool,
}

impl FailureLog {
    /// The failure of the next round, if it is to be logged.
    pub fn filter<'a, T>(&mut self, done: &'a Result<T>) -> Option<&'a Error> {
        let error = done.as_ref().err();
        let is_down = error.is_some_and(|error| error.code() == Code::StorageUnavailable);
        let was_down = mem::replace(&mut self.was_down, is_down);
        error.filter(|_| !(is_down && was_down))
    }
}

/// Work that ends at its next await point when `stop` is cancelled.
pub async fn until_stopped(
    stop: &CancellationToken,
    work: impl Future<Output = Result<()>>,
) -> Result<()> {
    stop.run_until_cancelled(work).await.unwrap_or(Ok(()))
}

/// Runs a step of work until nothing is left, in a transaction each time. A step gets the key at which the one before
/// ended, and returns its own.
pub async fn in_batches<S>(app: &Arc<App>, step: S) -> Result<()>
where
    S: Fn(&mut Ctx<'_, '_>, &str) -> Result<Option<String>> + Clone + Send + 'static,
{
    let mut after = Some(String::new());
    while let Some(from) = after {
        let step = step.clone();
        after = app.write(move |ctx| step(ctx, &from)).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_logs_once_that_the_database_is_down() {
        let mut failures = FailureLog::default();
        let down = || Err(Error::refused(Code::StorageUnavailable, "a test"));
        let other = || Err(Error::internal("a test"));
        let rounds: [Result<()>; 7] = [down(), down(), Ok(()), down(), other(), other(), down()];
        let logged = rounds.map(|done| failures.filter(&done).is_some());
        assert_eq!(logged, [true, false, false, true, true, true, true]);
    }
}
