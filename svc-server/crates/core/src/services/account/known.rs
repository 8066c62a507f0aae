//! Accounts that those who dealt with them still find while a suspension or a deletion hides them.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::{Id, UserId};

use super::{find, unknown};
use crate::app::Ctx;
use crate::identity::Account;

/// The account with this name or id that `viewer` may know of, or that `is_known` to them although it is hidden;
/// else 404.
pub fn find_known(
    ctx: &mut Ctx<'_, '_>,
    handle: &str,
    viewer: &Account,
    is_known: impl FnOnce(&mut Ctx<'_, '_>, &UserId) -> Result<bool>,
) -> Result<UserId> {
    if let Some(found) = find(ctx, handle)?
        && found.is_visible_to(Some(viewer))
    {
        return Ok(found.id);
    }
    if let Some(id) = id_of(ctx, handle)?
        && is_known(ctx, &id)?
    {
        return Ok(id);
    }
    Err(unknown(handle))
}

/// The account with this name or id for moderators, who filter by the names of deleted accounts, too; else 404.
pub fn find_for_moderators(ctx: &mut Ctx<'_, '_>, handle: &str) -> Result<UserId> {
    match find(ctx, handle)? {
        Some(found) => Ok(found.id),
        None => id_of(ctx, handle)?.ok_or_else(|| unknown(handle)),
    }
}

/// The id of the account with this username, ignoring case, or this id, even if it is deleted.
fn id_of(ctx: &mut Ctx<'_, '_>, handle: &str) -> Result<Option<UserId>> {
    if handle.starts_with(UserId::PREFIX) {
        return ctx.tx.optional(sql!("select id from account where id = $1"), values![handle]);
    }
    let sql = sql!("select id from account where username = $1");
    ctx.tx.optional(sql, values![handle.to_lowercase()])
}
