//! Sessions of an account.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::session;
use svc_store::error::{Error, Result};
use svc_types::api::Deleted;
use svc_types::api::sessions::{DeleteOtherSessions, DeleteSession, ListSessions, SessionList};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(list).write(delete_others).allow_suspended().write(delete).allow_suspended()
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &ListSessions) -> Result<SessionList> {
    Ok(SessionList { sessions: session::list(ctx, caller)? })
}

fn delete_others(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    _: &DeleteOtherSessions,
) -> Result<Deleted> {
    caller.require_unpaused()?;
    session::end_others(ctx, caller)?;
    Ok(Deleted { deleted: true })
}

fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DeleteSession) -> Result<Deleted> {
    caller.require_unpaused()?;
    if session::end(ctx, &caller.id, &request.session_id)? {
        Ok(Deleted { deleted: true })
    } else {
        Err(Error::not_found("session"))
    }
}
