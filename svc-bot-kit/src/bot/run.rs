//! The life of a bot: it starts, starts jobs, and ends what it has begun.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{JoinError, JoinSet};

use super::builder::Bot;
use super::lanes::Lanes;
use super::shared::Bound;
use super::source::follow;
use super::start::{Started, start};
use super::work::work;
use crate::error::{Error, Result};
use crate::journal::Place;

/// Runs a bot until it is to stop.
pub(super) async fn until(bot: Bot, stop: impl Future<Output = ()>) -> Result<()> {
    let mut stop = pin!(stop);
    let (crash, drain) = (bot.crash.clone(), bot.drain);
    let started = tokio::select! {
        started = start(bot) => started?,
        () = &mut stop => return Ok(()),
        () = crash.fired() => return Err(crashed()),
    };
    let Started { shared, listener, backlog } = started;
    let shared = Arc::new(shared);
    let mut source = JoinSet::new();
    source.spawn(follow(Arc::clone(&shared), listener, backlog));
    let mut running = Running { shared, jobs: JoinSet::new(), lanes: Lanes::default() };
    let ended = tokio::select! {
        ended = running.go_on(&mut source, stop) => ended,
        () = crash.fired() => Err(crashed()),
    };
    source.shutdown().await;
    if ended.is_ok() {
        running.drain(drain).await;
    }
    running.jobs.shutdown().await;
    tracing::info!("closed");
    ended
}

struct Running {
    shared: Bound,
    jobs: JoinSet<(Place, Result<()>)>,
    lanes: Lanes,
}

impl Running {
    /// Starts what may start, until the bot is to stop or can't go on.
    async fn go_on(
        &mut self,
        source: &mut JoinSet<Result<()>>,
        mut stop: Pin<&mut impl Future<Output = ()>>,
    ) -> Result<()> {
        self.look().await?;
        loop {
            tokio::select! {
                () = &mut stop => return Ok(()),
                () = self.shared.news.notified() => self.look().await?,
                Some(ended) = source.join_next() => return whole(ended),
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
        Ok(())
    }

    /// Lets running handlers come to their end, and what is decided be sent. Nothing else starts.
    async fn drain(&mut self, at_most: Duration) {
        self.shared.stopping.send_replace(true);
        let ends = async {
            while let Some(done) = self.jobs.join_next().await {
                if let (_, Err(error)) = whole(done) {
                    tracing::error!(%error, "a job could not be ended");
                }
            }
        };
        if tokio::time::timeout(at_most, ends).await.is_err() {
            tracing::warn!("handlers were given up; their orders are taken up at the next start");
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
