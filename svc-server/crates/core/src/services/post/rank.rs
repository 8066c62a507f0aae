//! Engagement and rank of posts: counts, points, and the key of the `hot` order.
//!
//! Points are twice the engagement: 2, and for each account that is not the author 2 for a like,
//! 4 for a repost, 3 for a quote, 2 for a reply. The key is a time: when the post was published,
//! and 12 hours more for each doubling of its engagement, so that it is indexed and never decays.

use std::ops::Neg;

use svc_store::db::{SLOTS, Value, slots};
use svc_store::error::Result;
use svc_store::{returning, row, sql, values};
use svc_types::api::users::Tier;
use svc_types::{PostId, Timestamp, UserId};

use super::record::Record;
use crate::app::Ctx;

/// Milliseconds that a doubling of the engagement is worth.
const DOUBLING_MS: f64 = 43_200_000.0;

/// 12 h · log2(1.5): the engagement of pro accounts weighs 1.5 times (spec §1).
const PRO_MS: i64 = 25_270_380;

/// Points of a post nobody has reacted to.
pub const POINTS_AT_FIRST: i64 = 2;

/// Points of one like, repost, quote or replier.
pub const LIKE_POINTS: i64 = 2;
/// See [`LIKE_POINTS`].
pub const REPOST_POINTS: i64 = 4;
/// See [`LIKE_POINTS`].
pub const QUOTE_POINTS: i64 = 3;
/// See [`LIKE_POINTS`].
pub const REPLIER_POINTS: i64 = 2;

/// What engagement is worth in the `hot` order, in milliseconds.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "points are far below 2^52, and what they are worth is far below a year"
)]
fn worth(points: i64) -> i64 {
    let engagement = points.max(POINTS_AT_FIRST) as f64 / 2.0;
    (DOUBLING_MS * engagement.log2()).round() as i64
}

/// What a tier is worth in the `hot` order, in milliseconds.
const fn head_start(tier: &Tier) -> i64 {
    match tier {
        Tier::Pro => PRO_MS,
        _ => 0,
    }
}

/// The key of the `hot` order, in milliseconds.
pub fn hot(points: i64, created_at: Timestamp, tier: &Tier) -> i64 {
    created_at.as_millis() + head_start(tier) + worth(points)
}

/// What an act adds to the counts of a post.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// To `likesCount`.
    pub likes: i64,
    /// To `repostsCount`.
    pub reposts: i64,
    /// To `repliesCount`.
    pub replies: i64,
    /// To `quotesCount`.
    pub quotes: i64,
    /// To the bookmarks, which only its author sees.
    pub bookmarks: i64,
    /// To the points.
    pub points: i64,
}

impl Change {
    /// The values of [`CHANGE`].
    fn values<'a>(&'a self, post: &'a PostId) -> [Value<'a>; 7] {
        *values![
            self.likes,
            self.reposts,
            self.replies,
            self.quotes,
            self.bookmarks,
            self.points,
            *post
        ]
    }
}

impl Neg for Change {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            likes: -self.likes,
            reposts: -self.reposts,
            replies: -self.replies,
            quotes: -self.quotes,
            bookmarks: -self.bookmarks,
            points: -self.points,
        }
    }
}

/// The counts of a post after a change.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// How many like it.
    pub likes: i64,
    /// How many repost it.
    pub reposts: i64,
    points: i64,
    is_ranked: bool,
}
row!(Counts { likes, reposts, points, is_ranked });

/// Adds a [`Change`] to the counts of a post.
const CHANGE: &str = "update post set likes_count = likes_count + $1,
        reposts_count = reposts_count + $2, replies_count = replies_count + $3,
        quotes_count = quotes_count + $4, bookmarks_count = bookmarks_count + $5,
        points = points + $6
    where id = $7";

/// Changes the counts of a post, and its rank where it has one.
pub fn change(ctx: &mut Ctx<'_, '_>, post: &Record, change: Change) -> Result<Counts> {
    let counts: Counts = ctx.tx.one_returning(
        returning!(
            CHANGE,
            "likes_count, reposts_count, points, hot is not null",
            "post where id = $1",
        ),
        &change.values(&post.id),
        values![post.id],
    )?;
    let now = ctx.now();
    ctx.app.views.note_changed(&post.id, now);
    // The row is locked since the update, so that the key fits the points. It is moved, not set:
    // the author's tier may be another by now.
    let by = moved(counts.points - change.points, counts.points);
    if counts.is_ranked && by != 0 {
        ctx.tx.write(sql!("update post set hot = hot + $1 where id = $2"), values![by, post.id])?;
    }
    Ok(counts)
}

