//! Step-up: visitors confirm who they are before they do something that secures or ends the account.

use askama::Template;
use svc_core::services::{mail, passkey};
use svc_store::error::Result;
use svc_types::Code;
use svc_types::api::auth::{StepUp, SteppedUp};
use svc_types::api::factors::GetFactors;

use super::billing;
use super::passkeys::answered;
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::oauth::is_for_program;
use crate::pages::{Frame, payouts};

const PATH: &str = "/settings/confirm";

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get(PATH, show)
        .form::<StepUp>(PATH, show, confirmed)
        .that_confirms()
        .form_by::<StepUp>("/settings/confirm/passkey", show, by_passkey, confirmed)
        .that_confirms()
}

#[derive(Template)]
#[template(path = "settings/confirm.html")]
#[expect(clippy::struct_excessive_bools, reason = "each says how the visitor can confirm")]
struct Page<'a> {
    frame: Frame,
    form: Form<'a>,
    next: &'a str,
    /// Whether the account has a password, and no app that takes its place here.
    has_password: bool,
    has_totp: bool,
    has_passkey: bool,
    /// Whether a password can be set by a mail.
    sends_mail: bool,
}

impl Page<'_> {
    /// Whether a confirmation was refused, rather than the form that it is for.
    fn is_wrong(&self) -> bool {
        self.form.refusal().is_some_and(|refusal| refusal.code != Code::StepUpRequired)
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let form = request.form::<StepUp>();
    let next = request.local("next").unwrap_or("/settings/security");
    let next = form.or("next", next);
    let factors = context.ask(&GetFactors {})?;
    let page = Html::of(&Page {
        frame: Frame::of(context, request, request.t("settings-confirm-title"))?,
        next,
        form,
        has_password: factors.password && !factors.totp,
        has_totp: factors.totp,
        has_passkey: !factors.passkeys.is_empty() && passkey::is_on(context.app()),
        sends_mail: mail::is_on(context.app()),
    })?;
    let leads_to = leads_to(context, form.value("of"));
    Ok(page.leading_to(leads_to).leading_away(is_for_program(next)))
}

/// Where the form leads that waits for the confirmation and is sent with it, if that is another server.
fn leads_to(context: &PageContext<'_>, form: &str) -> Option<&'static str> {
    let origins = match form {
        billing::PATH | billing::PORTAL => billing::STRIPE,
        payouts::CONNECT => payouts::STRIPE,
        _ => return None,
    };
    context.app().config.billing.stripe.api_url.is_empty().then_some(origins)
}

/// What a passkey has answered, which the script puts into the form.
fn by_passkey(context: &mut PageContext<'_>, request: &PageRequest) -> Result<StepUp> {
    context.signed_in()?;
    let (ceremony_id, credential) = answered(request)?;
    Ok(StepUp {
        password: None,
        code: None,
        ceremony_id: Some(ceremony_id),
        credential: Some(credential),
    })
}

/// Where to go without a form to submit.
fn confirmed(request: &PageRequest, _: &SteppedUp) -> Done {
    Done::to(request.local("next").unwrap_or("/settings/security"))
}
