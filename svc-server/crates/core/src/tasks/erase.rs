//! Erases the data of deleted accounts once their grace period is over.
//!
//! No leader is needed because every step is idempotent. A round that a stop interrupts starts
//! again with the next one.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::{Error, Result};
use tokio_util::sync::CancellationToken;

use super::index;
use crate::app::App;
use crate::services::erasure::{self, Gone, STEPS};
use crate::tasks;

/// Time between two rounds.
const EVERY: Duration = Duration::from_mins(10);

/// Erases accounts until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    tasks::every(EVERY, &app.clock, &stop, || async {
        if let Some(Err(error)) = stop.run_until_cancelled(once(&app)).await {
            tracing::warn!(%error, "failed to erase deleted accounts");
        }
    })
    .await;
}

/// Erases all accounts that are due, and removes the deleted rows from the database files.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let mut is_any = false;
    loop {
        let due = app.read(erasure::due).await?;
        if due.is_empty() {
            break;
        }
        is_any = true;
        for gone in due {
            erase(app, gone).await?;
        }
    }
    if is_any {
        // Erasure only queues the texts for indexing; the index drops their words here.
        index::once(app).await?;
        let mut is_first = true;
        while app.write(move |ctx| ctx.tx.tidy_index(is_first)).await? {
            is_first = false;
        }
    }
    let db = app.db.clone();
    tokio::task::spawn_blocking(move || db.empty_log()).await.map_err(Error::internal)?
}

async fn erase(app: &Arc<App>, gone: Gone) -> Result<()> {
    let account = gone.clone();
    if !app.write(move |ctx| erasure::begin(ctx, &account)).await? {
        return Ok(());
    }
    for step in STEPS {
        let mut after = Some(String::new());
        while let Some(from) = after {
            let gone = gone.clone();
            after = app.write(move |ctx| step(ctx, &gone, &from)).await?;
        }
    }
    app.write(move |ctx| erasure::finish(ctx, &gone)).await
}
