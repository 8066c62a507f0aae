//! Payments that are not decided: sent to the chain, and looked at there until it decides.

use std::sync::Arc;
use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::services::billing::topup::{self, FINDING, Pending};
use svc_core::tasks::Task;
use svc_store::error::Result;
use svc_types::PaymentId;
use tokio_util::sync::CancellationToken;

use super::X402;
use super::chain::{Head, Seen};
use crate::app::ServerApp;

/// Sends payments with tokens to the chain, and looks there for their outcome.
const TASK: Task = Task {
    name: "x402",
    every: Duration::from_secs(1),
    failure: "payments with tokens could not be processed",
};

/// Works until `stop` is cancelled.
pub async fn run(app: Arc<ServerApp>, stop: CancellationToken) {
    if app.x402().is_none() {
        return;
    }
    TASK.repeat(&app, &stop, || once(&app)).await;
}

/// Works on the payments that are due. One that fails is tried again later; then the round fails after the others.
pub async fn once(app: &Arc<ServerApp>) -> Result<()> {
    let Some(x402) = app.x402() else { return Ok(()) };
    let _round = x402.round.lock().await;
    if !app.read(topup::is_any_due).await? {
        return Ok(());
    }
    let mut worked = Ok(());
    for id in app.write(topup::take_due).await? {
        let done = work_on(app, x402, &id, Work::Send).await;
        if let Err(error) = &done {
            tracing::error!(%error, payment = %id, "a payment with tokens could not be processed");
        }
        worked = worked.and(done);
    }
    worked
}

/// What is to be done for a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Send it to the chain if that is still to be done, and look for it there.
    Send,
    /// Look for it on the chain.
    Look,
}

/// Works on a payment. An error is one of our own database.
pub(super) async fn work_on(
    app: &Arc<ServerApp>,
    x402: &X402,
    id: &PaymentId,
    work: Work,
) -> Result<()> {
    let sends = work == Work::Send;
    let asked = id.clone();
    let Some(pending) = app.read(move |ctx| topup::pending(ctx, &asked)).await? else {
        return Ok(());
    };
    if pending.network != app.config.x402.network {
        // The node would say that the tokens never came: it knows another chain.
        let network = &pending.network;
        tracing::warn!(payment = %id, %network, "a payment waits until x402.network names its chain again");
        return if sends { wait(app, pending, false).await } else { Ok(()) };
    }
    if decide(app, x402, &pending).await? || !sends {
        return Ok(());
    }
    let Some(signed) = &pending.signed else { return wait(app, pending, false).await };
    let sent = x402.facilitator.settle(signed).await;
    if let Err(why) = &sent {
        count_failure();
        tracing::warn!(why, payment = %id, "whether a payment was sent to the chain is unknown");
    }
    if decide(app, x402, &pending).await? { Ok(()) } else { wait(app, pending, sent.is_ok()).await }
}

async fn wait(app: &ServerApp, pending: Pending, is_answered: bool) -> Result<()> {
    app.write(move |ctx| topup::wait(ctx, &pending, is_answered)).await
}

/// Applies what the chain has decided; whether it has.
async fn decide(app: &ServerApp, x402: &X402, pending: &Pending) -> Result<bool> {
    let looked = async {
        let head = x402.chain.head().await?;
        Ok::<_, String>((head, x402.chain.find_payment(pending, head).await?))
    };
    let id = pending.id.clone();
    match looked.await {
        Ok((_, Seen::Paid(chain_tx))) => {
            app.write(move |ctx: &mut Ctx<'_, '_>| topup::pay(ctx, &id, &chain_tx)).await?;
            Ok(true)
        }
        Ok((head, Seen::Nothing)) if is_over(pending, head) => {
            app.write(move |ctx| topup::fail(ctx, &id)).await?;
            Ok(true)
        }
        Ok(_) => Ok(false),
        Err(why) => {
            count_failure();
            tracing::warn!(why, payment = %id, "the chain can't be asked about a payment");
            Ok(false)
        }
    }
}

/// Counts a payment whose facilitator or chain did not answer: it stays open, and only its buyer would notice.
fn count_failure() {
    metrics::counter!("svc_x402_failures_total").increment(1);
}

/// Whether no later block can bring the tokens, by the clock of the chain.
fn is_over(pending: &Pending, head: Head) -> bool {
    let ends = u64::try_from(pending.valid_before).unwrap_or(0).saturating_add(FINDING.as_secs());
    head.timestamp >= ends
}
