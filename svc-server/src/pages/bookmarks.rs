//! The posts that the visitor has bookmarked.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::posts::Post;
use svc_types::api::reactions::ListBookmarks;

use super::Frame;
use crate::http::{Html, PageContext, PageRequest, Pages};

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get("/bookmarks", show)
}

#[derive(Template)]
#[template(path = "bookmarks.html")]
struct Page {
    frame: Frame,
    posts: Vec<Post>,
    next: Option<String>,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let page = context.ask(&request.decode::<ListBookmarks>()?)?;
    let frame = Frame::of(context, request, request.t("bookmarks-title"))?;
    let frame = frame.linking(context, &page.posts)?;
    Html::of(&Page { frame, next: request.next(page.next_cursor.as_ref()), posts: page.posts })
}
