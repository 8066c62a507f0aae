//! Continues webhook recoveries, including those begun before a restart, and lets deliveries follow their webhooks
//! where they are many.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::Result;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::services::webhook::{recover, settle};
use crate::tasks::{self, Task};

/// What is done in the background.
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
    while app.read(settle::is_any).await? {
        app.write(settle::go_on).await?;
    }
    while step(app).await? {}
    Ok(())
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
