//! Relations between accounts: follow, block and mute, and their lists.

mod suggested;

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::page::Page;
use svc_core::services::{account, relation};
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::UserId;
use svc_types::api::relations::{
    BlockUser, Blocking, Follow, Followed, ListBlocks, ListFollowers, ListFollowing, ListMutes,
    ListRelationships, MuteUser, Muting, Relationships, UnblockUser, Unfollow, UnmuteUser,
};
use svc_types::api::users::UserPage;

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .write(follow)
        .write(unfollow)
        .write(block)
        .write(unblock)
        .write(mute)
        .write(unmute)
        .read(blocks)
        .read(mutes)
        .read(relationships)
        .read(followers)
        .read(following)
        .read(suggested::list)
}

fn follow(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &Follow) -> Result<Followed> {
    relation::follow(ctx, caller, request.username.as_str())
}

fn unfollow(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &Unfollow) -> Result<Followed> {
    relation::unfollow(ctx, caller, request.username.as_str())
}

fn block(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &BlockUser) -> Result<Blocking> {
    relation::block(ctx, caller, request.username.as_str())
}

fn unblock(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &UnblockUser) -> Result<Blocking> {
    relation::unblock(ctx, caller, request.username.as_str())
}

fn mute(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &MuteUser) -> Result<Muting> {
    relation::mute(ctx, caller, request.username.as_str(), request.expires_in)
}

fn unmute(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &UnmuteUser) -> Result<Muting> {
    relation::unmute(ctx, caller, request.username.as_str())
}

fn relationships(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListRelationships,
) -> Result<Relationships> {
    let relationships = account::relationships(ctx, caller, &request.ids.0)?;
    Ok(Relationships { relationships })
}

fn blocks(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &ListBlocks) -> Result<UserPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let ids = ctx.tx.all(
        sql!(
            "select blocked from block where blocker = $1 and blocked > $2
             order by blocked limit $3"
        ),
        values![caller.id, page.after_one().unwrap_or(""), page.rows()],
    )?;
    by_id(ctx, Some(caller), &page, ids)
}

fn mutes(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &ListMutes) -> Result<UserPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let now = ctx.now();
    let ids = ctx.tx.all(
        sql!(
            "select muted from account_mute where muter = $1 and muted > $2
                and (expires_at is null or expires_at > $3)
             order by muted limit $4"
        ),
        values![caller.id, page.after_one().unwrap_or(""), now, page.rows()],
    )?;
    by_id(ctx, Some(caller), &page, ids)
}

/// A page of accounts, sorted by id.
fn by_id(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    page: &Page,
    mut ids: Vec<UserId>,
) -> Result<UserPage> {
    let next_cursor = page.cut(&mut ids, |id| vec![id.to_string()]);
    Ok(UserPage { users: account::load_visible(ctx, viewer, &ids)?, missing: None, next_cursor })
}

fn followers(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &ListFollowers) -> Result<UserPage> {
    let viewer = caller.account();
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 2)?;
    let (at, id) = page.after_number()?.unwrap_or((i64::MAX, ""));
    let followee = account::find_visible(ctx, request.username.as_str(), viewer)?.id;
    let rows = ctx.tx.all(
        sql!(
            "select f.created_at, f.follower from follow f join account a on a.id = f.follower
             where f.followee = $1 and f.created_at <= $2
                and (f.created_at < $2 or f.follower > $3)
                and a.deleted_at is null and a.status <> 'suspended'
             order by f.created_at desc, f.follower limit $4"
        ),
        values![followee, at, id, page.rows()],
    )?;
    by_time(ctx, viewer, &page, rows)
}

fn following(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &ListFollowing) -> Result<UserPage> {
    let viewer = caller.account();
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 2)?;
    let (at, id) = page.after_number()?.unwrap_or((i64::MAX, ""));
    let follower = account::find_visible(ctx, request.username.as_str(), viewer)?.id;
    let rows = ctx.tx.all(
        sql!(
            "select f.created_at, f.followee from follow f join account a on a.id = f.followee
             where f.follower = $1 and f.created_at <= $2
                and (f.created_at < $2 or f.followee > $3)
                and a.deleted_at is null and a.status <> 'suspended'
             order by f.created_at desc, f.followee limit $4"
        ),
        values![follower, at, id, page.rows()],
    )?;
    by_time(ctx, viewer, &page, rows)
}

/// A page of accounts, sorted by the start of a follow, latest first.
fn by_time(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    page: &Page,
    mut rows: Vec<(i64, UserId)>,
) -> Result<UserPage> {
    let next_cursor = page.cut(&mut rows, |(at, id)| vec![at.to_string(), id.to_string()]);
    let ids: Vec<UserId> = rows.into_iter().map(|(_, id)| id).collect();
    Ok(UserPage { users: account::load_visible(ctx, viewer, &ids)?, missing: None, next_cursor })
}
