//! The sender loop: records finished calls, claims due deliveries and sends them.

use std::mem;
use std::slice;
use std::sync::Arc;
use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::ids;
use svc_core::tasks::FailureLog;
use svc_store::db::DatabaseUrl;
use svc_store::error::{Error, Result};
use svc_store::panics::{self, caught};
use svc_store::{sql, values};
use svc_types::{Timestamp, UserId, WebhookId};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::attempt::{self, Attempt};
use super::claim::{self, Claim};
use super::finish::{self, Finished};
use super::{lease, meter};
use crate::app::ServerApp;

/// Time between two polls for due deliveries. New ones of this server wake the loop at once.
const POLL: Duration = Duration::from_secs(1);

/// Time between two recounts of running calls.
const RECOUNT: Duration = Duration::from_mins(1);

/// Deliveries that are counted as waiting: all nodes count each second.
const WAITING_MAX: i64 = 10_000;

/// Pause after a database error.
const ERROR_PAUSE: Duration = Duration::from_secs(1);

/// Sends until `stop` is cancelled, then lets running calls finish and records them.
pub async fn run(app: Arc<ServerApp>, stop: CancellationToken) {
    let mut sender = Sender::new(app);
    sender.take_back_stale().await;
    loop {
        let is_stopping = stop.is_cancelled();
        if is_stopping && sender.is_idle() {
            return;
        }
        // Calls that a panic lost are made again once their leases end.
        let turn = caught(sender.turn(&stop)).await;
        if let Err(error) = &turn {
            tracing::error!(%error, "webhook deliveries could not be processed");
        }
        if !turn.unwrap_or(false) {
            if is_stopping {
                return;
            }
            sender.write_failed = true;
            tokio::time::sleep(ERROR_PAUSE).await;
        }
    }
}

/// Sends what is due and records it, until nothing is due.
pub async fn send_due(app: Arc<ServerApp>) -> Result<()> {
    let mut sender = Sender::new(app);
    loop {
        sender.work(false).await?;
        if sender.calls.is_empty() {
            return Ok(());
        }
        while let Some(ended) = sender.calls.join_next().await {
            sender.finish(ended);
        }
    }
}

struct Sender {
    app: Arc<ServerApp>,
    /// The owner of this process's claims, unique per process.
    owner: String,
    /// Running calls.
    calls: JoinSet<Attempt>,
    /// Finished calls that are not recorded yet.
    ended: Vec<Attempt>,
    /// Finished calls that can't be recorded, not even one by one. They are tried until their leases end.
    stuck: Vec<Attempt>,
    /// Whether deliveries may be due.
    is_due: bool,
    /// Whether the last write failed. The next one only records, so that finished calls are not
    /// lost.
    write_failed: bool,
    failures: FailureLog,
    next_poll: Timestamp,
    next_recount: Timestamp,
}

impl Sender {
    fn new(app: Arc<ServerApp>) -> Self {
        let now = app.clock.now();
        let owner = format!("srv_{:032x}", u128::from_le_bytes(ids::random()));
        Self {
            owner,
            calls: JoinSet::new(),
            ended: Vec::new(),
            stuck: Vec::new(),
            is_due: true,
            write_failed: false,
            failures: FailureLog::default(),
            next_poll: now.plus(POLL),
            next_recount: now.plus(RECOUNT),
            app,
        }
    }

    fn is_idle(&self) -> bool {
        self.calls.is_empty() && self.ended.is_empty()
    }

    /// The number of free slots.
    fn free(&self) -> usize {
        let most = usize::try_from(self.app.config.webhooks.sends).unwrap_or(usize::MAX);
        most.saturating_sub(self.calls.len() + self.ended.len() + self.stuck.len())
    }

    /// Collects the calls that finished since the last time.
    fn collect(&mut self) {
        while let Some(ended) = self.calls.try_join_next() {
            self.finish(ended);
        }
    }

    fn finish(&mut self, ended: Result<Attempt, tokio::task::JoinError>) {
        match ended {
            Ok(attempt) => self.ended.push(attempt),
            // Its lease ends, and it is sent again.
            Err(lost) => {
                let error = panics::failure("a webhook call panicked");
                tracing::error!(%error, %lost, "a webhook call was aborted");
            }
        }
    }

