//! What an account is to another: follow, block, mute. Each is a state, and may be set twice.

use std::time::Duration;

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::connect::FollowData;
use svc_types::api::relations::{Blocking, Followed, Muting};
use svc_types::{Code, PostId, Span, Timestamp, UserId};

use super::account::{self, Record};
use super::notification::{self, Data, NewNotification};
use super::visibility::{self, Counted};
use super::{list, message, post, reaction};
use crate::app::Ctx;
use crate::identity::Account;

/// Bounds of `expiresIn` of a mute.
const MUTE_MIN: Duration = Duration::from_mins(1);
const MUTE_MAX: Duration = Duration::from_hours(90 * 24);

/// Most reactions that a transaction takes back, so that no other write waits long.
const REACTIONS_AT_ONCE: i64 = 200;

/// Another account than the caller's, else 404 or 400.
fn other(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str, act: &str) -> Result<Record> {
    let found = account::find_visible(ctx, handle, Some(caller))?;
    refuse_self(caller, found, act)
}

/// Another account than the caller's, to keep it away. It may be suspended if the caller knows of it, by a conversation
/// or because the caller follows, blocks or mutes it, and need not wait until it is back.
fn kept_away(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str, act: &str) -> Result<Record> {
    let found = account::find(ctx, handle)?.ok_or_else(|| account::unknown(handle))?;
    let is_known = found.is_visible_to(Some(caller))
        || message::conversation_of(ctx, &caller.id, &found.id)?.is_some()
        || is_related(ctx, &caller.id, &found.id)?;
    if is_known { refuse_self(caller, found, act) } else { Err(account::unknown(handle)) }
}

fn refuse_self(caller: &Account, found: Record, act: &str) -> Result<Record> {
    if found.id == caller.id {
        return Err(Error::refused(Code::SelfAction, format!("you cannot {act} yourself")));
    }
    Ok(found)
}

/// Whether an account follows, blocks or mutes another.
fn is_related(ctx: &mut Ctx<'_, '_>, one: &UserId, other: &UserId) -> Result<bool> {
    let now = ctx.now();
    let sql = sql!(
        "select exists (select 1 from follow where follower = $1 and followee = $2)
            or exists (select 1 from block where blocker = $1 and blocked = $2)
            or exists (select 1 from account_mute where muter = $1 and muted = $2
                and (expires_at is null or expires_at > $3))"
    );
    ctx.tx.one(sql, values![one, other, now])
}

/// Locks the two accounts, so that of a follow and a block at once the later sees the earlier.
fn lock(ctx: &mut Ctx<'_, '_>, caller: &Account, other: &UserId) -> Result<()> {
    lock_both(ctx, &caller.id, other)?;
    visibility::keep(ctx, caller)?;
    account::keep(ctx, &caller.id, other)
}

/// Locks two accounts in the order of their ids.
fn lock_both(ctx: &mut Ctx<'_, '_>, one: &UserId, other: &UserId) -> Result<()> {
    let sql = sql!("select id from account where id in ($1, $2) order by id for no key update");
    ctx.tx.lock(sql, values![one, other])
}

/// Follows an account.
pub fn follow(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str) -> Result<Followed> {
    let followee = other(ctx, caller, handle, "follow")?;
    lock(ctx, caller, &followee.id)?;
    account::refuse_blocked(ctx, &caller.id, &followee.id)?;
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "insert into follow (follower, followee, created_at) values ($1, $2, $3)
             on conflict do nothing"
        ),
        values![caller.id, followee.id, now],
    )?;
    if rows > 0 {
        count(ctx, &caller.id, &followee.id, now, 1)?;
        let (actor_id, actor_username) = (caller.id.clone(), caller.username.clone());
        let data = Data::Follow(FollowData { actor_id, actor_username });
        notification::notify(
            ctx,
            Some(&caller.id),
            vec![NewNotification::new(&followee.id, data)],
        )?;
    }
    Ok(Followed { following: true, followers_count: followers(ctx, &followee.id)? })
}

/// Follows an account no more.
pub fn unfollow(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str) -> Result<Followed> {
    let followee = kept_away(ctx, caller, handle, "unfollow")?;
    lock(ctx, caller, &followee.id)?;
    end_follow(ctx, &caller.id, &followee.id)?;
    Ok(Followed { following: false, followers_count: followers(ctx, &followee.id)? })
}

fn end_follow(ctx: &mut Ctx<'_, '_>, from: &UserId, to: &UserId) -> Result<()> {
    let since: Option<Timestamp> = ctx.tx.optional(
        sql!("delete from follow where follower = $1 and followee = $2 returning created_at"),
        values![from, to],
    )?;
    since.map_or(Ok(()), |since| count(ctx, from, to, since, -1))
}

/// Counts a follow that began or ended, with the time since when it is. Moderators know of suspended accounts,
/// which count nowhere.
fn count(
    ctx: &mut Ctx<'_, '_>,
    from: &UserId,
    to: &UserId,
    since: Timestamp,
    change: i64,
) -> Result<()> {
    if visibility::counts_of(ctx, to)?.include(Counted::Follower(from, since)) {
        let sql = sql!("update account set following_count = following_count + $1 where id = $2");
        ctx.tx.write(sql, values![change, from])?;
    }
    if visibility::counts_of(ctx, from)?.include(Counted::Following(to)) {
        let sql = sql!("update account set followers_count = followers_count + $1 where id = $2");
        ctx.tx.write(sql, values![change, to])?;
    }
    Ok(())
}

