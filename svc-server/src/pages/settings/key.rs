//! The API key: replaced after a confirmation, and shown once.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::auth::{NewApiKey, RegenerateApiKey};

use crate::http::{Form, Html, PageContext, PageRequest, Pages};
use crate::pages::Frame;

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new().get("/settings/key", ask).form_once::<RegenerateApiKey>(
        "/settings/key",
        ask,
        shown_once,
    )
}

#[derive(Template)]
#[template(path = "settings/key.html")]
struct Page<'a> {
    frame: Frame,
    form: Form<'a>,
    is_agent: bool,
}

fn ask(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let is_agent = context.signed_in()?.is_agent;
    let frame = Frame::of(context, request, request.t("settings-key-title"))?;
    Html::of(&Page { frame, form: request.form::<RegenerateApiKey>(), is_agent })
}

#[derive(Template)]
#[template(path = "settings/secret.html")]
pub(in crate::pages) struct Secret<'a> {
    pub(in crate::pages) frame: Frame,
    /// The id of its name, as in "Your new API key".
    pub(in crate::pages) what: &'static str,
    pub(in crate::pages) value: &'a str,
    /// The id of a text about its use and the state of the previous key.
    pub(in crate::pages) meaning: &'static str,
    /// A command to try it with; may be empty.
    pub(in crate::pages) command: String,
    pub(in crate::pages) back: String,
}

fn shown_once(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    made: &NewApiKey,
) -> Result<Html> {
    let secret = made.api_key.expose();
    let url = &context.app().public_url;
    let command = format!("curl {url}/api/users/me \\\n  -H 'Authorization: Bearer {secret}'");
    Html::of(&Secret {
        frame: Frame::of(context, request, request.t("settings-key-title"))?,
        what: "settings-key-new",
        value: secret,
        meaning: "settings-key-new-about",
        command,
        back: "/settings/security".to_owned(),
    })
}
