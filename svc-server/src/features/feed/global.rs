//! The global feed: top-level posts of all accounts, read along the index of each order.

use svc_core::app::Ctx;
use svc_core::identity::Viewer;
use svc_core::ids;
use svc_core::page::Page;
use svc_core::select_posts;
use svc_core::services::analytics;
use svc_core::services::post::{self, Record, rank, viewer_values};
use svc_core::{visible_post, wanted_author};
use svc_store::error::Result;
use svc_store::values;
use svc_types::api::feed::{FeedSort, GetGlobalFeed, GlobalFeed};
use svc_types::api::posts::Post;
use svc_types::{Cursor, PostId, Timestamp};

use super::top;

/// The page of the feed that is asked for.
pub(super) struct FeedQuery<'a> {
    pub(super) caller: &'a Viewer,
    pub(super) is_agent: Option<bool>,
    pub(super) rows: i64,
    /// The time of the first page.
    pub(super) as_of: Timestamp,
    /// The last item of the previous page: its sort key and its id.
    pub(super) after: (i64, &'a str),
}

impl FeedQuery<'_> {
    /// The keys of the cursor after an item.
    fn keys(&self, number: i64, id: &PostId) -> Vec<String> {
        vec![self.as_of.as_millis().to_string(), number.to_string(), id.to_string()]
    }
}

pub(super) fn feed(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    request: &GetGlobalFeed,
) -> Result<GlobalFeed> {
    post::html::include(ctx, request.include.as_ref())?;
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 3)?;
    let (as_of, after) = match page.after.as_deref() {
        None => (ctx.now(), (i64::MAX, ids::LAST)),
        Some([as_of, number, id]) => {
            (Timestamp::from_millis(number_of(as_of)?), (number_of(number)?, id.as_str()))
        }
        Some(_) => return Err(Page::damaged()),
    };
    let query = FeedQuery { caller, is_agent: request.is_agent, rows: page.rows(), as_of, after };
    let (posts, next_cursor) = match request.sort.as_ref().unwrap_or(&FeedSort::Hot) {
        FeedSort::Top => {
            let mut ranked = top::ranked(ctx, &query, request.window.as_ref())?;
            let next_cursor = page.cut(&mut ranked, |(points, id)| query.keys(*points, id));
            let ids: Vec<PostId> = ranked.into_iter().map(|(_, id)| id).collect();
            (post::load_visible(ctx, caller.account(), &ids)?, next_cursor)
        }
        FeedSort::New => {
            let records = newest(ctx, &query)?;
            // Their ids order them; the sort key is the same for all.
            cut(ctx, &query, &page, records, |_| 0)?
        }
        _ => {
            let records = hottest(ctx, &query)?;
            cut(ctx, &query, &page, records, |post| post.hot.unwrap_or_default())?
        }
    };
    analytics::note_shown(ctx, caller.account(), &page, &posts);
    let posts = post::without_unwanted_quotes(ctx, caller.account(), posts)?;
    Ok(GlobalFeed { posts, as_of, next_cursor })
}

/// The posts of a page sorted by a number, and the next cursor.
fn cut(
    ctx: &mut Ctx<'_, '_>,
    query: &FeedQuery<'_>,
    page: &Page,
    mut records: Vec<Record>,
    number: fn(&Record) -> i64,
) -> Result<(Vec<Post>, Option<Cursor>)> {
    let next_cursor = page.cut(&mut records, |post| query.keys(number(post), &post.id));
    Ok((post::to_api_all(ctx, query.caller.account(), records)?, next_cursor))
}

fn number_of(key: &str) -> Result<i64> {
    key.parse().map_err(|_| Page::damaged())
}

/// Bounds the time by `created_at`, which has no index: with a bound on `id`, SQLite would scan all
/// older ids instead of the requested order.
fn hottest(ctx: &mut Ctx<'_, '_>, query: &FeedQuery<'_>) -> Result<Vec<Record>> {
    let (viewer, is_moderator) = viewer_values(query.caller.account());
    let (now, (hot, id)) = (ctx.now(), query.after);
    ctx.tx.all(
        select_posts!(
            "where ",
            visible_post!(),
            " and ($1 = '' or ",
            wanted_author!(),
            ") and p.hot is not null and (p.hot, p.id) < ($4, $5)
                and p.created_at <= $6
                and a.status = 'active' and (cast($7 as boolean) is null or a.is_agent = $7)
             order by p.hot desc, p.id desc limit $8"
        ),
        values![viewer, is_moderator, now, hot, id, query.as_of, query.is_agent, query.rows],
    )
}

/// Bounds the time by `created_at`, too: after the clock was far ahead, ids go on from there and lie in the future.
fn newest(ctx: &mut Ctx<'_, '_>, query: &FeedQuery<'_>) -> Result<Vec<Record>> {
    let (viewer, is_moderator) = viewer_values(query.caller.account());
    let (now, after) = (ctx.now(), rank::entry(query.after.1));
    ctx.tx.all(
        select_posts!(
            from "timeline t join post p on p.id = t.post",
            where "where ",
            visible_post!(),
            " and ($1 = '' or ",
            wanted_author!(),
            ") and t.repost is null and t.entry < $4 and p.created_at <= $5
                and a.status = 'active' and (cast($6 as boolean) is null or a.is_agent = $6)
             order by t.entry desc limit $7"
        ),
        values![viewer, is_moderator, now, after, query.as_of, query.is_agent, query.rows],
    )
}
