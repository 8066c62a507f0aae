//! Ends sessions that no commit of this process ends: of accounts that another process suspended or
//! deleted, as an operator's command does, and of accounts with a key that has expired.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use svc_core::app::{App, Ctx};
use svc_core::services::api_key;
use svc_core::tasks::Task;
use svc_store::db::{SLOTS, slots};
use svc_store::error::Result;
use svc_store::sql;
use svc_types::{Timestamp, UserId};
use tokio_util::sync::CancellationToken;

use super::hub::Hub;

/// Checks the accounts with a session.
const TASK: Task = Task {
    name: "recheck",
    every: Duration::from_secs(10),
    failure: "failed to check the accounts with sessions",
};

/// Checks until `stop` is cancelled.
pub(super) async fn run(app: Arc<App>, hub: Arc<Hub>, stop: CancellationToken) {
    let checked = AtomicI64::new(app.clock.now().as_millis());
    TASK.repeat(&app, &stop, || async {
        // Either is done although the other failed.
        let expired = end_expired(&app, &hub, &checked).await;
        end_gone(&app, &hub).await.and(expired)
    })
    .await;
}

/// Ends the sessions of accounts that may no longer connect.
async fn end_gone(app: &Arc<App>, hub: &Hub) -> Result<()> {
    for chunk in hub.accounts().chunks(SLOTS).map(<[UserId]>::to_vec) {
        let gone = app.read(move |ctx| gone(ctx, &chunk)).await?;
        for account in &gone {
            hub.end(account);
        }
    }
    Ok(())
}

/// Ends all sessions of accounts with a key that expired since the last check, because a session
/// does not know its key. Clients with another key connect again.
async fn end_expired(app: &Arc<App>, hub: &Hub, checked: &AtomicI64) -> Result<()> {
    let since = Timestamp::from_millis(checked.load(Ordering::Relaxed));
    let job = app.read(move |ctx| Ok((api_key::expired_since(ctx, since)?, ctx.now())));
    let (accounts, now) = job.await?;
    for account in &accounts {
        hub.end(account);
    }
    checked.store(now.as_millis(), Ordering::Relaxed);
    Ok(())
}

/// The given accounts that may no longer connect.
fn gone(ctx: &mut Ctx<'_, '_>, accounts: &[UserId]) -> Result<Vec<UserId>> {
    let sql = sql!(
        "select id from account
         where (status = 'suspended' or deleted_at is not null) and id in (",
        slots!(1),
        ")"
    );
    ctx.tx.all(sql, &slots(accounts))
}
