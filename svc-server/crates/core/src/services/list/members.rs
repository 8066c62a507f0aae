//! Adding accounts to a list and taking them off it.

use svc_store::error::{Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::lists::ListEnvelope;
use svc_types::{Code, Handle, ListId};

use super::{envelope, own};
use crate::app::Cx;
use crate::identity::Account;
use crate::services::{account, standing};

/// Accounts a list may hold.
const MEMBERS_MAX: i64 = 1_000;

/// Adds accounts to the caller's own list, all of them or none; `field` is the request member that
/// names them.
pub fn add(
    cx: &mut Cx<'_, '_>,
    caller: &Account,
    id: &ListId,
    field: &str,
    names: &[Handle],
) -> Result<ListEnvelope> {
    let list = own(cx, caller, id)?;
    let mut added = 0;
    for member in account::named(cx, caller, field, names)? {
        account::keep(cx, &member, &member).map_err(|error| error.about(field))?;
        let now = cx.now();
        let rows = cx.tx.execute(
            sql!(
                "insert into list_member (list, member, created_at) values ($1, $2, $3)
                 on conflict do nothing"
            ),
            values![list.id, member, now],
        )?;
        // Moderators know of suspended accounts, which count nowhere.
        added += i64::from(rows > 0 && standing::stands(cx, &member)?);
    }
    if list.members_count + added > MEMBERS_MAX {
        let message = format!("a list has at most {MEMBERS_MAX} members");
        let refusal = Refusal::new(Code::LimitReached, message);
        return Err(refusal.hint(format!("it has {}", list.members_count)).into());
    }
    count(cx, &list.id, added)?;
    envelope(cx, caller, &list.id)
}

fn count(cx: &mut Cx<'_, '_>, list: &ListId, change: i64) -> Result<()> {
    if change == 0 {
        return Ok(());
    }
    let now = cx.now();
    cx.tx.execute(
        sql!("update list set members_count = members_count + $1, updated_at = $2 where id = $3"),
        values![change, now, list],
    )?;
    Ok(())
}

/// Takes an account off the caller's own list; nothing changes when it is not on it.
pub fn remove(
    cx: &mut Cx<'_, '_>,
    caller: &Account,
    id: &ListId,
    name: &Handle,
) -> Result<ListEnvelope> {
    let list = own(cx, caller, id)?;
    let member = account::find_visible(cx, name.as_str(), Some(caller))?;
    account::keep(cx, &member.id, &member.id)?;
    let removed = cx.tx.execute(
        sql!("delete from list_member where list = $1 and member = $2"),
        values![list.id, member.id],
    )?;
    if removed > 0 && standing::stands(cx, &member.id)? {
        count(cx, &list.id, -1)?;
    }
    envelope(cx, caller, &list.id)
}
