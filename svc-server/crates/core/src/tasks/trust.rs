//! Reviews which accounts have earned trust.
//!
//! No leader is needed: deals are collected once, by any of them, and a review that is repeated
//! changes nothing.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::Result;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::services::trust;
use crate::tasks;

/// Time between two reviews.
const EVERY: Duration = Duration::from_hours(6);

/// Reviews now, for a server that is often restarted, and from then on until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    let round = || async {
        if let Some(Err(error)) = stop.run_until_cancelled(once(&app)).await {
            tracing::warn!(%error, "failed to review the trust of accounts");
        }
    };
    round().await;
    tasks::every(EVERY, &app.clock, &stop, round).await;
}

/// Collects the deals that were settled since, and reviews all accounts that ever dealt.
pub async fn once(app: &Arc<App>) -> Result<()> {
    while app.write(trust::collect).await? {}
    let mut after = Some(String::new());
    while let Some(from) = after {
        after = app.write(move |ctx| trust::review(ctx, &from)).await?;
    }
    Ok(())
}
