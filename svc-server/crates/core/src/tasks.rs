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
pub mod tiers;
pub mod trust;
pub mod waits;

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::Result;
use svc_store::trace;
use svc_store::{sql, values};
use svc_types::Code;
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
/// hundred statements about nobody; the little that apps without an owner leave waits for the next sweep.
pub async fn catch_up(app: &Arc<App>) -> Result<()> {
    if app.read(is_new).await? {
        return app.write(leaderboard::keep_empty).await;
    }
    sweep::TASK.run(app, sweep::once(app)).await?;
    due::TASK.run(app, due::sweep(app)).await?;
    rankings::at_start(app).await
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
        let mut was_down = false;
        loop {
            let next = app.clock.now().plus(self.every);
            if stop.run_until_cancelled(app.clock.sleep_until(next)).await.is_none() {
                return;
            }
            let done = self.run(app, work()).await;
            // While the database is down, it logs that for all of them.
            let is_down = matches!(&done, Err(error) if error.code() == Code::StorageUnavailable);
            if !(is_down && was_down) {
                self.log(&done);
            }
            was_down = is_down;
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

    /// Does one round. It is a trace of its own if it does something.
    pub async fn run<T>(&self, app: &App, work: impl Future<Output = Result<T>>) -> Result<T> {
        let span = app.tracer.round(self.name);
        let context = span.as_ref().map(|span| span.context().clone());
        let done = trace::within(context, work).await;
        let Some(mut span) = span else { return done };
        if let Err(error) = &done {
            span.fail(error.code().to_string());
        }
        span.end();
        done
    }
}

/// Work that ends at its next await point when `stop` is cancelled.
pub async fn until_stopped(
    stop: &CancellationToken,
    work: impl Future<Output = Result<()>>,
) -> Result<()> {
    stop.run_until_cancelled(work).await.unwrap_or(Ok(()))
}
