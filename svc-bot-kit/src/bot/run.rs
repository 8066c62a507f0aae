//! The lifecycle of a bot: it starts, runs jobs, and drains them when it stops.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{JoinError, JoinSet};

use super::builder::Bot;
use super::ingest::follow;
use super::keyed_queue::KeyedQueue;
use super::shared::Bound;
use super::start::{Started, start};
use super::work::work;
use super::{channels, maintenance, signals};
use crate::error::{Error, Result};
use crate::journal::QueuedJob;

/// How long an aborted handler may take to end; one that blocks its thread never ends.
const ABORT_TIMEOUT: Duration = Duration::from_secs(1);

impl Bot {
    /// Runs the bot until Ctrl-C or SIGTERM. A second signal stops it immediately, which is safe.
    ///
    /// See [`run_until`](Self::run_until) for errors.
    ///
    /// ```no_run
    /// # async fn show(bot: svc_bot_kit::Bot) -> svc_bot_kit::Result<()> {
    /// bot.run().await
    /// # }
    /// ```
    pub async fn run(self) -> Result<()> {
        tokio::select! {
            ended = self.run_until(signals::number(1)) => ended,
            () = signals::number(2) => Ok(()),
        }
    }

    /// Runs the bot until `stop` completes, then waits up to [`drain`](Self::drain) for running
    /// handlers and unsent answers.
    ///
    /// Dropping the returned future ends the bot as a crash would, which is safe.
    ///
    /// A handler that blocks its thread can't be aborted. The bot stops without it, and so does the
    /// process, but dropping a tokio runtime waits for it: use `tokio::task::spawn_blocking` for such
    /// work.
    ///
    /// # Errors
    /// [`Error::Config`] if the bot is misconfigured, [`Error::Client`] if the platform refuses the
    /// API key or a service, [`Error::Journal`] if the journal fails. Transient errors are retried.
    /// While the account is suspended, or paused by its owner, the bot finishes its orders and waits
    /// for new ones.
    ///
    /// A bot whose key is refused also waits for its running handlers. It sends their answers when it starts
    /// again with a key that is allowed to.
    ///
    /// ```no_run
    /// # async fn show(bot: svc_bot_kit::Bot) -> svc_bot_kit::Result<()> {
    /// bot.run_until(async { tokio::time::sleep(std::time::Duration::from_secs(60)).await }).await
    /// # }
    /// ```
    pub async fn run_until(self, stop: impl Future<Output = ()>) -> Result<()> {
        until(self, stop).await
    }
}

async fn until(bot: Bot, stop: impl Future<Output = ()>) -> Result<()> {
    let mut stop = pin!(stop);
    let (crash, drain) = (bot.crash.clone(), bot.drain);
    let _close = bot.health.close_on_drop();
    let started = tokio::select! {
        started = start(bot) => started?,
        () = &mut stop => return Ok(()),
        () = crash.fired() => return Err(crashed()),
    };
    let Started { shared, listener, channels, backlog } = started;
    let shared = Arc::new(shared);
    let mut background = JoinSet::new();
    background.spawn(follow(Arc::clone(&shared), listener, backlog));
    if let Some(channels) = channels {
        background.spawn(channels::follow(Arc::clone(&shared), channels));
    }
    background.spawn(maintenance::prune(shared.journal.clone(), shared.clock.clone()));
    let mut repeating = JoinSet::new();
    for every in shared.hooks.every.clone() {
        repeating.spawn(maintenance::repeat(Arc::clone(&shared), every));
    }
    let mut running =
        Running { shared, jobs: JoinSet::new(), queue: KeyedQueue::default(), repeating };
    let ended = tokio::select! {
        ended = running.work(&mut background, stop) => ended,
        () = crash.fired() => Err(crashed()),
    };
    // From here on no job starts.
    running.shared.health.closing();
    running.shared.stopping.send_replace(true);
    background.shutdown().await;
    // A refused key does not end running handlers: their answers wait in the journal for another key.
    if matches!(ended, Ok(()) | Err(Error::Client(_))) {
        running.drain(drain).await;
    }
    running.abort_remaining().await;
    tracing::info!("the bot has stopped");
    ended
}

struct Running {
    shared: Bound,
    jobs: JoinSet<(QueuedJob, Result<()>)>,
    queue: KeyedQueue,
    repeating: JoinSet<()>,
}

impl Running {
    /// Starts jobs until the bot stops or fails.
    async fn work(
        &mut self,
        background: &mut JoinSet<Result<()>>,
        mut stop: Pin<&mut impl Future<Output = ()>>,
    ) -> Result<()> {
        self.start_new_jobs().await?;
        loop {
            tokio::select! {
                () = &mut stop => return Ok(()),
                () = self.shared.new_jobs.notified() => self.start_new_jobs().await?,
                Some(ended) = background.join_next() => return join(ended),
                Some(done) = self.jobs.join_next() => self.finish(done)?,
            }
        }
    }

    /// Starts new jobs that need not wait for others.
    async fn start_new_jobs(&mut self) -> Result<()> {
        for job in self.queue.push(self.shared.journal.open_after(self.queue.last).await?) {
            self.start(job);
        }
        Ok(())
    }

    fn start(&mut self, job: QueuedJob) {
        self.jobs.spawn(work(Arc::clone(&self.shared), job));
    }

    /// Handles the end of a job and starts the next one of its conversation.
    fn finish(&mut self, done: Result<(QueuedJob, Result<()>), JoinError>) -> Result<()> {
        let (job, result) = join(done);
        result?;
        if let Some(next) = self.queue.finish(&job.conversation) {
            self.start(next);
        }
        self.shared.capacity.notify_one();
        self.shared.health.heartbeat();
        Ok(())
    }

    /// Waits for running handlers and unsent answers.
    async fn drain(&mut self, at_most: Duration) {
        let ends = async {
            while let Some(done) = self.jobs.join_next().await {
                if let (_, Err(error)) = join(done) {
                    tracing::error!(%error, "a job failed while the bot was stopping");
                }
            }
            while self.repeating.join_next().await.is_some() {}
        };
        if tokio::time::timeout(at_most, ends).await.is_err() {
            tracing::warn!("some handlers did not end in time; the next start resumes their jobs");
        }
    }

    /// Aborts what still runs.
    async fn abort_remaining(&mut self) {
        self.jobs.abort_all();
        self.repeating.abort_all();
        let ends = async {
            while self.jobs.join_next().await.is_some() {}
            while self.repeating.join_next().await.is_some() {}
        };
        if tokio::time::timeout(ABORT_TIMEOUT, ends).await.is_err() {
            tracing::error!("a handler blocks its thread and can't be aborted");
        }
    }
}

/// The result of a task; resumes its panic.
fn join<T>(ended: Result<T, JoinError>) -> T {
    match ended {
        Ok(value) => value,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

fn crashed() -> Error {
    Error::config("a test crashed the bot")
}
