//! The second factor: an authenticator app is added, and its secret and recovery codes are shown
//! once.

use askama::Template;
use svc_store::error::Result;
use svc_types::RecoveryCode;
use svc_types::api::Deleted;
use svc_types::api::factors::{
    ConfirmTotp, CreateRecoveryCodes, CreateTotp, DeleteTotp, GetFactors, NewTotp, RecoveryCodes,
};

use super::qr::QrCode;
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::{Flash, Frame};

const BACK: &str = "/settings/security";
const TOTP: &str = "/settings/security/totp";
const DELETE: &str = "/settings/security/totp/delete";
const CODES: &str = "/settings/security/recovery-codes";
const CONFIRM: &str = "/settings/security/totp/confirm";

/// The id of the label of a button that removes the app.
const REMOVE: &str = "settings-factor-remove";

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get(TOTP, ask)
        .form_once::<CreateTotp>(TOTP, ask, added)
        .get(CONFIRM, ask_code)
        .form_once::<ConfirmTotp>(CONFIRM, ask_code, turned_on)
        .get(DELETE, ask_delete)
        .form::<DeleteTotp>(DELETE, ask_delete, |_, _: &Deleted| {
            Done::to(BACK).say(Flash::FactorRemoved)
        })
        .get(CODES, ask_codes)
        .form_once::<CreateRecoveryCodes>(CODES, ask_codes, codes)
}

/// A page that asks for confirmation, with one button.
#[derive(Template)]
#[template(path = "settings/factor.html")]
pub(super) struct Confirmation<'a> {
    frame: Frame,
    form: Form<'a>,
    action: &'static str,
    /// The id of a text about what happens.
    meaning: &'static str,
    /// The id of the label.
    button: &'static str,
    is_dangerous: bool,
}

/// Asks by the ids of a title, a text and a label.
pub(super) fn question(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    form: Form<'_>,
    action: &'static str,
    [title, meaning, button]: [&'static str; 3],
) -> Result<Html> {
    context.ask(&GetFactors {})?;
    let frame = Frame::of(context, request, request.t(title))?;
    let is_dangerous = button == REMOVE;
    Html::of(&Confirmation { frame, form, action, meaning, button, is_dangerous })
}

fn ask(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let ids = ["settings-totp-title", "settings-totp-about", "settings-factor-begin"];
    question(context, request, request.form::<CreateTotp>(), TOTP, ids)
}

fn ask_delete(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let ids = ["settings-totp-remove-title", "settings-totp-remove-about", REMOVE];
    question(context, request, request.form::<DeleteTotp>(), DELETE, ids)
}

fn ask_codes(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let ids = [
        "settings-recovery-replace-title",
        "settings-recovery-replace-about",
        "settings-recovery-replace",
    ];
    question(context, request, request.form::<CreateRecoveryCodes>(), CODES, ids)
}

/// The secret of a new app, and the field for its first code.
#[derive(Template)]
#[template(path = "settings/totp.html")]
struct Totp<'a> {
    frame: Frame,
    form: Form<'a>,
    /// What the app needs, when it is shown.
    shown: Option<Shown<'a>>,
}

/// The secret of a new app, as a link, as text, and as a picture for the app's camera.
struct Shown<'a> {
    uri: &'a str,
    secret: &'a str,
    qr: Option<QrCode>,
}

fn added(context: &mut PageContext<'_>, request: &PageRequest, new: &NewTotp) -> Result<Html> {
    let uri = new.uri.expose();
    let secret = uri.split(['?', '&']).find_map(|pair| pair.strip_prefix("secret="));
    Html::of(&Totp {
        frame: Frame::of(context, request, request.t("settings-totp-title"))?,
        form: Form::EMPTY,
        shown: Some(Shown { uri, secret: secret.unwrap_or_default(), qr: QrCode::of(uri) }),
    })
}

fn ask_code(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.ask(&GetFactors {})?;
    let frame = Frame::of(context, request, request.t("settings-totp-title"))?;
    Html::of(&Totp { frame, form: request.form::<ConfirmTotp>(), shown: None })
}

#[derive(Template)]
#[template(path = "settings/recovery.html")]
struct Codes<'a> {
    frame: Frame,
    codes: &'a [RecoveryCode],
}

fn turned_on(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    new: &RecoveryCodes,
) -> Result<Html> {
    codes(context, request, new)
}

fn codes(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    new: &RecoveryCodes,
) -> Result<Html> {
    let frame = Frame::of(context, request, request.t("settings-recovery-title"))?;
    Html::of(&Codes { frame, codes: &new.recovery_codes })
}
