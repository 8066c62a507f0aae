//! Who and what counts. An account stands while it is neither suspended nor deleted; a post stands
//! while it is neither hidden nor deleted, and its author stands.
//!
//! Every count is the number of rows that stand, whatever became of what they are counted at. So
//! hiding a post, suspending an account and undoing either need not know of each other: what
//! changes is taken out of, or put back into, the counts it is part of.
//!
//! An account may have done a lot. So it leaves the counts, and comes back, some rows at a time; until
//! that is done, it has a place in the order of its rows, and [`Counts`] say which of them are counted.
//! Every change of a count by an account asks them.

mod account;
mod counting;
pub(crate) mod included;
mod kind;
mod place;
mod post;
mod rating;

use std::collections::HashSet;

use svc_store::db::{Pair, SLOTS, slots};
use svc_store::error::{Error, Result};
use svc_store::{returning, sql, values};
use svc_types::{Code, UserId};

use crate::app::Ctx;
use crate::identity::Account;

pub use account::{come_back, forget, leave, suspend, unsuspend};
pub use counting::{Unfinished, finish_some_of, lock_account, next_unfinished, take_turn};
pub use place::{Counted, Counts};
pub use post::{hide, is_hidden, remove, restore};
pub(in crate::services) use rating::INCLUDED as RATING_INCLUDED;

/// How far counts include what an account did, whose row is locked.
pub fn counts_of(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Counts> {
    ctx.tx.one(sql!("select ", Counts::COLUMNS, " from account where id = $1"), values![account])
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
    if stands { Ok(()) } else { Err(refusal()) }
}

/// How far counts include what an account that stands did. It stays so until the transaction ends.
const KEPT: Pair = Pair::new(
    sql!(
        "select ",
        Counts::COLUMNS,
        " from account where id = $1 and status <> 'suspended' and deleted_at is null"
    ),
    sql!(
        "select ",
        Counts::COLUMNS,
        " from account where id = $1 and status <> 'suspended' and deleted_at is null
         for key share"
    ),
);

/// Does what [`keep`] does, and returns how far counts include what the account did.
pub fn keep_counted(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<Counts> {
    let kept: Option<Counts> = ctx.tx.all_pair(KEPT, values![caller.id])?.pop();
    kept.ok_or_else(refusal)
}

/// Counts a new reply with its author, and does what [`keep_counted`] does: the change locks the row.
pub fn count_reply(ctx: &mut Ctx<'_, '_>, author: &Account) -> Result<Counts> {
    let kept: Option<Counts> = ctx.tx.optional_returning(
        returning!(
            "update account set posts_count = posts_count + 1
             where id = $1 and status <> 'suspended' and deleted_at is null",
            Counts::COLUMNS,
            "account where id = $1",
        ),
        values![author.id],
        values![author.id],
    )?;
    kept.ok_or_else(refusal)
}

fn refusal() -> Error {
    Error::refused(Code::AccountSuspended, "the account has just been suspended or deleted")
}
