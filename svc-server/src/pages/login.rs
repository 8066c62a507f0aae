//! Sign-in, sign-up and sign-out.

use askama::Template;
use svc_core::config::SignupMode;
use svc_core::services::{mail, passkey, proof};
use svc_store::error::{Error, Result, Step};
use svc_types::Code;
use svc_types::api::auth::{
    LoggedIn, LoggedOut, Login, Logout, Register, Registered, Restore, Restored,
};
use svc_types::api::passkeys::LoginWithPasskey;
use svc_types::api::users::AccountStatus;
use url::form_urlencoded;

use super::feed::grant;
use super::oauth::is_for_program;
use super::settings::answered;
use super::text::encoded;
use super::{Flash, Frame};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages, is_secret_field};

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/login", sign_in)
        .form_by::<Login>("/login", sign_in, name_or_address, signed_in)
        .that_signs_in()
        .form_by::<LoginWithPasskey>("/login/passkey", sign_in, by_passkey, signed_in)
        .that_signs_in()
        .get("/join", join)
        .form::<Register>("/join", join, joined)
        .get("/join/waiting", waiting)
        .get("/restore", restore)
        .form::<Restore>("/restore", restore, restored)
        .button::<Logout>("/logout", |_, _: &LoggedOut| Done::to("/").say(Flash::SignedOut))
}

#[derive(Template)]
#[template(path = "login.html")]
struct SignIn<'a> {
    frame: Frame,
    form: Form<'a>,
    next: &'a str,
    /// The form of the passkey.
    passkey: Form<'a>,
    /// Whether passkeys work here.
    offers_passkey: bool,
    /// The fields and path of a form that the sign-in interrupted.
    kept: &'a str,
    kept_of: &'a str,
    /// Whether the account needs a code, as the password has shown.
    needs_code: bool,
    /// The form for the field of the code: empty until a code was typed.
    code: Form<'a>,
    /// What is sent in place of the password, which was right.
    step: &'a str,
    /// The challenge that the browser solves, after too many failures at the account.
    challenge: Option<String>,
    sends_mail: bool,
}

impl SignIn<'_> {
    /// Whether the visitor sent another form, and was signed out meanwhile.
    fn was_signed_out(&self) -> bool {
        let code = self.form.refusal().map(|refusal| &refusal.code);
        !self.kept_of.is_empty() && code == Some(&Code::Unauthorized)
    }

    /// Whether the code is the next step.
    fn asks_for_code(&self) -> bool {
        asks_for_code(self.form)
    }

    /// Whether that form has passwords or codes, which are not kept.
    fn has_secrets(&self) -> bool {
        form_urlencoded::parse(self.kept.as_bytes()).any(|(name, _)| is_secret_field(&name))
    }
}

fn sign_in(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let next = request.local("next").unwrap_or("/");
    if context.account().is_some() {
        return Ok(Html::moved(next));
    }
    let (form, passkey) = (request.form::<Login>(), request.form::<LoginWithPasskey>());
    let sent = if passkey.is_typed() { passkey } else { form };
    let needs_code = needs_code(form);
    // Each attempt needs a proof of its own, that of the code too.
    let needs_proof = form.problem("proof").is_some() || !form.value("proof").is_empty();
    let next = sent.or("next", next);
    let page = Html::of(&SignIn {
        frame: Frame::of(context, request, request.t("sign-in"))?,
        form,
        passkey,
        offers_passkey: passkey::is_on(context.app()),
        next,
        kept: sent.value("kept"),
        kept_of: sent.value("of"),
        needs_code,
        code: if asks_for_code(form) { Form::EMPTY } else { form },
        step: if needs_code { step(form) } else { "" },
        challenge: challenge(context, needs_proof)?,
        sends_mail: mail::is_on(context.app()),
    })?;
    Ok(page.leading_away(is_for_program(next)))
}

/// The challenge of a form that needs a proof of work, as JSON.
fn challenge(context: &PageContext<'_>, is_needed: bool) -> Result<Option<String>> {
    if !is_needed {
        return Ok(None);
    }
    let challenge = proof::challenge(context.app(), context.now())?;
    serde_json::to_string(&challenge).map(Some).map_err(Error::internal)
}

