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

/// What is done in the background. After a failure, the next round goes on.
const TASK: Task = Task {
    name: "counts",
    every: Duration::from_secs(1),
    failure: "failed to bring counts up to date",
};

/// Counts until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    TASK.repeat(&app, &stop, || tasks::until_stopped(&stop, once(&app))).await;
}

/// Brings all counts up to date.
pub async fn once(app: &Arc<App>) -> Result<()> {
    while app.read(visibility::is_unfinished).await? {
        app.write(visibility::finish_some).await?;
    }
    Ok(())
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
