//! What an account allowed other programs to do.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::oauth::grant;
use svc_store::error::{Error, Result};
use svc_types::api::Deleted;
use svc_types::api::grants::{DeleteGrant, GrantList, ListGrants};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(list).write(delete).allow_suspended()
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &ListGrants) -> Result<GrantList> {
    Ok(GrantList { grants: grant::list(ctx, &caller.id)? })
}

fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DeleteGrant) -> Result<Deleted> {
    caller.require_unpaused()?;
    if grant::end(ctx, &caller.id, &request.grant_id)? {
        return Ok(Deleted { deleted: true });
    }
    Err(Error::not_found("grant"))
}
