//! Links in mails, which verify an address or lead back into an account, and the page that asks for
//! one. Opening a link changes nothing until its button is pressed: programs open links too.

use askama::Template;
use svc_core::services::mail;
use svc_store::error::Result;
use svc_types::Code;
use svc_types::api::email::{EmailVerified, VerifyEmail};
use svc_types::api::password::{
    FinishPasswordReset, PasswordReset, RequestPasswordReset, ResetAccepted,
};
use svc_types::api::pending::{UndoPendingChange, Undone};

use super::login::asks_for_code;
use super::settings::Secret;
use super::{Flash, Frame, text};
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

/// The frame of a page whose address holds a token, which its links do not repeat. The forms of colours
/// and language lead back to it.
fn frame(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    title: impl Into<String>,
) -> Result<Frame> {
    let mut frame = Frame::of(context, request, title)?;
    frame.back = Some(match request.field("token") {
        Some(token) if !request.path.contains('?') && !request.path.contains(token) => {
            format!("{}?token={}", request.path, text::encoded(token))
        }
        _ => request.path.clone(),
    });
    "/".clone_into(&mut frame.path);
    Ok(frame)
}

/// Whether a link was used, or has expired.
fn is_gone(form: Form<'_>) -> bool {
    form.refusal().is_some_and(|refusal| refusal.code == Code::NotFound)
}

#[derive(Template)]
#[template(path = "verify.html")]
struct Verify<'a> {
    frame: Frame,
    form: Form<'a>,
    token: &'a str,
    is_gone: bool,
    sends_mail: bool,
}

fn verify(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    Html::of(&Verify {
        frame: frame(context, request, request.t("verify-title"))?,
        form: request.form::<VerifyEmail>(),
        is_gone: is_gone(request.form::<VerifyEmail>()),
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
    is_gone: bool,
}

fn undo(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    Html::of(&Undo {
        frame: frame(context, request, request.t("undo-title"))?,
        form: request.form::<UndoPendingChange>(),
        is_gone: is_gone(request.form::<UndoPendingChange>()),
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
    is_gone: bool,
    /// Whether the account needs a code, as the first try has shown.
    needs_code: bool,
    /// The form for the field of the code: empty until a code was typed.
    code: Form<'a>,
    sends_mail: bool,
}

impl Reset<'_> {
    /// Whether a code is needed too, which the visitor could not know.
    fn asks_for_code(&self) -> bool {
        asks_for_code(self.form)
    }
}

fn reset(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let form = request.form::<FinishPasswordReset>();
    Html::of(&Reset {
        frame: frame(context, request, request.t("reset-title"))?,
        form,
        is_gone: is_gone(form),
        needs_code: form.problem("code").is_some(),
        code: if asks_for_code(form) { Form::EMPTY } else { form },
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
    let mut frame = frame(context, request, request.t("reset-title"))?;
    // The link is used by now.
    frame.back = None;
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
