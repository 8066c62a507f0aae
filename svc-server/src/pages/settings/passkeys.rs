//! Passkeys: one is added in two steps, because only a script can ask a device for it.

use askama::Template;
use serde_json::{Map, Value};
use svc_store::error::Result;
use svc_types::CeremonyId;
use svc_types::api::passkeys::{BeginPasskey, CreatePasskey, PasskeyCeremony, PasskeyEnvelope};

use super::factors::question;
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::{Flash, Frame};

const BEGIN: &str = "/settings/security/passkeys";
const NEW: &str = "/settings/security/passkeys/new";

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get(BEGIN, ask)
        .form_once::<BeginPasskey>(BEGIN, ask, begun)
        .form_by::<CreatePasskey>(NEW, ask, created, |_, _: &PasskeyEnvelope| {
            Done::to("/settings/security").say(Flash::PasskeyAdded)
        })
}

/// The question, and what was wrong with the answer of the device.
fn ask(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let ids = ["settings-passkey-title", "settings-passkey-about", "settings-factor-begin"];
    let (begin, create) = (request.form::<BeginPasskey>(), request.form::<CreatePasskey>());
    let form = if create.is_typed() { create } else { begin };
    question(context, request, form, BEGIN, ids)
}

/// The form that the script fills with the answer of the device.
#[derive(Template)]
#[template(path = "settings/passkey.html")]
struct Ceremony<'a> {
    frame: Frame,
    form: Form<'a>,
    id: &'a str,
    options: String,
}

fn begun(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    begun: &PasskeyCeremony,
) -> Result<Html> {
    Html::of(&Ceremony {
        frame: Frame::of(context, request, request.t("settings-passkey-title"))?,
        form: Form::EMPTY,
        id: begun.ceremony_id.as_str(),
        options: Value::Object(begun.options.clone()).to_string(),
    })
}

fn created(context: &mut PageContext<'_>, request: &PageRequest) -> Result<CreatePasskey> {
    context.signed_in()?;
    let (ceremony_id, credential) = answered(request)?;
    let name = Value::from(request.field("name").unwrap_or_default());
    let name = serde_json::from_value(name)
        .map_err(|_| request.wrong("name", request.t("settings-passkey-bad-name")))?;
    Ok(CreatePasskey { ceremony_id, credential, name })
}

/// The ceremony and the answer of the device, which the script puts into a form.
pub(in crate::pages) fn answered(
    request: &PageRequest,
) -> Result<(CeremonyId, Map<String, Value>)> {
    let (id, credential) = (request.field("ceremonyId"), request.field("credential"));
    let credential = credential.and_then(|text| serde_json::from_str(text).ok());
    match id.zip(credential) {
        Some((id, credential)) => Ok((id.into(), credential)),
        None => Err(request.wrong("credential", request.t("settings-passkey-no-answer"))),
    }
}
