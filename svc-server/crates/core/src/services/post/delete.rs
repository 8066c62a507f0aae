//! Deleting your post.

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::Deleted;
use svc_types::{Code, PostId};

use super::record::{Record, visible};
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::{account, visibility};

/// The caller's own post, else 403.
pub fn own(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &PostId) -> Result<Record> {
    let record = visible(ctx, id, Some(caller))?;
    if record.author == caller.id {
        Ok(record)
    } else {
        Err(Error::refused(Code::Forbidden, "only its author may change a post"))
    }
}

/// The caller's post, locked until the transaction ends: of two edits at once, the later one begins with
/// what the earlier one left.
pub fn own_locked(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &PostId) -> Result<Record> {
    // The author first, as everywhere: the second change of a post shares a lock on its author.
    account::hold(ctx, &caller.id)?;
    ctx.tx.lock(sql!("select id from post where id = $1 for no key update"), values![id])?;
    own(ctx, caller, id)
}

/// Leaves a tombstone in the thread.
pub fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &PostId) -> Result<Deleted> {
    let record = own(ctx, caller, id)?;
    if visibility::remove(ctx, &record.id, &caller.id)? {
        Ok(Deleted { deleted: true })
    } else {
        Err(Error::not_found("post"))
    }
}
