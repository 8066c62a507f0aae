//! What an account does to a post: like, repost, bookmark. Each is a state, and may be set twice.
//!
//! Each locks the post before its row in `reaction`, so that an account may do several at once.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::connect::{LikeData, RepostData};
use svc_types::api::reactions::{Bookmarked, Liked, Reposted};
use svc_types::{PostId, RepostId, UserId};

use super::account;
use super::notification::{self, Data, NewNotification};
use super::post::rank::{self, Change, LIKE_POINTS, REPOST_POINTS};
use super::post::{self, Record};
use super::visibility::{self, Counted, Counts};
use crate::app::Ctx;
use crate::identity::Account;

/// A post the caller may react to, else 404 or 403.
fn open_to(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &PostId) -> Result<Record> {
    let post = post::visible(ctx, id, Some(caller))?;
    // A block at once either is seen here, or waits and takes back what is done now.
    account::lock(ctx, &caller.id)?;
    if post.author != caller.id {
        account::refuse_blocked(ctx, &caller.id, &post.author)?;
    }
    rank::lock(ctx, [&post])?;
    Ok(post)
}

/// Points of a reaction: none for a reaction to the account's own post.
fn worth(account: &UserId, post: &Record, points: i64) -> i64 {
    if *account == post.author { 0 } else { points }
}

/// Changes the counts of a post, if they include what the account did to it.
fn count(
    ctx: &mut Ctx<'_, '_>,
    counts: &Counts,
    post: &Record,
    change: Change,
) -> Result<Option<rank::Counts>> {
    if counts.include(Counted::Reaction(&post.author, &post.id)) {
        rank::change(ctx, post, change).map(Some)
    } else {
        Ok(None)
    }
}

/// Likes a post.
pub fn like(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &PostId) -> Result<Liked> {
    let post = open_to(ctx, caller, id)?;
    let counts = visibility::keep_counted(ctx, caller)?;
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "insert into reaction (account, author, post, liked_at) values ($1, $2, $3, $4)
             on conflict (account, author, post) do update set liked_at = excluded.liked_at
             where reaction.liked_at is null"
        ),
        values![caller.id, post.author, post.id, now],
    )?;
    let mut likes_count = post.likes_count;
    if rows > 0 {
        let points = worth(&caller.id, &post, LIKE_POINTS);
        let change = Change { likes: 1, points, ..Change::default() };
        let counted = count(ctx, &counts, &post, change)?;
        likes_count = counted.map_or(likes_count, |now| now.likes);
        let data = LikeData {
            post_id: post.id.clone(),
            actor_id: caller.id.clone(),
            actor_username: caller.username.clone(),
        };
        notify(ctx, caller, &post, Data::Like(data))?;
    }
    Ok(Liked { liked: true, likes_count })
}

/// Notifies the author of a post of what was done to it.
fn notify(ctx: &mut Ctx<'_, '_>, caller: &Account, post: &Record, data: Data<'_>) -> Result<()> {
    let root = post.root.as_ref().unwrap_or(&post.id);
    let notification = NewNotification::new(&post.author, data).in_thread(root);
    notification::notify(ctx, Some(&caller.id), vec![notification])
}

/// Takes a like back.
pub fn unlike(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &PostId) -> Result<Liked> {
    let post = post::visible(ctx, id, Some(caller))?;
    visibility::keep(ctx, caller)?;
    let likes_count = end_like(ctx, &caller.id, &post)?;
    Ok(Liked { liked: false, likes_count })
}

/// Ends a like, if there is one, and returns how many are left.
pub fn end_like(ctx: &mut Ctx<'_, '_>, account: &UserId, post: &Record) -> Result<i64> {
    rank::lock(ctx, [post])?;
    let rows = ctx.tx.execute(
        sql!(
            "update reaction set liked_at = null
             where account = $1 and author = $2 and post = $3 and liked_at is not null"
        ),
        values![account, post.author, post.id],
    )?;
    if rows == 0 {
        return Ok(post.likes_count);
    }
    rank::forget(ctx, account, post)?;
    let counts = visibility::counts_of(ctx, account)?;
    let points = worth(account, post, LIKE_POINTS);
    let change = Change { likes: 1, points, ..Change::default() };
    let counted = count(ctx, &counts, post, -change)?;
    Ok(counted.map_or(post.likes_count, |now| now.likes))
}

