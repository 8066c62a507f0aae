//! Members of a channel: joining, leaving, and how far each has read.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::channels::ChannelEnvelope;
use svc_types::{ChannelId, Code, Handle, MessageId, UserId};

use super::record::find;
use super::{Record, envelope, lock, own, visible};
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::account;
use crate::services::visibility::{self, Counted};

/// Most members of a channel. When it closes, the broker ends the subscription of each.
const MEMBERS_MAX: i64 = 10_000;

/// Joins a public channel; nothing changes if the caller is a member.
pub fn join(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &ChannelId) -> Result<ChannelEnvelope> {
    visibility::keep(ctx, caller)?;
    lock(ctx, id)?;
    let channel = visible(ctx, id, Some(caller))?;
    if !channel.is_member {
        // Otherwise an account that the owner removes could return at once.
        if account::is_blocked(ctx, &caller.id, &channel.owner.id)? {
            let message = "you and the owner of the channel are blocked from each other";
            return Err(Error::refused(Code::Blocked, message));
        }
        let added = insert(ctx, &channel, &caller.id)?;
        count_in(ctx, &channel, added)?;
    }
    envelope(ctx, caller, id)
}

/// Leaves a channel; its owner can't.
pub fn leave(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &ChannelId) -> Result<ChannelEnvelope> {
    visibility::keep(ctx, caller)?;
    lock(ctx, id)?;
    let channel = visible(ctx, id, Some(caller))?;
    take_out(ctx, &channel, &caller.id)?;
    // A private channel is invisible from here on, so this is the last time it is shown.
    let left = find(ctx, id, Some(&caller.id))?.ok_or_else(|| Error::not_found("channel"))?;
    Ok(ChannelEnvelope { channel: left.into_api(ctx.app, Some(caller)) })
}

/// Adds accounts to the caller's channel, all of them or none.
pub fn add(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    id: &ChannelId,
    field: &str,
    names: &[Handle],
) -> Result<ChannelEnvelope> {
    visible(ctx, id, Some(caller))?;
    let members = account::named(ctx, caller, field, names)?;
    for member in &members {
        account::keep(ctx, member, member).map_err(|error| error.about(field))?;
    }
    let channel = own(ctx, caller, id)?;
    let mut added = 0;
    for member in &members {
        added += insert(ctx, &channel, member)?;
    }
    count_in(ctx, &channel, added)?;
    envelope(ctx, caller, id)
}

/// Removes an account from the caller's channel; nothing changes if it is no member. A member that is suspended or
/// deleted is removed, too: it may still read, or come back.
pub fn remove(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    id: &ChannelId,
    name: &Handle,
) -> Result<ChannelEnvelope> {
    let is_own = visible(ctx, id, Some(caller))?.owner.id == caller.id;
    let member = account::find_known(ctx, name.as_str(), caller, |ctx, account| {
        Ok(is_own && is_member(ctx, id, account)?)
    })?;
    // The lock keeps its suspension and its deletion from changing, which would count it twice.
    account::hold(ctx, &member)?;
    let channel = own(ctx, caller, id)?;
    take_out(ctx, &channel, &member)?;
    envelope(ctx, caller, id)
}

fn is_member(ctx: &mut Ctx<'_, '_>, channel: &ChannelId, account: &UserId) -> Result<bool> {
    let sql = sql!("select 1 from channel_member where channel = $1 and account = $2");
    Ok(ctx.tx.optional::<i64>(sql, values![channel, account])?.is_some())
}

/// Marks a channel read up to a message. Reading never goes backwards.
pub fn mark_read(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    id: &ChannelId,
    upto: &MessageId,
) -> Result<ChannelEnvelope> {
    if !visible(ctx, id, Some(caller))?.is_member {
        return Err(Error::refused(Code::Forbidden, "you are not in this channel"));
    }
    let sql = sql!("select 1 from channel_message where id = $1 and channel = $2");
    if ctx.tx.optional::<i64>(sql, values![upto, id])?.is_none() {
        let refusal = Refusal::new(Code::NotFound, "no such message in this channel");
        return Err(refusal.field("lastReadMessageId").into());
    }
    ctx.tx.write(
        sql!(
            "update channel_member set last_read = $1
             where channel = $2 and account = $3 and last_read < $1"
        ),
        values![upto, id, caller.id],
    )?;
    envelope(ctx, caller, id)
}

/// Adds an account to a channel whose row is locked; 1 if the number of members grows. Earlier
/// messages count as read. An account that is added to a private channel sees all of them; one that joins a public
/// channel sees those since it became public.
fn insert(ctx: &mut Ctx<'_, '_>, channel: &Record, account: &UserId) -> Result<i64> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "insert into channel_member (channel, account, name, last_read, joined_at, sees_after)
             values ($1, $2, $3,
                coalesce((select max(id) from channel_message where channel = $1), ''), $4,
                (select opened_after from channel where id = $1 and visibility = 'public'))
             on conflict do nothing"
        ),
        values![channel.id, account, channel.name, now],
    )?;
    // Moderators may add suspended accounts, which are not counted.
    Ok(i64::from(rows > 0 && is_counted(ctx, channel, account)?))
}

fn count_in(ctx: &mut Ctx<'_, '_>, channel: &Record, added: i64) -> Result<()> {
    if channel.members_count + added > MEMBERS_MAX {
        let message = format!("a channel has at most {MEMBERS_MAX} members");
        let refusal = Refusal::new(Code::LimitReached, message);
        return Err(refusal.hint(format!("it has {}", channel.members_count)).into());
    }
    count(ctx, &channel.id, added)
}

fn count(ctx: &mut Ctx<'_, '_>, channel: &ChannelId, change: i64) -> Result<()> {
    if change == 0 {
        return Ok(());
    }
    let sql = sql!("update channel set members_count = members_count + $1 where id = $2");
    ctx.tx.write(sql, values![change, channel])
}

/// Removes an account from a channel whose row is locked; the broker ends its subscription.
fn take_out(ctx: &mut Ctx<'_, '_>, channel: &Record, account: &UserId) -> Result<()> {
    if *account == channel.owner.id {
        let refusal = Refusal::new(Code::WrongState, "the owner of a channel stays in it");
        return Err(refusal.hint("delete the channel instead").into());
    }
    let removed = ctx.tx.execute(
        sql!("delete from channel_member where channel = $1 and account = $2"),
        values![channel.id, account],
    )?;
    if removed == 0 {
        return Ok(());
    }
    ctx.effects.left.push((account.clone(), channel.id.clone()));
    if is_counted(ctx, channel, account)? { count(ctx, &channel.id, -1) } else { Ok(()) }
}

/// Whether the number of members includes an account whose row is locked, if it is one.
fn is_counted(ctx: &mut Ctx<'_, '_>, channel: &Record, account: &UserId) -> Result<bool> {
    let row = Counted::Channel(&channel.name, &channel.id);
    Ok(visibility::counts_of(ctx, account)?.include(row))
}
