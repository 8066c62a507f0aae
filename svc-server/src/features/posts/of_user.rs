//! The posts of one account: pinned ones first, then posts and reposts by time.

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::ids;
use svc_core::page::Page;
use svc_core::services::account;
use svc_core::services::post::{self, rank, viewer_values};
use svc_core::visible_post;
use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::posts::{Post, PostPage, Repost};
use svc_types::api::users::{ListUserPosts, UserPostInclude};
use svc_types::{Id, PostId, RepostId};

/// What the list includes.
#[derive(Clone, Copy)]
struct Kinds {
    replies: bool,
    reposts: bool,
}

/// An item of the list.
struct Item {
    is_pinned: bool,
    entry: String,
    post: PostId,
    repost: Option<RepostId>,
}
row!(Item { is_pinned, entry, post, repost });

pub(super) fn list(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    request: &ListUserPosts,
) -> Result<PostPage> {
    let viewer = caller.account();
    let kinds = kinds(ctx, request)?;
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 2)?;
    let owner = account::find_visible(ctx, request.username.as_str(), viewer)?;
    let source = Source { viewer, owner: owner.id.as_str(), rows: page.rows() };
    let mut items = items(ctx, &source, kinds, &page)?;
    let keys = |item: &Item| vec![i64::from(item.is_pinned).to_string(), item.entry.clone()];
    let next_cursor = page.cut(&mut items, keys);
    let by = owner.short().into_api(ctx.app);
    let ids: Vec<PostId> = items.iter().map(|item| item.post.clone()).collect();
    let shown = post::load_each_visible(ctx, viewer, &ids)?;
    let posts = items.into_iter().zip(shown).filter_map(|(item, post)| {
        let repost = |id: RepostId| {
            let created_at = ids::instant_of(id.as_str());
            Repost { id, by: by.clone(), created_at }
        };
        Some(Post { repost: item.repost.map(repost), ..post? })
    });
    Ok(PostPage { posts: posts.collect(), next_cursor })
}

fn kinds(ctx: &mut Ctx<'_, '_>, request: &ListUserPosts) -> Result<Kinds> {
    let mut kinds = Kinds { replies: false, reposts: false };
    for include in request.include.iter().flat_map(|include| &include.0) {
        match include {
            UserPostInclude::Replies => kinds.replies = true,
            UserPostInclude::Reposts => kinds.reposts = true,
            UserPostInclude::Html => post::html::include_html(ctx),
            _ => {
                let message =
                    "include must be replies, reposts or html, or several with commas between";
                return Err(Error::invalid("include", message));
            }
        }
    }
    Ok(kinds)
}

/// Whose posts a scan reads, for whom, and how many at most.
struct Source<'a> {
    viewer: Option<&'a Account>,
    owner: &'a str,
    rows: i64,
}

/// The items of a page: three index scans, merged.
fn items(
    ctx: &mut Ctx<'_, '_>,
    source: &Source<'_>,
    kinds: Kinds,
    page: &Page,
) -> Result<Vec<Item>> {
    let (in_pinned, after) = match page.after.as_deref() {
        None => (true, ids::LAST),
        Some(keys) => (keys[0] == "1", keys[1].as_str()),
    };
    let rest_after = if in_pinned { ids::LAST } else { after };
    let mut items = Vec::new();
    if in_pinned {
        items.extend(pinned(ctx, source, after)?);
    }
    items.extend(published(ctx, source, kinds, rest_after)?);
    if kinds.reposts {
        items.extend(reposts(ctx, source, rest_after)?);
    }
    items.sort_by(|one, other| (other.is_pinned, &other.entry).cmp(&(one.is_pinned, &one.entry)));
    items.truncate(usize::try_from(source.rows).unwrap_or(usize::MAX));
    Ok(items)
}

fn id_of(entry: &str) -> String {
    format!("{}{entry}", PostId::PREFIX)
}

fn pinned(ctx: &mut Ctx<'_, '_>, source: &Source<'_>, after: &str) -> Result<Vec<Item>> {
    let (id, is_moderator) = viewer_values(source.viewer);
    let found: Vec<PostId> = ctx.tx.all(
        sql!(
            "select p.id from post p cross join account a where a.id = p.author and ",
            visible_post!(),
            " and p.author = $3 and p.pinned = true and p.id < $4 order by p.id desc limit $5"
        ),
        values![id, is_moderator, source.owner, id_of(after), source.rows],
    )?;
    Ok(found.into_iter().map(|post| Item::of(post, true)).collect())
}

fn published(
    ctx: &mut Ctx<'_, '_>,
    source: &Source<'_>,
    kinds: Kinds,
    after: &str,
) -> Result<Vec<Item>> {
    let (id, is_moderator) = viewer_values(source.viewer);
    // Separate indexes: an account that mostly replies may have few top-level posts.
    let sql = if kinds.replies {
        sql!(
            "select p.id from post p cross join account a where a.id = p.author and ",
            visible_post!(),
            " and p.author = $3 and p.pinned = false and p.id < $4 order by p.id desc limit $5"
        )
    } else {
        sql!(
            "select p.id from post p cross join account a where a.id = p.author and ",
            visible_post!(),
            " and p.author = $3 and p.pinned = false and p.reply_to is null and p.id < $4
             order by p.id desc limit $5"
        )
    };
    let found: Vec<PostId> =
        ctx.tx.all(sql, values![id, is_moderator, source.owner, id_of(after), source.rows])?;
    Ok(found.into_iter().map(|post| Item::of(post, false)).collect())
}

fn reposts(ctx: &mut Ctx<'_, '_>, source: &Source<'_>, after: &str) -> Result<Vec<Item>> {
    let (id, is_moderator) = viewer_values(source.viewer);
    ctx.tx.all(
        sql!(
            "select false, t.entry, t.post, t.repost
             from timeline t
             join post p on p.id = t.post
             join account a on a.id = p.author
             where ",
            visible_post!(),
            " and t.account = $3 and t.repost is not null and t.entry < $4
             order by t.entry desc limit $5"
        ),
        values![id, is_moderator, source.owner, after, source.rows],
    )
}

impl Item {
    fn of(post: PostId, is_pinned: bool) -> Self {
        let entry = rank::entry(post.as_str()).to_owned();
        Self { is_pinned, entry, post, repost: None }
    }
}
