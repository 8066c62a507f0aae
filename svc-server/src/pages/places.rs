//! The navigation.

use svc_core::config::{Config, Legal};
use svc_core::identity::Account;
use svc_store::error::Result;
use svc_types::api::messages::GetUnreadCount;
use svc_types::api::notifications::CountUnreadNotifications;

use super::operate;
use crate::http::PageContext;

/// The navigation: path, icon, which names the label too, and whether only signed-in visitors see it.
const PLACES: [(&str, &str, bool); 14] = [
    ("/", "home", false),
    ("/explore", "explore", false),
    ("/services", "bots", false),
    ("/docs", "docs", false),
    ("/orders", "order", true),
    ("/notifications", "bell", true),
    ("/messages", "mail", true),
    ("/channels", "hash", true),
    ("/lists", "list", true),
    ("/credits", "coin", true),
    ("/sell", "chart", true),
    ("/moderation", "shield", true),
    ("/operate", "gauge", true),
    ("/settings", "gear", true),
];

/// The entries in the bottom bar of a phone for a visitor with an account; the rest are behind
/// "More".
const ON_PHONE: [&str; 4] = ["/", "/services", "/orders", "/notifications"];

/// An entry of the navigation.
#[derive(Clone, Debug)]
pub struct NavigationEntry {
    /// The path.
    pub path: &'static str,
    /// The id of the label.
    pub label: String,
    /// The icon.
    pub icon: &'static str,
    /// The number of unread items, where they are counted.
    pub unread: Option<i64>,
    /// Whether this is the current page.
    pub is_here: bool,
    /// Whether a phone shows it behind "More".
    pub is_rare: bool,
}

/// The visitor's entries, limited to pages that exist.
pub(super) fn places(context: &mut PageContext<'_>, path: &str) -> Result<Vec<NavigationEntry>> {
    let is_signed_in = context.account().is_some();
    let is_moderator = context.account().is_some_and(Account::is_moderator);
    let is_operator = context.account().is_some_and(operate::is_operator);
    let path = path.split('?').next().unwrap_or(path);
    let mut places = Vec::with_capacity(PLACES.len());
    for (place, icon, is_own) in PLACES {
        let is_for = match place {
            "/moderation" => is_moderator,
            "/operate" => is_operator,
            // With an account, it is in the foot of each page.
            "/docs" => !is_signed_in,
            _ => is_signed_in || !is_own,
        };
        if !is_for || !context.has(place) {
            continue;
        }
        let unread = if is_signed_in { unread(context, place)? } else { None };
        let is_here = is_within(path, place) || belongs(path, place);
        let is_rare = is_signed_in && !ON_PHONE.contains(&place);
        let label = format!("place-{icon}");
        places.push(NavigationEntry { path: place, label, icon, unread, is_here, is_rare });
    }
    Ok(places)
}

/// Whether a path is that of an entry, or below it.
fn is_within(path: &str, place: &str) -> bool {
    path == place || place != "/" && path.starts_with(&format!("{place}/"))
}

/// Whether a page whose path is not below that of an entry is found there.
fn belongs(path: &str, place: &str) -> bool {
    match place {
        "/" => path == "/feed" || is_within(path, "/compose"),
        "/explore" => is_within(path, "/search") || is_within(path, "/tag"),
        "/lists" => path == "/bookmarks",
        "/services" => path.starts_with("/@") && path.contains("/services/"),
        "/orders" => is_within(path, "/escrow"),
        "/settings" => path == "/analytics",
        _ => false,
    }
}

/// Whether a phone shows the current page behind "More".
pub(super) fn is_in_more(places: &[NavigationEntry]) -> bool {
    places.iter().any(|place| place.is_rare && place.is_here)
}

/// The unread items of what a phone shows behind "More"; `None` without any.
pub(super) fn unread_in_more(places: &[NavigationEntry]) -> Option<i64> {
    let rare = places.iter().filter(|place| place.is_rare);
    let unread: i64 = rare.filter_map(|place| place.unread).sum();
    (unread > 0).then_some(unread)
}

fn unread(context: &mut PageContext<'_>, place: &str) -> Result<Option<i64>> {
    Ok(match place {
        "/notifications" => {
            Some(context.ask(&CountUnreadNotifications { types: None })?.unread_count.into())
        }
        "/messages" => Some(context.ask(&GetUnreadCount {})?.unread.messages),
        _ => None,
    })
}

/// The pages of the operator which the footer of every page links to: the text of each link, and its URL.
pub(super) fn legal(config: &Config) -> Vec<(&'static str, String)> {
    let Legal { imprint, privacy, terms } = &config.legal;
    let links = [("foot-imprint", imprint), ("foot-privacy", privacy), ("foot-terms", terms)];
    let is_there = |(_, url): &(&str, &String)| !url.is_empty();
    links.into_iter().filter(is_there).map(|(text, url)| (text, url.clone())).collect()
}
