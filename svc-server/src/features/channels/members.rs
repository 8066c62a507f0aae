//! The members of a channel.

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::page::Page;
use svc_core::services::{account, channel};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::UserId;
use svc_types::api::channels::{
    AddChannelMembers, CHANNEL_MEMBERS_AT_ONCE, ChannelEnvelope, JoinChannel, LeaveChannel,
    ListChannelMembers, ReadChannel, RemoveChannelMember,
};
use svc_types::api::users::UserPage;

pub(super) fn join(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &JoinChannel,
) -> Result<ChannelEnvelope> {
    channel::join(ctx, caller, &request.channel_id)
}

pub(super) fn leave(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &LeaveChannel,
) -> Result<ChannelEnvelope> {
    channel::leave(ctx, caller, &request.channel_id)
}

pub(super) fn mark_read(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ReadChannel,
) -> Result<ChannelEnvelope> {
    channel::mark_read(ctx, caller, &request.channel_id, &request.last_read_message_id)
}

/// Members by id, which is the order of the primary key.
pub(super) fn list(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    request: &ListChannelMembers,
) -> Result<UserPage> {
    let viewer = caller.account();
    let channel = channel::visible(ctx, &request.channel_id, viewer)?;
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let mut ids: Vec<UserId> = ctx.tx.all(
        sql!(
            "select m.account from channel_member m join account a on a.id = m.account
             where m.channel = $1 and m.account > $2
                and a.deleted_at is null and a.status <> 'suspended'
             order by m.account limit $3"
        ),
        values![channel.id, page.after_one().unwrap_or(""), page.rows()],
    )?;
    let next_cursor = page.cut(&mut ids, |id| vec![id.to_string()]);
    Ok(UserPage { users: account::load_visible(ctx, viewer, &ids)?, missing: None, next_cursor })
}

pub(super) fn add(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &AddChannelMembers,
) -> Result<ChannelEnvelope> {
    if !(1..=CHANNEL_MEMBERS_AT_ONCE).contains(&request.usernames.len()) {
        let message = format!("usernames must have 1 to {CHANNEL_MEMBERS_AT_ONCE} names");
        return Err(Error::invalid("usernames", message));
    }
    channel::add(ctx, caller, &request.channel_id, "usernames", &request.usernames)
}

pub(super) fn remove(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &RemoveChannelMember,
) -> Result<ChannelEnvelope> {
    channel::remove(ctx, caller, &request.channel_id, &request.username)
}
