//! Lists of posts: replies and quotes.
//!
//! Each list filters by visibility and reads along an index, so that all pages cost the same.

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::ids;
use svc_core::page::Page;
use svc_core::select_posts;
use svc_core::services::post::{self, Record, viewer_values};
use svc_core::visible_post;
use svc_store::error::Result;
use svc_store::values;
use svc_types::api::posts::{ListQuotes, ListReplies, PostPage, ReplySort};

/// Cuts a page of posts that are sorted by id.
fn page_by_id(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    page: &Page,
    mut records: Vec<Record>,
) -> Result<PostPage> {
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    Ok(PostPage { posts: post::to_api_all(ctx, viewer, records)?, next_cursor })
}

pub(super) fn replies(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    request: &ListReplies,
) -> Result<PostPage> {
    post::html::include(ctx, request.include.as_ref())?;
    let viewer = caller.account();
    let sort = request.sort.as_ref().unwrap_or(&ReplySort::New);
    let keys = if *sort == ReplySort::Top { 2 } else { 1 };
    let page = Page::of(request, request.limit, request.cursor.as_ref(), keys)?;
    let parent = post::visible(ctx, &request.post_id, viewer)?;
    match sort {
        ReplySort::Top => top_replies(ctx, viewer, &page, &parent),
        ReplySort::Old => {
            let records = oldest_replies(ctx, viewer, &parent, &page)?;
            page_by_id(ctx, viewer, &page, records)
        }
        _ => {
            let (id, is_moderator) = viewer_values(viewer);
            let records = ctx.tx.all(
                select_posts!(
                    "where p.reply_to = $3 and p.id < $4 and ",
                    visible_post!(),
                    " order by p.id desc limit $5"
                ),
                values![id, is_moderator, parent.id, page.before(), page.rows()],
            )?;
            page_by_id(ctx, viewer, &page, records)
        }
    }
}

fn oldest_replies(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    parent: &Record,
    page: &Page,
) -> Result<Vec<Record>> {
    let (id, is_moderator) = viewer_values(viewer);
    let after = page.after_one().unwrap_or(ids::FIRST);
    ctx.tx.all(
        select_posts!(
            "where p.reply_to = $3 and p.id > $4 and ",
            visible_post!(),
            " order by p.id limit $5"
        ),
        values![id, is_moderator, parent.id, after, page.rows()],
    )
}

/// Most liked first; with equal likes the oldest first. Liked replies have an index of their own,
/// the others are read along the index of all replies, and the two scans are merged.
fn top_replies(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    page: &Page,
    parent: &Record,
) -> Result<PostPage> {
    let (likes, after) = page.after_number()?.unwrap_or((i64::MAX, ids::FIRST));
    let (id, is_moderator) = viewer_values(viewer);
    // Replies without likes follow all liked ones.
    let unliked_after = if likes > 0 { ids::FIRST } else { after };
    let mut records: Vec<Record> = ctx.tx.all(
        select_posts!(
            from "(
                select id from (
                    select p.id from post p join account a on a.id = p.author
                    where p.reply_to = $3 and p.likes_count > 0 and p.likes_count <= $4
                        and (p.likes_count < $4 or p.id > $5) and ",
            visible_post!(),
            "       order by p.likes_count desc, p.id limit $6
                ) liked
                union all
                select id from (
                    select p.id from post p join account a on a.id = p.author
                    where p.reply_to = $3 and p.likes_count = 0 and p.id > $7 and ",
            visible_post!(),
            "       order by p.id limit $6
                ) unliked
             ) top join post p on p.id = top.id",
            where "order by p.likes_count desc, p.id limit $6"
        ),
        values![id, is_moderator, parent.id, likes, after, page.rows(), unliked_after],
    )?;
    let keys = |record: &Record| vec![record.likes_count.to_string(), record.id.to_string()];
    let next_cursor = page.cut(&mut records, keys);
    Ok(PostPage { posts: post::to_api_all(ctx, viewer, records)?, next_cursor })
}

pub(super) fn quotes(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    request: &ListQuotes,
) -> Result<PostPage> {
    post::html::include(ctx, request.include.as_ref())?;
    let viewer = caller.account();
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let quoted = post::visible(ctx, &request.post_id, viewer)?;
    let (id, is_moderator) = viewer_values(viewer);
    let records = ctx.tx.all(
        select_posts!(
            "where p.quote_of = $3 and p.id < $4 and ",
            visible_post!(),
            " order by p.id desc limit $5"
        ),
        values![id, is_moderator, quoted.id, page.before(), page.rows()],
    )?;
    page_by_id(ctx, viewer, &page, records)
}
