//! A post with its ancestors and replies.

use std::collections::HashMap;

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::ids;
use svc_core::page::Page;
use svc_core::select_posts;
use svc_core::services::analytics;
use svc_core::services::post::{self, Record, viewer_values};
use svc_store::db::{SLOTS, slots};
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::posts::{GetThread, Thread, ThreadItem};
use svc_types::{PostId, Whole};

/// Default number of ancestors and of levels of replies.
const ANCESTORS: u32 = 40;
const DEPTH: u32 = 6;

/// Most posts below one direct reply, and below all replies of a page.
const BELOW_ONE_MAX: usize = 100;
const BELOW_ALL_MAX: usize = 1_000;

pub(super) fn read(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &GetThread) -> Result<Thread> {
    post::html::include(ctx, request.include.as_ref())?;
    let viewer = caller.account();
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let post = post::visible(ctx, &request.post_id, viewer)?;
    analytics::note_view(ctx, viewer, &post.id, &post.author);
    let most = request.ancestors.map_or(ANCESTORS, Whole::get);
    let ancestors = ancestors(ctx, viewer, &post, most)?;
    let (id, is_moderator) = viewer_values(viewer);
    let after = page.after_one().unwrap_or(ids::FIRST);
    let mut direct: Vec<Record> = ctx.tx.all(
        select_posts!("where p.reply_to = $3 and p.id > $4 order by p.id limit $5"),
        values![id, is_moderator, post.id, after, page.rows()],
    )?;
    let next_cursor = page.cut(&mut direct, |record| vec![record.id.to_string()]);
    let levels = request.depth.map_or(DEPTH, Whole::get) - 1;
    let descendants = with_below(ctx, viewer, direct, levels)?;
    Ok(Thread {
        ancestors: items(ctx, viewer, ancestors)?,
        post: post::to_api(ctx, viewer, post)?,
        descendants: items(ctx, viewer, descendants)?,
        next_cursor,
    })
}

/// The ancestors, starting with the top-level post; only the nearest ones if there are too many.
fn ancestors(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    post: &Record,
    most: u32,
) -> Result<Vec<Record>> {
    let mut found = Vec::new();
    let mut next = post.reply_to.clone();
    while let Some(id) = next.take()
        && found.len() < usize::try_from(most).unwrap_or(usize::MAX)
        && let Some(record) = post::by_id(ctx, &id, viewer)?
    {
        next.clone_from(&record.reply_to);
        found.push(record);
    }
    found.reverse();
    Ok(found)
}

/// Direct replies, each followed by its descendants, depth first.
fn with_below(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    direct: Vec<Record>,
    levels: u32,
) -> Result<Vec<Record>> {
    let answers = below(ctx, &direct, levels)?;
    let ids: Vec<&PostId> = answers.values().flatten().collect();
    let mut records = records(ctx, viewer, &ids)?;
    let mut scanned = Vec::with_capacity(direct.len() + records.len());
    for reply in direct {
        let mut next = vec![reply.id.clone()];
        scanned.push(reply);
        while let Some(id) = next.pop() {
            scanned.extend(records.remove(&id));
            next.extend(answers.get(&id).into_iter().flatten().rev().cloned());
        }
    }
    Ok(scanned)
}

/// The visible replies below direct replies, loaded level by level: above the limit, the nearest
/// levels and the oldest replies win.
fn below(
    ctx: &mut Ctx<'_, '_>,
    direct: &[Record],
    levels: u32,
) -> Result<HashMap<PostId, Vec<PostId>>> {
    let mut below = HashMap::new();
    let mut room = vec![BELOW_ONE_MAX; direct.len()];
    let mut room_of_all = BELOW_ALL_MAX;
    let mut level: Vec<(usize, PostId)> =
        direct.iter().map(|reply| reply.id.clone()).enumerate().collect();
    for _ in 0..levels {
        let parents: Vec<&PostId> = level.iter().map(|(_, id)| id).collect();
        let mut answers = answers(ctx, &parents)?;
        let mut next = Vec::new();
        for (branch, parent) in level {
            let mut shown = answers.remove(&parent).unwrap_or_default();
            shown.truncate(room[branch].min(room_of_all));
            room[branch] -= shown.len();
            room_of_all -= shown.len();
            next.extend(shown.iter().map(|id| (branch, id.clone())));
            below.insert(parent, shown);
        }
        level = next;
    }
    Ok(below)
}

/// The oldest replies to each of these posts, including deleted and hidden ones, which may have
/// visible replies. Reads only the start of an index per post.
fn answers(ctx: &mut Ctx<'_, '_>, posts: &[&PostId]) -> Result<HashMap<PostId, Vec<PostId>>> {
    let mut answers = HashMap::new();
    for some in posts.chunks(SLOTS) {
        let found: Vec<(PostId, Option<String>)> = ctx.tx.all(
            sql!(
                "select p.id, (
                    select string_agg(oldest.id, ' ') from (
                        select c.id from post c where c.reply_to = p.id order by c.id limit 100
                    ) oldest
                 )
                 from post p where p.id in (",
                slots!(1),
                ")"
            ),
            &slots(some),
        )?;
        for (id, of_it) in found {
            let mut of_it: Vec<PostId> =
                of_it.iter().flat_map(|ids| ids.split(' ')).map(PostId::from).collect();
            of_it.sort_unstable();
            answers.insert(id, of_it);
        }
    }
    Ok(answers)
}

fn records(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    ids: &[&PostId],
) -> Result<HashMap<PostId, Record>> {
    let (viewer, is_moderator) = viewer_values(viewer);
    let mut records = HashMap::new();
    for some in ids.chunks(SLOTS) {
        let mut values = values![viewer, is_moderator].to_vec();
        values.extend(slots(some));
        let found: Vec<Record> =
            ctx.tx.all(select_posts!("where p.id in (", slots!(3), ")"), &values)?;
        records.extend(found.into_iter().map(|record| (record.id.clone(), record)));
    }
    Ok(records)
}

/// The entries of the thread as `viewer` sees them; hidden posts are left out.
fn items(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    records: Vec<Record>,
) -> Result<Vec<ThreadItem>> {
    let shown: Vec<Record> = records.into_iter().filter(|record| record.is_shown).collect();
    let tombstones: Vec<_> = shown.iter().map(Record::tombstone).collect();
    let living = shown.into_iter().filter(|record| record.deleted_at.is_none());
    let mut posts = post::to_api_all(ctx, viewer, living.collect())?.into_iter();
    let place = |tombstone: Option<_>| match tombstone {
        Some(tombstone) => Some(ThreadItem::Tombstone(tombstone)),
        None => posts.next().map(ThreadItem::Post),
    };
    Ok(tombstones.into_iter().filter_map(place).collect())
}
