//! Takes accounts that did more than fits into a transaction out of the counts at others, and puts them back,
//! beginning within a second.
//!
//! No leader is needed: nodes take turns at the row of an account, and each goes on where the last one ended.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::Result;
use svc_types::UserId;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::services::visibility;
use crate::tasks::{self, Task};

/// Brings counts up to date that one transaction could not. After a failure, the next round goes on.
const TASK: Task = Task {
    name: "counts",
    every: Duration::from_secs(1),
    failure: "failed to bring counts up to date",
};

/// Counts until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    TASK.repeat(&app, &stop, || tasks::until_stopped(&stop, once(&app))).await;
}

/// Brings all counts up to date. An account that fails is logged, and tried again by the next round.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let mut after = (String::new(), UserId::from(""));
    loop {
        let from = after.clone();
        let next = app.read(move |ctx| visibility::next_unfinished(ctx, &from)).await?;
        let Some(next) = next else { return Ok(()) };
        if let Err(error) = finish(app, &next.1).await {
            tracing::error!(%error, account = %next.1, "failed to bring the counts of an account up to date");
        }
        after = next;
    }
}

/// Brings all counts up to date that include what this account did.
pub async fn finish(app: &Arc<App>, account: &UserId) -> Result<()> {
    loop {
        let id = account.clone();
        if !app.write(move |ctx| visibility::finish_some_of(ctx, &id)).await? {
            return Ok(());
        }
    }
}
