//! The loop: writes down what ended, claims what is due, and sends it.

use std::sync::Arc;
use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::ids;
use svc_store::db::DatabaseUrl;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::{Timestamp, UserId, WebhookId};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::attempt::{self, Attempt};
use super::claim::{self, Claim};
use super::finish::{self, Finished};
use super::{lease, meter};
use crate::app::ServerApp;

/// Time between two looks for what is due; what is due at once is told by `news`.
const POLL: Duration = Duration::from_secs(1);

/// Time between two counts of what is under way.
const RECOUNT: Duration = Duration::from_mins(1);

/// Pause after the database failed.
const RESPITE: Duration = Duration::from_secs(1);

/// Sends until `stop` is cancelled; then what is under way ends, and that is written down.
pub async fn run(app: Arc<ServerApp>, stop: CancellationToken) {
    let mut sender = Sender::new(app);
    sender.take_back_own().await;
    loop {
        let is_stopping = stop.is_cancelled();
        if is_stopping && sender.is_idle() {
            return;
        }
        // Also when there is work without an end: what others lost must not wait for it.
        if !is_stopping && sender.app.clock.now() >= sender.next_poll {
            sender.poll().await;
        }
        sender.collect();
        if sender.has_work(is_stopping) {
            if let Err(error) = sender.work(is_stopping).await {
                tracing::warn!(%error, "webhooks could not be served");
                if is_stopping {
                    return;
                }
                sender.is_troubled = true;
                tokio::time::sleep(RESPITE).await;
            }
            continue;
        }
        sender.wait(&stop).await;
    }
}

struct Sender {
    app: Arc<ServerApp>,
    /// What our claims are known by; each process has a name of its own.
    owner: String,
    /// Calls under way.
    calls: JoinSet<Attempt>,
    /// What ended and is not yet written down.
    ended: Vec<Attempt>,
    /// Whether there may be something to claim.
    is_due: bool,
    /// Whether the last write failed; the next one claims nothing, so that what ended is kept.
    is_troubled: bool,
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
            is_due: true,
            is_troubled: false,
            next_poll: now.plus(POLL),
            next_recount: now.plus(RECOUNT),
            app,
        }
    }

    fn is_idle(&self) -> bool {
        self.calls.is_empty() && self.ended.is_empty()
    }

    /// Slots that nobody uses.
    fn free(&self) -> usize {
        let most = usize::try_from(self.app.config.webhooks.sends).unwrap_or(usize::MAX);
        most.saturating_sub(self.calls.len() + self.ended.len())
    }

    /// Takes what ended since the last time.
    fn collect(&mut self) {
        while let Some(ended) = self.calls.try_join_next() {
            self.note(ended);
        }
    }

    fn note(&mut self, ended: Result<Attempt, tokio::task::JoinError>) {
        match ended {
            Ok(attempt) => self.ended.push(attempt),
            // Its lease ends, and it is sent again.
            Err(error) => tracing::error!(%error, "a call of a webhook was cut short"),
        }
    }

    fn has_work(&self, is_stopping: bool) -> bool {
        !self.ended.is_empty() || (self.is_due && !is_stopping && self.free() > 0)
    }

    /// Writes down what ended and claims as many in the same transaction: what ended has freed the
    /// slots.
    async fn work(&mut self, is_stopping: bool) -> Result<()> {
        let ended = Arc::new(std::mem::take(&mut self.ended));
        let most = if is_stopping || self.is_troubled { 0 } else { self.free() };
        let owner = self.owner.clone();
        let kept = Arc::clone(&ended);
        let job = move |ctx: &mut Ctx<'_, '_>| -> Result<(Finished, Claim)> {
            let finished = finish::finish(ctx, &owner, &kept)?;
            let claim = if most == 0 { Claim::default() } else { claim::claim(ctx, &owner, most)? };
            Ok((finished, claim))
        };
        let (finished, claim) = match self.app.write(job).await {
            Ok(done) => done,
            Err(error) => {
                self.ended = Arc::unwrap_or_clone(ended);
                return Err(error);
            }
        };
        meter::attempts(&ended);
        meter::finished(finished.fenced, &finished.disabled);
        self.is_due = claim.is_more || self.is_troubled;
        self.is_troubled = false;
        for request in claim.parcels {
            let app = Arc::clone(&self.app);
            self.calls.spawn(async move { attempt::make(&app, request).await });
        }
        meter::in_flight(self.calls.len());
        Ok(())
    }

    /// Waits until something ended, something is due, or it is time for a look.
    async fn wait(&mut self, stop: &CancellationToken) {
        let is_stopping = stop.is_cancelled();
        let clock = self.app.clock.clone();
        tokio::select! {
            Some(ended) = self.calls.join_next() => self.note(ended),
            () = self.app.post_commit.deliveries(), if !is_stopping => self.is_due = true,
            () = clock.sleep_until(self.next_poll), if !is_stopping => {
                self.poll().await;
            }
            () = stop.cancelled(), if !is_stopping => {}
        }
    }

    async fn poll(&mut self) {
        let now = self.app.clock.now();
        self.next_poll = now.plus(POLL);
        let looked = self.load(now).await;
        if let Err(error) = looked {
            tracing::warn!(%error, "it could not be told which webhooks are due");
        }
    }

    async fn load(&mut self, now: Timestamp) -> Result<()> {
        self.take_back(Duration::ZERO).await?;
        let (lag, open) = self.app.read(|ctx| Ok((claim::lag(ctx)?, open(ctx)?))).await?;
        self.is_due |= lag.is_some();
        meter::lag(lag);
        meter::breakers_open(open);
        if now >= self.next_recount {
            self.next_recount = now.plus(RECOUNT);
            self.recount().await?;
        }
        Ok(())
    }

    /// Takes back claims whose lease is over, or will be before so long.
    async fn take_back(&mut self, ahead: Duration) -> Result<()> {
        while self.app.read(move |ctx| lease::is_any_lost(ctx, ahead)).await? {
            let taken = self.app.write(move |ctx| lease::take_back(ctx, ahead)).await?;
            meter::lease_expired(taken);
            self.is_due = true;
        }
        Ok(())
    }

    /// At the start: a server on SQLite is the only one, so every claim is one of a process that is
    /// gone. On PostgreSQL others may be at work, and leases tell.
    async fn take_back_own(&mut self) {
        let is_alone = !matches!(self.app.config.database_url(), Ok(DatabaseUrl::Postgres(_)));
        let ahead = if is_alone { Duration::from_hours(24) } else { Duration::ZERO };
        if let Err(error) = self.take_back(ahead).await {
            tracing::warn!(%error, "claims of an earlier process could not be taken back");
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

/// Breakers that are open.
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
