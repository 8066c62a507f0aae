//! A post with what it answers and what answers it.

use std::collections::HashSet;

use svc_types::api::posts::{GetThread, Thread, ThreadItem};
use svc_types::{PostId, Whole};

use crate::acts::analytics;
use crate::acts::post::{self, Record, viewer_values};
use crate::app::Cx;
use crate::db::{SLOTS, slots};
use crate::error::Result;
use crate::http::{Account, Viewer};
use crate::page::Page;
use crate::{select_posts, sql, values};

/// Ancestors and levels below that are shown when the caller does not say.
const ANCESTORS: u32 = 40;
const DEPTH: u32 = 6;

/// Posts shown below one direct reply, and below all of a page.
const BELOW_ONE_MAX: i64 = 100;
const BELOW_ALL_MAX: usize = 1_000;

pub(super) fn read(cx: &mut Cx<'_, '_>, caller: &Viewer, request: &GetThread) -> Result<Thread> {
    let viewer = caller.account();
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let post = post::visible(cx, &request.post_id, viewer)?;
    analytics::viewed(cx, viewer, &post.id, &post.author);
    let most = request.ancestors.map_or(ANCESTORS, Whole::get);
    let ancestors = ancestors(cx, viewer, &post, most)?;
    let (id, is_moderator) = viewer_values(viewer);
    let after = page.after_one().unwrap_or("a");
    let mut direct: Vec<Record> = cx.tx.all(
        select_posts!("where p.reply_to = $3 and p.id > $4 order by p.id limit $5"),
        values![id, is_moderator, post.id, after, page.rows()],
    )?;
    let next_cursor = page.cut(&mut direct, |record| vec![record.id.to_string()]);
    let levels = request.depth.map_or(DEPTH, Whole::get) - 1;
    let answered = answered(cx, &direct)?;
    let mut descendants = Vec::new();
    for reply in direct {
        let id = reply.id.clone();
        descendants.push(reply);
        if answered.contains(&id) && levels > 0 && descendants.len() < BELOW_ALL_MAX {
            descendants.extend(below(cx, viewer, &id, levels)?);
        }
    }
    Ok(Thread {
        ancestors: items(cx, viewer, ancestors)?,
        post: post::wire(cx, viewer, post)?,
        descendants: items(cx, viewer, descendants)?,
        next_cursor,
    })
}

/// Which of these posts have an answer, be it deleted or hidden: others may be below it.
fn answered(cx: &mut Cx<'_, '_>, posts: &[Record]) -> Result<HashSet<PostId>> {
    let ids: Vec<&PostId> = posts.iter().map(|post| &post.id).collect();
    let mut answered = HashSet::new();
    for some in ids.chunks(SLOTS) {
        let found: Vec<PostId> = cx.tx.all(
            sql!(concat!(
                "select p.id from post p where p.id in (",
                slots!(1),
                ") and exists (select 1 from post c where c.reply_to = p.id)"
            )),
            &slots(some),
        )?;
        answered.extend(found);
    }
    Ok(answered)
}

/// What the post answers, the top-level post first; the nearest when there are too many.
fn ancestors(
    cx: &mut Cx<'_, '_>,
    viewer: Option<&Account>,
    post: &Record,
    most: u32,
) -> Result<Vec<Record>> {
    let mut found = Vec::new();
    let mut next = post.reply_to.clone();
    while let Some(id) = next.take()
        && found.len() < usize::try_from(most).unwrap_or(usize::MAX)
        && let Some(record) = post::by_id(cx, &id, viewer)?
    {
        next.clone_from(&record.reply_to);
        found.push(record);
    }
    found.reverse();
    Ok(found)
}

/// What answers a reply, in the order of a walk that goes down before it goes on.
fn below(
    cx: &mut Cx<'_, '_>,
    viewer: Option<&Account>,
    id: &PostId,
    levels: u32,
) -> Result<Vec<Record>> {
    let (viewer, is_moderator) = viewer_values(viewer);
    // `cross join` keeps SQLite from reading all posts and asking of each whether it is below.
    cx.tx.all(
        select_posts!(
            from "(
                with recursive below (id, level, path) as (
                    select c.id, 1, c.id from post c where c.reply_to = $3
                    union all
                    select c.id, below.level + 1, below.path || c.id
                    from below join post c on c.reply_to = below.id
                    where below.level < cast($4 as bigint)
                )
                select id, path from below order by path limit $5
             ) place cross join post p",
            where "where p.id = place.id order by place.path"
        ),
        values![viewer, is_moderator, id, i64::from(levels), BELOW_ONE_MAX],
    )
}

/// Places in the thread as `viewer` sees them; a hidden post leaves none.
fn items(
    cx: &mut Cx<'_, '_>,
    viewer: Option<&Account>,
    records: Vec<Record>,
) -> Result<Vec<ThreadItem>> {
    let shown: Vec<Record> = records.into_iter().filter(|record| record.is_shown).collect();
    let tombstones: Vec<_> = shown.iter().map(Record::tombstone).collect();
    let living = shown.into_iter().filter(|record| record.deleted_at.is_none());
    let mut posts = post::wire_all(cx, viewer, living.collect())?.into_iter();
    let place = |tombstone: Option<_>| match tombstone {
        Some(tombstone) => Some(ThreadItem::Tombstone(tombstone)),
        None => posts.next().map(ThreadItem::Post),
    };
    Ok(tombstones.into_iter().filter_map(place).collect())
}