    fn has_work(&self, is_stopping: bool) -> bool {
        !self.ended.is_empty() || (self.is_due && !is_stopping && self.free() > 0)
    }

    /// Does what there is to do, or waits for it; whether that succeeded.
    async fn turn(&mut self, stop: &CancellationToken) -> Result<bool> {
        let is_stopping = stop.is_cancelled();
        // Poll under constant load too: expired claims of other servers must not starve.
        if !is_stopping && self.app.clock.now() >= self.next_poll {
            self.poll().await;
        }
        self.collect();
        if self.has_work(is_stopping) {
            let worked = self.work(is_stopping).await;
            self.log(&worked, "webhook deliveries could not be processed");
            return Ok(worked.is_ok());
        }
        self.wait(stop).await;
        Ok(true)
    }

    /// Records finished calls and claims new ones in the same transaction, because the finished
    /// ones free the slots.
    async fn work(&mut self, is_stopping: bool) -> Result<()> {
        let ended = Arc::new(mem::take(&mut self.ended));
        let most = if is_stopping || self.write_failed { 0 } else { self.free() };
        let owner = self.owner.clone();
        let finished_calls = Arc::clone(&ended);
        let job = move |ctx: &mut Ctx<'_, '_>| -> Result<(Finished, Claim)> {
            let finished = finish::finish(ctx, &owner, &finished_calls)?;
            let claim = if most == 0 { Claim::default() } else { claim::claim(ctx, &owner, most)? };
            Ok((finished, claim))
        };
        match self.app.write(job).await {
            Ok((finished, claim)) => {
                note(&ended, &finished);
                self.begin(claim);
                Ok(())
            }
            Err(error) => {
                self.ended = Arc::unwrap_or_clone(ended);
                // What fails twice may be the fault of one call.
                let is_fault = self.write_failed && matches!(error, Error::Internal(_));
                if is_fault { self.record_each().await } else { Err(error) }
            }
        }
    }

    /// Makes the calls that were claimed.
    fn begin(&mut self, claim: Claim) {
        self.is_due = claim.is_more || self.write_failed;
        self.write_failed = false;
        for request in claim.requests {
            let app = Arc::clone(&self.app);
            self.calls.spawn(async move { attempt::make(&app, request).await });
        }
        meter::in_flight(self.calls.len());
    }

    /// Records finished calls one by one, so that one which can't be recorded holds up no other, and no claim.
    async fn record_each(&mut self) -> Result<()> {
        let mut ended = mem::take(&mut self.ended).into_iter();
        while let Some(attempt) = ended.next() {
            match self.record(&attempt).await {
                Ok(()) => {}
                Err(error @ Error::Internal(_)) => {
                    let delivery = &attempt.request.delivery;
                    tracing::error!(%error, %delivery, "a webhook call can't be recorded");
                    self.stuck.push(attempt);
                }
                Err(error) => {
                    self.ended.push(attempt);
                    self.ended.extend(ended);
                    return Err(error);
                }
            }
        }
        (self.is_due, self.write_failed) = (true, false);
        Ok(())
    }

    async fn record(&self, attempt: &Attempt) -> Result<()> {
        let (owner, one) = (self.owner.clone(), [attempt.clone()]);
        let job = move |ctx: &mut Ctx<'_, '_>| finish::finish(ctx, &owner, &one);
        let finished = self.app.write(job).await?;
        note(slice::from_ref(attempt), &finished);
        Ok(())
    }

    /// Tries to record those again that could not be. When its lease ends, a call is made again instead.
    async fn retry_stuck(&mut self) {
        let oldest = self.app.clock.now().minus(lease::time(&self.app.config));
        self.stuck.retain(|attempt| attempt.started_at > oldest);
        for attempt in mem::take(&mut self.stuck) {
            if self.record(&attempt).await.is_err() {
                self.stuck.push(attempt);
            }
        }
    }

