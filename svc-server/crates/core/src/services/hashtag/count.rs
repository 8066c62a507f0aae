//! Counting the uses of hashtags: in the background, each again when it is due.
//!
//! Counted are visible posts of accounts that are not limited. A count reads the newest posts with
//! the hashtag, so that what was deleted, hidden, limited or suspended is out of it after the next
//! one, whichever job did it.

use std::collections::{BTreeMap, HashSet};

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::hashtags::{HashtagUse, HashtagWindow};
use svc_types::{PostId, Timestamp, UserId};

use super::{begin, parts};
use crate::app::Ctx;
use crate::ids;

/// Hashtags counted at once.
pub const BATCH: i64 = 50;

/// Newest posts of a hashtag that are counted. Where a window has more of them, what was counted earlier remains:
/// otherwise one account could take any hashtag off the popular ones by replies.
const COUNTED_MAX: usize = 10_000;

/// Time after which the window has moved on, in milliseconds. Accounts may have been restored meanwhile.
const STALE_AFTER: i64 = 600_000;

/// The same of a hashtag that one account used. Replies may bring 30 new ones each, so there may be millions.
const RARE_STALE_AFTER: i64 = 43_200_000;

/// A hashtag that is to be counted.
#[derive(Clone, Debug)]
pub struct Pending {
    name: String,
    due_at: Timestamp,
    counted_at: Timestamp,
    /// The parts of each window as they were counted before.
    hours: String,
    days: String,
}
row!(Pending {
    name: "name",
    due_at: "due_at",
    counted_at: "counted_at",
    hours: "hours",
    days: "days",
});

/// What was counted.
#[derive(Clone, Debug)]
pub struct Counted {
    pending: Pending,
    /// When the posts were read, which may be long before the count is stored.
    at: Timestamp,
    day: Tally,
    week: Tally,
    /// When it is due again; none if the window has no post with it, not even one that nobody may see now.
    next: Option<i64>,
}

impl Counted {
    /// The name of the hashtag.
    pub fn name(&self) -> &str {
        &self.pending.name
    }
}

/// Posts and accounts of a window.
#[derive(Clone, Debug)]
struct Tally {
    posts: i64,
    accounts: i64,
    parts: String,
    /// When its first part leaves the window, in milliseconds.
    changes_at: Option<i64>,
}

/// Hashtags that are to be counted by now, the longest due first.
pub fn due(ctx: &mut Ctx<'_, '_>) -> Result<Vec<Pending>> {
    let now = ctx.now();
    ctx.tx.all(
        sql!(
            "select ",
            Pending::COLUMNS,
            " from hashtag
             where due_at is not null and due_at <= $1
             order by due_at, name limit $2"
        ),
        values![now, BATCH],
    )
}

/// Counts a hashtag; only reads.
pub fn count(ctx: &mut Ctx<'_, '_>, pending: Pending) -> Result<Counted> {
    let now = ctx.now();
    let first: PostId = ids::first_of(begin(&HashtagWindow::Week, now));
    let most = i64::try_from(COUNTED_MAX).map_err(Error::internal)?;
    let uses: Vec<(Timestamp, UserId)> = ctx.tx.all(
        sql!(
            "select p.created_at, p.author
             from post_hashtag h
             cross join post p
             cross join account a
             where h.tag = $1 and h.post >= $2 and p.id = h.post and a.id = p.author
                and p.deleted_at is null and p.hidden = false
                and a.deleted_at is null and a.status = 'active'
             order by h.post desc limit $3"
        ),
        values![pending.name, first, most],
    )?;
    let day = tally(&uses, &HashtagWindow::Day, now, &pending.hours)?;
    let week = tally(&uses, &HashtagWindow::Week, now, &pending.days)?;
    let is_used = week.posts > 0 || is_used(ctx, &pending.name, &first)?;
    let next = is_used.then(|| next(now, &day, &week));
    Ok(Counted { pending, at: now, day, week, next })
}

