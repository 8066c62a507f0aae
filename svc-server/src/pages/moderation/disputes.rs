//! Open disputes, for moderators to decide on the page of each order.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::escrow::{Escrow, EscrowRole, ListEscrows};

use super::moderator;
use crate::http::{Html, PageContext, PageRequest, Pages};
use crate::pages::Frame;

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new().get("/moderation/disputes", list)
}

#[derive(Template)]
#[template(path = "moderation/disputes.html")]
struct List {
    frame: Frame,
    tab: &'static str,
    escrows: Vec<Escrow>,
    next: Option<String>,
}

fn list(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    moderator(context)?;
    let asked = ListEscrows {
        role: Some(EscrowRole::Moderator),
        status: None,
        counterparty: None,
        plan_id: None,
        limit: None,
        cursor: request.field("cursor").map(Into::into),
    };
    let page = context.ask(&asked)?;
    Html::of(&List {
        frame: Frame::of(context, request, request.t("moderation-disputes"))?,
        tab: "/moderation/disputes",
        next: request.next(page.next_cursor.as_ref()),
        escrows: page.escrows,
    })
}
