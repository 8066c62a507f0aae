//! What another process took away: an operator suspends accounts by a command beside the server,
//! whose transactions this process does not see.

use std::sync::Arc;
use std::time::Duration;

use svc_core::app::{App, Ctx};
use svc_store::db::{SLOTS, slots};
use svc_store::error::Result;
use svc_store::sql;
use svc_types::UserId;
use tokio::sync::watch;

use super::hub::Hub;

/// Time between two looks at the accounts with a session.
const EVERY: Duration = Duration::from_secs(10);

/// Looks until `stop` turns true.
pub(super) async fn run(app: Arc<App>, hub: Arc<Hub>, mut stop: watch::Receiver<bool>) {
    loop {
        let next = app.clock.now().plus(EVERY);
        tokio::select! {
            () = app.clock.sleep_until(next) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
        for some in hub.accounts().chunks(SLOTS).map(<[UserId]>::to_vec) {
            match app.read(move |ctx| gone(ctx, &some)).await {
                Ok(gone) => gone.iter().for_each(|account| hub.end(account)),
                Err(error) => tracing::warn!(%error, "accounts with sessions could not be read"),
            }
        }
    }
}

/// Those of them that may no longer connect.
fn gone(ctx: &mut Ctx<'_, '_>, accounts: &[UserId]) -> Result<Vec<UserId>> {
    let sql = sql!(concat!(
        "select id from account
         where (status = 'suspended' or deleted_at is not null) and id in (",
        slots!(1),
        ")"
    ));
    ctx.tx.all(sql, &slots(accounts))
}
