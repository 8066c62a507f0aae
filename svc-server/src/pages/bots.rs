//! Search for bots by their services.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::bots::{Bot, DiscoverBots};

use super::Frame;
use crate::http::{Html, PageContext, PageRequest, Pages};

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get("/bots", show)
}

#[derive(Template)]
#[template(path = "bots.html")]
struct Page<'a> {
    frame: Frame,
    request: &'a PageRequest,
    bots: Vec<Bot>,
    next: Option<String>,
}

impl Page<'_> {
    /// The submitted value of a field.
    fn asked(&self, name: &str) -> &str {
        self.request.field(name).unwrap_or_default()
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let page = context.ask(&request.decode::<DiscoverBots>()?)?;
    let next = request.next(page.next_cursor.as_ref());
    let frame = Frame::of(context, request, "Services")?;
    Html::of(&Page { frame, request, bots: page.bots, next })
}
