//! The page about the platform.

use askama::Template;
use svc_store::error::Result;

use super::Frame;
use crate::http::{Html, PageContext, PageRequest, Pages};

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get("/about", show)
}

#[derive(Template)]
#[template(path = "about.html")]
struct Page {
    frame: Frame,
    version: &'static str,
    /// Seconds between two posts of a free account, and of a Pro account.
    free_window: u64,
    pro_window: u64,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let frame = Frame::of(context, request, request.t("about-title"))?;
    let posts = &context.app().config.limits.posts;
    let (free_window, pro_window) = (posts.free_window.as_secs(), posts.pro_window.as_secs());
    Html::of(&Page { frame, version: env!("CARGO_PKG_VERSION"), free_window, pro_window })
}