/// Whether the password was right and its code is missing or wrong, or is not judged for now.
fn needs_code(form: Form<'_>) -> bool {
    let waits = form
        .refusal()
        .is_some_and(|refusal| matches!(refusal.code, Code::RateLimited | Code::ProofRequired));
    form.problem("code").is_some() || waits && !form.value("step").is_empty()
}

/// Whether the password was right and the code is the next step, which is not a mistake.
pub(super) fn asks_for_code(form: Form<'_>) -> bool {
    form.refusal().is_some_and(|refusal| refusal.code == Code::SecondFactorRequired)
}

/// What stands for the password: just received, or sent before.
fn step(form: Form<'_>) -> &str {
    let received = form.refusal().and_then(|refusal| refusal.step.as_ref());
    received.map_or_else(|| form.value("step"), Step::expose)
}

/// What a passkey has answered, which the script puts into the form.
fn by_passkey(_: &mut PageContext<'_>, request: &PageRequest) -> Result<LoginWithPasskey> {
    let (ceremony_id, credential) = answered(request)?;
    Ok(LoginWithPasskey { ceremony_id, credential })
}

/// One field accepts both, because a username contains no `@`. A step takes the place of the password.
fn name_or_address(_: &mut PageContext<'_>, request: &PageRequest) -> Result<Login> {
    let mut login: Login = match request.field("step") {
        Some(step) => request.with("password", step.to_owned()).decode()?,
        None => request.decode()?,
    };
    if let Some(name) = login.username.take_if(|name| name.contains('@')) {
        login.email = Some(name.as_str().into());
    }
    Ok(login)
}

fn signed_in(request: &PageRequest, answer: &LoggedIn) -> Done {
    let next = request.local("next").unwrap_or("/");
    match answer.erased_at {
        None => Done::to(next),
        Some(_) if next == "/" => Done::to("/restore"),
        Some(_) => Done::to(format!("/restore?next={}", encoded(next))),
    }
}

/// The offer to restore a deleted account. Pages do not know whose it is.
#[derive(Template)]
#[template(path = "restore.html")]
struct Offer<'a> {
    frame: Frame,
    form: Form<'a>,
    next: &'a str,
}

fn restore(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let next = request.local("next").unwrap_or("/");
    if context.account().is_some() {
        return Ok(Html::moved(next));
    }
    let frame = Frame::of(context, request, request.t("restore-title"))?;
    let page = Html::of(&Offer { frame, form: request.form::<Restore>(), next })?;
    Ok(page.leading_away(is_for_program(next)))
}

fn restored(request: &PageRequest, _: &Restored) -> Done {
    Done::to(request.local("next").unwrap_or("/")).say(Flash::Restored)
}

#[derive(Template)]
#[template(path = "join.html")]
struct Join<'a> {
    frame: Frame,
    form: Form<'a>,
    next: &'a str,
    url: &'a str,
    mode: SignupMode,
    /// What a new account gets, in words.
    grant: Option<String>,
    /// The invite of the link or of the form.
    invite: &'a str,
    challenge: Option<String>,
}

fn join(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let next = request.local("next").unwrap_or("/");
    if context.account().is_some() {
        return Ok(Html::moved(next));
    }
    let frame = Frame::of(context, request, request.t("join"))?;
    let form = request.form::<Register>();
    let settings = &context.app().config.signup;
    Html::of(&Join {
        frame,
        next: form.or("next", next),
        invite: form.or("invite", request.field("invite").unwrap_or_default()),
        url: &context.app().public_url,
        mode: settings.mode,
        grant: grant(context, request.language),
        challenge: challenge(context, settings.proof)?,
        form,
    })
}

/// What happens next to an account that waits for approval.
#[derive(Template)]
#[template(path = "waiting.html")]
struct Waiting {
    frame: Frame,
    sends_mail: bool,
}

fn waiting(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let sends_mail = mail::is_on(context.app());
    let frame = Frame::of(context, request, request.t("waiting-title"))?;
    Html::of(&Waiting { frame, sends_mail })
}

fn joined(request: &PageRequest, answer: &Registered) -> Done {
    if answer.user.status == Some(AccountStatus::Pending) {
        return Done::to("/join/waiting");
    }
    let next = request.local("next").filter(|next| *next != "/");
    Done::to(next.unwrap_or("/welcome")).say(Flash::Joined)
}
