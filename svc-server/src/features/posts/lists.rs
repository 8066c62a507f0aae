//! Lists of posts: replies, quotes, an account's own.
//!
//! Each filters by what the viewer may read and orders along an index, so that a page costs the
//! same wherever it lies.

use svc_types::api::posts::{ListQuotes, ListReplies, PostPage, ReplySort};
use svc_types::api::users::ListUserPosts;
use svc_types::{Code, Endpoint};

use super::wire;
use crate::acts::account;
use crate::acts::post::{self, Record};
use crate::app::Cx;
use crate::error::{Error, Result};
use crate::http::{Account, Viewer};
use crate::page::Page;
use crate::{select_posts, values};

/// Smaller and larger than every post id.
const FIRST_ID: &str = "a";
const LAST_ID: &str = "z";

/// The viewer as the lists ask for: an id nobody has when anonymous, and whether a moderator.
fn viewer_values(viewer: Option<&Account>) -> (&str, bool) {
    let id = viewer.map_or("", |viewer| viewer.id.as_str());
    (id, viewer.is_some_and(Account::is_moderator))
}

/// Cuts a page of posts that are sorted by id.
fn page_by_id(
    cx: &mut Cx<'_, '_>,
    viewer: Option<&Account>,
    page: &Page,
    mut records: Vec<Record>,
) -> Result<PostPage> {
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    Ok(PostPage { posts: wire(cx, viewer, records)?, next_cursor })
}

pub(super) fn replies(
    cx: &mut Cx<'_, '_>,
    caller: &Viewer,
    request: &ListReplies,
) -> Result<PostPage> {
    let viewer = caller.account();
    let parent = post::visible(cx, &request.post_id, viewer)?;
    match request.sort.as_ref().unwrap_or(&ReplySort::New) {
        ReplySort::Top => top_replies(cx, viewer, request, &parent),
        ReplySort::Old => {
            let page = page_of(request, request.limit, request.cursor.as_ref())?;
            let records = oldest_replies(cx, viewer, &parent, &page)?;
            page_by_id(cx, viewer, &page, records)
        }
        _ => {
            let page = page_of(request, request.limit, request.cursor.as_ref())?;
            let (id, is_moderator) = viewer_values(viewer);
            let records = cx.tx.all(
                select_posts!(
                    "where p.reply_to = $1 and p.id < $2 and p.deleted_at is null
                        and a.deleted_at is null
                        and (p.hidden = false and a.status <> 'suspended' or p.author = $3 or $4)
                     order by p.id desc limit $5"
                ),
                values![
                    parent.id,
                    page.after_one().unwrap_or(LAST_ID),
                    id,
                    is_moderator,
                    page.rows()
                ],
            )?;
            page_by_id(cx, viewer, &page, records)
        }
    }
}

fn page_of<E: Endpoint>(
    request: &E,
    limit: Option<svc_types::Limit>,
    cursor: Option<&svc_types::Cursor>,
) -> Result<Page> {
    Page::of(request, limit, cursor, 1)
}

fn oldest_replies(
    cx: &mut Cx<'_, '_>,
    viewer: Option<&Account>,
    parent: &Record,
    page: &Page,
) -> Result<Vec<Record>> {
    let (id, is_moderator) = viewer_values(viewer);
    cx.tx.all(
        select_posts!(
            "where p.reply_to = $1 and p.id > $2 and p.deleted_at is null and a.deleted_at is null
                and (p.hidden = false and a.status <> 'suspended' or p.author = $3 or $4)
             order by p.id limit $5"
        ),
        values![parent.id, page.after_one().unwrap_or(FIRST_ID), id, is_moderator, page.rows()],
    )
}

/// Most liked first; of equally liked ones the oldest first. Liked replies are walked along an
/// index of their own, the others along that of all replies, and the two walks are merged.
fn top_replies(
    cx: &mut Cx<'_, '_>,
    viewer: Option<&Account>,
    request: &ListReplies,
    parent: &Record,
) -> Result<PostPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 2)?;
    let (likes, after) = match page.after.as_deref() {
        None => (i64::MAX, FIRST_ID),
        Some(keys) => {
            let damaged = |_| Error::refused(Code::InvalidCursor, "the cursor is damaged");
            (keys[0].parse().map_err(damaged)?, keys[1].as_str())
        }
    };
    let (id, is_moderator) = viewer_values(viewer);
    // The unliked ones come after all liked ones.
    let unliked_after = if likes > 0 { FIRST_ID } else { after };
    let mut records: Vec<Record> = cx.tx.all(
        select_posts!(
            "join (
                select id from (
                    select c.id from post c join account w on w.id = c.author
                    where c.reply_to = $1 and c.likes_count > 0 and c.likes_count <= $2
                        and (c.likes_count < $2 or c.id > $3)
                        and c.deleted_at is null and w.deleted_at is null
                        and (c.hidden = false and w.status <> 'suspended' or c.author = $4 or $5)
                    order by c.likes_count desc, c.id limit $6
                ) liked
                union all
                select id from (
                    select c.id from post c join account w on w.id = c.author
                    where c.reply_to = $1 and c.likes_count = 0 and c.id > $7
                        and c.deleted_at is null and w.deleted_at is null
                        and (c.hidden = false and w.status <> 'suspended' or c.author = $4 or $5)
                    order by c.id limit $6
                ) unliked
             ) top on top.id = p.id
             order by p.likes_count desc, p.id limit $6"
        ),
        values![parent.id, likes, after, id, is_moderator, page.rows(), unliked_after],
    )?;
    let keys = |record: &Record| vec![record.likes_count.to_string(), record.id.to_string()];
    let next_cursor = page.cut(&mut records, keys);
    Ok(PostPage { posts: wire(cx, viewer, records)?, next_cursor })
}

pub(super) fn quotes(
    cx: &mut Cx<'_, '_>,
    caller: &Viewer,
    request: &ListQuotes,
) -> Result<PostPage> {
    let viewer = caller.account();
    let quoted = post::visible(cx, &request.post_id, viewer)?;
    let page = page_of(request, request.limit, request.cursor.as_ref())?;
    let (id, is_moderator) = viewer_values(viewer);
    let records = cx.tx.all(
        select_posts!(
            "where p.quote_of = $1 and p.id < $2 and p.deleted_at is null and a.deleted_at is null
                and (p.hidden = false and a.status <> 'suspended' or p.author = $3 or $4)
             order by p.id desc limit $5"
        ),
        values![quoted.id, page.after_one().unwrap_or(LAST_ID), id, is_moderator, page.rows()],
    )?;
    page_by_id(cx, viewer, &page, records)
}

pub(super) fn of_user(
    cx: &mut Cx<'_, '_>,
    caller: &Viewer,
    request: &ListUserPosts,
) -> Result<PostPage> {
    let viewer = caller.account();
    let author = account::find_visible(cx, request.username.as_str(), viewer)?;
    let page = page_of(request, request.limit, request.cursor.as_ref())?;
    let (id, is_moderator) = viewer_values(viewer);
    let with_replies = request.include.is_some();
    let records = cx.tx.all(
        select_posts!(
            "where p.author = $1 and p.id < $2 and p.deleted_at is null
                and ($3 or p.reply_to is null)
                and (p.hidden = false or p.author = $4 or $5)
             order by p.id desc limit $6"
        ),
        values![
            author.id,
            page.after_one().unwrap_or(LAST_ID),
            with_replies,
            id,
            is_moderator,
            page.rows()
        ],
    )?;
    page_by_id(cx, viewer, &page, records)
}
