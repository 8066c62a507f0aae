//! Who liked and reposted a post, and the posts that quote it.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::posts::{GetPost, ListQuotes, Post};
use svc_types::api::reactions::{ListLikes, ListReposts};
use svc_types::api::users::{User, UserPage};

use super::Frame;
use crate::http::{Html, PageContext, PageRequest, Pages};

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/post/{postId}/likes", likes)
        .get("/post/{postId}/reposts", reposts)
        .get("/post/{postId}/quotes", quotes)
}

#[derive(Template)]
#[template(path = "reactions.html")]
struct Accounts {
    frame: Frame,
    post: Post,
    users: Vec<User>,
    next: Option<String>,
}

fn likes(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let post = context.ask(&request.decode::<GetPost>()?)?.post;
    let page = context.ask(&request.decode::<ListLikes>()?)?;
    accounts(context, request, "reactions-likes", post, page)
}

fn reposts(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let post = context.ask(&request.decode::<GetPost>()?)?.post;
    let page = context.ask(&request.decode::<ListReposts>()?)?;
    accounts(context, request, "reactions-reposts", post, page)
}

/// The page of these accounts, with the id of its title.
fn accounts(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    title: &str,
    post: Post,
    page: UserPage,
) -> Result<Html> {
    let frame = Frame::of(context, request, request.t(title))?;
    let next = request.next(page.next_cursor.as_ref());
    Html::of(&Accounts { frame, post, users: page.users, next })
}

#[derive(Template)]
#[template(path = "quotes.html")]
struct Quotes {
    frame: Frame,
    /// The quoted post.
    quoted: Post,
    posts: Vec<Post>,
    next: Option<String>,
}

fn quotes(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let quoted = context.ask(&request.decode::<GetPost>()?)?.post;
    let page = context.ask(&request.decode::<ListQuotes>()?)?;
    let frame = Frame::of(context, request, request.t("reactions-quotes"))?;
    let frame = frame.linking(context, &page.posts)?;
    let next = request.next(page.next_cursor.as_ref());
    Html::of(&Quotes { frame, quoted, posts: page.posts, next })
}
