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

/// An entry of the list.
struct Place {
    is_pinned: bool,
    entry: String,
    post: PostId,
    repost: Option<RepostId>,
}
row!(Place { is_pinned, entry, post, repost });

pub(super) fn list(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    request: &ListUserPosts,
) -> Result<PostPage> {
    let viewer = caller.account();
    let kinds = kinds(ctx, request)?;
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 2)?;
    let owner = account::find_visible(ctx, request.username.as_str(), viewer)?;
    let mut places = places(ctx, viewer, owner.id.as_str(), kinds, &page)?;
    let keys = |place: &Place| vec![i64::from(place.is_pinned).to_string(), place.entry.clone()];
    let next_cursor = page.cut(&mut places, keys);
    let by = owner.short().into_api(ctx.app);
    let ids: Vec<PostId> = places.iter().map(|place| place.post.clone()).collect();
    let shown = post::load_each_visible(ctx, viewer, &ids)?;
    let posts = places.into_iter().zip(shown).filter_map(|(place, post)| {
        let repost = |id: RepostId| {
            let created_at = ids::instant_of(id.as_str());
            Repost { id, by: by.clone(), created_at }
        };
        Some(Post { repost: place.repost.map(repost), ..post? })
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

/// The entries of a page: three index scans, merged.
fn places(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    owner: &str,
    kinds: Kinds,
    page: &Page,
) -> Result<Vec<Place>> {
    let (in_pinned, after) = match page.after.as_deref() {
        None => (true, ids::LAST),
        Some(keys) => (keys[0] == "1", keys[1].as_str()),
    };
    let rest_after = if in_pinned { ids::LAST } else { after };
    let mut places = Vec::new();
    if in_pinned {
        places.extend(pinned(ctx, viewer, owner, after, page.rows())?);
    }
    places.extend(published(ctx, viewer, owner, rest_after, kinds.replies, page.rows())?);
    if kinds.reposts {
        places.extend(reposts(ctx, viewer, owner, rest_after, page.rows())?);
    }
    places.sort_by(|one, other| (other.is_pinned, &other.entry).cmp(&(one.is_pinned, &one.entry)));
    places.truncate(usize::try_from(page.rows()).unwrap_or(usize::MAX));
    Ok(places)
}

fn id_of(entry: &str) -> String {
    format!("{}{entry}", PostId::PREFIX)
}

fn pinned(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    owner: &str,
    after: &str,
    rows: i64,
) -> Result<Vec<Place>> {
    let (id, is_moderator) = viewer_values(viewer);
    let found: Vec<PostId> = ctx.tx.all(
        sql!(
            "select p.id from post p cross join account a where a.id = p.author and ",
            visible_post!(),
            " and p.author = $3 and p.pinned = true and p.id < $4 order by p.id desc limit $5"
        ),
        values![id, is_moderator, owner, id_of(after), rows],
    )?;
    Ok(found.into_iter().map(|post| Place::of(post, true)).collect())
}

fn published(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    owner: &str,
    after: &str,
    with_replies: bool,
    rows: i64,
) -> Result<Vec<Place>> {
    let (id, is_moderator) = viewer_values(viewer);
    // Separate indexes: an account that mostly replies may have few top-level posts.
    let sql = if with_replies {
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
        ctx.tx.all(sql, values![id, is_moderator, owner, id_of(after), rows])?;
    Ok(found.into_iter().map(|post| Place::of(post, false)).collect())
}

fn reposts(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    owner: &str,
    after: &str,
    rows: i64,
) -> Result<Vec<Place>> {
    let (id, is_moderator) = viewer_values(viewer);
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
        values![id, is_moderator, owner, after, rows],
    )
}

impl Place {
    fn of(post: PostId, is_pinned: bool) -> Self {
        let entry = rank::entry(post.as_str()).to_owned();
        Self { is_pinned, entry, post, repost: None }
    }
}
