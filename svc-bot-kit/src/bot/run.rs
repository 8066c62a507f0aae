//! The life of a bot: it starts, starts jobs, and ends what it has begun.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{JoinError, JoinSet};

use super::builder::Bot;
use super::ingest::follow;
use super::keyed_queue::Lanes;
use super::shared::Bound;
use super::start::{Started, start};
use super::work::work;
use super::{maintenance, signals};
use crate::error::{Error, Result};
use crate::journal::Place;

/// How long a handler that is given up may take to let go; one that blocks its thread never does.
const LETTING_GO: Duration = Duration::from_secs(1);

impl Bot {
    /// Works until Ctrl-C or SIGTERM; a second one ends it at once, which is safe.
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

    /// Works until this comes true, and ends what it has begun.
    ///
    /// It fails when the platform refuses the key or the services, and when the journal fails; what
    /// is only passing it waits for. A future that is dropped ends the bot as a crash would.
    ///
    /// A handler that blocks its thread can't be given up: the bot ends without it, and so does a
    /// process, but a runtime that is dropped waits for it. Such work belongs in
    /// `tokio::task::spawn_blocking`.
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
    let _life = bot.health.until_dropped();
    let started = tokio::select! {
        started = start(bot) => started?,
        () = &mut stop => return Ok(()),
        () = crash.fired() => return Err(crashed()),
    };
    let Started { shared, listener, backlog } = started;
    let shared = Arc::new(shared);
    let mut beside = JoinSet::new();
    beside.spawn(follow(Arc::clone(&shared), listener, backlog));
    beside.spawn(maintenance::forget(shared.journal.clone(), shared.clock.clone()));
    let mut chores = JoinSet::new();
    for every in shared.hooks.every.clone() {
        chores.spawn(maintenance::repeat(Arc::clone(&shared), every));
    }
    let mut running = Running { shared, jobs: JoinSet::new(), lanes: Lanes::default(), chores };
    let ended = tokio::select! {
        ended = running.go_on(&mut beside, stop) => ended,
        () = crash.fired() => Err(crashed()),
    };
    // Nothing starts from here on.
    running.shared.health.closing();
    running.shared.stopping.send_replace(true);
    beside.shutdown().await;
    if ended.is_ok() {
        running.drain(drain).await;
    }
    running.let_go().await;
    tracing::info!("closed");
    ended
}

struct Running {
    shared: Bound,
    jobs: JoinSet<(Place, Result<()>)>,
    lanes: Lanes,
    chores: JoinSet<()>,
}

impl Running {
    /// Starts what may start, until the bot is to stop or can't go on.
    async fn go_on(
        &mut self,
        beside: &mut JoinSet<Result<()>>,
        mut stop: Pin<&mut impl Future<Output = ()>>,
    ) -> Result<()> {
        self.look().await?;
        loop {
            tokio::select! {
                () = &mut stop => return Ok(()),
                () = self.shared.news.notified() => self.look().await?,
                Some(ended) = beside.join_next() => return whole(ended),
                Some(done) = self.jobs.join_next() => self.finish(done)?,
            }
        }
    }

    /// Starts what came in and need not wait.
    async fn look(&mut self) -> Result<()> {
        for place in self.lanes.put(self.shared.journal.open_after(self.lanes.last).await?) {
            self.start(place);
        }
        Ok(())
    }

    fn start(&mut self, place: Place) {
        self.jobs.spawn(work(Arc::clone(&self.shared), place));
    }

    /// Starts the next job of the conversation.
    fn finish(&mut self, done: Result<(Place, Result<()>), JoinError>) -> Result<()> {
        let (place, result) = whole(done);
        result?;
        if let Some(next) = self.lanes.finish(&place.conversation) {
            self.start(next);
        }
        self.shared.room.notify_one();
        self.shared.health.beat();
        Ok(())
    }

    /// Lets running handlers come to their end, and what is decided be sent. Nothing else starts.
    async fn drain(&mut self, at_most: Duration) {
        let ends = async {
            while let Some(done) = self.jobs.join_next().await {
                if let (_, Err(error)) = whole(done) {
                    tracing::error!(%error, "a job could not be ended");
                }
            }
            while self.chores.join_next().await.is_some() {}
        };
        if tokio::time::timeout(at_most, ends).await.is_err() {
            tracing::warn!("handlers were given up; their orders are taken up at the next start");
        }
    }

    /// Ends what still runs. What does not end then is left behind: it blocks its thread.
    async fn let_go(&mut self) {
        self.jobs.abort_all();
        self.chores.abort_all();
        let ends = async {
            while self.jobs.join_next().await.is_some() {}
            while self.chores.join_next().await.is_some() {}
        };
        if tokio::time::timeout(LETTING_GO, ends).await.is_err() {
            tracing::error!("a handler blocks its thread and is left behind");
        }
    }
}

/// What a task came to; its panic is ours.
fn whole<T>(ended: Result<T, JoinError>) -> T {
    match ended {
        Ok(value) => value,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

fn crashed() -> Error {
    Error::config("the bot was ended by a test")
}
