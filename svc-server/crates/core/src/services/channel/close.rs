//! Channels that end: closed at once, emptied by and by.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::{ChannelId, UserId};

use super::lock;
use crate::app::Ctx;
use crate::expired::Sweep;
use crate::services::message::CLIENT_ID_KEPT;

/// Closes a channel for good: nobody is in it any more. What it held goes later, some at a time.
pub fn close(ctx: &mut Ctx<'_, '_>, channel: &ChannelId) -> Result<()> {
    lock(ctx, channel)?;
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!("update channel set deleted_at = $1, name = id where id = $2 and deleted_at is null"),
        values![now, channel],
    )?;
    if rows == 0 {
        return Ok(());
    }
    let members: Vec<UserId> = ctx
        .tx
        .all(sql!("select account from channel_member where channel = $1"), values![channel])?;
    ctx.effects.left.extend(members.into_iter().map(|member| (member, channel.clone())));
    Ok(())
}

/// Takes an account that is about to be deleted out of every channel, and closes its own.
pub fn close_all_of(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let own: Vec<ChannelId> = ctx.tx.all(
        sql!("select id from channel where owner = $1 and deleted_at is null order by id"),
        values![account],
    )?;
    for channel in own {
        close(ctx, &channel)?;
    }
    ctx.tx.write(sql!("delete from channel_member where account = $1"), values![account])
}

/// Everything of channels that a sweeper takes away, in this order.
pub const SWEEPS: [Sweep; 6] = [deleted_messages, messages, members, heads, channels, events];

/// Messages that were deleted, once a client no longer sends them again.
fn deleted_messages(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before = ctx.now().minus(CLIENT_ID_KEPT);
    ctx.tx.execute(
        sql!(
            "delete from channel_message where id in
             (select id from channel_message where deleted_at <= $1 limit $2)"
        ),
        values![before, most],
    )
}

fn messages(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    ctx.tx.execute(
        sql!(
            "delete from channel_message where id in (
                select m.id from channel c join channel_message m on m.channel = c.id
                where c.deleted_at is not null limit $1
             )"
        ),
        values![most],
    )
}

fn members(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    ctx.tx.execute(
        sql!(
            "delete from channel_member where (channel, account) in (
                select m.channel, m.account from channel c join channel_member m on m.channel = c.id
                where c.deleted_at is not null limit $1
             )"
        ),
        values![most],
    )
}

/// Counters of channels that are gone.
fn heads(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    ctx.tx.execute(
        sql!(
            "delete from event_head where stream in (
                select c.id from channel c cross join event_head h
                where c.deleted_at is not null and h.stream = c.id limit $1
             )"
        ),
        values![most],
    )
}

/// Channels that hold nothing any more.
fn channels(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    ctx.tx.execute(
        sql!(
            "delete from channel where id in (
                select c.id from channel c
                where c.deleted_at is not null
                    and not exists (select 1 from channel_message m where m.channel = c.id)
                    and not exists (select 1 from channel_member m where m.channel = c.id)
                limit $1
             )"
        ),
        values![most],
    )
}

/// Relayed events of channels: clients that missed them read the messages. Their streams are
/// distinguished from others by the prefix of their ids.
fn events(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    ctx.tx.execute(
        sql!(
            "delete from event where id in (
                select id from event
                where stream >= 'chan_' and stream < 'chan`' and relayed_at is not null limit $1
             )"
        ),
        values![most],
    )
}
