//! Accounts that wait for approval.

use askama::Template;
use svc_core::config::SignupMode;
use svc_store::error::Result;
use svc_types::api::signups::{ApproveSignup, ListSignups, RejectSignup, Signup};

use super::moderator;
use crate::http::{Done, Html, PageContext, PageRequest, Pages};
use crate::pages::{Flash, Frame};

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/moderation/signups", list)
        .button::<ApproveSignup>("/moderation/signups/{userId}/approve", |_, _| {
            Done::to("/moderation/signups").say(Flash::Approved)
        })
        .button::<RejectSignup>("/moderation/signups/{userId}/reject", |_, _| {
            Done::to("/moderation/signups").say(Flash::Rejected)
        })
}

#[derive(Template)]
#[template(path = "moderation/signups.html")]
struct List {
    frame: Frame,
    tab: &'static str,
    signups: Vec<Signup>,
    /// Whether new accounts wait at all.
    is_on: bool,
    next: Option<String>,
}

fn list(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    moderator(context)?;
    let page = context.ask(&request.decode::<ListSignups>()?)?;
    Html::of(&List {
        frame: Frame::of(context, request, request.t("moderation-signups"))?,
        tab: "/moderation/signups",
        next: request.next(page.next_cursor.as_ref()),
        signups: page.signups,
        is_on: context.app().config.signup.mode == SignupMode::Approval,
    })
}
