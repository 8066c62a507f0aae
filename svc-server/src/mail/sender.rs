//! The loop that empties the outbox.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use svc_core::services::mail::{self, Mail, Outcome};
use svc_core::tasks::Task;
use svc_store::error::Result;
use svc_types::{Timestamp, UserId};
use tokio_util::sync::CancellationToken;

use crate::app::ServerApp;

/// Sends the mails that are due.
const TASK: Task =
    Task { name: "mail", every: Duration::from_secs(1), failure: "mails could not be processed" };

/// A lease lasts several times as long as handing in a mail, so that a slow try is not repeated.
const LEASE_TIMES: u32 = 3;

/// Sends mails until `stop` is cancelled. Mails that are being handed in are recorded first.
pub async fn run(app: Arc<ServerApp>, stop: CancellationToken) {
    if !mail::is_on(&app) {
        return;
    }
    for outcome in [Outcome::Accepted, Outcome::Failed, Outcome::Refused] {
        // Prometheus sees no increase in a counter that appears with its first mail.
        count(outcome, 0);
    }
    TASK.repeat(&app, &stop, || round(&app, &stop)).await;
}

/// Sends all mails that are due.
pub async fn once(app: &Arc<ServerApp>) -> Result<()> {
    round(app, &CancellationToken::new()).await
}

/// Sends mails in batches until none is due.
async fn round(app: &Arc<ServerApp>, stop: &CancellationToken) -> Result<()> {
    let _sending = app.mailer.sending.lock().await;
    write_entry_mails(app, stop).await?;
    while !stop.is_cancelled() && app.read(mail::is_any_due).await? {
        let lease = app.config.mail.timeout * LEASE_TIMES;
        let claim = app.write(move |ctx| mail::claim(ctx, lease)).await?;
        let sent = join_all(claim.mails.into_iter().map(|mail| send(app, mail))).await;
        record_all(app, sent).await?;
        if !claim.is_more {
            break;
        }
    }
    Ok(())
}

/// Writes the mails about security logs that are due. One that can't be written is logged, and tried again by the next
/// round: neither the others nor links to reset a password wait for it.
async fn write_entry_mails(app: &Arc<ServerApp>, stop: &CancellationToken) -> Result<()> {
    let mut after = (Timestamp::from_millis(0), UserId::from(""));
    while !stop.is_cancelled() {
        let from = after.clone();
        let due = app.read(move |ctx| mail::due_entry_mails(ctx, &from)).await?;
        let Some(last) = due.last() else { break };
        after = last.clone();
        for (_, account) in due {
            let to = account.clone();
            if let Err(error) = app.write(move |ctx| mail::write_entry_mail(ctx, &to)).await {
                tracing::error!(%error, %account, "failed to write a mail about a security log");
            }
        }
    }
    Ok(())
}

/// Records the outcome of mails. One that can't be recorded will be sent again; the others need not be.
async fn record_all(app: &Arc<ServerApp>, sent: Vec<(Arc<Mail>, Outcome)>) -> Result<()> {
    let mut recorded = Ok(());
    for (mail, outcome) in sent {
        let one = app.write(move |ctx| mail::record(ctx, &mail, outcome)).await;
        recorded = recorded.and(one);
    }
    recorded
}

async fn send(app: &Arc<ServerApp>, mail: Mail) -> (Arc<Mail>, Outcome) {
    let outcome = app.mailer.send(&mail).await;
    count(outcome, 1);
    (Arc::new(mail), outcome)
}

fn count(outcome: Outcome, mails: u64) {
    metrics::counter!("svc_mails_total", "outcome" => word(outcome)).increment(mails);
}

const fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Accepted => "accepted",
        Outcome::Failed => "failed",
        Outcome::Refused => "refused",
    }
}
