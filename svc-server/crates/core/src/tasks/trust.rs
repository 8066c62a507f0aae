//! Reviews which accounts have earned trust, and deletes budgets that are full again.
//!
//! No leader is needed: deals are collected once, by any of them, and a review that is repeated
//! changes nothing.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::Result;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::services::{budget, trust};
use crate::tasks::{self, Task};

/// Reviews the trust of accounts, and deletes full budgets.
const TASK: Task = Task {
    name: "trust",
    every: Duration::from_hours(6),
    failure: "failed to review the trust of accounts",
};

/// Reviews now, for a server that is often restarted, and from then on until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    let work = || tasks::until_stopped(&stop, once(&app));
    TASK.round(&app, work()).await;
    TASK.repeat(&app, &stop, work).await;
}

/// Collects the deals that were settled since, and reviews all accounts that ever dealt. Then it deletes
/// the budgets that are full again: there is one for each sender and recipient of messages. A step that fails
/// stops no other; then the round fails after them.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let collected = collect(app).await;
    let reviewed = tasks::in_batches(app, trust::review).await;
    let forgotten = forget_full_budgets(app).await;
    collected.and(reviewed).and(forgotten)
}

async fn collect(app: &Arc<App>) -> Result<()> {
    while app.write(trust::collect).await? {}
    Ok(())
}

async fn forget_full_budgets(app: &Arc<App>) -> Result<()> {
    let mut after = Some((String::new(), String::new()));
    while let Some(from) = after {
        after = app.write(move |ctx| budget::forget_full(ctx, &from)).await?;
    }
    Ok(())
}