/// Reposts a post to the caller's followers.
pub fn repost(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &PostId) -> Result<Reposted> {
    let post = open_to(ctx, caller, id)?;
    let counts = visibility::keep_counted(ctx, caller)?;
    let repost: RepostId = ctx.id();
    let rows = ctx.tx.execute(
        sql!(
            "insert into reaction (account, author, post, repost) values ($1, $2, $3, $4)
             on conflict (account, author, post) do update set repost = excluded.repost
             where reaction.repost is null"
        ),
        values![caller.id, post.author, post.id, repost],
    )?;
    let mut reposts_count = post.reposts_count;
    if rows > 0 {
        ctx.tx.write(
            sql!("insert into timeline (account, entry, post, repost) values ($1, $2, $3, $4)"),
            values![caller.id, rank::entry(repost.as_str()), post.id, repost],
        )?;
        let points = worth(&caller.id, &post, REPOST_POINTS);
        let change = Change { reposts: 1, points, ..Change::default() };
        let counted = count(ctx, &counts, &post, change)?;
        reposts_count = counted.map_or(reposts_count, |now| now.reposts);
        let data = RepostData {
            post_id: post.id.clone(),
            repost_id: repost,
            actor_id: caller.id.clone(),
            actor_username: caller.username.clone(),
        };
        notify(ctx, caller, &post, Data::Repost(data))?;
    }
    Ok(Reposted { reposted: true, reposts_count })
}

/// Takes a repost back.
pub fn unrepost(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &PostId) -> Result<Reposted> {
    let post = post::visible(ctx, id, Some(caller))?;
    visibility::keep(ctx, caller)?;
    let reposts_count = end_repost(ctx, &caller.id, &post)?;
    Ok(Reposted { reposted: false, reposts_count })
}

/// Ends a repost, if there is one, and returns how many are left.
pub fn end_repost(ctx: &mut Ctx<'_, '_>, account: &UserId, post: &Record) -> Result<i64> {
    rank::lock(ctx, [post])?;
    let repost: Option<Option<RepostId>> = ctx.tx.optional(
        sql!("select repost from reaction where account = $1 and author = $2 and post = $3"),
        values![account, post.author, post.id],
    )?;
    let Some(repost) = repost.flatten() else { return Ok(post.reposts_count) };
    let rows = ctx.tx.execute(
        sql!(
            "update reaction set repost = null
             where account = $1 and author = $2 and post = $3 and repost = $4"
        ),
        values![account, post.author, post.id, repost],
    )?;
    if rows == 0 {
        return Ok(post.reposts_count);
    }
    let sql = sql!("delete from timeline where account = $1 and entry = $2");
    ctx.tx.write(sql, values![account, rank::entry(repost.as_str())])?;
    rank::forget(ctx, account, post)?;
    let counts = visibility::counts_of(ctx, account)?;
    let points = worth(account, post, REPOST_POINTS);
    let change = Change { reposts: 1, points, ..Change::default() };
    let counted = count(ctx, &counts, post, -change)?;
    Ok(counted.map_or(post.reposts_count, |now| now.reposts))
}

/// Bookmarks a post.
pub fn bookmark(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &PostId) -> Result<Bookmarked> {
    let post = post::visible(ctx, id, Some(caller))?;
    let counts = visibility::keep_counted(ctx, caller)?;
    rank::lock(ctx, [&post])?;
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "insert into reaction (account, author, post, bookmarked_at) values ($1, $2, $3, $4)
             on conflict (account, author, post) do update
                set bookmarked_at = excluded.bookmarked_at
             where reaction.bookmarked_at is null"
        ),
        values![caller.id, post.author, post.id, now],
    )?;
    if rows > 0 {
        count(ctx, &counts, &post, Change { bookmarks: 1, ..Change::default() })?;
    }
    Ok(Bookmarked { bookmarked: true })
}

/// Removes a bookmark.
pub fn unbookmark(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &PostId) -> Result<Bookmarked> {
    let post = post::visible(ctx, id, Some(caller))?;
    let counts = visibility::keep_counted(ctx, caller)?;
    rank::lock(ctx, [&post])?;
    let rows = ctx.tx.execute(
        sql!(
            "update reaction set bookmarked_at = null
             where account = $1 and author = $2 and post = $3 and bookmarked_at is not null"
        ),
        values![caller.id, post.author, post.id],
    )?;
    if rows > 0 {
        rank::forget(ctx, &caller.id, &post)?;
        count(ctx, &counts, &post, Change { bookmarks: -1, ..Change::default() })?;
    }
    Ok(Bookmarked { bookmarked: false })
}
