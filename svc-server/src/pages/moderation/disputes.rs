//! Open disputes, for moderators to resolve.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::escrow::{
    Escrow, EscrowEnvelope, EscrowRole, GetEscrow, ListEscrows, ResolveEscrow,
};

use super::moderator;
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::case::Case;
use crate::pages::{Flash, Frame};

/// The pages of this module.
pub(super) fn pages() -> Pages {
    let one = "/moderation/disputes/{escrowId}";
    Pages::new().get("/moderation/disputes", list).get(one, show).form::<ResolveEscrow>(
        one,
        show,
        |_, _: &EscrowEnvelope| Done::to("/moderation/disputes").say(Flash::Decided),
    )
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
        frame: Frame::of(context, request, "Disputes")?,
        tab: "/moderation/disputes",
        next: request.next(page.next_cursor.as_ref()),
        escrows: page.escrows,
    })
}

#[derive(Template)]
#[template(path = "moderation/dispute.html")]
struct Page<'a> {
    frame: Frame,
    tab: &'static str,
    case: Case,
    form: Form<'a>,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    moderator(context)?;
    let escrow = context.ask(&request.decode::<GetEscrow>()?)?.escrow;
    Html::of(&Page {
        frame: Frame::of(context, request, "Dispute")?,
        tab: "/moderation/disputes",
        case: Case::of(context, request, escrow)?,
        form: request.form::<ResolveEscrow>(),
    })
}
