//! Pending changes of accounts.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::pending;
use svc_store::error::{Error, Result};
use svc_types::api::Deleted;
use svc_types::api::pending::{
    CancelPendingChange, ListPendingChanges, PendingChangeList, UndoPendingChange, Undone,
};

use crate::app::ServerApp;
use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(list).write(cancel).allow_suspended().answer(undo)
}

fn list(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    _: &ListPendingChanges,
) -> Result<PendingChangeList> {
    pending::list(ctx, caller)
}

fn cancel(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CancelPendingChange,
) -> Result<Deleted> {
    caller.require_unpaused()?;
    if pending::cancel(ctx, caller, &request.pending_id)? {
        Ok(Deleted { deleted: true })
    } else {
        Err(Error::not_found("pending change"))
    }
}

async fn undo(app: Arc<ServerApp>, request: UndoPendingChange) -> Result<Undone> {
    let token = request.token.expose().to_owned();
    if app.write(move |ctx| pending::undo(ctx, &token)).await? {
        Ok(Undone { undone: true })
    } else {
        Err(Error::not_found("pending change"))
    }
}
