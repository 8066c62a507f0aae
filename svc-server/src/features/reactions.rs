//! Reactions to posts: like, repost, bookmark, pin, mute the thread.

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::page::Page;
use svc_core::services::post::Record;
use svc_core::services::{account, post, reaction};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::posts::PostPage;
use svc_types::api::reactions::{
    BookmarkPost, Bookmarked, LikePost, Liked, ListBookmarks, ListLikes, ListReposts, MuteThread,
    PinPost, Pinned, RepostPost, Reposted, ThreadMuted, UnbookmarkPost, UnlikePost, UnmuteThread,
    UnpinPost, UnrepostPost,
};
use svc_types::api::users::UserPage;
use svc_types::{Code, PostId, UserId};

use crate::http::Routes;

/// Most pinned posts of an account.
const PINNED_MAX: i64 = 5;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .write(like)
        .write(unlike)
        .write(repost)
        .write(unrepost)
        .write(bookmark)
        .write(unbookmark)
        .write(pin)
        .write(unpin)
        .write(mute)
        .write(unmute)
        .read(likes)
        .read(reposts)
        .read(bookmarks)
}

fn like(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &LikePost) -> Result<Liked> {
    reaction::like(ctx, caller, &request.post_id)
}

fn unlike(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &UnlikePost) -> Result<Liked> {
    reaction::unlike(ctx, caller, &request.post_id)
}

fn repost(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &RepostPost) -> Result<Reposted> {
    reaction::repost(ctx, caller, &request.post_id)
}

fn unrepost(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &UnrepostPost) -> Result<Reposted> {
    reaction::unrepost(ctx, caller, &request.post_id)
}

fn bookmark(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &BookmarkPost) -> Result<Bookmarked> {
    reaction::bookmark(ctx, caller, &request.post_id)
}

fn unbookmark(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &UnbookmarkPost,
) -> Result<Bookmarked> {
    reaction::unbookmark(ctx, caller, &request.post_id)
}

/// The caller's post, else 403.
fn own(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &PostId) -> Result<Record> {
    let record = post::visible(ctx, id, Some(caller))?;
    if record.author == caller.id {
        Ok(record)
    } else {
        Err(Error::refused(Code::Forbidden, "only its author may pin a post"))
    }
}

fn pin(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &PinPost) -> Result<Pinned> {
    let record = own(ctx, caller, &request.post_id)?;
    // Of two concurrent pins, the second counts the first.
    account::lock(ctx, &caller.id)?;
    let sql = sql!("select count(*) from post where author = $1 and pinned = true and id <> $2");
    let others: i64 = ctx.tx.one(sql, values![caller.id, record.id])?;
    if others >= PINNED_MAX {
        let message = format!("at most {PINNED_MAX} posts can be pinned; unpin one first");
        return Err(Error::refused(Code::LimitReached, message));
    }
    set_pinned(ctx, &record, true)
}

fn unpin(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &UnpinPost) -> Result<Pinned> {
    let record = own(ctx, caller, &request.post_id)?;
    set_pinned(ctx, &record, false)
}

fn set_pinned(ctx: &mut Ctx<'_, '_>, record: &Record, pinned: bool) -> Result<Pinned> {
    let sql = sql!("update post set pinned = $1 where id = $2 and deleted_at is null");
    ctx.tx.write(sql, values![pinned, record.id])?;
    Ok(Pinned { pinned })
}

fn mute(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &MuteThread) -> Result<ThreadMuted> {
    let root = root(ctx, caller, &request.post_id)?;
    let now = ctx.now();
    ctx.tx.write(
        sql!(
            "insert into thread_mute (account, root, created_at) values ($1, $2, $3)
             on conflict do nothing"
        ),
        values![caller.id, root, now],
    )?;
    Ok(ThreadMuted { muted: true })
}

fn unmute(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &UnmuteThread) -> Result<ThreadMuted> {
    let root = root(ctx, caller, &request.post_id)?;
    let sql = sql!("delete from thread_mute where account = $1 and root = $2");
    ctx.tx.write(sql, values![caller.id, root])?;
    Ok(ThreadMuted { muted: false })
}

/// The top-level post of a thread.
fn root(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &PostId) -> Result<PostId> {
    let record = post::visible(ctx, id, Some(caller))?;
    Ok(record.root.unwrap_or(record.id))
}

fn likes(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &ListLikes) -> Result<UserPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 2)?;
    let (at, account) = page.after_number()?.unwrap_or((i64::MAX, ""));
    let post = post::visible(ctx, &request.post_id, caller.account())?;
    let rows: Vec<(i64, UserId)> = ctx.tx.all(
        sql!(
            "select r.liked_at, r.account from reaction r join account a on a.id = r.account
             where r.post = $1 and r.liked_at is not null and r.liked_at <= $2
                and (r.liked_at < $2 or r.account > $3)
                and a.deleted_at is null and a.status <> 'suspended'
             order by r.liked_at desc, r.account limit $4"
        ),
        values![post.id, at, account, page.rows()],
    )?;
    accounts(ctx, caller, &page, rows)
}

fn reposts(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &ListReposts) -> Result<UserPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let post = post::visible(ctx, &request.post_id, caller.account())?;
    let mut rows: Vec<(String, UserId)> = ctx.tx.all(
        sql!(
            "select r.repost, r.account from reaction r join account a on a.id = r.account
             where r.post = $1 and r.repost is not null and r.repost < $2
                and a.deleted_at is null and a.status <> 'suspended'
             order by r.repost desc limit $3"
        ),
        values![post.id, page.before(), page.rows()],
    )?;
    let next_cursor = page.cut(&mut rows, |(repost, _)| vec![repost.clone()]);
    let ids: Vec<UserId> = rows.into_iter().map(|(_, account)| account).collect();
    let users = account::load_visible(ctx, caller.account(), &ids)?;
    Ok(UserPage { users, missing: None, next_cursor })
}

/// A page of accounts, sorted by a time, latest first, and their id.
fn accounts(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    page: &Page,
    mut rows: Vec<(i64, UserId)>,
) -> Result<UserPage> {
    let next_cursor = page.cut(&mut rows, |(at, id)| vec![at.to_string(), id.to_string()]);
    let ids: Vec<UserId> = rows.into_iter().map(|(_, id)| id).collect();
    let users = account::load_visible(ctx, caller.account(), &ids)?;
    Ok(UserPage { users, missing: None, next_cursor })
}

fn bookmarks(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &ListBookmarks) -> Result<PostPage> {
    post::html::include(ctx, request.include.as_ref())?;
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 2)?;
    let (at, post) = page.after_number()?.unwrap_or((i64::MAX, ""));
    let mut rows: Vec<(i64, PostId)> = ctx.tx.all(
        sql!(
            "select bookmarked_at, post from reaction
             where account = $1 and bookmarked_at is not null and bookmarked_at <= $2
                and (bookmarked_at < $2 or post > $3)
             order by bookmarked_at desc, post limit $4"
        ),
        values![caller.id, at, post, page.rows()],
    )?;
    let next_cursor = page.cut(&mut rows, |(at, id)| vec![at.to_string(), id.to_string()]);
    let ids: Vec<PostId> = rows.into_iter().map(|(_, id)| id).collect();
    Ok(PostPage { posts: post::load_visible(ctx, Some(caller), &ids)?, next_cursor })
}