/// Locks posts that are about to be referred to and counted. Otherwise concurrent transactions share a lock on a post
/// by their foreign keys, and then each waits for the others before it can update the post.
pub fn lock<'a>(ctx: &mut Ctx<'_, '_>, posts: impl IntoIterator<Item = &'a Record>) -> Result<()> {
    let mut ids: Vec<_> = posts.into_iter().map(|post| &post.id).collect();
    ids.sort();
    for id in ids {
        ctx.tx.lock(sql!("select id from post where id = $1 for no key update"), values![id])?;
    }
    Ok(())
}

/// Changes the counts of a post whose rank stays as it is, so that nothing waits for them.
fn change_counts(ctx: &mut Ctx<'_, '_>, post: &Record, change: Change) -> Result<()> {
    let now = ctx.now();
    ctx.app.views.note_changed(&post.id, now);
    ctx.tx.write(sql!(CHANGE), &change.values(&post.id))
}

/// Changes the counts of posts in the order of their ids, so that two transactions that change
/// the same ones don't wait for each other.
pub fn change_all(ctx: &mut Ctx<'_, '_>, mut changes: Vec<(&Record, Change)>) -> Result<()> {
    changes.sort_by(|(one, _), (other, _)| one.id.cmp(&other.id));
    for (post, counted) in changes {
        // Replies have no rank.
        if counted.points == 0 || post.reply_to.is_some() {
            change_counts(ctx, post, counted)?;
        } else {
            change(ctx, post, counted)?;
        }
    }
    Ok(())
}

/// Where the reactions of one account to one post are.
const REACTION: &str = "reaction where account = $1 and author = $2 and post = $3";

/// Records a reply of `account` to a post. Returns what it changes there: the first living reply of an
/// account that is not the author adds points.
pub fn count_reply(ctx: &mut Ctx<'_, '_>, account: &UserId, parent: &Record) -> Result<Change> {
    let change = Change { replies: 1, ..Change::default() };
    if *account == parent.author {
        return Ok(change);
    }
    let living: i64 = ctx.tx.one_returning(
        returning!(
            "insert into reaction (account, author, post, replies) values ($1, $2, $3, 1)
             on conflict (account, author, post) do update set replies = reaction.replies + 1",
            "replies",
            REACTION,
        ),
        values![account, parent.author, parent.id],
        values![account, parent.author, parent.id],
    )?;
    Ok(Change { points: if living == 1 { REPLIER_POINTS } else { 0 }, ..change })
}

/// Records a quote of a post in the same way.
pub fn count_quote(ctx: &mut Ctx<'_, '_>, account: &UserId, post: &Record) -> Result<Change> {
    let change = Change { quotes: 1, ..Change::default() };
    if *account == post.author {
        return Ok(change);
    }
    let living: i64 = ctx.tx.one_returning(
        returning!(
            "insert into reaction (account, author, post, quotes) values ($1, $2, $3, 1)
             on conflict (account, author, post) do update set quotes = reaction.quotes + 1",
            "quotes",
            REACTION,
        ),
        values![account, post.author, post.id],
        values![account, post.author, post.id],
    )?;
    Ok(Change { points: if living == 1 { QUOTE_POINTS } else { 0 }, ..change })
}

/// Records the end of a reply; returns what it takes from its parent.
pub fn uncount_reply(ctx: &mut Ctx<'_, '_>, account: &UserId, parent: &Record) -> Result<Change> {
    let change = Change { replies: -1, ..Change::default() };
    let living: Option<i64> = ctx.tx.optional_returning(
        returning!(
            "update reaction set replies = replies - 1
             where account = $1 and author = $2 and post = $3 and replies > 0",
            "replies",
            REACTION,
        ),
        values![account, parent.author, parent.id],
        values![account, parent.author, parent.id],
    )?;
    if living != Some(0) {
        return Ok(change);
    }
    forget(ctx, account, parent)?;
    Ok(Change { points: -REPLIER_POINTS, ..change })
}

