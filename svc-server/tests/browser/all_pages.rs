//! Every page of a filled server, on a phone and in a wide window, in light and dark colours.

use serde_json::json;

use crate::PASSWORD;
use crate::inspect::{self, Looker};
use crate::site::{OPERATOR, PROVIDER, Site};
use crate::tab::Tab;
use crate::{driver, film};

/// The account that opens a page: the one that may see most of it.
fn viewer(place: &str) -> &'static str {
    let is_for_provider =
        ["/deliver", "/decline", "/respond", "/refund"].iter().any(|end| place.ends_with(end));
    match place {
        "/login" | "/join" | "/restore" | "/verify" | "/forgot" | "/reset" => "",
        place if place.starts_with("/moderation") => "mira",
        place if place.starts_with("/operate") => OPERATOR,
        _ if is_for_provider => PROVIDER,
        _ => "ada",
    }
}

/// Pages that no place names: signed out, by other queries, empty, refused.
const MORE: [(&str, &str, &str); 24] = [
    (PROVIDER, "sell-agent", "/sell"),
    (PROVIDER, "sell-hours", "/sell?window=24h"),
    ("", "profile-owned", "/@olga"),
    (PROVIDER, "agents-owner", "/settings/agents"),
    ("nora", "agents-empty", "/settings/agents"),
    ("", "home-nobody", "/"),
    ("", "post-nobody", "/post/{postId}"),
    ("", "profile-nobody", "/@basho"),
    ("", "service-nobody", "/@basho/services/{serviceId}"),
    ("", "no-such-page", "/no/such/page"),
    ("", "refused", "/feed?cursor=none"),
    (PROVIDER, "order-to-answer", "/orders/{orderId}"),
    ("ada", "home-top", "/feed?sort=top"),
    ("ada", "search-posts", "/search?q=post"),
    ("ada", "search-services", "/search?q=text&type=services"),
    ("ada", "profile-own", "/@ada"),
    ("ada", "messages-to", "/messages?recipientUsername=mira"),
    ("nora", "home-empty", "/"),
    ("nora", "notifications-empty", "/notifications"),
    ("nora", "messages-empty", "/messages"),
    ("nora", "lists-empty", "/lists"),
    ("nora", "escrow-empty", "/escrow"),
    ("nora", "webhooks-empty", "/settings/webhooks"),
    ("nora", "scheduled-empty", "/settings/scheduled"),
];

/// Pages with tables that have room on a small phone.
const TABLES: [&str; 7] = [
    "credits",
    "explore-leaders",
    "sell-payouts",
    "settings-notifications",
    "settings-webhooks-webhookId",
    "docs-api-tag",
    "docs-api-objects-object",
];

/// What the README shows: the page, the picture, whether on a phone, and the colours.
const SHOWN: [(&str, &str, bool, &str); 2] =
    [("home", "readme-feed", false, "light"), ("escrow-escrowId", "readme-deal", true, "dark")];

/// The form that reports a post.
const REPORT: &str = "/report?subject.type=post&subject.id={postId}";

/// The form of a moderator's act on a post.
const MODERATE: &str = "/moderation/act?subject.type=post&subject.id={postId}";

/// The pages that only the owner of a channel has.
const DELETE_CHANNEL: &str = "/channels/{ownChannelId}/delete";
const EDIT_CHANNEL: &str = "/channels/{ownChannelId}/edit";
const DELETE_SAID: &str = "/channels/{ownChannelId}/messages/{saidId}/delete";

/// Those of them that are pages of an error.
const REFUSED: [&str; 2] = ["no-such-page", "refused"];

