//! The loop that empties the queue.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use svc_core::app::Ctx;
use svc_core::services::billing::queue::{self, Claim, Kind};
use svc_core::services::billing::state;
use svc_core::tasks::Task;
use svc_store::error::Result;
use svc_types::Timestamp;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{
    Billing, Problem, bills, events, make, objects, outlive, payout, subscriptions, wait_max,
};
use crate::app::ServerApp;

/// Asks Stripe for the payments, refunds and payouts that are due, and applies what it answers.
const TASK: Task = Task {
    name: "billing",
    every: Duration::from_secs(1),
    failure: "payments could not be processed",
};

/// Objects that are worked on at once. The next ones wait for the slowest of them.
const AT_ONCE: usize = 8;

/// Works until `stop` is cancelled. What has begun is finished first.
pub async fn run(app: Arc<ServerApp>, stop: CancellationToken) {
    let Some(billing) = app.billing() else { return };
    TASK.repeat(&app, &stop, || round(&app, billing, &stop)).await;
}

/// Works on everything that is due.
pub async fn once(app: &Arc<ServerApp>) -> Result<()> {
    match app.billing() {
        Some(billing) => round(app, billing, &CancellationToken::new()).await,
        None => Ok(()),
    }
}

/// Works on one object now, if it is due and no other node does, and waits for that as long as a request
/// can. The work goes on when the request has ended: a call that was cut off would not be made again
/// before its lease is over.
pub async fn work_on(app: &Arc<ServerApp>, id: &str) {
    let (ours, named) = (Arc::clone(app), id.to_owned());
    let work = async move { lease_and_work(&ours, &named).await };
    // What is not done by then is seen from the object.
    let _ = outlive(Instant::now() + wait_max(app), work).await;
}

/// Works on one object. What goes wrong is logged, and tried again later.
async fn lease_and_work(app: &Arc<ServerApp>, id: &str) {
    let Some(billing) = app.billing() else { return };
    let named = id.to_owned();
    let worked = async {
        let claim = app.write(move |ctx| queue::lease_one(ctx, &named)).await?;
        match claim {
            Some(claim) => work(app, billing, claim).await,
            None => Ok(()),
        }
    };
    if let Err(error) = worked.await {
        tracing::warn!(%error, id, "a payment could not be processed");
    }
}

async fn round(app: &Arc<ServerApp>, billing: &Billing, stop: &CancellationToken) -> Result<()> {
    let _working = billing.working.lock().await;
    let status = app.read(Status::read).await?;
    status.record();
    if status.is_poll_due {
        events::poll(app, billing).await?;
    }
    while !stop.is_cancelled() && app.read(queue::is_any_due).await? {
        let claims = app.write(lease_some).await?;
        if claims.is_empty() {
            break;
        }
        let worked = claims.into_iter().map(|claim| work(app, billing, claim));
        join_all(worked).await.into_iter().collect::<Result<()>>()?;
    }
    Ok(())
}

/// How the work with Stripe goes.
struct Status {
    is_poll_due: bool,
    /// Objects whose work fails repeatedly.
    failing: i64,
    /// Up to when events were read.
    events_read: Option<Timestamp>,
}

impl Status {
    fn read(ctx: &mut Ctx<'_, '_>) -> Result<Self> {
        let (is_poll_due, failing) = (state::is_poll_due(ctx)?, queue::failing(ctx)?);
        Ok(Self { is_poll_due, failing, events_read: state::events_read(ctx)? })
    }

    /// Records what shows that Stripe does not answer, or refuses: otherwise only those who paid would notice.
    fn record(&self) {
        let failing = u32::try_from(self.failing).unwrap_or(u32::MAX);
        metrics::gauge!("svc_billing_failing").set(f64::from(failing));
        let read = self.events_read.unwrap_or_else(|| Timestamp::from_millis(0));
        let since = read.since(Timestamp::from_millis(0));
        metrics::gauge!("svc_billing_read_timestamp_seconds").set(since.as_secs_f64());
    }
}

fn lease_some(ctx: &mut Ctx<'_, '_>) -> Result<Vec<Claim>> {
    let mut claims = Vec::with_capacity(AT_ONCE);
    while claims.len() < AT_ONCE
        && let Some(claim) = queue::lease(ctx)?
    {
        claims.push(claim);
    }
    Ok(claims)
}

/// Works on a leased object, or notes why that failed. An error is one of our own database.
async fn work(app: &Arc<ServerApp>, billing: &Billing, claim: Claim) -> Result<()> {
    let done = match claim.kind {
        Kind::Payment => make::page(app, billing, &claim).await,
        Kind::NewRefund => make::refund(app, billing, &claim).await,
        Kind::Session => objects::apply_session(app, billing, &claim).await,
        Kind::Charge => objects::apply_charge(app, billing, &claim).await,
        Kind::Refund => objects::apply_refund(app, billing, &claim).await,
        Kind::Dispute => objects::apply_dispute(app, billing, &claim).await,
        Kind::NewSubscription => subscriptions::page(app, billing, &claim).await,
        Kind::Subscription => subscriptions::apply(app, billing, &claim).await,
        Kind::SubscriptionChange => subscriptions::change(app, billing, &claim).await,
        Kind::Invoice => bills::apply(app, billing, &claim).await,
        Kind::NewAccount => payout::account(app, billing, &claim).await,
        Kind::Account => payout::apply_account(app, billing, &claim).await,
        Kind::NewTransfer => payout::transfer(app, billing, &claim).await,
        Kind::Transfer => payout::apply_transfer(app, billing, &claim).await,
    };
    let outcome = if done.is_ok() { "done" } else { "failed" };
    metrics::counter!("svc_billing_objects_total", "outcome" => outcome).increment(1);
    let Err(problem) = done else { return Ok(()) };
    if problem.is_missing() {
        tracing::warn!(id = claim.id, "Stripe has no such object");
        return app.write(move |ctx| queue::finish(ctx, &claim)).await;
    }
    tracing::warn!(%problem, id = claim.id, kind = claim.kind.as_str(), "a payment waits");
    app.write(move |ctx| queue::fail(ctx, &claim, &problem.to_string())).await
}

/// Applies what was found, in the transaction that ends the lease.
pub(super) async fn finish<T, F>(
    app: &Arc<ServerApp>,
    claim: &Claim,
    apply: F,
) -> Result<T, Problem>
where
    T: Send + 'static,
    F: Fn(&mut Ctx<'_, '_>) -> Result<T> + Send + 'static,
{
    let claim = claim.clone();
    let job = move |ctx: &mut Ctx<'_, '_>| {
        queue::finish(ctx, &claim)?;
        apply(ctx)
    };
    Ok(app.write(job).await?)
}