/// Records the end of a quote; returns what it takes from the quoted post.
pub fn uncount_quote(ctx: &mut Ctx<'_, '_>, account: &UserId, post: &Record) -> Result<Change> {
    let change = Change { quotes: -1, ..Change::default() };
    let living: Option<i64> = ctx.tx.optional_returning(
        returning!(
            "update reaction set quotes = quotes - 1
             where account = $1 and author = $2 and post = $3 and quotes > 0",
            "quotes",
            REACTION,
        ),
        values![account, post.author, post.id],
        values![account, post.author, post.id],
    )?;
    if living != Some(0) {
        return Ok(change);
    }
    forget(ctx, account, post)?;
    Ok(Change { points: -QUOTE_POINTS, ..change })
}

/// Removes a row of an account and a post that says nothing any more.
pub fn forget(ctx: &mut Ctx<'_, '_>, account: &UserId, post: &Record) -> Result<()> {
    ctx.tx.write(
        sql!(
            "delete from reaction
             where account = $1 and author = $2 and post = $3 and liked_at is null
                and repost is null and bookmarked_at is null and replies = 0 and quotes = 0"
        ),
        values![account, post.author, post.id],
    )?;
    Ok(())
}

/// How far a post is moved in the `hot` order when its points change.
pub fn moved(before: i64, after: i64) -> i64 {
    worth(after) - worth(before)
}

/// Moves ranked posts in the `hot` order.
pub fn move_all(ctx: &mut Ctx<'_, '_>, posts: &[PostId], by: i64) -> Result<()> {
    for some in posts.chunks(SLOTS) {
        let mut values = values![by].to_vec();
        values.extend(slots(some));
        ctx.tx.write(
            sql!(
                "update post set hot = hot + $1 where hot is not null and id in (",
                slots!(2),
                ")"
            ),
            &values,
        )?;
    }
    Ok(())
}

/// Moves an account's posts in the `hot` order when its tier changes.
pub fn shift(ctx: &mut Ctx<'_, '_>, author: &UserId, from: &Tier, to: &Tier) -> Result<()> {
    let by = head_start(to) - head_start(from);
    if by != 0 {
        let sql = sql!("update post set hot = hot + $1 where author = $2 and hot is not null");
        ctx.tx.write(sql, values![by, author])?;
    }
    Ok(())
}

/// An id without its prefix, by which timelines are ordered.
pub fn entry(id: &str) -> &str {
    id.split_once('_').map_or(id, |(_, entry)| entry)
}

/// Lets a top-level post appear in feeds.
pub fn enlist(ctx: &mut Ctx<'_, '_>, post: &PostId, author: &UserId) -> Result<()> {
    ctx.tx.write(
        sql!(
            "insert into timeline (account, entry, post) values ($1, $2, $3)
             on conflict do nothing"
        ),
        values![author, entry(post.as_str()), post],
    )?;
    Ok(())
}

/// Takes a post out of feeds and ranks.
pub fn delist(ctx: &mut Ctx<'_, '_>, post: &PostId, author: &UserId) -> Result<()> {
    ctx.tx.write(sql!("update post set hot = null where id = $1"), values![post])?;
    let sql = sql!("delete from timeline where account = $1 and entry = $2");
    ctx.tx.write(sql, values![author, entry(post.as_str())])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000;

    #[test]
    fn a_doubling_of_the_engagement_is_worth_twelve_hours() {
        let at = Timestamp::from_millis(1_000_000);
        let of = |points| hot(points, at, &Tier::Free) - at.as_millis();
        assert_eq!([2, 4, 8, 16].map(of), [0, 12 * HOUR, 24 * HOUR, 36 * HOUR]);
    }

    #[test]
    fn pro_is_worth_seven_hours_at_any_engagement() {
        let at = Timestamp::from_millis(0);
        for points in [2, 5, 100, 1_000_000] {
            let gain = hot(points, at, &Tier::Pro) - hot(points, at, &Tier::Free);
            assert_eq!(gain, 25_270_380, "7 h 1 min 10.38 s");
            assert_eq!(hot(points, at, &Tier::Boost), hot(points, at, &Tier::Free));
        }
        assert_eq!(PRO_MS, worth(6) - worth(4), "half as much engagement again");
    }
}
