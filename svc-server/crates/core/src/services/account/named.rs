//! Accounts that a request names: to be put on or into something, or to be the other party of deals.

use std::collections::BTreeSet;

use svc_store::db::Sql;
use svc_store::error::{Error, Refusal, Result};
use svc_store::values;
use svc_types::{Code, Handle, UserId};

use super::{find, find_known, is_blocked};
use crate::app::Ctx;
use crate::identity::Account;

/// The accounts with these names, each once; 404 or 403 for the first that `caller` can't add.
pub fn named(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    field: &str,
    names: &[Handle],
) -> Result<BTreeSet<UserId>> {
    let mut members = BTreeSet::new();
    for name in names {
        let found = find(ctx, name.as_str())?;
        let found = found.filter(|record| record.is_visible_to(Some(caller)));
        let Some(record) = found else {
            let refusal = Refusal::new(Code::NotFound, format!("no such account: {name}"));
            return Err(refusal.field(field).into());
        };
        if is_blocked(ctx, &caller.id, &record.id)? {
            let message = format!("you and {name} are blocked from each other");
            return Err(Refusal::new(Code::Blocked, message).field(field).into());
        }
        members.insert(record.id);
    }
    Ok(members)
}

/// The other party to filter deals by. A suspended or deleted account is found by those that have a deal with it:
/// `deal` selects a row if accounts $1 and $2 have one.
pub fn counterparty(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    name: &str,
    deal: Sql,
) -> Result<UserId> {
    let found = find_known(ctx, name, caller, |ctx, other| {
        let found: Option<i64> = ctx.tx.optional(deal, values![caller.id, other])?;
        Ok(found.is_some())
    });
    found.map_err(|error| error.about("counterparty"))
}

/// 404 for an account that does not exist, or that the caller may not know of.
pub fn unknown(handle: &str) -> Error {
    let refusal = Refusal::new(Code::NotFound, "no such account");
    if handle.starts_with('@') {
        return refusal.hint("write the username without the @").into();
    }
    refusal.into()
}
