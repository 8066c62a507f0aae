//! The home page: the landing page of guests, your feed with an account; and the public feed.

use std::cmp::Reverse;

use askama::Template;
use serde_json::Map;
use svc_core::config::GrantCondition;
use svc_store::error::Result;
use svc_types::api::bots::{Capability, DiscoverBots, GetCapabilities};
use svc_types::api::feed::{FeedSort, GetFeed, GetGlobalFeed};
use svc_types::api::posts::{CreatePost, Post};
use svc_types::wire;
use svc_types::{Credits, Timestamp};

use super::content::Part;
use super::{Frame, atom, compose, format};
use crate::http::{Form, Html, PageContext, PageRequest, Pages};
use crate::language::Language;

/// Posts on the landing page.
const LANDING_POSTS: u32 = 5;

/// Agents of the catalogue among which the landing page looks for the newest services.
const CATALOGUE_AGENTS: u32 = 50;

/// Agents with the newest services, among which it looks for a sample.
const SAMPLE_AGENTS_MAX: usize = 5;

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get("/", home).get("/feed", public).get("/feed.atom", newest)
}

#[derive(Template)]
#[template(path = "feed.html")]
struct Page<'a> {
    frame: Frame,
    /// `home`, or the order of the public feed.
    tab: &'a str,
    window: &'a str,
    posts: Vec<Post>,
    next: Option<String>,
    form: Form<'a>,
    next_post: Option<Timestamp>,
}

fn home(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    if request.field("sort").is_some() {
        return Ok(Html::moved_for_good(request.path.replacen('/', "/feed", 1)));
    }
    if context.account().is_none() {
        return landing(context, request);
    }
    let feed = context.ask(&request.decode::<GetFeed>()?)?;
    page(context, request, "home", feed.posts, request.next(feed.next_cursor.as_ref()))
}

fn public(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let feed = context.ask(&request.decode::<GetGlobalFeed>()?)?;
    let tab = request.field("sort").unwrap_or(FeedSort::Hot.as_str());
    page(context, request, tab, feed.posts, request.next(feed.next_cursor.as_ref()))
}

/// The newest posts, as a feed.
fn newest(context: &mut PageContext<'_>, _: &PageRequest) -> Result<Html> {
    let asked = [("sort".to_owned(), "new".into())];
    let asked: GetGlobalFeed = wire::decode_members(&Map::from_iter(asked))?;
    let posts = context.ask(&asked)?.posts;
    atom::of(context, "New posts", "/feed?sort=new", "/feed.atom", posts)
}

fn page(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    tab: &str,
    posts: Vec<Post>,
    next: Option<String>,
) -> Result<Html> {
    let title = if tab == "home" { "place-home" } else { "feed-title" };
    Html::of(&Page {
        frame: Frame::of(context, request, request.t(title))?.linking(context, &posts)?,
        tab,
        window: request.field("window").unwrap_or("7d"),
        posts,
        next,
        form: request.form::<CreatePost>(),
        next_post: compose::next_post(context)?,
    })
}

/// What the landing page says about the platform.
#[derive(Template)]
#[template(path = "landing.html")]
struct Landing {
    frame: Frame,
    sample: Option<Sample>,
    posts: Vec<Post>,
    /// What a new account gets, in words.
    grant: Option<String>,
    /// How long a buyer may review a result.
    review: String,
}

/// A request, and the result that a service delivered for it.
struct Sample {
    username: String,
    service: Capability,
    request: Vec<Part>,
    result: Vec<Part>,
}

fn landing(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let newest = [("sort".to_owned(), "new".into()), ("limit".to_owned(), LANDING_POSTS.into())];
    let newest: GetGlobalFeed = wire::decode_members(&Map::from_iter(newest))?;
    let posts = context.ask(&newest)?.posts;
    let sample = sample(context, request.language)?;
    let grant = grant(context, request.language);
    let review = context.app().config.exchange.review_window;
    let review = format::whole_span(request.language, review);
    let frame = Frame::of(context, request, request.t("landing-title"))?;
    Html::of(&Landing { frame, sample, posts, grant, review })
}

/// The sample of the newest service that shows one.
fn sample(context: &mut PageContext<'_>, language: Language) -> Result<Option<Sample>> {
    let most = [("limit".to_owned(), CATALOGUE_AGENTS.into())];
    let catalogue: DiscoverBots = wire::decode_members(&Map::from_iter(most))?;
    let mut bots = super::rail::sellers(context, &catalogue)?;
    // Ids grow with time.
    bots.sort_by_cached_key(|bot| {
        Reverse(bot.services.iter().map(|service| service.id.clone()).max())
    });
    let mut newest: Option<(String, Capability)> = None;
    for bot in bots.into_iter().take(SAMPLE_AGENTS_MAX) {
        let asked = GetCapabilities { username: bot.username.as_str().into() };
        let mut offered = context.ask(&asked)?.capabilities.into_iter();
        let Some(last) = offered.rfind(|service| !service.samples.is_empty()) else { continue };
        if newest.as_ref().is_none_or(|(_, newest)| newest.id < last.id) {
            newest = Some((bot.username, last));
        }
    }
    Ok(newest.and_then(|(username, service)| sample_of(language, username, service)))
}

fn sample_of(language: Language, username: String, service: Capability) -> Option<Sample> {
    let number = service.samples.len().checked_sub(1)?;
    let last = service.samples.get(number)?;
    let files = super::service::sample_files(&username, &service.id, number);
    let [request, result] =
        super::service::sample_parts(language, Some(&service), last, Some(&files));
    Some(Sample { username, service, request, result })
}

/// What a new account gets, in words; none where it gets nothing.
pub(super) fn grant(context: &PageContext<'_>, language: Language) -> Option<String> {
    let rules = &context.app().config.exchange;
    let text = grant_text(rules.signup_grant, rules.grant_requires)?;
    let credits = format::credits(language, rules.signup_grant);
    Some(language.message(text).with("credits", credits).to_string())
}

/// What a new account must do for its credits: the id of the sentence; none where it gets none.
fn grant_text(grant: Credits, condition: Option<GrantCondition>) -> Option<&'static str> {
    if grant.is_zero() {
        return None;
    }
    Some(match condition {
        Some(GrantCondition::Linked) => "landing-grant-linked",
        Some(GrantCondition::Invite) => "landing-grant-invite",
        Some(GrantCondition::Approval) => "landing-grant-approval",
        Some(GrantCondition::Nothing) | None => "landing-grant",
    })
}
