//! Hashtags: trending, search and follows.

mod posts;

use std::collections::HashSet;

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::page::Page;
use svc_core::select_hashtags;
use svc_core::services::account;
use svc_core::services::hashtag::{self, Record};
use svc_core::services::post::text;
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::hashtags::{
    FollowHashtag, GetHashtag, Hashtag, HashtagEnvelope, HashtagFollowing, HashtagPage,
    HashtagSort, HashtagWindow, ListFollowedHashtags, ListHashtags, UnfollowHashtag,
};
use svc_types::{Code, Cursor};

use crate::http::Routes;

/// How many hashtags with a prefix are ranked, and among how many of the most used ones others are looked for: anybody
/// can invent as many names that are the first of a prefix.
const BEGINNING_MAX: i64 = 1_000;
const MOST_USED_MAX: i64 = 1_000;

/// Most followed hashtags of an account.
const FOLLOWED_MAX: i64 = 1_000;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .read(list)
        .read(read)
        .read(posts::list)
        .write(follow)
        .write(unfollow)
        .read(followed)
}

fn id(viewer: Option<&Account>) -> &str {
    viewer.map_or("", |viewer| viewer.id.as_str())
}

/// The records as the API returns them.
fn to_api(
    ctx: &Ctx<'_, '_>,
    viewer: Option<&Account>,
    records: Vec<Record>,
    window: &HashtagWindow,
) -> Result<Vec<Hashtag>> {
    let now = ctx.now();
    records.into_iter().map(|record| record.into_api(now, viewer, window)).collect()
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &ListHashtags) -> Result<HashtagPage> {
    let viewer = caller.account();
    let window = request.window.as_ref().unwrap_or(&HashtagWindow::Day);
    let beginning = request.q.as_deref().map(text::hashtag_beginning);
    if beginning.as_deref() == Some("") {
        return Err(Error::invalid("q", "q must begin a hashtag: letters, digits or _"));
    }
    let (records, next_cursor) = match (request.sort.as_ref(), beginning) {
        (Some(HashtagSort::Name), beginning) => {
            let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
            hashtag::by_name(ctx, viewer, beginning.as_deref().unwrap_or(""), &page)?
        }
        (_, beginning) => trending(ctx, viewer, request, window, beginning.as_deref())?,
    };
    Ok(HashtagPage { hashtags: to_api(ctx, viewer, records, window)?, next_cursor })
}

/// Accounts that used a hashtag in a window.
const fn accounts(record: &Record, window: &HashtagWindow) -> i64 {
    match window {
        HashtagWindow::Week => record.accounts_week,
        _ => record.accounts_day,
    }
}

/// Most used first; with a prefix, ranks only the first hashtags by name and those that are among the most used of all.
fn trending(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    request: &ListHashtags,
    window: &HashtagWindow,
    beginning: Option<&str>,
) -> Result<(Vec<Record>, Option<Cursor>)> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 2)?;
    let mut records = match beginning {
        Some(beginning) => most_used_beginning(ctx, viewer, window, beginning, &page)?,
        None => most_used(ctx, viewer, window, &page)?,
    };
    let keys = |record: &Record| vec![accounts(record, window).to_string(), record.name.clone()];
    let next = page.cut(&mut records, keys);
    Ok((records, next))
}

fn most_used_beginning(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    window: &HashtagWindow,
    beginning: &str,
    page: &Page,
) -> Result<Vec<Record>> {
    let mut records = first_beginning(ctx, viewer, window, beginning, page)?;
    let known: HashSet<String> = records.iter().map(|record| record.name.clone()).collect();
    let others = well_known_beginning(ctx, viewer, window, beginning, page)?;
    records.extend(others.into_iter().filter(|record| !known.contains(&record.name)));
    records.sort_by(|one, other| {
        let by_use = accounts(other, window).cmp(&accounts(one, window));
        by_use.then_with(|| one.name.cmp(&other.name))
    });
    records.truncate(usize::try_from(page.rows()).unwrap_or(usize::MAX));
    Ok(records)
}

/// Of the most used hashtags of all, those with a prefix.
fn well_known_beginning(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    window: &HashtagWindow,
    beginning: &str,
    page: &Page,
) -> Result<Vec<Record>> {
    let (accounts, name) = page.after_number()?.unwrap_or((i64::MAX, ""));
    let end = format!("{beginning}\u{10ffff}");
    let sql = if *window == HashtagWindow::Week {
        select_hashtags!(
            from "(
                select name from hashtag where accounts_week > 0
                order by accounts_week desc, name limit $2
             ) counted cross join hashtag h",
            "where counted.name >= $3 and counted.name < $4 and h.name = counted.name
                and h.accounts_week <= $5 and (h.accounts_week < $5 or h.name > $6)
             order by h.accounts_week desc, h.name limit $7"
        )
    } else {
        select_hashtags!(
            from "(
                select name from hashtag where accounts_day > 0
                order by accounts_day desc, name limit $2
             ) counted cross join hashtag h",
            "where counted.name >= $3 and counted.name < $4 and h.name = counted.name
                and h.accounts_day <= $5 and (h.accounts_day < $5 or h.name > $6)
             order by h.accounts_day desc, h.name limit $7"
        )
    };
    ctx.tx.all(sql, values![id(viewer), MOST_USED_MAX, beginning, end, accounts, name, page.rows()])
}