/// A page to inspect: account, name, path.
type Stop = (&'static str, String, String);

async fn stops(site: &Site) -> Vec<Stop> {
    let (names, deals) = (site.furnish().await, site.deals().await);
    let places = svc_server::pages::pages().places();
    let is_page = |(method, place): &(&str, &str)| {
        *method == "GET" && ![".atom", ".csv", "/files/"].iter().any(|file| place.contains(file))
    };
    let places = places.into_iter().filter(is_page).map(|(_, place)| {
        let name = place.replace(['{', '}', '@'], "");
        let name = name.trim_matches('/').replace('/', "-");
        let name = if name.is_empty() { "home".to_owned() } else { name };
        // What is reported, or acted on, is named by who leads there.
        let path = match place {
            "/report" => REPORT,
            "/moderation/act" => MODERATE,
            "/channels/{channelId}/delete" => DELETE_CHANNEL,
            "/channels/{channelId}/edit" => EDIT_CHANNEL,
            "/channels/{channelId}/messages/{messageId}/delete" => DELETE_SAID,
            _ => place,
        };
        (viewer(place), name, path)
    });
    let more = MORE.into_iter().map(|(who, name, path)| (who, name.to_owned(), path));
    let mut stops: Vec<Stop> = places
        .chain(more)
        .map(|(who, name, path)| {
            let deal = deals.get(path.rsplit('/').next().unwrap_or_default());
            let path = match deal {
                Some(id) if who != "mira" => path.replace("{escrowId}", id),
                _ => path.to_owned(),
            };
            let path = path.replace("/agents/{username}", &format!("/agents/{PROVIDER}"));
            let path = if path.starts_with("/sell/") {
                path.replace("{username}", PROVIDER).replace("{serviceId}", "{sold}")
            } else {
                path
            };
            let path = if who == PROVIDER {
                path.replace("{orderId}", &names["{toAnswer}"])
            } else {
                path
            };
            let path = names.iter().fold(path, |path, (name, id)| path.replace(name, id));
            (who, name, path)
        })
        .collect();
    stops.sort_by_key(|(who, ..)| *who);
    stops
}

/// Inspects all pages of some accounts and returns the faults.
async fn visit(site: &Site, stops: &[Stop], who: &[&str]) -> String {
    let tab = Tab::at(&site.origin()).await;
    let mut looker = Looker::new(&tab).await;
    let mut visitor = "";
    for (viewer, name, path) in stops.iter().filter(|(viewer, ..)| who.contains(viewer)) {
        if visitor != *viewer {
            tab.sign_in(viewer, site.password(viewer)).await;
            visitor = viewer;
        }
        let path = match path.split_once('{') {
            // Moderators come there from their lists.
            Some((list, _)) => linked(&tab, list).await,
            None => path.clone(),
        };
        looker.looks_at(name, &path).await;
        if TABLES.contains(&name.as_str()) {
            looker.shows_tables(name).await;
        }
        for (_, picture, is_phone, scheme) in SHOWN.iter().filter(|(page, ..)| page == name) {
            looker.shows(picture, *is_phone, scheme).await;
        }
        let is_refused = tab.shows(".refused").await;
        let text = tab.text().await;
        assert_eq!(is_refused, REFUSED.contains(&name.as_str()), "{path} for {viewer}: {text}");
        looker.looks_in_other_words(name, &path).await;
    }
    looker.faults()
}

/// Inspects pages that only a form leads to: a secret that is shown once, and refusals.
async fn visit_forms(site: &Site) -> String {
    let tab = Tab::at(&site.origin()).await;
    let mut looker = Looker::new(&tab).await;
    tab.open("/join").await;
    tab.fill("[name=username]", "7up").await;
    tab.fill("[name=email]", "seven@example.org").await;
    tab.fill("[name=password]", PASSWORD).await;
    tab.click("form[action='/join'] button").await;
    tab.find("[aria-invalid]").await;
    looker.looks("join-refused").await;
    tab.sign_in("nora", PASSWORD).await;
    tab.open("/settings/key").await;
    tab.press("Replace key").await;
    tab.sees("Copy it now.").await;
    looker.looks("secret").await;
    tab.open("/settings/security/totp").await;
    tab.press("Begin setup").await;
    tab.find("#totp-key").await;
    looker.looks("totp-key").await;
    publish(&tab, "My first post.").await;
    tab.sees("Posted.").await;
    publish(&tab, "My second, a moment later.").await;
    tab.find(".wrong").await;
    looker.looks("compose-refused").await;
    tab.forget().await;
    tab.press("Post").await;
    tab.find("form[action='/login']").await;
    looker.looks("login-kept").await;
    looker.faults()
}

async fn publish(tab: &Tab, text: &str) {
    tab.open("/compose").await;
    tab.fill("main [name=content]", text).await;
    tab.press("Post").await;
}

/// Where the first entry of a list leads: `/moderation/reports/` are those of `/moderation`.
async fn linked(tab: &Tab, beginning: &str) -> String {
    let list = if beginning.contains("reports") { "/moderation" } else { beginning };
    tab.open(list.trim_end_matches('/')).await;
    let link = tab.find(&format!("main a[href^='{beginning}']")).await;
    let path = tab.script("return arguments[0].getAttribute('href')", &json!([link])).await;
    path.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_fits_is_accessible_and_loads_nothing_external() {
    if !driver::is_installed() {
        return;
    }
    let site = Site::start().await;
    let stops = stops(&site).await;
    let of_others = async {
        let faults = visit(&site, &stops, &["", "mira", "nora", OPERATOR, PROVIDER]).await;
        faults + &visit_forms(&site).await
    };
    let (of_others, of_ada) = tokio::join!(of_others, visit(&site, &stops, &["ada"]),);
    if let Some(folder) = std::env::var_os("SVC_SCREENSHOTS") {
        film::write_sheets(folder.as_ref(), &inspect::ENDINGS);
    }
    let faults = [of_others, of_ada].concat();
    assert!(faults.is_empty(), "{faults}");
}
