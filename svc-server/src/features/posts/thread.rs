//! A post with what it answers and what answers it.

use svc_types::api::posts::{GetThread, Thread, ThreadItem};
use svc_types::{PostId, Whole};

use crate::acts::post::{self, Record};
use crate::app::Cx;
use crate::error::Result;
use crate::http::{Account, Viewer};
use crate::page::Page;
use crate::{select_posts, values};

/// Ancestors and levels below that are shown when the caller does not say.
const ANCESTORS: u32 = 40;
const DEPTH: u32 = 6;

/// Posts shown below one direct reply, and below all of a page.
const BELOW_ONE_MAX: i64 = 100;
const BELOW_ALL_MAX: usize = 1_000;

pub(super) fn read(cx: &mut Cx<'_, '_>, caller: &Viewer, request: &GetThread) -> Result<Thread> {
    let viewer = caller.account();
    let post = post::visible(cx, &request.post_id, viewer)?;
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let ancestors = ancestors(cx, viewer, &post, request.ancestors.map_or(ANCESTORS, Whole::get))?;
    let mut direct: Vec<Record> = cx.tx.all(
        select_posts!("where p.reply_to = $1 and p.id > $2 order by p.id limit $3"),
        values![post.id, page.after_one().unwrap_or("a"), page.rows()],
    )?;
    let next_cursor = page.cut(&mut direct, |record| vec![record.id.to_string()]);
    let levels = request.depth.map_or(DEPTH, Whole::get) - 1;
    let mut descendants = Vec::new();
    for reply in direct {
        let id = reply.id.clone();
        let has_replies = reply.replies_count > 0 || reply.deleted_at.is_some();
        descendants.extend(item(cx, viewer, reply)?);
        if has_replies && levels > 0 && descendants.len() < BELOW_ALL_MAX {
            descendants.extend(below(cx, viewer, &id, levels)?);
        }
    }
    Ok(Thread { ancestors, post: post.wire(cx, viewer)?, descendants, next_cursor })
}

/// What the post answers, the top-level post first; the nearest when there are too many.
fn ancestors(
    cx: &mut Cx<'_, '_>,
    viewer: Option<&Account>,
    post: &Record,
    most: u32,
) -> Result<Vec<ThreadItem>> {
    let mut found = Vec::new();
    let mut next = post.reply_to.clone();
    while let Some(id) = next.take()
        && found.len() < usize::try_from(most).unwrap_or(usize::MAX)
        && let Some(record) = post::by_id(cx, &id)?
    {
        next.clone_from(&record.reply_to);
        found.push(record);
    }
    let shown = found.into_iter().rev().map(|record| item(cx, viewer, record));
    shown.filter_map(Result::transpose).collect()
}

/// What answers a reply, in the order of a walk that goes down before it goes on.
fn below(
    cx: &mut Cx<'_, '_>,
    viewer: Option<&Account>,
    id: &PostId,
    levels: u32,
) -> Result<Vec<ThreadItem>> {
    // `cross join` keeps SQLite from reading all posts and asking of each whether it is below.
    let records: Vec<Record> = cx.tx.all(
        select_posts!(
            "(
                with recursive below (id, level, path) as (
                    select c.id, 1, c.id from post c where c.reply_to = $1
                    union all
                    select c.id, below.level + 1, below.path || c.id
                    from below join post c on c.reply_to = below.id
                    where below.level < cast($2 as bigint)
                )
                select id, path from below order by path limit $3
             ) place cross join post p cross join account a",
            "where p.id = place.id and a.id = p.author order by place.path"
        ),
        values![id, i64::from(levels), BELOW_ONE_MAX],
    )?;
    let mut items = Vec::new();
    for record in records {
        items.extend(item(cx, viewer, record)?);
    }
    Ok(items)
}

/// A place in the thread as `viewer` sees it; a hidden post leaves none.
fn item(
    cx: &mut Cx<'_, '_>,
    viewer: Option<&Account>,
    record: Record,
) -> Result<Option<ThreadItem>> {
    if !record.is_shown_to(viewer) {
        return Ok(None);
    }
    Ok(Some(match record.tombstone() {
        Some(tombstone) => ThreadItem::Tombstone(tombstone),
        None => ThreadItem::Post(record.wire(cx, viewer)?),
    }))
}