/// Of the first hashtags with a prefix, those that were used.
fn first_beginning(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    window: &HashtagWindow,
    beginning: &str,
    page: &Page,
) -> Result<Vec<Record>> {
    let (accounts, name) = page.after_number()?.unwrap_or((i64::MAX, ""));
    let is_week = *window == HashtagWindow::Week;
    let end = format!("{beginning}\u{10ffff}");
    ctx.tx.all(
        select_hashtags!(
            from "(
                select t.name,
                    case when $2 then t.accounts_week else t.accounts_day end as accounts
                from hashtag t
                where t.name >= $3 and t.name < $4 order by t.name limit $5
             ) named cross join hashtag h",
            "where h.name = named.name and named.accounts > 0
                and (named.accounts < $6 or named.accounts = $6 and h.name > $7)
             order by named.accounts desc, h.name limit $8"
        ),
        values![id(viewer), is_week, beginning, end, BEGINNING_MAX, accounts, name, page.rows()],
    )
}

fn most_used(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    window: &HashtagWindow,
    page: &Page,
) -> Result<Vec<Record>> {
    let (accounts, name) = page.after_number()?.unwrap_or((i64::MAX, ""));
    let sql = if *window == HashtagWindow::Week {
        select_hashtags!(
            "where h.accounts_week > 0 and h.accounts_week <= $2
                and (h.accounts_week < $2 or h.name > $3)
             order by h.accounts_week desc, h.name limit $4"
        )
    } else {
        select_hashtags!(
            "where h.accounts_day > 0 and h.accounts_day <= $2
                and (h.accounts_day < $2 or h.name > $3)
             order by h.accounts_day desc, h.name limit $4"
        )
    };
    ctx.tx.all(sql, values![id(viewer), accounts, name, page.rows()])
}

/// The hashtag in a path, normalized; 404 if it is malformed.
fn named(typed: &str) -> Result<String> {
    text::hashtag(typed).ok_or_else(|| Error::not_found("hashtag"))
}

fn read(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &GetHashtag) -> Result<HashtagEnvelope> {
    let viewer = caller.account();
    let name = named(&request.name)?;
    let found =
        ctx.tx.optional(select_hashtags!("where h.name = $2"), values![id(viewer), name])?;
    let record = match found {
        Some(record) => record,
        None => uncounted(ctx, viewer, &name)?,
    };
    let hashtag = record.into_api(ctx.now(), viewer, &HashtagWindow::Day)?;
    Ok(HashtagEnvelope { hashtag })
}

/// A hashtag without statistics: it was used just now, or the viewer follows it; else 404.
fn uncounted(ctx: &mut Ctx<'_, '_>, viewer: Option<&Account>, name: &str) -> Result<Record> {
    let (is_followed, is_used): (bool, bool) = ctx.tx.one(
        sql!(
            "select exists (select 1 from hashtag_follow where account = $1 and tag = $2),
                exists (select 1 from post_hashtag where tag = $2)"
        ),
        values![id(viewer), name],
    )?;
    if is_followed || is_used {
        Ok(Record::unused(name, is_followed))
    } else {
        Err(Error::not_found("hashtag"))
    }
}

/// 404 for a hashtag that was never used and that the viewer does not follow.
fn refuse_unknown(ctx: &mut Ctx<'_, '_>, viewer: Option<&Account>, name: &str) -> Result<()> {
    uncounted(ctx, viewer, name).map(|_| ())
}

fn follow(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &FollowHashtag,
) -> Result<HashtagFollowing> {
    let (name, now) = (writable(&request.name)?, ctx.now());
    // Of two concurrent follows, the second counts the first.
    account::lock(ctx, &caller.id)?;
    let sql = sql!("select count(*) from hashtag_follow where account = $1 and tag <> $2");
    if ctx.tx.one::<i64>(sql, values![caller.id, name])? >= FOLLOWED_MAX {
        let message = format!("at most {FOLLOWED_MAX} hashtags can be followed");
        return Err(Error::refused(Code::LimitReached, message));
    }
    ctx.tx.execute(
        sql!(
            "insert into hashtag_follow (account, tag, created_at) values ($1, $2, $3)
             on conflict do nothing"
        ),
        values![caller.id, name, now],
    )?;
    Ok(HashtagFollowing { following: true })
}

fn unfollow(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &UnfollowHashtag,
) -> Result<HashtagFollowing> {
    let name = writable(&request.name)?;
    let sql = sql!("delete from hashtag_follow where account = $1 and tag = $2");
    ctx.tx.execute(sql, values![caller.id, name])?;
    Ok(HashtagFollowing { following: false })
}

/// Any hashtag may be followed, even an unused one.
fn writable(typed: &str) -> Result<String> {
    let rule = "name must be a hashtag: 1 to 64 letters, digits or _, not only digits";
    text::hashtag(typed).ok_or_else(|| Error::invalid("name", rule))
}

fn followed(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListFollowedHashtags,
) -> Result<HashtagPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let mut records: Vec<Record> = ctx.tx.all(
        sql!(
            "select f.tag, coalesce(h.posts_day, 0), coalesce(h.accounts_day, 0),
                coalesce(h.posts_week, 0), coalesce(h.accounts_week, 0), coalesce(h.hours, '[]'),
                coalesce(h.days, '[]'), true
             from hashtag_follow f left join hashtag h on h.name = f.tag
             where f.account = $1 and f.tag > $2
             order by f.tag limit $3"
        ),
        values![caller.id, page.after_one().unwrap_or(""), page.rows()],
    )?;
    let next_cursor = page.cut(&mut records, |record| vec![record.name.clone()]);
    let hashtags = to_api(ctx, Some(caller), records, &HashtagWindow::Day)?;
    Ok(HashtagPage { hashtags, next_cursor })
}
