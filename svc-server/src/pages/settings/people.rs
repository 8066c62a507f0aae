//! The accounts that the visitor blocks or mutes.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::relations::{ListBlocks, ListMutes};
use svc_types::api::users::{User, UserPage};

use crate::http::{Html, PageContext, PageRequest, Pages};
use crate::pages::Frame;

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new().get("/settings/blocks", blocks).get("/settings/mutes", mutes)
}

#[derive(Template)]
#[template(path = "settings/people.html")]
struct Page {
    frame: Frame,
    tab: &'static str,
    /// Whether it lists those who are muted, instead of blocked.
    is_muted: bool,
    users: Vec<User>,
    next: Option<String>,
}

/// Which accounts a page lists.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Blocked,
    Muted,
}

fn blocks(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let found = context.ask(&request.decode::<ListBlocks>()?)?;
    page(context, request, found, Which::Blocked)
}

fn mutes(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let found = context.ask(&request.decode::<ListMutes>()?)?;
    page(context, request, found, Which::Muted)
}

fn page(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    found: UserPage,
    which: Which,
) -> Result<Html> {
    Html::of(&Page {
        frame: Frame::of(context, request, request.t("settings-people"))?,
        tab: "/settings",
        is_muted: which == Which::Muted,
        next: request.next(found.next_cursor.as_ref()),
        users: found.users,
    })
}
