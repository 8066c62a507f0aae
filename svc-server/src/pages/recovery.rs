//! Links in mails, which verify an address or lead back into an account, and the page that asks for
//! one. Opening a link changes nothing until its button is pressed: programs open links too.

use askama::Template;
use svc_core::services::mail;
use svc_store::error::Result;
use svc_types::api::email::{EmailVerified, VerifyEmail};
use svc_types::api::password::{
    FinishPasswordReset, PasswordReset, RequestPasswordReset, ResetAccepted,
};
use svc_types::api::pending::{UndoPendingChange, Undone};

use super::settings::Secret;
use super::{Flash, Frame};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/verify", verify)
        .form::<VerifyEmail>("/verify", verify, |_, _: &EmailVerified| {
            Done::to("/settings").say(Flash::EmailVerified)
        })
        .get("/undo/{token}", undo)
        .form::<UndoPendingChange>("/undo/{token}", undo, |_, _: &Undone| {
            Done::to("/").say(Flash::Undone)
        })
        .get("/forgot", forgot)
        .form::<RequestPasswordReset>("/forgot", forgot, |_, _: &ResetAccepted| {
            Done::to("/login").say(Flash::ResetAsked)
        })
        .get("/reset", reset)
        .form_once::<FinishPasswordReset>("/reset", reset, finished)
}

/// The frame of a page whose address holds a token, which its links do not repeat.
fn frame(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    title: impl Into<String>,
) -> Result<Frame> {
    let mut frame = Frame::of(context, request, title)?;
    "/".clone_into(&mut frame.path);
    Ok(frame)
}

#[derive(Template)]
#[template(path = "verify.html")]
struct Verify<'a> {
    frame: Frame,
    form: Form<'a>,
    token: &'a str,
    sends_mail: bool,
}

fn verify(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    Html::of(&Verify {
        frame: frame(context, request, request.t("verify-title"))?,
        form: request.form::<VerifyEmail>(),
        token: request.field("token").unwrap_or_default(),
        sends_mail: mail::is_on(context.app()),
    })
}

#[derive(Template)]
#[template(path = "undo.html")]
struct Undo<'a> {
    frame: Frame,
    form: Form<'a>,
    token: &'a str,
}

fn undo(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    Html::of(&Undo {
        frame: frame(context, request, request.t("undo-title"))?,
        form: request.form::<UndoPendingChange>(),
        token: request.field("token").unwrap_or_default(),
    })
}

#[derive(Template)]
#[template(path = "forgot.html")]
struct Forgot<'a> {
    frame: Frame,
    form: Form<'a>,
    sends_mail: bool,
}

fn forgot(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    Html::of(&Forgot {
        sends_mail: mail::is_on(context.app()),
        frame: Frame::of(context, request, request.t("forgot-title"))?,
        form: request.form::<RequestPasswordReset>(),
    })
}

#[derive(Template)]
#[template(path = "reset.html")]
struct Reset<'a> {
    frame: Frame,
    form: Form<'a>,
    token: &'a str,
    /// Whether the account needs a code, as the first try has shown.
    needs_code: bool,
    sends_mail: bool,
}

fn reset(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let form = request.form::<FinishPasswordReset>();
    Html::of(&Reset {
        frame: frame(context, request, request.t("reset-title"))?,
        form,
        needs_code: form.problem("code").is_some(),
        sends_mail: mail::is_on(context.app()),
        token: request.field("token").unwrap_or_default(),
    })
}

#[derive(Template)]
#[template(path = "reset_done.html")]
struct Finished {
    frame: Frame,
}

fn finished(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    done: &PasswordReset,
) -> Result<Html> {
    let frame = frame(context, request, request.t("reset-title"))?;
    let Some(key) = &done.api_key else { return Html::of(&Finished { frame }) };
    Html::of(&Secret {
        frame,
        what: "reset-key-new",
        value: key.expose(),
        meaning: "reset-key-about",
        command: String::new(),
        back: "/".to_owned(),
    })
}
