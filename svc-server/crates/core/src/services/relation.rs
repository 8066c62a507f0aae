//! What an account is to another: follow, block, mute. Each is a state, and may be set twice.

use std::time::Duration;

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::connect::FollowData;
use svc_types::api::relations::{Blocking, Followed, Muting};
use svc_types::{Code, PostId, Span, UserId};

use super::account::{self, Record};
use super::notification::{self, Data, NewNotification};
use super::{post, reaction, visibility};
use crate::app::Ctx;
use crate::identity::Account;

/// Bounds of `expiresIn` of a mute.
const MUTE_MIN: Duration = Duration::from_mins(1);
const MUTE_MAX: Duration = Duration::from_hours(90 * 24);

/// Another account than the caller's, else 404 or 400.
fn other(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str, act: &str) -> Result<Record> {
    let found = account::find_visible(ctx, handle, Some(caller))?;
    if found.id == caller.id {
        return Err(Error::refused(Code::SelfAction, format!("you cannot {act} yourself")));
    }
    Ok(found)
}

/// Locks the two accounts, so that of a follow and a block at once the later sees the earlier.
fn lock(ctx: &mut Ctx<'_, '_>, caller: &Account, other: &UserId) -> Result<()> {
    let sql = sql!("select id from account where id in ($1, $2) order by id for no key update");
    ctx.tx.lock(sql, values![caller.id, other])?;
    visibility::keep(ctx, caller)?;
    account::keep(ctx, &caller.id, other)
}

/// Follows an account.
pub fn follow(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str) -> Result<Followed> {
    let followee = other(ctx, caller, handle, "follow")?;
    lock(ctx, caller, &followee.id)?;
    if account::is_blocked(ctx, &caller.id, &followee.id)? {
        return Err(Error::refused(Code::Blocked, "one of the two accounts blocks the other"));
    }
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "insert into follow (follower, followee, created_at) values ($1, $2, $3)
             on conflict do nothing"
        ),
        values![caller.id, followee.id, now],
    )?;
    if rows > 0 {
        count(ctx, &caller.id, &followee.id, 1)?;
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
    let followee = other(ctx, caller, handle, "unfollow")?;
    lock(ctx, caller, &followee.id)?;
    end_follow(ctx, &caller.id, &followee.id)?;
    Ok(Followed { following: false, followers_count: followers(ctx, &followee.id)? })
}

fn end_follow(ctx: &mut Ctx<'_, '_>, from: &UserId, to: &UserId) -> Result<()> {
    let sql = sql!("delete from follow where follower = $1 and followee = $2");
    if ctx.tx.execute(sql, values![from, to])? > 0 {
        count(ctx, from, to, -1)?;
    }
    Ok(())
}

/// Counts a follow that began or ended. Moderators know of suspended accounts, which count nowhere.
fn count(ctx: &mut Ctx<'_, '_>, from: &UserId, to: &UserId, change: i64) -> Result<()> {
    if visibility::stands(ctx, to)? {
        let sql = sql!("update account set following_count = following_count + $1 where id = $2");
        ctx.tx.write(sql, values![change, from])?;
    }
    if visibility::stands(ctx, from)? {
        let sql = sql!("update account set followers_count = followers_count + $1 where id = $2");
        ctx.tx.write(sql, values![change, to])?;
    }
    Ok(())
}

fn followers(ctx: &mut Ctx<'_, '_>, id: &UserId) -> Result<i64> {
    ctx.tx.one(sql!("select followers_count from account where id = $1"), values![id])
}

/// Blocks an account: follows both ways end, and what it did to the caller's posts is undone.
pub fn block(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str) -> Result<Blocking> {
    let blocked = other(ctx, caller, handle, "block")?;
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
        end_reactions(ctx, &blocked.id, caller)?;
    }
    Ok(Blocking { blocking: true })
}

/// Takes back what an account liked and reposted of `author`.
fn end_reactions(ctx: &mut Ctx<'_, '_>, account: &UserId, author: &Account) -> Result<()> {
    let posts: Vec<PostId> = ctx.tx.all(
        sql!(
            "select post from reaction
             where account = $1 and author = $2 and (liked_at is not null or repost is not null)
             order by post"
        ),
        values![account, author.id],
    )?;
    for id in posts {
        if let Some(post) = post::by_id(ctx, &id, Some(author))? {
            reaction::end_like(ctx, account, &post)?;
            reaction::end_repost(ctx, account, &post)?;
        }
    }
    Ok(())
}

/// Blocks an account no more.
pub fn unblock(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str) -> Result<Blocking> {
    let blocked = other(ctx, caller, handle, "unblock")?;
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
    let muted = other(ctx, caller, handle, "mute")?;
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
    let muted = other(ctx, caller, handle, "unmute")?;
    let sql = sql!("delete from account_mute where muter = $1 and muted = $2");
    ctx.tx.write(sql, values![caller.id, muted.id])?;
    Ok(Muting { muting: false, expires_at: None })
}
