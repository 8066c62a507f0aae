//! Accounts that wait for approval.

use askama::Template;
use svc_core::config::SignupMode;
use svc_store::error::Result;
use svc_types::api::Deleted;
use svc_types::api::signups::{ApproveSignup, ListSignups, RejectSignup, Signup};
use svc_types::api::users::{GetUser, User};

use super::moderator;
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::{Flash, Frame};

/// The pages of this module.
pub(super) fn pages() -> Pages {
    let reject = "/moderation/signups/{userId}/reject";
    Pages::new()
        .get("/moderation/signups", list)
        .button::<ApproveSignup>("/moderation/signups/{userId}/approve", |_, _| {
            Done::to("/moderation/signups").say(Flash::Approved)
        })
        .get(reject, ask_reject)
        .form::<RejectSignup>(reject, ask_reject, |_, _: &Deleted| {
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

/// Asks for confirmation before an account is erased.
#[derive(Template)]
#[template(path = "moderation/reject.html")]
struct Reject<'a> {
    frame: Frame,
    form: Form<'a>,
    user: User,
}

fn ask_reject(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    moderator(context)?;
    let username = request.field("userId").unwrap_or_default().into();
    let user = context.ask(&GetUser { username })?.user;
    let frame = Frame::of(context, request, request.t("moderation-reject"))?;
    Html::of(&Reject { frame, form: request.form::<RejectSignup>(), user })
}