fn followers(ctx: &mut Ctx<'_, '_>, id: &UserId) -> Result<i64> {
    ctx.tx.one(sql!("select followers_count from account where id = $1"), values![id])
}

/// Blocks an account: follows both ways end, neither stays in a list of the other, what it did to the caller's posts
/// is undone, and its message request is declined. Of many reactions the sweep takes the rest back.
pub fn block(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str) -> Result<Blocking> {
    let blocked = kept_away(ctx, caller, handle, "block")?;
    lock(ctx, caller, &blocked.id)?;
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "insert into block (blocker, blocked, created_at) values ($1, $2, $3)
             on conflict do nothing"
        ),
        values![caller.id, blocked.id, now],
    )?;
    if rows > 0 {
        end_follow(ctx, &caller.id, &blocked.id)?;
        end_follow(ctx, &blocked.id, &caller.id)?;
        list::part(ctx, &caller.id, &blocked.id)?;
        if end_reactions(ctx, &blocked.id, &caller.id)? {
            note_unfinished(ctx, &caller.id, &blocked.id, true)?;
        }
        decline_request(ctx, &caller.id, &blocked.id)?;
    }
    Ok(Blocking { blocking: true })
}

/// Declines the conversation with a blocked account, unless it was accepted.
fn decline_request(ctx: &mut Ctx<'_, '_>, by: &UserId, blocked: &UserId) -> Result<()> {
    if let Some(conversation) = message::conversation_of(ctx, by, blocked)? {
        message::request::decline(ctx, by, &conversation)?;
    }
    Ok(())
}

/// Takes back some of what an account liked and reposted of `author`; whether there may be more.
fn end_reactions(ctx: &mut Ctx<'_, '_>, account: &UserId, author: &UserId) -> Result<bool> {
    let posts: Vec<PostId> = ctx.tx.all(
        sql!(
            "select post from reaction
             where account = $1 and author = $2 and (liked_at is not null or repost is not null)
             order by post limit $3"
        ),
        values![account, author, REACTIONS_AT_ONCE],
    )?;
    for id in &posts {
        let post = post::by_id(ctx, id, None)?;
        let post = post.ok_or_else(|| Error::internal("a post is gone"))?;
        reaction::end_like(ctx, account, &post)?;
        reaction::end_repost(ctx, account, &post)?;
    }
    Ok(posts.len() as u64 == REACTIONS_AT_ONCE.unsigned_abs())
}

/// Notes whether a block has reactions left to take back.
fn note_unfinished(
    ctx: &mut Ctx<'_, '_>,
    by: &UserId,
    blocked: &UserId,
    is_unfinished: bool,
) -> Result<()> {
    let sql = sql!("update block set unfinished = $1 where blocker = $2 and blocked = $3");
    ctx.tx.write(sql, values![is_unfinished, by, blocked])
}

/// Takes back some reactions of a block that has more than fit into its transaction. Returns whether
/// there may be more.
pub fn finish_block(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    let found: Option<(UserId, UserId)> = ctx.tx.optional(
        sql!(
            "select blocker, blocked from block where unfinished = true
             order by blocker, blocked limit 1"
        ),
        values![],
    )?;
    let Some((by, blocked)) = found else { return Ok(false) };
    lock_both(ctx, &by, &blocked)?;
    let sql = sql!(
        "select blocker from block
         where blocker = $1 and blocked = $2 and unfinished = true for update"
    );
    // It may have ended, and there may be new reactions since.
    if !ctx.tx.lock_all(sql, values![by, blocked], 1)? {
        return Ok(true);
    }
    if !end_reactions(ctx, &blocked, &by)? {
        note_unfinished(ctx, &by, &blocked, false)?;
    }
    Ok(true)
}

/// Blocks an account no more.
pub fn unblock(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str) -> Result<Blocking> {
    let blocked = kept_away(ctx, caller, handle, "unblock")?;
    // The sweep may just take back what was done before.
    lock_both(ctx, &caller.id, &blocked.id)?;
    let sql = sql!("delete from block where blocker = $1 and blocked = $2");
    ctx.tx.write(sql, values![caller.id, blocked.id])?;
    Ok(Blocking { blocking: false })
}

/// Mutes an account; muting again sets the new end.
pub fn mute(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    handle: &str,
    expires_in: Option<Span>,
) -> Result<Muting> {
    let expires_in = expires_in.map(Span::duration);
    if expires_in.is_some_and(|span| !(MUTE_MIN..=MUTE_MAX).contains(&span)) {
        return Err(Error::invalid("expiresIn", "expiresIn must be 1m to 90d"));
    }
    let muted = kept_away(ctx, caller, handle, "mute")?;
    let now = ctx.now();
    let expires_at = expires_in.map(|span| now.plus(span));
    ctx.tx.write(
        sql!(
            "insert into account_mute (muter, muted, created_at, expires_at)
             values ($1, $2, $3, $4)
             on conflict (muter, muted) do update set expires_at = excluded.expires_at"
        ),
        values![caller.id, muted.id, now, expires_at],
    )?;
    Ok(Muting { muting: true, expires_at })
}

/// Mutes an account no more.
pub fn unmute(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str) -> Result<Muting> {
    let muted = kept_away(ctx, caller, handle, "unmute")?;
    let sql = sql!("delete from account_mute where muter = $1 and muted = $2");
    ctx.tx.write(sql, values![caller.id, muted.id])?;
    Ok(Muting { muting: false, expires_at: None })
}
