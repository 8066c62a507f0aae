//! Hashtags: how much they are used, and who follows them.

pub mod count;

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::hashtags::{Hashtag, HashtagUse, HashtagViewer, HashtagWindow};
use svc_types::{Cursor, PostId, Timestamp, UserId};

use crate::app::Ctx;
use crate::identity::Account;
use crate::page::Page;
use crate::services::scan::{self, Step};
use crate::utc::{DAY_MS, HOUR_MS};

/// Shortest time between two counts of one hashtag, in milliseconds.
const COUNTED_EVERY: i64 = 60_000;

/// Newest posts of a hashtag, and oldest ones, of which one must be shown for it to be listed. This bounds the cost of
/// a row. With the newest only, a limited account could take any hashtag off the list by a hundred replies.
const LOOKED_AT_MAX: i64 = 100;

/// SQL: whether one of the first posts of hashtag `h` in an order is shown.
macro_rules! shows_one {
    ($order:literal) => {
        concat!(
            "exists (
                select 1 from (
                    select u.post from post_hashtag u where u.tag = h.name
                    order by u.post ",
            $order,
            " limit $2
                ) used
                cross join post p
                cross join account a
                where p.id = used.post and p.deleted_at is null and p.hidden = false
                    and a.id = p.author and a.deleted_at is null and a.status = 'active')"
        )
    };
}

/// Newest posts of an account that leaves or returns, and hashtags of them, that are counted again at once. The others
/// follow when their time has come.
const NOTED_POSTS_MAX: i64 = 100;
const NOTED_MAX: i64 = 500;

/// A hashtag's row.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name.
    pub name: String,
    posts_day: i64,
    /// Accounts that used it in the last 24 hours.
    pub accounts_day: i64,
    posts_week: i64,
    /// Accounts that used it in the last 7 days.
    pub accounts_week: i64,
    hours: String,
    days: String,
    is_followed: bool,
}
row!(Record {
    name: "h.name",
    posts_day: "h.posts_day",
    accounts_day: "h.accounts_day",
    posts_week: "h.posts_week",
    accounts_week: "h.accounts_week",
    hours: "h.hours",
    days: "h.days",
    is_followed: "exists (select 1 from hashtag_follow f where f.account = $1 and f.tag = h.name)",
});

/// A statement that reads [`Record`]s as account `$1` sees them:
/// `select_hashtags!("where h.name = $2")`.
#[macro_export]
macro_rules! select_hashtags {
    ($rest:literal) => {
        $crate::select_hashtags!(from "hashtag h", $rest)
    };
    (from $from:literal, $rest:literal) => {
        svc_store::sql!(
            "select ",
            $crate::services::hashtag::Record::COLUMNS,
            " from ",
            $from,
            " ",
            $rest
        )
    };
}

/// The parts of a window: their length in milliseconds, and how many there are.
const fn parts(window: &HashtagWindow) -> (i64, i64) {
    match window {
        HashtagWindow::Week => (DAY_MS, 7),
        _ => (HOUR_MS, 24),
    }
}

/// The start of the window whose last part contains this instant.
fn begin(window: &HashtagWindow, now: Timestamp) -> Timestamp {
    let (length, count) = parts(window);
    Timestamp::from_millis((now.as_millis() / length - count + 1) * length)
}

impl Record {
    /// A hashtag that was never counted.
    pub fn unused(name: &str, is_followed: bool) -> Self {
        let (hours, days) = ("[]".to_owned(), "[]".to_owned());
        let [posts_day, accounts_day, posts_week, accounts_week] = [0; 4];
        let name = name.to_owned();
        Self { name, posts_day, accounts_day, posts_week, accounts_week, hours, days, is_followed }
    }

    /// The hashtag as the API returns it.
    pub fn into_api(
        self,
        now: Timestamp,
        viewer: Option<&Account>,
        window: &HashtagWindow,
    ) -> Result<Hashtag> {
        let (posts_count, accounts_count, uses) = match window {
            HashtagWindow::Week => (self.posts_week, self.accounts_week, &self.days),
            _ => (self.posts_day, self.accounts_day, &self.hours),
        };
        let uses: Vec<HashtagUse> = serde_json::from_str(uses).map_err(Error::internal)?;
        Ok(Hashtag {
            name: self.name,
            posts_count,
            accounts_count,
            history: Some(history(&uses, now, window)),
            viewer: viewer.map(|_| HashtagViewer { following: self.is_followed }),
        })
    }
}

