//! The security log of an account.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::services::security;
use svc_store::error::Result;
use svc_types::api::security::{ListSecurityLog, SecurityLogPage};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(list)
}

fn list(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListSecurityLog,
) -> Result<SecurityLogPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    security::page(ctx, &caller.id, &page)
}
