//! Tiers that time changes: a pass ends, or a seat was not renewed.

use std::sync::Arc;

use svc_store::error::Result;
use svc_types::UserId;

use crate::app::{App, Ctx};
use crate::services::tier;

/// Stores the tiers that time has changed, an account at a time. One that fails is logged, and tried
/// again by the next sweep.
pub async fn sweep(app: &Arc<App>) -> Result<()> {
    refresh_all(app, tier::due).await
}

/// Restores tiers that ended while the clock was far ahead, although they are paid for longer.
pub async fn give_back(app: &Arc<App>) -> Result<()> {
    refresh_all(app, tier::ended_early).await
}

/// Stores the tiers of accounts until none is found, or none can be stored.
async fn refresh_all(
    app: &Arc<App>,
    find: fn(&mut Ctx<'_, '_>) -> Result<Vec<UserId>>,
) -> Result<()> {
    loop {
        let found = app.read(find).await?;
        let mut stored = 0;
        for account in found {
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
