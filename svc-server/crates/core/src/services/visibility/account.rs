//! Accounts that are suspended, restored or deleted.

use std::collections::BTreeMap;

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::users::AccountStatus;
use svc_types::{PostId, UserId};

use crate::app::Ctx;
use crate::services::post::rank;
use crate::services::{channel, moderation, webhook};

/// Suspends an account whose row is locked; nothing happens when it is suspended.
pub fn suspend(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let rows = ctx.tx.execute(
        sql!(
            "update account set status = 'suspended'
             where id = $1 and status <> 'suspended' and deleted_at is null"
        ),
        values![account],
    )?;
    if rows == 0 {
        return Ok(());
    }
    ctx.effects.ended.push(account.clone());
    count(ctx, account, -1)?;
    webhook::suspend(ctx, account)
}

/// Lifts the suspension of an account whose row is locked.
pub fn unsuspend(ctx: &mut Ctx<'_, '_>, account: &UserId, status: &AccountStatus) -> Result<()> {
    let rows = ctx.tx.execute(
        sql!(
            "update account set status = $1
             where id = $2 and status = 'suspended' and deleted_at is null"
        ),
        values![status, account],
    )?;
    if rows == 0 {
        return Ok(());
    }
    // Identity tokens from before a suspension stay revoked after it.
    let sql = sql!("update identity_token set revoked = true where account = $1");
    ctx.tx.execute(sql, values![account])?;
    count(ctx, account, 1)?;
    webhook::unsuspend(ctx, account)
}

/// Removes an account that is about to be deleted from every count. Its row is locked.
pub fn leave(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    ctx.effects.ended.push(account.clone());
    count(ctx, account, -1)?;
    webhook::suspend(ctx, account)
}

/// Puts an account whose deletion was taken back into every count. Its row is locked.
pub fn come_back(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    count(ctx, account, 1)?;
    webhook::unsuspend(ctx, account)
}

/// Deletes the relations, reactions and places of an account that will not be restored. No count
/// includes it any more.
pub fn forget(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    channel::close_all_of(ctx, account)?;
    for sql in [
        sql!("delete from reaction where account = $1"),
        sql!("delete from timeline where account = $1"),
        sql!("delete from follow where follower = $1"),
        sql!("delete from follow where followee = $1"),
        sql!("delete from block where blocker = $1"),
        sql!("delete from block where blocked = $1"),
        sql!("delete from account_mute where muter = $1"),
        sql!("delete from account_mute where muted = $1"),
        sql!("delete from thread_mute where account = $1"),
        // Its posts will not be restored.
        sql!("delete from measure where subject in (select id from post where author = $1)"),
        sql!("delete from hashtag_follow where account = $1"),
        sql!("delete from list_member where member = $1"),
        sql!("delete from list_member where list in (select id from list where owner = $1)"),
        sql!("delete from list where owner = $1"),
        sql!("update post set hot = null where author = $1 and hot is not null"),
    ] {
        ctx.tx.execute(sql, values![account])?;
    }
    webhook::forget(ctx, account)?;
    moderation::drop_all(ctx, account.as_str())
}

/// Adds `more` times what an account did to the counts of others.
fn count(ctx: &mut Ctx<'_, '_>, account: &UserId, more: i64) -> Result<()> {
    for sql in [
        sql!(
            "update account set followers_count = followers_count + $1
             where id in (select followee from follow where follower = $2)"
        ),
        sql!(
            "update account set following_count = following_count + $1
             where id in (select follower from follow where followee = $2)"
        ),
        sql!(
            "update list set members_count = members_count + $1
             where id in (select list from list_member where member = $2)"
        ),
        sql!(
            "update channel set members_count = members_count + $1
             where id in (select channel from channel_member where account = $2)"
        ),
    ] {
        ctx.tx.execute(sql, values![more, account])?;
    }
    count_in_own_threads(ctx, account, more)?;
    ctx.tx.execute(
        sql!(
            "update post set
                likes_count = likes_count + cast($1 as bigint)
                    * case when r.liked_at is null then 0 else 1 end,
                reposts_count = reposts_count + cast($1 as bigint)
                    * case when r.repost is null then 0 else 1 end,
                replies_count = replies_count + cast($1 as bigint) * r.replies,
                quotes_count = quotes_count + cast($1 as bigint) * r.quotes,
                bookmarks_count = bookmarks_count + cast($1 as bigint)
                    * case when r.bookmarked_at is null then 0 else 1 end,
                points = points + cast($1 as bigint) * case when r.author = r.account then 0 else
                    case when r.liked_at is null then 0 else cast($2 as bigint) end
                    + case when r.repost is null then 0 else cast($3 as bigint) end
                    + case when r.quotes > 0 then cast($4 as bigint) else 0 end
                    + case when r.replies > 0 then cast($5 as bigint) else 0 end end
             from reaction r
             where r.account = $6 and post.id = r.post"
        ),
        values![
            more,
            rank::LIKE_POINTS,
            rank::REPOST_POINTS,
            rank::QUOTE_POINTS,
            rank::REPLIER_POINTS,
            account
        ],
    )?;
    rerank(ctx, account, more)
}

