//! The posts with a hashtag.
//!
//! The list is public, so it omits posts of limited accounts and, as feeds do, posts of accounts
//! that the viewer mutes or has a block with.

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::ids;
use svc_core::page::Page;
use svc_core::select_posts;
use svc_core::services::post::{self, Record, viewer_values};
use svc_core::services::scan::{self, Step};
use svc_core::{visible_post, wanted_author};
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::hashtags::{HashtagPostSort, ListHashtagPosts};
use svc_types::api::posts::PostPage;
use svc_types::{Cursor, PostId};

use super::{named, refuse_unknown};

/// How many of the newest top-level posts with a hashtag are ranked.
const NEWEST: i64 = 1_000;

pub(super) fn list(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    request: &ListHashtagPosts,
) -> Result<PostPage> {
    post::html::include(ctx, request.include.as_ref())?;
    let viewer = caller.account();
    let tag = named(&request.name)?;
    refuse_unknown(ctx, viewer, &tag)?;
    let sort = request.sort.as_ref().unwrap_or(&HashtagPostSort::New);
    let page = match sort {
        HashtagPostSort::Hot | HashtagPostSort::Top => best(ctx, viewer, request, &tag, sort)?,
        _ => {
            let (ids, next_cursor) = newest(ctx, viewer, request, &tag)?;
            PostPage { posts: post::load_visible(ctx, viewer, &ids)?, next_cursor }
        }
    };
    let posts = post::without_unwanted_quotes(ctx, viewer, page.posts)?;
    Ok(PostPage { posts, ..page })
}

fn newest(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    request: &ListHashtagPosts,
    tag: &str,
) -> Result<(Vec<PostId>, Option<Cursor>)> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let (viewer, is_moderator) = viewer_values(viewer);
    let now = ctx.now();
    scan::page(ctx, &page, |ctx, before, most| {
        let before = before.unwrap_or(ids::LAST);
        let rows: Vec<(PostId, bool)> = ctx.tx.all(
            sql!(
                "select p.id, ",
                visible_post!(),
                " and a.status = 'active' and ($1 = '' or ",
                wanted_author!(),
                ")
                 from post_hashtag h
                 cross join post p
                 cross join account a
                 where h.tag = $4 and h.post < $5 and p.id = h.post and a.id = p.author
                 order by h.post desc limit $6"
            ),
            values![viewer, is_moderator, now, tag, before, most],
        )?;
        let step = |(id, is_shown): (PostId, bool)| Step {
            key: id.to_string(),
            item: is_shown.then_some(id),
        };
        Ok(rows.into_iter().map(step).collect())
    })
}

/// Ranks the newest posts only. A hashtag may have any number of posts, and a ranking index per
/// hashtag would slow down every post. An account may write any number of replies, so none is read; those of earlier
/// programs, which do not say that they are replies, are left out.
fn best(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    request: &ListHashtagPosts,
    tag: &str,
    sort: &HashtagPostSort,
) -> Result<PostPage> {
    let is_hot = *sort == HashtagPostSort::Hot;
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 2)?;
    let (number, after) = page.after_number()?.unwrap_or((i64::MAX, ids::LAST));
    let (id, is_moderator) = viewer_values(viewer);
    let now = ctx.now();
    let mut records: Vec<Record> = ctx.tx.all(
        select_posts!(
            "where p.hidden = false and p.reply_to is null and a.status = 'active' and ",
            visible_post!(),
            " and ($1 = '' or ",
            wanted_author!(),
            ") and p.id in (
                select h.post from post_hashtag h
                where h.tag = $4 and h.of_reply = false
                order by h.post desc limit $5
             )
             and (case when $6 then p.hot else p.points end, p.id) < ($7, $8)
             order by case when $6 then p.hot else p.points end desc, p.id desc limit $9"
        ),
        values![id, is_moderator, now, tag, NEWEST, is_hot, number, after, page.rows()],
    )?;
    let keys = |post: &Record| {
        let number = if is_hot { post.hot.unwrap_or_default() } else { post.points };
        vec![number.to_string(), post.id.to_string()]
    };
    let next_cursor = page.cut(&mut records, keys);
    Ok(PostPage { posts: post::to_api_all(ctx, viewer, records)?, next_cursor })
}
