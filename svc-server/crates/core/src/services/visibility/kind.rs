//! The kinds of rows by which an account counts elsewhere: their orders, and what they add.

use std::collections::BTreeMap;

use svc_store::db::{Bind, SLOTS, Sql, Value, slots};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::{PostId, UserId};

use super::place::{followed_since, follower_key};
use super::rating;
use crate::app::Ctx;
use crate::ids;
use crate::services::post::rank;

/// A kind of rows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// Accounts that it follows.
    Following,
    /// Accounts that follow it.
    Followers,
    /// Lists that it is in.
    Lists,
    /// Channels that it is in.
    Channels,
    /// Its own posts. Their replies to and quotes of its own are counted, although they are no reactions.
    OwnThreads,
    /// What it did to posts.
    Reactions,
    /// Ratings that it gave, which say themselves whether they are counted.
    Ratings,
}

/// All kinds, in their order.
pub(super) const KINDS: [Kind; 7] = [
    Kind::Following,
    Kind::Followers,
    Kind::Lists,
    Kind::Channels,
    Kind::OwnThreads,
    Kind::Reactions,
    Kind::Ratings,
];

// In the order of ids, as by everything that locks several of them.
const LOCK_ACCOUNTS: Sql =
    sql!("select id from account where id in (", slots!(1), ") order by id for no key update");
const LOCK_LISTS: Sql =
    sql!("select id from list where id in (", slots!(1), ") order by id for no key update");
const LOCK_CHANNELS: Sql =
    sql!("select id from channel where id in (", slots!(1), ") order by id for no key update");

/// A row of some kind.
#[derive(Debug)]
pub(super) struct Found {
    /// Its place in the order of its kind.
    pub(super) key: String,
    /// What is counted at, or the post of the account that may be counted at another.
    id: String,
}

impl Kind {
    /// The first rows behind a key.
    pub(super) fn behind(
        self,
        ctx: &mut Ctx<'_, '_>,
        account: &UserId,
        key: &str,
        most: usize,
    ) -> Result<Vec<Found>> {
        let sql = match self {
            Self::Following => sql!(
                "select '', followee from follow where follower = $1 and followee > $2
                 order by followee limit $3"
            ),
            Self::Followers => sql!(
                "select cast(created_at as text) as since, follower from follow
                 where followee = $1 and created_at <= $2 and (created_at < $2 or follower > $3)
                 order by created_at desc, follower limit $4"
            ),
            Self::Lists => sql!(
                "select '', list from list_member where member = $1 and list > $2
                 order by list limit $3"
            ),
            Self::Channels => sql!(
                "select name, channel from channel_member
                 where account = $1 and (name, channel) > ($2, $3)
                 order by name, channel limit $4"
            ),
            Self::OwnThreads => {
                sql!("select '', id from post where author = $1 and id > $2 order by id limit $3")
            }
            Self::Reactions => sql!(
                "select author, post from reaction
                 where account = $1 and (author, post) > ($2, $3)
                 order by author, post limit $4"
            ),
            Self::Ratings => sql!(
                "select '', r.service from service_rating r join account a on a.id = r.buyer
                 where r.buyer = $1 and r.service > $2
                    and r.counted = true and a.status = 'suspended'
                 order by r.service limit $3"
            ),
        };
        self.read(ctx, sql, account, key, most)
    }

    /// The last rows up to a key, the last one first.
    pub(super) fn upto(
        self,
        ctx: &mut Ctx<'_, '_>,
        account: &UserId,
        key: &str,
        most: usize,
    ) -> Result<Vec<Found>> {
        let sql = match self {
            Self::Following => sql!(
                "select '', followee from follow where follower = $1 and followee <= $2
                 order by followee desc limit $3"
            ),
            Self::Followers => sql!(
                "select cast(created_at as text) as since, follower from follow
                 where followee = $1 and created_at >= $2 and (created_at > $2 or follower <= $3)
                 order by created_at, follower desc limit $4"
            ),
            Self::Lists => sql!(
                "select '', list from list_member where member = $1 and list <= $2
                 order by list desc limit $3"
            ),
            Self::Channels => sql!(
                "select name, channel from channel_member
                 where account = $1 and (name, channel) <= ($2, $3)
                 order by name desc, channel desc limit $4"
            ),
            Self::OwnThreads => sql!(
                "select '', id from post where author = $1 and id <= $2 order by id desc limit $3"
            ),
            Self::Reactions => sql!(
                "select author, post from reaction
                 where account = $1 and (author, post) <= ($2, $3)
                 order by author desc, post desc limit $4"
            ),
            Self::Ratings => sql!(
                "select '', r.service from service_rating r join account a on a.id = r.buyer
                 where r.buyer = $1 and r.service <= $2
                    and r.counted = false and a.status <> 'suspended'
                 order by r.service desc limit $3"
            ),
        };
        self.read(ctx, sql, account, key, most)
    }

