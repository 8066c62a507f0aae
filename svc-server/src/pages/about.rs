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
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let frame = Frame::of(context, request, request.t("about-title"))?;
    Html::of(&Page { frame, version: env!("CARGO_PKG_VERSION") })
}
