//! Ends sessions of accounts that another process suspended or deleted: an operator's command runs
//! in a process of its own, whose commits do not reach this one.

use std::sync::Arc;
use std::time::Duration;

use svc_core::app::{App, Ctx};
use svc_core::tasks;
use svc_store::db::{SLOTS, slots};
use svc_store::error::Result;
use svc_store::sql;
use svc_types::UserId;
use tokio_util::sync::CancellationToken;

use super::hub::Hub;

/// Time between two checks of the accounts with a session.
const EVERY: Duration = Duration::from_secs(10);

/// Checks until `stop` is cancelled.
pub(super) async fn run(app: Arc<App>, hub: Arc<Hub>, stop: CancellationToken) {
    tasks::every(EVERY, &app.clock, &stop, || async {
        for chunk in hub.accounts().chunks(SLOTS).map(<[UserId]>::to_vec) {
            match app.read(move |ctx| gone(ctx, &chunk)).await {
                Ok(gone) => gone.iter().for_each(|account| hub.end(account)),
                Err(error) => tracing::warn!(%error, "failed to read the accounts with sessions"),
            }
        }
    })
    .await;
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