    /// Waits until a call finishes, a delivery is due, or the next poll.
    async fn wait(&mut self, stop: &CancellationToken) {
        let is_stopping = stop.is_cancelled();
        let clock = self.app.clock.clone();
        let is_stuck = !self.stuck.is_empty();
        tokio::select! {
            Some(ended) = self.calls.join_next() => self.finish(ended),
            () = self.app.post_commit.deliveries(), if !is_stopping => self.is_due = true,
            () = clock.sleep_until(self.next_poll), if !is_stopping => {
                self.poll().await;
            }
            () = tokio::time::sleep(ERROR_PAUSE), if is_stuck => self.retry_stuck().await,
            () = stop.cancelled(), if !is_stopping => {}
        }
    }

    async fn poll(&mut self) {
        let now = self.app.clock.now();
        self.next_poll = now.plus(POLL);
        self.retry_stuck().await;
        let polled = self.poll_at(now).await;
        self.log(&polled, "failed to poll for due webhooks");
    }

    async fn poll_at(&mut self, now: Timestamp) -> Result<()> {
        // What can't be taken back holds up no delivery that is due.
        let taken = self.take_back(Duration::ZERO).await;
        let look = self.app.read(|ctx| Ok((claim::lag(ctx)?, waiting(ctx)?, open(ctx)?)));
        let (lag, waiting, open) = look.await?;
        self.is_due |= lag.is_some();
        meter::lag(lag);
        meter::waiting(waiting);
        meter::breakers_open(open);
        if now >= self.next_recount {
            self.next_recount = now.plus(RECOUNT);
            self.recount().await?;
        }
        taken
    }

    /// Takes back claims whose lease has ended, or will end within `ahead`.
    async fn take_back(&mut self, ahead: Duration) -> Result<()> {
        while self.app.read(move |ctx| lease::is_any_lost(ctx, ahead)).await? {
            let taken = self.app.write(move |ctx| lease::take_back(ctx, ahead)).await?;
            meter::lease_expired(taken);
            self.is_due = true;
        }
        Ok(())
    }

    /// At start-up, takes back claims of an earlier process. On SQLite this server is the only one,
    /// so every claim is stale, also one of a clock that was far ahead. On PostgreSQL other servers may be running, so
    /// the lease decides.
    async fn take_back_stale(&mut self) {
        let is_alone = !matches!(self.app.config.database_url(), Ok(DatabaseUrl::Postgres(_)));
        let ahead = if is_alone { Duration::MAX } else { Duration::ZERO };
        let taken = self.take_back(ahead).await;
        self.log(&taken, "failed to take back claims of an earlier process");
    }

    fn log(&mut self, done: &Result<()>, failure: &str) {
        if let Some(error) = self.failures.filter(done) {
            tracing::warn!(%error, "{failure}");
        }
    }

    async fn recount(&self) -> Result<()> {
        let mut after = (UserId::from(""), WebhookId::from(""));
        loop {
            let from = after.clone();
            let busy = self.app.read(move |ctx| lease::busy(ctx, &from)).await?;
            let Some(last) = busy.last() else { return Ok(()) };
            after = last.clone();
            self.app.write(move |ctx| lease::recount(ctx, &busy)).await?;
        }
    }
}

/// Counts calls that were recorded.
fn note(ended: &[Attempt], finished: &Finished) {
    meter::attempts(ended);
    meter::finished(finished.fenced, &finished.disabled);
}

/// Counts deliveries that wait. The order is that of the index that has no others.
fn waiting(ctx: &mut Ctx<'_, '_>) -> Result<i64> {
    ctx.tx.one(
        sql!(
            "select count(*) from (
                select 1 from webhook_delivery where state = 'pending'
                order by webhook, next_attempt_at, id limit $1
             ) waiting"
        ),
        values![WAITING_MAX],
    )
}

/// Counts open breakers.
fn open(ctx: &mut Ctx<'_, '_>) -> Result<i64> {
    let now = ctx.now();
    ctx.tx.one(
        sql!(
            "select count(*) from webhook
             where status = 'active' and due_at is not null and breaker_until > $1"
        ),
        values![now],
    )
}