/// Every part of the window, including those without posts.
fn history(uses: &[HashtagUse], now: Timestamp, window: &HashtagWindow) -> Vec<HashtagUse> {
    let (length, count) = parts(window);
    let first = begin(window, now).as_millis();
    let part = |number: i64| {
        let start = Timestamp::from_millis(first + number * length);
        let found = uses.iter().find(|part| part.start == start);
        found.cloned().unwrap_or(HashtagUse { start, posts: 0, accounts: 0 })
    };
    (0..count).map(part).collect()
}

/// A page of the hashtags with this prefix, by name, without those of which neither a newest nor an oldest post is
/// shown.
pub fn by_name(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    beginning: &str,
    page: &Page,
) -> Result<(Vec<Record>, Option<Cursor>)> {
    let viewer = viewer.map_or("", |viewer| viewer.id.as_str());
    let end = format!("{beginning}\u{10ffff}");
    scan::page(ctx, page, |ctx, after, most| {
        let found: Vec<(Record, bool)> = ctx.tx.all(
            sql!(
                "select ",
                Record::COLUMNS,
                ", (",
                shows_one!("desc"),
                " or ",
                shows_one!("asc"),
                ")
                 from hashtag h
                 where h.name > $3 and h.name >= $4 and h.name < $5 order by h.name limit $6"
            ),
            values![viewer, LOOKED_AT_MAX, after.unwrap_or(""), beginning, end, most],
        )?;
        let step = |(record, is_shown): (Record, bool)| Step {
            key: record.name.clone(),
            item: is_shown.then_some(record),
        };
        Ok(found.into_iter().map(step).collect())
    })
}

/// Notes that posts with these hashtags were added or edited, so that they are counted again.
pub fn note_use(ctx: &mut Ctx<'_, '_>, tags: &[String]) -> Result<()> {
    let now = ctx.now().as_millis();
    let mut tags: Vec<&String> = tags.iter().collect();
    tags.sort();
    for tag in tags {
        ctx.tx.write(
            sql!(
                "insert into hashtag (name, posts_day, accounts_day, posts_week, accounts_week,
                    hours, days, counted_at, due_at)
                 values ($1, 0, 0, 0, 0, '[]', '[]', 0, $2)
                 on conflict (name) do update set due_at =
                    case when hashtag.counted_at + $3 > $2 then hashtag.counted_at + $3 else $2 end"
            ),
            values![tag, now, COUNTED_EVERY],
        )?;
    }
    Ok(())
}

/// Notes that a post with hashtags was deleted, hidden or restored. Hashtags are locked in the order of their names, as
/// [`note_use`] does.
pub fn note_change(ctx: &mut Ctx<'_, '_>, post: &PostId) -> Result<()> {
    let now = ctx.now();
    ctx.tx.lock(
        sql!(
            "select name from hashtag
             where name in (select tag from post_hashtag where post = $1)
             order by name for update"
        ),
        values![post],
    )?;
    ctx.tx.write(
        sql!(
            "update hashtag set due_at = $1
             where name in (select tag from post_hashtag where post = $2)"
        ),
        values![now, post],
    )?;
    Ok(())
}

/// Notes that posts of an account were erased: those after one up to another.
pub fn note_erased(ctx: &mut Ctx<'_, '_>, author: &UserId, after: &str, upto: &str) -> Result<()> {
    let now = ctx.now();
    ctx.tx.lock(
        sql!(
            "select name from hashtag
             where name in (
                select h.tag from post p cross join post_hashtag h
                where p.author = $1 and p.id > $2 and p.id <= $3 and h.post = p.id)
             order by name for update"
        ),
        values![author, after, upto],
    )?;
    ctx.tx.write(
        sql!(
            "update hashtag set due_at = $1
             where name in (
                select h.tag from post p cross join post_hashtag h
                where p.author = $2 and p.id > $3 and p.id <= $4 and h.post = p.id)"
        ),
        values![now, author, after, upto],
    )
}

/// SQL: hashtags of the newest posts of an account.
macro_rules! latest_tags {
    ($account:literal, $posts:literal, $tags:literal) => {
        concat!(
            "select h.tag from (
                select id from post where author = ",
            $account,
            " order by id desc limit ",
            $posts,
            "
             ) latest
             cross join post_hashtag h
             where h.post = latest.id order by h.post desc, h.tag limit ",
            $tags
        )
    };
}

/// Notes that the posts of an account count no longer, or count again.
pub fn note_account(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let now = ctx.now();
    ctx.tx.lock(
        sql!(
            "select name from hashtag where name in (",
            latest_tags!("$1", "$2", "$3"),
            ") order by name for update"
        ),
        values![account, NOTED_POSTS_MAX, NOTED_MAX],
    )?;
    ctx.tx.write(
        sql!("update hashtag set due_at = $1 where name in (", latest_tags!("$2", "$3", "$4"), ")"),
        values![now, account, NOTED_POSTS_MAX, NOTED_MAX],
    )
}
