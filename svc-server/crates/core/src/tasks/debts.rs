//! Debts: income pays them, and what their debtors have ordered is called off.

use std::sync::Arc;

use svc_store::error::Result;
use svc_types::UserId;

use crate::app::App;
use crate::services::billing::debt;

/// Collects what is owed, an account at a time. Where nothing is sold nobody owes, and nothing is asked.
pub async fn sweep(app: &Arc<App>) -> Result<()> {
    if !app.config.sells_credits() {
        return Ok(());
    }
    for debtor in app.read(debt::collectable).await? {
        if let Err(error) = collect(app, debtor.clone()).await {
            tracing::error!(%error, %debtor, "failed to collect a debt");
        }
    }
    Ok(())
}

/// Each escrow is called off in its own transaction, as its own parties are locked.
async fn collect(app: &Arc<App>, debtor: UserId) -> Result<()> {
    let user = debtor.clone();
    for id in app.read(move |ctx| debt::funded(ctx, &user)).await? {
        app.write(move |ctx| debt::call_off(ctx, &id)).await?;
    }
    app.write(move |ctx| debt::collect(ctx, &debtor).map(|_| ())).await
}
