//! The members of a list.

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::page::Page;
use svc_core::services::{account, list};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::UserId;
use svc_types::api::lists::{
    AddListMembers, LIST_MEMBERS_AT_ONCE, ListEnvelope, ListListMembers, RemoveListMember,
};
use svc_types::api::users::UserPage;

/// Members by id, which is the order of the primary key.
pub(super) fn list(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    request: &ListListMembers,
) -> Result<UserPage> {
    let viewer = caller.account();
    let list = list::visible(ctx, &request.list_id, viewer)?;
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let mut ids: Vec<UserId> = ctx.tx.all(
        sql!(
            "select m.member from list_member m join account a on a.id = m.member
             where m.list = $1 and m.member > $2
                and a.deleted_at is null and a.status <> 'suspended'
             order by m.member limit $3"
        ),
        values![list.id, page.after_one().unwrap_or(""), page.rows()],
    )?;
    let next_cursor = page.cut(&mut ids, |id| vec![id.to_string()]);
    Ok(UserPage { users: account::load_visible(ctx, viewer, &ids)?, missing: None, next_cursor })
}

pub(super) fn add(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &AddListMembers,
) -> Result<ListEnvelope> {
    if !(1..=LIST_MEMBERS_AT_ONCE).contains(&request.usernames.len()) {
        let message = format!("usernames must have 1 to {LIST_MEMBERS_AT_ONCE} names");
        return Err(Error::invalid("usernames", message));
    }
    list::add(ctx, caller, &request.list_id, "usernames", &request.usernames)
}

pub(super) fn remove(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &RemoveListMember,
) -> Result<ListEnvelope> {
    list::remove(ctx, caller, &request.list_id, &request.username)
}