    fn read(
        self,
        ctx: &mut Ctx<'_, '_>,
        sql: Sql,
        account: &UserId,
        key: &str,
        most: usize,
    ) -> Result<Vec<Found>> {
        let (first, second) = key.split_once(' ').unwrap_or((key, ""));
        let mut values = vec![account.bind()];
        match self {
            Self::Following | Self::Lists | Self::OwnThreads | Self::Ratings => {
                values.push(Value::Text(key));
            }
            Self::Channels | Self::Reactions => {
                values.extend([Value::Text(first), Value::Text(second)]);
            }
            Self::Followers => {
                values.extend([Value::Integer(bound(first)?), Value::Text(second)]);
            }
        }
        values.push(Value::Integer(i64::try_from(most).map_err(Error::internal)?));
        let rows: Vec<(String, String)> = ctx.tx.all(sql, &values)?;
        rows.into_iter().map(|(first, id)| Ok(Found { key: self.key(&first, &id)?, id })).collect()
    }

    /// The key of a row that was read.
    fn key(self, first: &str, second: &str) -> Result<String> {
        Ok(match self {
            Self::Following | Self::Lists | Self::OwnThreads | Self::Ratings => second.to_owned(),
            Self::Channels | Self::Reactions => format!("{first} {second}"),
            Self::Followers => follower_key(first.parse::<i64>().map_err(Error::internal)?, second),
        })
    }

    /// Adds `more` times these rows of the account to the counts.
    pub(super) fn count(
        self,
        ctx: &mut Ctx<'_, '_>,
        account: &UserId,
        rows: Vec<Found>,
        more: i64,
    ) -> Result<()> {
        let mut ids: Vec<String> = rows.into_iter().map(|row| row.id).collect();
        // In one order, so that two transactions that count at the same ones don't wait for each other.
        ids.sort_unstable();
        ids.chunks(SLOTS).try_for_each(|some| self.count_some(ctx, account, some, more))
    }

    fn count_some(
        self,
        ctx: &mut Ctx<'_, '_>,
        account: &UserId,
        ids: &[String],
        more: i64,
    ) -> Result<()> {
        let sql = match self {
            Self::Following => sql!(
                "update account set followers_count = followers_count + $1 where id in (",
                slots!(2),
                ")"
            ),
            Self::Followers => sql!(
                "update account set following_count = following_count + $1 where id in (",
                slots!(2),
                ")"
            ),
            Self::Lists => sql!(
                "update list set members_count = members_count + $1 where id in (",
                slots!(2),
                ")"
            ),
            Self::Channels => sql!(
                "update channel set members_count = members_count + $1 where id in (",
                slots!(2),
                ")"
            ),
            Self::OwnThreads => return own_threads(ctx, ids, more),
            Self::Reactions => return reactions(ctx, account, ids, more),
            Self::Ratings => return rating::count(ctx, account, ids, more),
        };
        let lock = match self {
            Self::Lists => LOCK_LISTS,
            Self::Channels => LOCK_CHANNELS,
            _ => LOCK_ACCOUNTS,
        };
        ctx.tx.lock(lock, &slots(ids))?;
        let mut values = values![more].to_vec();
        values.extend(slots(ids));
        ctx.tx.write(sql, &values)
    }
}

/// The time at which rows of followers begin or end.
fn bound(part: &str) -> Result<i64> {
    match part {
        "" => Ok(i64::MAX),
        ids::LAST => Ok(-1),
        part => followed_since(part),
    }
}

