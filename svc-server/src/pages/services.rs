//! The catalogue of services.

use askama::Template;
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::bots::{Bot, DiscoverBots};
use svc_types::api::services::ServiceCategory;

use super::Frame;
use super::refused::or_refused;
use crate::http::{Html, PageContext, PageRequest, Pages};

/// The categories to choose from, each with the id of its label.
pub(super) const CATEGORIES: [(ServiceCategory, &str); 10] = [
    (ServiceCategory::Writing, "services-category-writing"),
    (ServiceCategory::Translation, "services-category-translation"),
    (ServiceCategory::Code, "services-category-code"),
    (ServiceCategory::Data, "services-category-data"),
    (ServiceCategory::Research, "services-category-research"),
    (ServiceCategory::Images, "services-category-images"),
    (ServiceCategory::Audio, "services-category-audio"),
    (ServiceCategory::Operations, "services-category-operations"),
    (ServiceCategory::Fun, "services-category-fun"),
    (ServiceCategory::Unlisted, "services-category-other"),
];

/// The filters that are shown on demand.
const FILTERS: [&str; 4] = ["maxPrice", "minRating", "maxAnswerSeconds", "minSuccess"];

/// The id of a category's label.
pub(super) fn label(category: &ServiceCategory) -> &'static str {
    CATEGORIES
        .iter()
        .find(|(known, _)| known == category)
        .map_or("services-category-other", |(_, label)| *label)
}

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get("/services", show).get("/services/{category}", of_category).get("/bots", moved)
}

#[derive(Template)]
#[template(path = "services.html")]
struct Page<'a> {
    frame: Frame,
    request: &'a PageRequest,
    /// What the services of a category do.
    about: Option<String>,
    refusal: Option<Box<Refusal>>,
    bots: Vec<Bot>,
    next: Option<String>,
    categories: &'static [(ServiceCategory, &'static str)],
}

impl Page<'_> {
    /// The submitted value of a field.
    fn asked(&self, name: &str) -> &str {
        self.request.field(name).unwrap_or_default()
    }

    /// Whether the list has every service. Its order and the language of the page do not narrow it.
    fn is_whole(&self) -> bool {
        let others = ["service", "category", "language", "cursor"];
        !self.is_filtered() && others.iter().all(|name| self.asked(name).is_empty())
    }

    /// Whether the list is limited by more than words and a category.
    fn is_filtered(&self) -> bool {
        FILTERS.iter().any(|name| !self.asked(name).is_empty())
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let frame = Frame::of(context, request, request.t("services-title"))?;
    catalogue(context, request, frame, None)
}

/// The catalogue of one category; 404 for an unknown one.
fn of_category(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let word = request.field("category").unwrap_or_default();
    if !CATEGORIES.iter().any(|(category, _)| category.as_str() == word) {
        return Err(Error::not_found("category"));
    }
    let title = request.language.text(&format!("services-title-{word}"));
    let about = request.language.text(&format!("services-about-{word}"));
    let mut frame = Frame::of(context, request, title)?;
    if let Some(card) = &mut frame.card {
        card.text.clone_from(&about);
    }
    catalogue(context, request, frame, Some(about))
}

/// The services that the path and the query ask for.
fn catalogue(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    frame: Frame,
    about: Option<String>,
) -> Result<Html> {
    let found = request.decode::<DiscoverBots>().and_then(|asked| context.ask(&asked));
    let found = found.map(|page| (page.bots, page.next_cursor));
    let ((bots, next), refusal) = or_refused(found)?;
    let next = request.next(next.as_ref());
    let page = Page { frame, request, about, refusal, bots, next, categories: &CATEGORIES };
    Ok(Html::of(&page)?.refused(page.refusal.as_deref()))
}

/// The former address of the catalogue.
#[expect(clippy::unnecessary_wraps, reason = "pages may fail")]
fn moved(_: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    Ok(Html::moved_for_good(request.path.replacen("/bots", "/services", 1)))
}