/// When a hashtag is due again, in milliseconds.
fn next(at: Timestamp, day: &Tally, week: &Tally) -> i64 {
    if week.accounts > 1 {
        return at.as_millis() + STALE_AFTER;
    }
    let changes = [day.changes_at, week.changes_at].into_iter().flatten();
    changes.fold(at.as_millis() + RARE_STALE_AFTER, i64::min)
}

/// Whether a hashtag has posts from this one on, even if nobody may see them now.
fn is_used(ctx: &mut Ctx<'_, '_>, name: &str, first: &PostId) -> Result<bool> {
    ctx.tx.one(
        sql!("select exists (select 1 from post_hashtag where tag = $1 and post >= $2)"),
        values![name, first],
    )
}

/// The posts and accounts of a window, of which some parts were counted before.
fn tally(
    uses: &[(Timestamp, UserId)],
    window: &HashtagWindow,
    now: Timestamp,
    before: &str,
) -> Result<Tally> {
    let (length, count) = parts(window);
    let begin = begin(window, now);
    let mut accounts = HashSet::new();
    let mut parts: BTreeMap<i64, (i64, HashSet<&UserId>)> = BTreeMap::new();
    for (at, author) in uses.iter().filter(|(at, _)| *at >= begin) {
        accounts.insert(author);
        let (posts, authors) = parts.entry(at.as_millis() / length * length).or_default();
        *posts += 1;
        authors.insert(author);
    }
    let size = |set: &HashSet<&UserId>| i64::try_from(set.len()).unwrap_or(i64::MAX);
    let mut kept: Vec<HashtagUse> = parts
        .iter()
        .map(|(start, (posts, authors))| HashtagUse {
            start: Timestamp::from_millis(*start),
            posts: *posts,
            accounts: size(authors),
        })
        .collect();
    let mut accounts = size(&accounts);
    if let Some((oldest, _)) = uses.get(COUNTED_MAX - 1) {
        let before: Vec<HashtagUse> = serde_json::from_str(before).map_err(Error::internal)?;
        let is_cut = |part: &HashtagUse| (begin..=*oldest).contains(&part.start);
        keep_larger(&mut kept, before.into_iter().filter(is_cut));
        accounts = kept.iter().map(|part| part.accounts).fold(accounts, i64::max);
    }
    let posts = kept.iter().map(|part| part.posts).sum();
    let changes_at = kept.first().map(|part| part.start.as_millis() + length * count);
    let parts = serde_json::to_string(&kept).map_err(Error::internal)?;
    Ok(Tally { posts, accounts, parts, changes_at })
}

/// Of each part, keeps the larger numbers.
fn keep_larger(kept: &mut Vec<HashtagUse>, before: impl Iterator<Item = HashtagUse>) {
    for part in before {
        match kept.iter_mut().find(|known| known.start == part.start) {
            Some(known) => {
                known.posts = known.posts.max(part.posts);
                known.accounts = known.accounts.max(part.accounts);
            }
            None => kept.push(part),
        }
    }
    kept.sort_by_key(|part| part.start);
}

/// Stores a count, unless another node has counted the hashtag since it was read. A use that came meanwhile
/// keeps its own time for the next count; a hashtag that no post has is deleted.
pub fn keep(ctx: &mut Ctx<'_, '_>, counted: &Counted) -> Result<()> {
    let Counted { pending, at, day, week, next } = counted;
    let Pending { name, due_at, counted_at, .. } = pending;
    ctx.tx.write(
        sql!(
            "update hashtag
             set posts_day = $1, accounts_day = $2, hours = $3, posts_week = $4,
                accounts_week = $5, days = $6, counted_at = $7,
                due_at = case when due_at = $8 then cast($9 as bigint) else due_at end
             where name = $10 and counted_at = $11"
        ),
        values![
            day.posts,
            day.accounts,
            day.parts,
            week.posts,
            week.accounts,
            week.parts,
            at,
            due_at,
            next,
            name,
            counted_at
        ],
    )?;
    if next.is_none() {
        ctx.tx.write(
            sql!(
                "delete from hashtag
                 where name = $1 and due_at is null
                    and not exists (select 1 from post_hashtag h where h.tag = hashtag.name)"
            ),
            values![name],
        )?;
    }
    Ok(())
}
