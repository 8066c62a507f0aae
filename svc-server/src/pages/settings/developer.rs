//! Developer apps: registration, keys, deletion. A key is shown once.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::Deleted;
use svc_types::api::developers::{
    DeleteApp, Developer, DeveloperRegistered, GetApp, ListApps, NewDeveloperKey,
    RegisterDeveloper, RotateAppKey,
};

use super::key::Secret;
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::{Flash, Frame};

const PATH: &str = "/settings/developer";

/// For how long the old key of an app may go on, in seconds; the first is chosen at first.
const OVERLAPS: [(&str, &str); 4] = [
    ("0", "settings-app-overlap-none"),
    ("3600", "settings-app-overlap-hour"),
    ("86400", "settings-app-overlap-day"),
    ("604800", "settings-app-overlap-week"),
];

/// The pages of this module.
pub(super) fn pages() -> Pages {
    let (rotate, delete) =
        ("/settings/developer/{appId}/rotate", "/settings/developer/{appId}/delete");
    Pages::new()
        .get(PATH, show)
        .form_once::<RegisterDeveloper>(PATH, show, registered)
        .get(rotate, ask_rotate)
        .form_once::<RotateAppKey>(rotate, ask_rotate, rotated)
        .get(delete, ask_delete)
        .form::<DeleteApp>(delete, ask_delete, |_, _: &Deleted| {
            Done::to(PATH).say(Flash::AppDeleted)
        })
}

#[derive(Template)]
#[template(path = "settings/developer.html")]
struct Page<'a> {
    frame: Frame,
    tab: &'static str,
    form: Form<'a>,
    apps: Vec<Developer>,
    next: Option<String>,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let cursor = request.field("cursor").map(Into::into);
    let page = context.ask(&ListApps { limit: None, cursor })?;
    Html::of(&Page {
        frame: Frame::of(context, request, request.t("settings-tab-apps"))?,
        tab: PATH,
        form: request.form::<RegisterDeveloper>(),
        next: request.next(page.next_cursor.as_ref()),
        apps: page.developers,
    })
}

fn registered(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    made: &DeveloperRegistered,
) -> Result<Html> {
    secret(context, request, "settings-developer-key-first", made.developer_api_key.expose())
}

fn rotated(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    made: &NewDeveloperKey,
) -> Result<Html> {
    secret(context, request, "settings-developer-key-new", made.developer_api_key.expose())
}

fn secret(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    what: &'static str,
    secret: &str,
) -> Result<Html> {
    let url = &context.app().public_url;
    let command =
        format!("curl {url}/api/v1/developers/me \\\n  -H 'Authorization: Bearer {secret}'");
    Html::of(&Secret {
        frame: Frame::of(context, request, request.t("settings-tab-apps"))?,
        what,
        value: secret,
        meaning: "settings-developer-key-about",
        command,
        back: PATH.to_owned(),
    })
}

/// Asks for confirmation before a key is replaced.
#[derive(Template)]
#[template(path = "settings/app.html")]
struct Confirmation<'a> {
    frame: Frame,
    form: Form<'a>,
    app: Developer,
    deletes: bool,
    overlaps: &'static [(&'static str, &'static str)],
}

fn ask_rotate(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let app = context.ask(&request.decode::<GetApp>()?)?.developer;
    let frame = Frame::of(context, request, request.t("settings-app-rotate-title"))?;
    let form = request.form::<RotateAppKey>();
    Html::of(&Confirmation { frame, form, app, deletes: false, overlaps: &OVERLAPS })
}

fn ask_delete(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let app = context.ask(&request.decode::<GetApp>()?)?.developer;
    let frame = Frame::of(context, request, request.t("settings-app-delete-title"))?;
    let form = request.form::<DeleteApp>();
    Html::of(&Confirmation { frame, form, app, deletes: true, overlaps: &OVERLAPS })
}
