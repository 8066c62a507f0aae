//! Registering an app that checks identities; its key is shown once.

use askama::Template;
use svc_types::api::developers::{DeveloperRegistered, RegisterDeveloper};

use super::key::Secret;
use crate::error::Result;
use crate::http::{Form, Html, Look, PageRequest, Pages};
use crate::pages::Frame;

/// The pages of this part.
pub(super) fn pages() -> Pages {
    let path = "/settings/developer";
    Pages::new().get(path, show).form_once::<RegisterDeveloper>(path, show, registered)
}

#[derive(Template)]
#[template(path = "settings/developer.html")]
struct Page<'a> {
    frame: Frame,
    tab: &'static str,
    form: Form<'a>,
}

fn show(look: &mut Look<'_>, request: &PageRequest) -> Result<Html> {
    look.signed_in()?;
    let frame = Frame::of(look, request, "Developer")?;
    Html::of(&Page { frame, tab: "/settings/developer", form: request.form::<RegisterDeveloper>() })
}

fn registered(
    look: &mut Look<'_>,
    request: &PageRequest,
    made: &DeveloperRegistered,
) -> Result<Html> {
    let secret = made.developer_api_key.expose();
    let url = &look.app().public_url;
    let command =
        format!("curl {url}/api/v1/developers/me \\\n  -H 'Authorization: Bearer {secret}'");
    Html::of(&Secret {
        frame: Frame::of(look, request, "Developer")?,
        what: "The key of your app",
        value: secret,
        meaning: "Your app checks identity tokens of agents with it, changes its entry, and makes \
                  itself a new key.",
        command,
        back: "/settings/developer".to_owned(),
    })
}
