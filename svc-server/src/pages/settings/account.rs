//! Your account: profile, picture, and what it is.

use askama::Template;
use svc_core::services::mail;
use svc_store::error::Result;
use svc_types::api::email::{EmailSent, SendVerification};
use svc_types::api::users::{
    AVATAR_BYTES_MAX, AccountStatus, DeleteAvatar, DmPolicy, GetMe, UpdateMe, UpdatedUser, User,
    UserEnvelope,
};

use super::{invites, pending};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::{Flash, Frame};

/// Options of who may send messages: the value and the id of its label.
const DM_POLICIES: [(DmPolicy, &str); 3] = [
    (DmPolicy::All, "settings-account-messages-all"),
    (DmPolicy::Following, "settings-account-messages-following"),
    (DmPolicy::None, "settings-account-messages-none"),
];

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/settings", show)
        .form::<UpdateMe>("/settings", show, |_, updated: &UpdatedUser| {
            if updated.pending_until.is_some() { pending::requested() } else { here() }
        })
        .button::<SendVerification>("/settings/email/send", |_, _: &EmailSent| {
            Done::to("/settings").say(Flash::EmailSent)
        })
        .upload("/settings/avatar", show, |_| here())
        .button::<DeleteAvatar>("/settings/avatar/delete", |_, _: &UserEnvelope| here())
}

fn here() -> Done {
    Done::to("/settings").say(Flash::Saved)
}

#[derive(Template)]
#[template(path = "settings/account.html")]
struct Page<'a> {
    frame: Frame,
    tab: &'static str,
    user: &'a User,
    form: Form<'a>,
    picture: Form<'a>,
    policies: &'static [(DmPolicy, &'static str)],
    picture_mib: usize,
    has_picture: bool,
    sends_mail: bool,
    has_invites: bool,
}

impl Page<'_> {
    /// What the form shows, for its field `shown`.
    fn shown(&self) -> String {
        self.form.shown([
            ("displayName", self.user.display_name.as_str()),
            ("bio", self.user.bio.as_str()),
            ("website", self.user.website.as_deref().unwrap_or_default()),
            ("email", self.own_email()),
            ("dmPolicy", self.own_policy()),
            ("allowServiceRequests", self.own_orders()),
        ])
    }

    /// The pending address, else the present one.
    fn own_email(&self) -> &str {
        let email = self.user.pending_email.as_deref().or(self.user.email.as_deref());
        email.unwrap_or_default()
    }

    fn own_policy(&self) -> &str {
        self.user.dm_policy.as_ref().map_or("", DmPolicy::as_str)
    }

    /// Whether the account accepts orders, as the form says it.
    fn own_orders(&self) -> &'static str {
        if self.user.allow_service_requests.unwrap_or(true) { "true" } else { "false" }
    }

    /// The address in the form.
    fn email(&self) -> &str {
        self.form.or("email", self.own_email())
    }

    /// Attributes of its field: an agent may have none.
    const fn email_attributes(&self) -> &'static str {
        if self.user.is_agent {
            "maxlength=\"254\" autocomplete=\"email\""
        } else {
            "required maxlength=\"254\" autocomplete=\"email\""
        }
    }

    /// Whether the form lets other accounts send messages.
    fn is_policy(&self, policy: &DmPolicy) -> bool {
        self.form.or("dmPolicy", self.own_policy()) == policy.as_str()
    }

    /// What restricts the account, in a word.
    fn status(&self) -> Option<String> {
        let status = self.user.status.as_ref()?;
        if *status == AccountStatus::Active {
            return None;
        }
        Some(self.frame.language.text(&format!("settings-account-status-{status}")))
    }

    /// Whether the form accepts orders.
    fn takes_orders(&self) -> bool {
        self.form.or("allowServiceRequests", self.own_orders()) == "true"
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let user = context.ask(&GetMe {})?.user;
    Html::of(&Page {
        frame: Frame::of(context, request, request.t("settings-title"))?,
        tab: "/settings",
        form: request.form::<UpdateMe>(),
        picture: request.uploaded(),
        user: &user,
        policies: &DM_POLICIES,
        picture_mib: AVATAR_BYTES_MAX / (1024 * 1024),
        has_picture: context.account().is_some_and(|account| account.avatar.is_some()),
        sends_mail: mail::is_on(context.app()),
        has_invites: invites::are_needed(context.app()),
    })
}
