//! Who and what counts. An account stands while it is neither suspended nor deleted; a post stands
//! while it is neither hidden nor deleted, and its author stands.
//!
//! Every count is the number of rows that stand, whatever became of what they are counted at. So
//! hiding a post, suspending an account and undoing either need not know of each other: what
//! changes is taken out of, or put back into, the counts it is part of.

mod account;
mod post;

use std::collections::HashSet;

use svc_store::db::{SLOTS, slots};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::{Code, UserId};

use crate::app::Ctx;
use crate::identity::Account;

pub use account::{come_back, forget, leave, suspend, unsuspend};
pub use post::{hide, remove, restore};

/// Whether an account is neither suspended nor deleted.
pub fn stands(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    let found: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from account where id = $1 and status <> 'suspended' and deleted_at is null"
        ),
        values![account],
    )?;
    Ok(found.is_some())
}

/// Those of these accounts that search engines may list: they stand, and moderators have not limited
/// them.
pub fn listed(ctx: &mut Ctx<'_, '_>, usernames: &[&str]) -> Result<HashSet<String>> {
    let mut listed = HashSet::new();
    for some in usernames.chunks(SLOTS) {
        let found: Vec<String> = ctx.tx.all(
            sql!(
                "select username from account
                 where status = 'active' and deleted_at is null and username in (",
                slots!(1),
                ")"
            ),
            &slots(some),
        )?;
        listed.extend(found);
    }
    Ok(listed)
}

/// Sees to it that the account that calls stands until the transaction ends: what it counts for is
/// taken out of the counts when it is suspended, and must not come in behind that.
pub fn keep(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<()> {
    let stands = ctx.tx.lock_all(
        sql!(
            "select id from account
             where id = $1 and status <> 'suspended' and deleted_at is null
             for key share"
        ),
        values![caller.id],
        1,
    )?;
    if stands {
        return Ok(());
    }
    Err(Error::refused(Code::AccountSuspended, "the account has just been suspended or deleted"))
}
