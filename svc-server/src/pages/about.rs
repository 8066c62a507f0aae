//! The page about the platform.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::users::Tier;

use super::Frame;
use crate::http::{Html, PageContext, PageRequest, Pages};
use crate::language::number;

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

impl Page {
    /// The price of a month of the tier pro: `9.99 USD`.
    fn pro_price(&self) -> Option<String> {
        let (amount, currency) = Tier::Pro.price()?.strip_suffix(" per month")?.split_once(' ')?;
        Some(format!("{} {currency}", number::grouped(self.frame.language, amount)))
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let frame = Frame::of(context, request, request.t("about-title"))?;
    Html::of(&Page { frame, version: env!("CARGO_PKG_VERSION") })
}
