//! The home page: your feed, or the global feed.

use askama::Template;
use svc_store::error::Result;
use svc_types::Timestamp;
use svc_types::api::feed::{FeedSort, GetFeed, GetGlobalFeed};
use svc_types::api::posts::{CreatePost, Post};

use super::{Frame, compose};
use crate::http::{Form, Html, PageContext, PageRequest, Pages};

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get("/", show)
}

#[derive(Template)]
#[template(path = "feed.html")]
struct Page<'a> {
    frame: Frame,
    /// `home`, or the order of the global feed.
    tab: &'a str,
    window: &'a str,
    posts: Vec<Post>,
    next: Option<String>,
    form: Form<'a>,
    next_post: Option<Timestamp>,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let is_signed_in = context.account().is_some();
    let default = if is_signed_in { "home" } else { FeedSort::Hot.as_str() };
    let tab = request.field("sort").unwrap_or(default);
    let (posts, cursor) = if tab == "home" {
        let feed = context.ask(&request.decode::<GetFeed>()?)?;
        (feed.posts, feed.next_cursor)
    } else {
        let feed = context.ask(&request.decode::<GetGlobalFeed>()?)?;
        (feed.posts, feed.next_cursor)
    };
    Html::of(&Page {
        frame: Frame::of(context, request, "Home")?,
        tab,
        window: request.field("window").unwrap_or("7d"),
        posts,
        next: request.next(cursor.as_ref()),
        form: request.form::<CreatePost>(),
        next_post: compose::next_post(context)?,
    })
}
