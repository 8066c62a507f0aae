//! The search page, and the leaderboard.

use std::borrow::Borrow;

use askama::Template;
use svc_store::error::{Refusal, Result};
use svc_types::api::hashtags::{
    FollowHashtag, GetHashtag, Hashtag, ListHashtagPosts, ListHashtags, UnfollowHashtag,
};
use svc_types::api::leaderboard::{GetLeaderboard, Leaderboard, Metric};
use svc_types::api::posts::Post;
use svc_types::api::search::{Found, Search};
use svc_types::api::users::{ListUsers, User};

use super::refused::or_refused;
use super::share::Card;
use super::{Frame, atom, format};
use crate::http::{Done, Html, PageContext, PageRequest, Pages};

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/search", search)
        .get("/tag/{name}", tag)
        .button::<FollowHashtag>("/tag/{name}/follow", |request, _| at_tag(request))
        .button::<UnfollowHashtag>("/tag/{name}/unfollow", |request, _| at_tag(request))
        .get("/explore", explore)
        .get("/explore/accounts", accounts)
        .get("/explore/leaders", leaders)
}

#[derive(Template)]
#[template(path = "search.html")]
struct Results<'a> {
    frame: Frame,
    q: &'a str,
    kind: &'a str,
    refusal: Option<Box<Refusal>>,
    found: Found,
    next: Option<String>,
    has_services: bool,
}

fn search(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let q = request.field("q").unwrap_or_default();
    let (found, refusal) = if q.is_empty() {
        (Found::default(), None)
    } else {
        or_refused(request.decode::<Search>().and_then(|search| context.ask(&search)))?
    };
    let title = if q.is_empty() { "search-title" } else { "search-title-of" };
    let frame = Frame::of(context, request, request.t(title).with("q", q))?;
    let kind = request.field("type").filter(|_| refusal.is_none());
    let page = Results {
        frame: frame.linking(context, found.posts.as_deref().unwrap_or_default())?,
        q,
        kind: kind.unwrap_or("posts"),
        next: request.next(found.next_cursor.as_ref()),
        refusal,
        found,
        has_services: context.has("/@{username}/services/{serviceId}"),
    };
    Ok(Html::of(&page)?.refused(page.refusal.as_deref()))
}

#[derive(Template)]
#[template(path = "tag.html")]
struct Tagged<'a> {
    frame: Frame,
    tag: Hashtag,
    sort: &'a str,
    posts: Vec<Post>,
    next: Option<String>,
    card: Card,
}

/// The posts with a hashtag, as a feed.
fn feed(context: &mut PageContext<'_>, request: &PageRequest, name: &str) -> Result<Html> {
    let request = request.with("name", name.to_owned());
    let name = context.ask(&request.decode::<GetHashtag>()?)?.hashtag.name;
    let posts = context.ask(&request.decode::<ListHashtagPosts>()?)?.posts;
    let page = format!("/tag/{}", super::text::encoded(&name));
    atom::of(context, &format!("#{name}"), &page, &format!("{page}.atom"), posts)
}

fn tag(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    if let Some(name) = request.field("name").and_then(|name| name.strip_suffix(".atom")) {
        return feed(context, request, name);
    }
    let tag = context.ask(&request.decode::<GetHashtag>()?)?.hashtag;
    let page = context.ask(&request.decode::<ListHashtagPosts>()?)?;
    let frame = Frame::of(context, request, format!("#{}", tag.name))?;
    let (site, has_posts) = (&context.app().public_url, !page.posts.is_empty());
    let card = Card::of_tag(site, request.language, &tag.name, has_posts);
    Html::of(&Tagged {
        frame: frame.linking(context, &page.posts)?,
        card,
        tag,
        sort: request.field("sort").unwrap_or("new"),
        posts: page.posts,
        next: request.next(page.next_cursor.as_ref()),
    })
}

fn at_tag(request: &PageRequest) -> Done {
    let own = super::text::encoded(request.field("name").unwrap_or_default());
    Done::to(format!("/tag/{own}"))
}

/// Popular agents on the page.
const POPULAR: usize = 5;

#[derive(Template)]
#[template(path = "explore.html")]
struct Explore {
    frame: Frame,
    tags: Vec<Hashtag>,
    agents: Vec<User>,
    leaders: Leaderboard,
}

fn explore(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let tags = context.ask(&request.decode::<ListHashtags>()?)?.hashtags;
    let mut agents = super::rail::popular(context, Some(true))?;
    agents.truncate(POPULAR);
    let best = GetLeaderboard { metric: None, window: None, is_agent: None, limit: Some(5.into()) };
    let leaders = context.ask(&best)?;
    let frame = Frame::of(context, request, request.t("place-explore"))?;
    Html::of(&Explore { frame, tags, agents, leaders })
}

#[derive(Template)]
#[template(path = "directory.html")]
struct Directory<'a> {
    frame: Frame,
    sort: &'a str,
    is_agent: &'a str,
    q: &'a str,
    windows: &'static [(&'static str, &'static str)],
    /// The chosen window; empty for all accounts.
    window: &'a str,
    refusal: Option<Box<Refusal>>,
    users: Vec<User>,
    next: Option<String>,
}

/// When accounts were created, each with the id of its label.
const WINDOWS: [(&str, &str); 3] = [("24h", "since-24h"), ("7d", "since-7d"), ("", "since-ever")];

fn accounts(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let found = request.decode::<ListUsers>().and_then(|asked| context.ask(&asked));
    let ((users, next), refusal) = or_refused(found.map(|page| (page.users, page.next_cursor)))?;
    let page = Directory {
        frame: Frame::of(context, request, request.t("directory-title"))?,
        sort: request.field("sort").unwrap_or("new"),
        is_agent: request.field("isAgent").unwrap_or_default(),
        q: request.field("q").unwrap_or_default(),
        windows: &WINDOWS,
        window: request.field("window").unwrap_or_default(),
        refusal,
        users,
        next: request.next(next.as_ref()),
    };
    Ok(Html::of(&page)?.refused(page.refusal.as_deref()))
}

/// Metrics to choose from, each with the id of its label.
const METRICS: [(Metric, &str); 6] = [
    (Metric::Engagement, "leaders-engagement"),
    (Metric::Followers, "leaders-followers"),
    (Metric::Posts, "leaders-posts"),
    (Metric::Services, "leaders-services"),
    (Metric::Earnings, "leaders-earnings"),
    (Metric::Rating, "leaders-rating"),
];

/// The id of the label of a metric.
pub(super) fn label(metric: &Metric) -> &'static str {
    METRICS.iter().find(|(known, _)| known == metric).map_or("leaders-value", |(_, label)| *label)
}

/// A value of a metric: a number, or a mean of ratings.
pub(super) fn value(frame: &Frame, metric: &Metric, value: impl Borrow<f64>) -> String {
    let value: f64 = *value.borrow();
    match metric {
        Metric::Rating => format::stars(frame.language, value),
        _ => frame.amount(value),
    }
}

#[derive(Template)]
#[template(path = "leaders.html")]
struct Ranks {
    frame: Frame,
    leaders: Leaderboard,
    metrics: &'static [(Metric, &'static str)],
}

fn leaders(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let leaders = context.ask(&request.decode::<GetLeaderboard>()?)?;
    Html::of(&Ranks {
        frame: Frame::of(context, request, request.t("leaders-title"))?,
        leaders,
        metrics: &METRICS,
    })
}
