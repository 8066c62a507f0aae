//! Accounts that wait for a moderator's approval.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::services::account::Record;
use svc_core::services::{account, approval};
use svc_store::error::{Error, Result};
use svc_types::Handle;
use svc_types::api::Deleted;
use svc_types::api::signups::{ApproveSignup, ListSignups, RejectSignup, SignupPage};
use svc_types::api::users::UserEnvelope;

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(list).write(approve).write(reject)
}

fn list(ctx: &mut Ctx<'_, '_>, _: &Account, request: &ListSignups) -> Result<SignupPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let mut records = approval::list(ctx, &page)?;
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    let signups = records.into_iter().map(approval::Record::into_api).collect();
    Ok(SignupPage { signups, next_cursor })
}

fn approve(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ApproveSignup,
) -> Result<UserEnvelope> {
    let id = named(ctx, &request.user_id)?.id;
    approval::approve(ctx, caller.id.as_str(), &id)?;
    let record = named(ctx, &Handle::from(id))?;
    Ok(UserEnvelope { user: account::seen(ctx, Some(caller), record)? })
}

fn reject(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &RejectSignup) -> Result<Deleted> {
    let id = named(ctx, &request.user_id)?.id;
    approval::reject(ctx, caller.id.as_str(), &id)?;
    Ok(Deleted { deleted: true })
}

/// The account with this username or id.
fn named(ctx: &mut Ctx<'_, '_>, handle: &Handle) -> Result<Record> {
    account::find(ctx, handle.as_str())?.ok_or_else(|| Error::not_found("account"))
}
