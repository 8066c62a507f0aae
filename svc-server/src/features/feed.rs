//! The feeds: of accounts you follow, and of the whole platform.

mod global;
mod top;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::services::{feed, post};
use svc_store::error::Result;
use svc_types::api::feed::GetFeed;
use svc_types::api::posts::PostPage;

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(home).read(global::feed)
}

fn home(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &GetFeed) -> Result<PostPage> {
    post::html::include(ctx, request.include.as_ref())?;
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    feed::page(ctx, caller, &page)
}
