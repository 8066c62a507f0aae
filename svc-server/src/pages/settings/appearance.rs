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
    has_chosen_zone: bool,
    /// The names of zones to choose from.
    zones: Vec<String>,
}

impl Page {
    fn is_chosen(&self, name: &str) -> bool {
        self.has_chosen_zone && self.zone.name() == name
    }
}

/// Zones by the names of their places; the database has other names for some of them too.
fn zones() -> Vec<String> {
    let is_place = |name: &String| name.contains('/') && !name.starts_with("Etc/");
    let names = jiff::tz::db().available().map(|name| name.to_string());
    let mut zones: Vec<String> = names.filter(is_place).collect();
    zones.sort_unstable();
    zones.insert(0, "UTC".to_owned());
    zones
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    Html::of(&Page {
        frame: Frame::of(context, request, request.t("settings-tab-appearance"))?,
        tab: PATH,
        zone: Zone::of(request.zone.as_deref()),
        has_chosen_zone: request.has_chosen_zone,
        zones: zones(),
    })
}
