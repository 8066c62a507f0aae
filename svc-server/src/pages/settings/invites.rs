//! Invites: those that the visitor has created, and a new one, whose link is shown once.

use askama::Template;
use svc_core::app::App;
use svc_core::config::{GrantCondition, SignupMode};
use svc_store::error::Result;
use svc_types::Timestamp;
use svc_types::api::Deleted;
use svc_types::api::invites::{CreateInvite, DeleteInvite, Invite, ListInvites, NewInvite};

use super::key::Secret;
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::{Flash, Frame};

const PATH: &str = "/settings/invites";

/// Lifetimes to choose from: the value of the field, and its days.
const LIVES: [(&str, u64); 3] = [("30d", 30), ("7d", 7), ("90d", 90)];

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get(PATH, show)
        .form_once::<CreateInvite>(PATH, show, created)
        .button::<DeleteInvite>("/settings/invites/{inviteId}/delete", |_, _: &Deleted| {
            Done::to(PATH).say(Flash::InviteDeleted)
        })
        .when_gone(|_| Done::to(PATH))
}

/// Whether an invite gives a new account something on this server.
pub(super) fn are_needed(app: &App) -> bool {
    let is_asked_for = matches!(app.config.signup.mode, SignupMode::Invite | SignupMode::Approval);
    is_asked_for || app.config.exchange.grant_requires == Some(GrantCondition::Invite)
}

#[derive(Template)]
#[template(path = "settings/invites.html")]
struct Page<'a> {
    frame: Frame,
    tab: &'static str,
    form: Form<'a>,
    invites: Vec<Invite>,
    next: Option<String>,
    now: Timestamp,
}

impl Page<'_> {
    fn is_open(&self, invite: &Invite) -> bool {
        invite.used_at.is_none() && invite.expires_at > self.now
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let cursor = request.field("cursor").map(Into::into);
    let page = context.ask(&ListInvites { limit: None, cursor })?;
    Html::of(&Page {
        frame: Frame::of(context, request, request.t("settings-invites"))?,
        tab: "/settings",
        form: request.form::<CreateInvite>(),
        next: request.next(page.next_cursor.as_ref()),
        invites: page.invites,
        now: context.now(),
    })
}

fn created(context: &mut PageContext<'_>, request: &PageRequest, made: &NewInvite) -> Result<Html> {
    Html::of(&Secret {
        frame: Frame::of(context, request, request.t("settings-invites"))?,
        what: "settings-invite-new",
        value: made.url.expose(),
        meaning: "settings-invite-new-about",
        command: String::new(),
        back: PATH.to_owned(),
    })
}
