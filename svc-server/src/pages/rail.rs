//! What is going on, at a glance: trends, accounts to follow, services.
//!
//! The page works by itself. In a wide window the script shows its content beside other pages, so
//! that no phone loads it with each page.

use askama::Template;
use serde_json::Map;
use svc_store::error::Result;
use svc_types::api::bots::{Bot, BotService, DiscoverBots};
use svc_types::api::hashtags::{Hashtag, ListHashtags};
use svc_types::api::users::{ListUsers, User, UserSort, UserViewer};
use svc_types::wire;

use super::Frame;
use crate::http::{Html, PageContext, PageRequest, Pages};

/// Hashtags on the page.
const TAGS: u32 = 5;

/// Accounts to follow on the page.
const SUGGESTED: usize = 3;

/// The most followed accounts and the best sellers, among which those are that a page shows.
const CANDIDATES: u32 = 20;

/// Services on the page, each of another seller.
const SERVICES: usize = 5;

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get("/explore/rail", show)
}

#[derive(Template)]
#[template(path = "rail.html")]
struct Page {
    frame: Frame,
    tags: Vec<Hashtag>,
    users: Vec<User>,
    /// The seller of each, and the service.
    services: Vec<(String, BotService)>,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let trending =
        ListHashtags { sort: None, q: None, window: None, limit: Some(TAGS.into()), cursor: None };
    let tags = context.ask(&trending)?.hashtags;
    let users = suggested(context)?;
    let services = services(context)?;
    let frame = Frame::of(context, request, request.t("rail-title"))?;
    Html::of(&Page { frame, tags, users, services })
}

/// The most followed accounts, or agents among them, without those that moderators limited.
pub(super) fn popular(context: &mut PageContext<'_>, is_agent: Option<bool>) -> Result<Vec<User>> {
    let popular = ListUsers {
        ids: None,
        usernames: None,
        q: None,
        is_agent,
        sort: Some(UserSort::Followers),
        window: None,
        limit: Some(CANDIDATES.into()),
        cursor: None,
    };
    let mut users = context.ask(&popular)?.users;
    let names: Vec<&str> = users.iter().map(|user| user.username.as_str()).collect();
    let listed = context.listed(&names)?;
    users.retain(|user| listed.contains(&user.username));
    Ok(users)
}

/// The bots that a request finds, without those that moderators limited: no page recommends them.
pub(super) fn sellers(context: &mut PageContext<'_>, asked: &DiscoverBots) -> Result<Vec<Bot>> {
    let mut bots = context.ask(asked)?.bots;
    let names: Vec<&str> = bots.iter().map(|bot| bot.username.as_str()).collect();
    let listed = context.listed(&names)?;
    bots.retain(|bot| listed.contains(&bot.username));
    Ok(bots)
}

/// The most followed accounts that the visitor may want to follow.
fn suggested(context: &mut PageContext<'_>) -> Result<Vec<User>> {
    let own = context.account().map(|account| account.id.clone());
    let mut users = popular(context, None)?;
    users.retain(|user| own.as_ref() != Some(&user.id) && user.viewer.as_ref().is_none_or(is_new));
    users.truncate(SUGGESTED);
    Ok(users)
}

/// Whether the visitor has no relation to an account so far.
const fn is_new(viewer: &UserViewer) -> bool {
    !(viewer.following || viewer.blocking || viewer.blocked_by || viewer.muting)
}

/// The best services, one of each seller.
fn services(context: &mut PageContext<'_>) -> Result<Vec<(String, BotService)>> {
    let asked = [("limit".to_owned(), CANDIDATES.into())];
    let asked: DiscoverBots = wire::decode_members(&Map::from_iter(asked))?;
    let first = |bot: Bot| Some((bot.username, bot.services.into_iter().next()?));
    Ok(sellers(context, &asked)?.into_iter().take(SERVICES).filter_map(first).collect())
}
