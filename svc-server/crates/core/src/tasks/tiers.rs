//! Tiers that time changes: a pass ends, or a seat was not paid again.

use std::sync::Arc;

use svc_store::error::Result;

use crate::app::App;
use crate::services::tier;

/// Stores the tiers that time has changed, an account at a time. One that fails is logged, and tried
/// again by the next sweep.
pub async fn sweep(app: &Arc<App>) -> Result<()> {
    loop {
        let due = app.read(tier::due).await?;
        let mut stored = 0;
        for account in due {
            let of = account.clone();
            match app.write(move |ctx| tier::sweep(ctx, &of)).await {
                Ok(()) => stored += 1,
                Err(error) => tracing::error!(%error, %account, "failed to store a tier"),
            }
        }
        if stored == 0 {
            return Ok(());
        }
    }
}
