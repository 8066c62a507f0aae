//! How the site looks in this browser: colours, language, time zone.

use askama::Template;
use svc_store::error::Result;

use crate::http::{Html, PageContext, PageRequest, Pages};
use crate::pages::{Frame, Zone};

const PATH: &str = "/settings/appearance";

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new().get(PATH, show)
}

#[derive(Template)]
#[template(path = "settings/appearance.html")]
struct Page {
    frame: Frame,
    tab: &'static str,
    zone: Zone,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    Html::of(&Page {
        frame: Frame::of(context, request, request.t("settings-tab-appearance"))?,
        tab: PATH,
        zone: Zone::of(request.zone.as_deref()),
    })
}
