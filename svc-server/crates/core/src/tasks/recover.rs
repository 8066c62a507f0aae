//! Continues webhook recoveries, including those begun before a restart, and lets deliveries follow their webhooks
//! where they are many.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::Result;
use svc_types::{Timestamp, WebhookId};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::services::webhook::{recover, settle};
use crate::tasks::{self, Task};

/// Continues webhook recoveries, and updates deliveries of changed webhooks.
const TASK: Task = Task {
    name: "recover",
    every: Duration::from_secs(1),
    failure: "failed to continue webhook recoveries",
};

/// Continues recoveries until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    TASK.repeat(&app, &stop, || tasks::until_stopped(&stop, once(&app))).await;
}

/// Lets all deliveries follow their webhooks, and runs all recoveries to their end.
pub async fn once(app: &Arc<App>) -> Result<()> {
    update_deliveries(app).await?;
    while step(app).await? {}
    Ok(())
}

/// Lets all deliveries follow their webhooks. A webhook that fails is logged, and tried again by the next round.
async fn update_deliveries(app: &Arc<App>) -> Result<()> {
    let mut after = (Timestamp::from_millis(0), WebhookId::from(""));
    loop {
        let from = after.clone();
        let next = app.read(move |ctx| settle::next(ctx, &from)).await?;
        let Some(next) = next else { return Ok(()) };
        if let Err(error) = update_deliveries_of(app, &next.1).await {
            tracing::error!(%error, webhook = %next.1, "failed to hold, resume or cancel deliveries");
        }
        after = next;
    }
}

/// Lets all deliveries follow this webhook.
async fn update_deliveries_of(app: &Arc<App>, webhook: &WebhookId) -> Result<()> {
    loop {
        let id = webhook.clone();
        if !app.write(move |ctx| settle::go_on(ctx, &id)).await? {
            return Ok(());
        }
    }
}

/// Queues the next events of each recovery; returns whether any is running. One that fails is skipped;
/// then the step fails after the others.
pub async fn step(app: &Arc<App>) -> Result<bool> {
    let running = app.read(recover::running).await?;
    let (is_any, mut moved) = (!running.is_empty(), Ok(()));
    for id in running {
        moved = moved.and(app.write(move |ctx| recover::go_on(ctx, &id)).await);
    }
    moved.map(|()| is_any)
}
