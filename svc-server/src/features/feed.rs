//! Feeds: what the accounts one follows bring, and what the whole platform does.

mod global;
mod top;

use svc_types::api::feed::GetFeed;
use svc_types::api::posts::PostPage;

use crate::acts::feed;
use crate::app::Cx;
use crate::error::Result;
use crate::http::{Account, Routes};
use crate::page::Page;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(home).read(global::feed)
}

fn home(cx: &mut Cx<'_, '_>, caller: &Account, request: &GetFeed) -> Result<PostPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    feed::page(cx, caller, &page)
}