/// Replies to and quotes of posts of the same account. `cross join` keeps SQLite from reading all of them.
fn own_threads(ctx: &mut Ctx<'_, '_>, posts: &[String], more: i64) -> Result<()> {
    let mut values = values![more].to_vec();
    values.extend(slots(posts));
    for sql in [
        sql!(
            "update post set replies_count = replies_count + cast($1 as bigint) * mine.n
             from (
                select p.reply_to as post, count(*) as n
                from post p cross join post o
                where p.id in (",
            slots!(2),
            ") and p.hidden = false and p.deleted_at is null
                    and o.id = p.reply_to and o.author = p.author
                group by p.reply_to
             ) mine
             where post.id = mine.post"
        ),
        sql!(
            "update post set quotes_count = quotes_count + cast($1 as bigint) * mine.n
             from (
                select p.quote_of as post, count(*) as n
                from post p cross join post o
                where p.id in (",
            slots!(2),
            ") and p.hidden = false and p.deleted_at is null
                    and o.id = p.quote_of and o.author = p.author
                group by p.quote_of
             ) mine
             where post.id = mine.post"
        ),
    ] {
        ctx.tx.execute(sql, &values)?;
    }
    Ok(())
}

/// What a reaction `r` adds to the points of its post, `$1` times.
const POINTS: &str = "cast($1 as bigint) * case when r.author = r.account then 0 else
    case when r.liked_at is null then 0 else cast($2 as bigint) end
    + case when r.repost is null then 0 else cast($3 as bigint) end
    + case when r.quotes > 0 then cast($4 as bigint) else 0 end
    + case when r.replies > 0 then cast($5 as bigint) else 0 end end";

/// Reactions to some posts; the account has one to each. Each is looked up for its post: in a join, PostgreSQL
/// reads all those of the account for each statement, because most accounts have few.
fn reactions(ctx: &mut Ctx<'_, '_>, account: &UserId, posts: &[String], more: i64) -> Result<()> {
    let lock =
        sql!("select id from post where id in (", slots!(1), ") order by id for no key update");
    ctx.tx.lock(lock, &slots(posts))?;
    let mut values = values![
        more,
        rank::LIKE_POINTS,
        rank::REPOST_POINTS,
        rank::QUOTE_POINTS,
        rank::REPLIER_POINTS,
        account
    ]
    .to_vec();
    values.extend(slots(posts));
    ctx.tx.execute(
        sql!(
            "update post set (likes_count, reposts_count, replies_count, quotes_count,
                bookmarks_count, points) = (
                select post.likes_count + cast($1 as bigint)
                        * case when r.liked_at is null then 0 else 1 end,
                    post.reposts_count + cast($1 as bigint)
                        * case when r.repost is null then 0 else 1 end,
                    post.replies_count + cast($1 as bigint) * r.replies,
                    post.quotes_count + cast($1 as bigint) * r.quotes,
                    post.bookmarks_count + cast($1 as bigint)
                        * case when r.bookmarked_at is null then 0 else 1 end,
                    post.points + ",
            POINTS,
            "
                from reaction r
                where r.account = $6 and r.author = post.author and r.post = post.id
             )
             where id in (",
            slots!(7),
            ")"
        ),
        &values,
    )?;
    rerank(ctx, &values)
}

/// Moves posts that an account reacted to, whose points have changed already, to the rank of their points, grouped by
/// distance. The values are those of that change.
fn rerank(ctx: &mut Ctx<'_, '_>, values: &[Value<'_>]) -> Result<()> {
    let changed: Vec<(PostId, i64, bool, i64)> = ctx.tx.all(
        sql!(
            "select p.id, p.points, p.hot is not null, (
                select ",
            POINTS,
            "
                from reaction r
                where r.account = $6 and r.author = p.author and r.post = p.id
             )
             from post p where p.id in (",
            slots!(7),
            ")"
        ),
        values,
    )?;
    let now = ctx.now();
    let mut groups: BTreeMap<i64, Vec<PostId>> = BTreeMap::new();
    for (post, points, is_ranked, change) in changed {
        ctx.app.views.note_changed(&post, now);
        let by = rank::moved(points - change, points);
        if is_ranked && by != 0 {
            groups.entry(by).or_default().push(post);
        }
    }
    for (by, posts) in groups {
        rank::move_all(ctx, &posts, by)?;
    }
    Ok(())
}