/// Replies to and quotes of the account's own posts are counted, although they are no reactions.
fn count_in_own_threads(ctx: &mut Ctx<'_, '_>, account: &UserId, more: i64) -> Result<()> {
    for sql in [
        sql!(
            "update post set replies_count = replies_count + cast($1 as bigint) * mine.n
             from (
                select p.reply_to as post, count(*) as n
                from post p join post o on o.id = p.reply_to
                where p.author = $2 and o.author = $2 and p.hidden = false
                    and p.deleted_at is null
                group by p.reply_to
             ) mine
             where post.id = mine.post"
        ),
        sql!(
            "update post set quotes_count = quotes_count + cast($1 as bigint) * mine.n
             from (
                select p.quote_of as post, count(*) as n
                from post p join post o on o.id = p.quote_of
                where p.author = $2 and o.author = $2 and p.hidden = false
                    and p.deleted_at is null
                group by p.quote_of
             ) mine
             where post.id = mine.post"
        ),
    ] {
        ctx.tx.execute(sql, values![more, account])?;
    }
    Ok(())
}

/// The reactions of an account to a post, whose points have changed already.
#[expect(clippy::struct_excessive_bools, reason = "a row is what its statement selects")]
struct Reaction {
    post: PostId,
    points: i64,
    is_ranked: bool,
    is_own: bool,
    liked: bool,
    reposted: bool,
    quoted: bool,
    replied: bool,
}
row!(Reaction {
    post: "p.id",
    points: "p.points",
    is_ranked: "p.hot is not null",
    is_own: "r.author = r.account",
    liked: "r.liked_at is not null",
    reposted: "r.repost is not null",
    quoted: "r.quotes > 0",
    replied: "r.replies > 0",
});

impl Reaction {
    /// The points it is worth.
    fn worth(&self) -> i64 {
        let kinds = [
            (self.liked, rank::LIKE_POINTS),
            (self.reposted, rank::REPOST_POINTS),
            (self.quoted, rank::QUOTE_POINTS),
            (self.replied, rank::REPLIER_POINTS),
        ];
        let counted = kinds.into_iter().filter(|(is_there, _)| *is_there && !self.is_own);
        counted.map(|(_, points)| points).sum()
    }
}

/// Moves the posts that an account reacted to to the rank of their points, grouped by distance.
fn rerank(ctx: &mut Ctx<'_, '_>, account: &UserId, more: i64) -> Result<()> {
    let reactions: Vec<Reaction> = ctx.tx.all(
        sql!(
            "select ",
            Reaction::COLUMNS,
            " from reaction r join post p on p.id = r.post where r.account = $1"
        ),
        values![account],
    )?;
    let now = ctx.now();
    let mut groups: BTreeMap<i64, Vec<PostId>> = BTreeMap::new();
    for reaction in reactions {
        ctx.app.views.changed(&reaction.post, now);
        let before = reaction.points - more * reaction.worth();
        let by = rank::moved(before, reaction.points);
        if reaction.is_ranked && by != 0 {
            groups.entry(by).or_default().push(reaction.post);
        }
    }
    for (by, posts) in groups {
        rank::move_all(ctx, &posts, by)?;
    }
    Ok(())
}
