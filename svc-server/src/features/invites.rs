//! Invites of accounts.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::services::invite;
use svc_store::error::{Error, Result};
use svc_types::api::Deleted;
use svc_types::api::invites::{
    CreateInvite, DeleteInvite, INVITE_LIFE, InvitePage, ListInvites, NewInvite,
};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(list).write(create).write(delete)
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &ListInvites) -> Result<InvitePage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let mut records = invite::list(ctx, &caller.id, &page)?;
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    let invites = records.into_iter().map(invite::Record::into_api).collect();
    Ok(InvitePage { invites, next_cursor })
}

fn create(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &CreateInvite) -> Result<NewInvite> {
    if request.expires_in.is_some_and(|life| !INVITE_LIFE.contains(&life)) {
        return Err(Error::invalid("expiresIn", "expiresIn must be from 1h to 90d"));
    }
    invite::create(ctx, caller, request.expires_in)
}

fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DeleteInvite) -> Result<Deleted> {
    invite::delete(ctx, &caller.id, &request.invite_id)?;
    Ok(Deleted { deleted: true })
}
