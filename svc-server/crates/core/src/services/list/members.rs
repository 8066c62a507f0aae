//! Adding accounts to a list and taking them off it. The accounts are locked before the list, as when an account
//! leaves and is taken off all lists.

use svc_store::error::{Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::lists::ListEnvelope;
use svc_types::{Code, Handle, ListId, UserId};

use super::{envelope, of_caller, own};
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::account;
use crate::services::visibility::{self, Counted};

/// Accounts a list may hold.
const MEMBERS_MAX: i64 = 1_000;

/// Adds accounts to the caller's own list, all of them or none; `field` is the request member that
/// names them.
pub fn add(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    id: &ListId,
    field: &str,
    names: &[Handle],
) -> Result<ListEnvelope> {
    of_caller(ctx, caller, id)?;
    let members = account::named(ctx, caller, field, names)?;
    for member in &members {
        account::keep(ctx, member, member).map_err(|error| error.about(field))?;
    }
    let list = own(ctx, caller, id)?;
    let mut added = 0;
    for member in &members {
        // A simultaneous block either is seen here, or waits for the list and takes the account off it.
        account::refuse_blocked(ctx, &caller.id, member).map_err(|error| error.about(field))?;
        added += insert(ctx, &list.id, member)?;
    }
    if list.members_count + added > MEMBERS_MAX {
        let message = format!("a list has at most {MEMBERS_MAX} members");
        let refusal = Refusal::new(Code::LimitReached, message);
        return Err(refusal.hint(format!("it has {}", list.members_count)).into());
    }
    count(ctx, &list.id, added)?;
    envelope(ctx, caller, &list.id)
}

/// Adds an account to a list, which is locked; 1 if the number of members grows.
fn insert(ctx: &mut Ctx<'_, '_>, list: &ListId, member: &UserId) -> Result<i64> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "insert into list_member (list, member, created_at) values ($1, $2, $3)
             on conflict do nothing"
        ),
        values![list, member, now],
    )?;
    // Moderators know of suspended accounts, which count nowhere.
    Ok(i64::from(rows > 0 && is_counted(ctx, list, member)?))
}

fn count(ctx: &mut Ctx<'_, '_>, list: &ListId, change: i64) -> Result<()> {
    if change == 0 {
        return Ok(());
    }
    let now = ctx.now();
    ctx.tx.execute(
        sql!("update list set members_count = members_count + $1, updated_at = $2 where id = $3"),
        values![change, now, list],
    )?;
    Ok(())
}

/// Takes an account off the caller's own list; nothing changes when it is not on it. One that is suspended or deleted
/// is taken off, too: it would be on the list again when it comes back.
pub fn remove(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    id: &ListId,
    name: &Handle,
) -> Result<ListEnvelope> {
    of_caller(ctx, caller, id)?;
    let member = account::find_known(ctx, name.as_str(), caller, |ctx, account| {
        let sql = sql!("select 1 from list_member where list = $1 and member = $2");
        Ok(ctx.tx.optional::<i64>(sql, values![id, account])?.is_some())
    })?;
    account::hold(ctx, &member)?;
    let list = own(ctx, caller, id)?;
    let removed = ctx.tx.execute(
        sql!("delete from list_member where list = $1 and member = $2"),
        values![list.id, member],
    )?;
    if removed > 0 && is_counted(ctx, &list.id, &member)? {
        count(ctx, &list.id, -1)?;
    }
    envelope(ctx, caller, &list.id)
}

/// Takes two accounts, whose rows are locked, off each other's lists: one of them blocks the other.
pub fn part(ctx: &mut Ctx<'_, '_>, one: &UserId, other: &UserId) -> Result<()> {
    // An addition at the same time either is found below, or waits and sees the block.
    let sql = sql!("select id from list where owner in ($1, $2) order by id for no key update");
    ctx.tx.lock(sql, values![one, other])?;
    for (member, owner) in [(one, other), (other, one)] {
        let left: Vec<ListId> = ctx.tx.all(
            sql!(
                "delete from list_member
                 where member = $1 and list in (select id from list where owner = $2)
                 returning list"
            ),
            values![member, owner],
        )?;
        for list in left {
            if is_counted(ctx, &list, member)? {
                count(ctx, &list, -1)?;
            }
        }
    }
    Ok(())
}

/// Whether the number of members includes an account whose row is locked, if it is one.
fn is_counted(ctx: &mut Ctx<'_, '_>, list: &ListId, account: &UserId) -> Result<bool> {
    Ok(visibility::counts_of(ctx, account)?.include(Counted::List(list)))
}
