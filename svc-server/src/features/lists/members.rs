//! Who is on a list.

use std::collections::BTreeSet;

use svc_types::api::lists::{
    AddListMembers, LIST_MEMBERS_AT_ONCE, ListEnvelope, ListListMembers, RemoveListMember,
};
use svc_types::api::users::UserPage;
use svc_types::{Code, Handle, ListId, UserId};

use super::{envelope, own};
use crate::acts::{account, list};
use crate::app::Cx;
use crate::error::{Error, Refusal, Result};
use crate::http::{Account, Viewer};
use crate::page::Page;
use crate::{sql, values};

/// Accounts a list may hold.
const MEMBERS_MAX: i64 = 1_000;

/// Members by id, so that a page is found along the key.
pub(super) fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Viewer,
    request: &ListListMembers,
) -> Result<UserPage> {
    let viewer = caller.account();
    let list = list::visible(cx, &request.list_id, viewer)?;
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let mut ids: Vec<UserId> = cx.tx.all(
        sql!(
            "select m.member from list_member m join account a on a.id = m.member
             where m.list = $1 and m.member > $2
                and a.deleted_at is null and a.status <> 'suspended'
             order by m.member limit $3"
        ),
        values![list.id, page.after_one().unwrap_or(""), page.rows()],
    )?;
    let next_cursor = page.cut(&mut ids, |id| vec![id.to_string()]);
    Ok(UserPage { users: account::shown(cx, viewer, &ids)?, missing: None, next_cursor })
}

pub(super) fn add(
    cx: &mut Cx<'_, '_>,
    caller: &Account,
    request: &AddListMembers,
) -> Result<ListEnvelope> {
    if !(1..=LIST_MEMBERS_AT_ONCE).contains(&request.usernames.len()) {
        let message = format!("usernames must have 1 to {LIST_MEMBERS_AT_ONCE} names");
        return Err(Error::invalid("usernames", message));
    }
    let list = own(cx, caller, &request.list_id)?;
    let mut added = 0;
    for member in members(cx, caller, &request.usernames)? {
        let now = cx.now();
        added += cx.tx.execute(
            sql!(
                "insert into list_member (list, member, created_at) values ($1, $2, $3)
                 on conflict do nothing"
            ),
            values![list.id, member, now],
        )?;
    }
    let added = i64::try_from(added).unwrap_or(i64::MAX);
    if list.members_count + added > MEMBERS_MAX {
        let message = format!("a list has at most {MEMBERS_MAX} members");
        let refusal = Refusal::new(Code::LimitReached, message);
        return Err(refusal.hint(format!("it has {}", list.members_count)).into());
    }
    count(cx, &list.id, added)?;
    envelope(cx, caller, &list.id)
}

/// The accounts with these names, each once; 404 or 403 for the first that can't be added.
fn members(cx: &mut Cx<'_, '_>, caller: &Account, names: &[Handle]) -> Result<BTreeSet<UserId>> {
    let mut members = BTreeSet::new();
    for name in names {
        let found = account::find(cx, name.as_str())?;
        let found = found.filter(|record| record.is_visible_to(Some(caller)));
        let Some(record) = found else {
            let refusal = Refusal::new(Code::NotFound, format!("no such account: {name}"));
            return Err(refusal.field("usernames").into());
        };
        if account::is_blocked(cx, &caller.id, &record.id)? {
            let message = format!("you and {name} are blocked from each other");
            return Err(Refusal::new(Code::Blocked, message).field("usernames").into());
        }
        members.insert(record.id);
    }
    Ok(members)
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

pub(super) fn remove(
    cx: &mut Cx<'_, '_>,
    caller: &Account,
    request: &RemoveListMember,
) -> Result<ListEnvelope> {
    let list = own(cx, caller, &request.list_id)?;
    let member = account::find_visible(cx, request.username.as_str(), Some(caller))?;
    let removed = cx.tx.execute(
        sql!("delete from list_member where list = $1 and member = $2"),
        values![list.id, member.id],
    )?;
    count(cx, &list.id, -i64::try_from(removed).unwrap_or(0))?;
    envelope(cx, caller, &list.id)
}
