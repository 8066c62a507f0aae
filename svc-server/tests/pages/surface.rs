//! Headers, sizes, error pages: what all pages share.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use http::StatusCode;
use serde_json::{Value, json};
use svc_server::pages::assets;
use svc_store::sql;

use crate::app::{Member, TestApp};
use crate::browser::{Browser, PASSWORD, Page};
use crate::html::Element;
use crate::on_both_engines;

/// Most bytes of the page of a feed, and of style and script as they travel.
const FEED_BYTES_MAX: usize = 40 * 1024;
const STYLE_BYTES_MAX: usize = 7 * 1024;
const SCRIPT_BYTES_MAX: usize = 7 * 1024;

/// The size of a file as it travels.
pub(crate) fn compressed(bytes: &[u8]) -> usize {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap().len()
}

#[test]
fn style_and_script_are_small_and_name_no_other_host() {
    for (asset, most) in [(&assets::STYLE, STYLE_BYTES_MAX), (&assets::SCRIPT, SCRIPT_BYTES_MAX)] {
        let size = compressed(asset.bytes);
        assert!(size <= most, "{} has {size} bytes", asset.name);
    }
    for asset in [&assets::STYLE, &assets::SCRIPT, &assets::PASSKEY] {
        let text = std::str::from_utf8(asset.bytes).unwrap();
        let text = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!text.contains("//") || !text.contains("http"), "{}", asset.name);
        assert!(!text.contains("@import"), "{}", asset.name);
    }
}

/// Wordings that product.md §1 replaces.
const REPLACED: [&str; 58] = [
    "Interface",
    "To the first page",
    "That was not understood",
    "Too much at once",
    "Keep it",
    "Everybody's posts",
    "stand here",
    "Publish it later",
    "When, in UTC",
    "limit of this window",
    "Your post is out",
    "The text so far",
    "Talked about",
    "Who leads",
    "holds all these words",
    "nobody else sees it",
    "holds its API key",
    "Services of agents",
    "not rated yet",
    "What comes back",
    "All of it, as a JSON object",
    "must be JSON",
    "By a deal",
    "At the answer",
    "delivery of a deal",
    "are left afterwards",
    "Deal over",
    "Credits held, work",
    "to be looked at",
    "Accepted and paid",
    "Ended before the delivery",
    "every clock",
    "What is to be done",
    "The work",
    "@x may",
    "The answer will stand",
    "look again in a while",
    "The deal that pays",
    "Take the order back",
    "Give the credits back",
    "How good is the work",
    "Never answered",
    "Given at the sign-up",
    "Nothing moved yet",
    "Write to somebody",
    "You alone",
    "Password so far",
    "The name or the password is wrong",
    "Go back to the letter",
    "A deal of mine",
    "I have it; go on",
    "to show that you mean it",
    "Shown in feeds",
    "at most 1 in one",
    "The same as a table",
    "Unwanted mass",
    "Passes for somebody else",
    "Tries to steer",
];

#[test]
fn no_text_of_the_pages_has_a_wording_that_was_replaced() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("locales/en");
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let texts = fs::read_to_string(&path).unwrap();
        for line in texts.lines().filter(|line| !line.starts_with('#')) {
            let found = REPLACED.iter().find(|wording| line.contains(**wording));
            assert_eq!(found, None, "{}: {line}", path.display());
        }
    }
}

/// What the head of a page says, by name or property.
fn head(page: &Page) -> BTreeMap<String, String> {
    let html = page.html();
    let mut metas = BTreeMap::new();
    for one in html.named("meta") {
        for name in ["name", "property"].into_iter().filter_map(|kind| one.attributes.get(kind)) {
            metas.insert(name.clone(), one.attributes["content"].clone());
        }
    }
    metas
}

/// The data in a page. Every script of the page is a file or these data.
#[track_caller]
fn data(page: &Page) -> Value {
    let html = page.html();
    let (files, data): (Vec<_>, Vec<_>) =
        html.named("script").into_iter().partition(|one| one.attributes.contains_key("src"));
    assert!(files.iter().all(|one| one.attributes["src"].starts_with("/assets/")));
    let [data] = data[..] else { panic!("{}", page.text) };
    assert_eq!(data.attributes["type"], "application/ld+json");
    serde_json::from_str(&data.text).unwrap()
}

/// The elements of an XML document in order, each with the text before its first child. It must be
/// well-formed.
#[track_caller]
fn xml(document: &str) -> Vec<(String, String)> {
    let start = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";
    let mut rest = document.strip_prefix(start).unwrap().trim();
    let (mut open, mut found) = (Vec::<String>::new(), Vec::new());
    while let Some(tag) = rest.strip_prefix('<') {
        let (tag, after) = tag.split_once('>').unwrap();
        let (text, next) = after.split_at(after.find('<').unwrap_or(after.len()));
        let name = tag.trim_matches('/').split(' ').next().unwrap().to_owned();
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if tag.starts_with('/') {
            assert_eq!((open.pop(), text.trim()), (Some(name), ""), "{document}");
        } else {
            assert!(found.is_empty() || !open.is_empty(), "there is one root: {document}");
            found.push((name.clone(), unescaped(text)));
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = next;
    }
    assert!(open.is_empty() && rest.is_empty(), "{document}");
    found
}

/// A text of an XML document, in which only numbers stand for characters.
#[track_caller]
fn unescaped(text: &str) -> String {
    let mut parts = text.split('&');
    let mut plain = parts.next().unwrap().to_owned();
    for part in parts {
        let (code, rest) = part.strip_prefix('#').unwrap().split_once(';').unwrap();
        plain.push(char::from_u32(code.parse().unwrap()).unwrap());
        plain.push_str(rest);
    }
    plain
}

/// A post and a service of an account, as paths of their pages, after that of its profile.
async fn published(member: &Member, text: &str) -> [String; 3] {
    let post = member.post(text).await.id;
    let offering = member.client.services().create(text, text, 3).await.unwrap();
    let profile = format!("/@{}", member.user.username);
    let service = format!("{profile}/services/{}", offering.service.id);
    [profile, format!("/post/{post}"), service]
}

async fn introduce(app: &TestApp, member: &Member, name: &str, bio: &str) {
    let request = member.raw(app, reqwest::Method::PATCH, "/users/me");
    let answer = request.json(&json!({ "displayName": name, "bio": bio })).send().await.unwrap();
    assert!(answer.status().is_success());
}

on_both_engines! {
    async fn pages_for_everyone_say_what_they_are(app: TestApp) {
        let bob = app.agent("bob").await;
        introduce(&app, &bob, "Bob", "I count things").await;
        let [profile, post, service] = published(&bob, "about #things").await;
        app.index().await;
        let browser = Browser::new(&app);
        let site = &app.server.app().public_url;
        for path in [
            "/", "/feed", "/services", "/services/data", "/explore", "/explore/accounts", "/explore/leaders",
            "/docs", "/docs/agents", "/docs/sign-in", "/docs/api", "/docs/api/posts", "/docs/api/objects/Post",
            "/about", "/tag/things", profile.as_str(), post.as_str(), service.as_str(),
        ] {
            let page = browser.get(path).await;
            let head = head(&page);
            for name in ["description", "og:title", "og:description", "og:type", "og:url", "twitter:card"] {
                assert!(head.get(name).is_some_and(|text| !text.is_empty()), "{path} {name}: {}", page.text);
            }
            assert_eq!(head["og:url"], format!("{site}{path}"));
            let html = page.html();
            let canonical = html.named("link").into_iter().filter(|one| one.attributes["rel"] == "canonical");
            let canonical: Vec<_> = canonical.map(|one| &one.attributes["href"]).collect();
            assert_eq!(canonical, [&head["og:url"]], "{path}");
            assert!(!page.headers.contains_key("x-robots-tag") && !head.contains_key("robots"), "{path}");
        }
        let filtered = head(&browser.get("/feed?sort=new").await);
        assert_eq!(filtered["og:url"], format!("{site}/feed"), "an order of a page is the same page");
        let german = head(&browser.get("/services?lang=de").await);
        assert!(german["description"].contains("Rezensionen"), "{german:?}");
    }

    async fn search_engines_list_no_page_of_one_visitor_and_none_that_repeats_others(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let (post, hidden) = (ada.post("hello").await, bob.post("a secret").await);
        app.hide(&hidden).await;
        let message = ada.write(&bob, "psst").await;
        let (guest, own) = (Browser::new(&app), Browser::of(&app, "ada").await);
        let [history, embed] = ["history", "embed"].map(|part| format!("/post/{}/{part}", post.id));
        let (hidden, talk) = (format!("/post/{}", hidden.id), format!("/messages/{}", message.conversation_id));
        for path in [
            "/search", "/search?q=hello", "/login", "/join", "/forgot", "/restore", "/channels", "/explore/rail",
            "/@ada/followers", "/feed.atom", "/@ada.atom", "/no/such/page", &history, &embed, &hidden,
        ] {
            let page = guest.get(path).await;
            assert_eq!(page.headers["x-robots-tag"], "noindex", "{path}");
            assert!(!page.text.contains("og:title"), "{path}");
        }
        for path in ["/messages", &talk, "/notifications", "/settings", "/orders", "/credits", "/compose", "/lists"] {
            let page = own.get(path).await;
            let robots = page.headers["x-robots-tag"].to_str().unwrap();
            assert_eq!((page.status, robots), (StatusCode::OK, "noindex"), "{path}");
        }
        let refused = guest.get("/feed?cursor=none").await;
        assert_eq!(refused.headers["x-robots-tag"], "noindex");
        assert!(!refused.text.contains("og:title"), "{}", refused.text);
    }

    async fn search_engines_list_no_page_of_a_limited_account(app: TestApp) {
        let [bob, eve] = app.agents(["bob", "eve"]).await;
        app.limit(&eve).await;
        let browser = Browser::new(&app);
        let map = browser.get("/sitemap.xml").await.text;
        assert!(!map.contains("/@"), "{map}");
        let mut profiles = Vec::new();
        for (member, robots) in [(&bob, None), (&eve, Some("noindex"))] {
            let paths = published(member, "some words").await;
            for path in &paths {
                let page = browser.get(path).await;
                assert_eq!(page.status, StatusCode::OK, "{path}");
                assert_eq!(head(&page).get("robots").map(String::as_str), robots, "{path}");
            }
            profiles.push(paths);
        }
        assert_eq!(browser.get("/sitemap.xml").await.text, map, "it is kept for an hour");
        app.advance(3601);
        let map = browser.get("/sitemap.xml").await.text;
        let [of_bob, of_eve] = &profiles[..] else { panic!("{profiles:?}") };
        assert!(map.contains(&format!("{}</loc>", of_bob[0])) && map.contains(&of_bob[2]), "{map}");
        assert!(!map.contains(&of_eve[0]), "{map}");
    }

    async fn posts_profiles_and_services_hold_data_that_no_text_can_leave(app: TestApp) {
        let text = "</script><script>alert(1)</script> <!-- ]]> &lt; \" \\ '";
        let bob = app.agent("bob").await;
        introduce(&app, &bob, text, text).await;
        let [profile, post, service] = published(&bob, text).await;
        let browser = Browser::new(&app);
        let site = &app.server.app().public_url;

        let of_post = data(&browser.get(&post).await);
        assert_eq!((&of_post["@context"], &of_post["@type"]), (&json!("https://schema.org"), &json!("SocialMediaPosting")));
        assert_eq!((&of_post["text"], &of_post["author"]["name"]), (&json!(text), &json!(text)));
        assert_eq!(of_post["url"], format!("{site}{post}"));
        assert_eq!(of_post["author"]["url"], format!("{site}{profile}"));
        assert_eq!(of_post["interactionStatistic"][0]["userInteractionCount"], 0);

        let of_profile = data(&browser.get(&profile).await);
        assert_eq!((&of_profile["@type"], &of_profile["mainEntity"]["name"]), (&json!("ProfilePage"), &json!(text)));
        assert_eq!(of_profile["mainEntity"]["description"], text);
        assert_eq!(of_profile["mainEntity"]["alternateName"], "@bob");

        let of_service = data(&browser.get(&service).await);
        assert_eq!((&of_service["@type"], &of_service["name"]), (&json!("Service"), &json!(text)));
        assert_eq!((&of_service["description"], &of_service["offers"]["price"]), (&json!(text), &json!("3")));
        assert_eq!(of_service.get("aggregateRating"), None, "nobody has rated it");
        app.execute(|ctx| ctx.tx.execute(sql!("update service set ratings_count = 2, rating_tenths = 45"), &[])).await;
        let of_service = data(&browser.get(&service).await);
        let rating = &of_service["aggregateRating"];
        assert_eq!((&rating["ratingValue"], &rating["ratingCount"]), (&json!(4.5), &json!(2)));
    }

    async fn what_programs_read_is_well_formed_and_names_pages_that_exist(app: TestApp) {
        let bob = app.agent("bob").await;
        let [profile, _, service] = published(&bob, "a ]]> & <b> \"c\" #things").await;
        app.index().await;
        let browser = Browser::new(&app);
        for path in ["/feed.atom", "/@bob.atom", "/tag/things.atom"] {
            let feed = xml(&browser.get(path).await.text);
            let of = |name: &str| feed.iter().filter(|(of, _)| of == name).map(|(_, text)| text.as_str()).collect::<Vec<_>>();
            assert_eq!((of("feed").len(), of("entry").len()), (1, 1), "{path}");
            for name in ["id", "title", "updated"] {
                assert!(of(name).len() == 2 && of(name).iter().all(|text| !text.is_empty()), "{path} {name}");
            }
            assert!(of("content")[0].contains("&lt;b&gt;"), "{feed:?}");
        }
        let map = browser.get("/sitemap.xml").await;
        assert_eq!(map.headers["cache-control"], "public, max-age=3600");
        let site = &app.server.app().public_url;
        let elements = xml(&map.text);
        let pages: Vec<&str> = elements.iter().filter(|(name, _)| name == "loc").map(|(_, url)| url.strip_prefix(&**site).unwrap()).collect();
        assert_eq!(pages.iter().filter(|path| path.starts_with("/services/")).count(), 10, "{pages:?}");
        for path in ["/", "/docs", profile.as_str(), service.as_str()] {
            assert!(pages.contains(&path), "{path}: {pages:?}");
        }
        for path in pages {
            assert_eq!(browser.get(path).await.status, StatusCode::OK, "{path}");
        }
        let robots = browser.get("/robots.txt").await.text;
        for line in robots.lines() {
            let (name, value) = line.split_once(": ").unwrap();
            assert!(["User-agent", "Allow", "Disallow", "Sitemap"].contains(&name) && !value.is_empty(), "{line}");
        }
        assert!(robots.ends_with(&format!("Sitemap: {site}/sitemap.xml\n")), "{robots}");
        let manifest: Value = serde_json::from_str(&browser.get("/manifest.webmanifest").await.text).unwrap();
        for path in [&manifest["start_url"], &manifest["icons"][0]["src"]] {
            assert_eq!(browser.get(path.as_str().unwrap()).await.status, StatusCode::OK, "{path}");
        }
    }

    async fn the_page_of_a_feed_is_small_and_names_no_other_host(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        for n in 0..20 {
            let bot = app.agent(&format!("wordy_bot_{n}")).await;
            let text = format!("{} https://example.org/{n} #tag{n} @ada", "words & words ".repeat(18));
            let post = bot.post(&text).await;
            ada.client.reactions().like(&post.id).await.unwrap();
            app.advance(1);
        }
        let browser = Browser::of(&app, "ada").await;
        let page = browser.get("/feed?sort=new").await;
        assert!(page.text.len() <= FEED_BYTES_MAX, "{}", page.text.len());
        let html = page.html();
        assert_eq!(html.named("article").len(), 20);
        for one in &html.0 {
            for name in ["src", "action", "formaction"] {
                let value = one.attributes.get(name);
                assert!(value.is_none_or(|value| value.starts_with('/')), "{one:?}");
            }
            assert!(!one.attributes.contains_key("style"), "{one:?}");
            if one.name == "link" {
                let (href, site) = (&one.attributes["href"], &app.server.app().public_url);
                assert!(href.starts_with('/') || href.starts_with(&format!("{site}/")), "{one:?}");
            }
        }
    }

    async fn pages_are_compressed_unless_their_address_holds_a_secret(app: TestApp) {
        let browser = Browser::new(&app);
        let coding = async |path: &str, accepted: &str| {
            let request = browser.request(http::Method::GET, path).header("accept-encoding", accepted);
            let response = request.send().await.unwrap();
            let coding = response.headers().get("content-encoding").cloned();
            (coding.map(|coding| coding.to_str().unwrap().to_owned()), response.bytes().await.unwrap())
        };
        let (_, plain) = coding("/login", "identity").await;
        for (accepted, expected) in [("br, gzip", Some("br")), ("gzip", Some("gzip")), ("identity", None)] {
            let (found, bytes) = coding("/login", accepted).await;
            assert_eq!(found.as_deref(), expected, "{accepted}");
            assert!(expected.is_none() || bytes.len() * 2 < plain.len(), "{accepted}: {}", bytes.len());
        }
        assert_eq!(coding("/feed.atom", "br").await.0.as_deref(), Some("br"));
        for path in ["/reset?token=abc", "/join?invite=abc", "/undo/abc"] {
            assert_eq!(coding(path, "br, gzip").await.0, None, "{path}");
        }
    }

    async fn every_page_has_security_headers(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        for path in ["/", "/compose", "/no/such/page", "/post/post_none", "/?cursor=none"] {
            let page = browser.get(path).await;
            let header = |name: &str| page.headers.get(name).unwrap().to_str().unwrap().to_owned();
            let policy = header("content-security-policy");
            for part in ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'"] {
                assert!(policy.contains(part), "{path}: {policy}");
            }
            assert!(!policy.contains("unsafe"), "{policy}");
            assert_eq!(header("x-content-type-options"), "nosniff");
            assert_eq!(header("referrer-policy"), "same-origin");
            assert_eq!(header("cache-control"), "private, no-store");
            assert_eq!(header("content-type"), "text/html; charset=utf-8");
        }
    }

    async fn errors_are_pages_for_people_and_json_for_programs(app: TestApp) {
        let browser = Browser::new(&app);
        for path in ["/no/such/page", "/nothing", "/@nobody_here", "/post/post_none", "/assets/svc.0.css"] {
            let page = browser.get(path).await;
            assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
            let html = page.html();
            assert!(html.named("h1")[0].text.contains("Page not found"));
            let id = page.headers["x-request-id"].to_str().unwrap();
            assert!(html.named("code").iter().any(|code| code.text == id), "the page names the request");
        }
        let program = app.raw(reqwest::Method::GET, "/../no/such/page").send().await.unwrap();
        assert_eq!(program.headers()["content-type"], "application/json");
        let of_api = browser.get("/api/no/such/path").await;
        assert_eq!(of_api.headers["content-type"], "application/json");
        let lost = browser.get("/feed?cursor=none").await;
        assert_eq!(lost.status, StatusCode::BAD_REQUEST);
        let html = lost.html();
        let told = html.of_class("card refused")[0];
        assert!(told.contains("This page of the list no longer exists."), "{told}");
        assert!(!told.contains("cursor"), "{told}");
    }

    async fn error_pages_keep_navigation_and_account(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let (browser, anonymous) = (Browser::of(&app, "ada").await, Browser::new(&app));
        for path in ["/no/such/page", "/post/post_none", "/?cursor=none", "/moderation"] {
            let page = browser.get(path).await;
            assert!(page.status.is_client_error(), "{path}");
            for part in ["aria-label=\"Main\"", "href=\"/messages\"", "@ada", "Sign out"] {
                assert!(page.text.contains(part), "{path} {part}: {}", page.text);
            }
        }
        let refused = browser.post("/@nobody_here/follow", &[]).await;
        assert!(refused.text.contains("@ada") && refused.text.contains("aria-label=\"Main\""), "{}", refused.text);
        let page = anonymous.get("/no/such/page").await;
        assert!(page.text.contains("href=\"/explore\"") && page.text.contains("/login?next=%2Fno%2Fsuch%2Fpage"));
        assert!(!page.text.contains("Sign out"));
    }

    async fn the_menu_marks_where_a_page_belongs(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let [_, _, service] = published(&bob, "counts").await;
        let browser = Browser::of(&app, "ada").await;
        ada.post("hello").await;
        for (path, place, is_rare) in [
            ("/feed", "/", false), ("/escrow", "/orders", false), (service.as_str(), "/services", false),
            ("/search", "/explore", true), ("/analytics", "/settings", true), ("/settings/data", "/settings", true),
        ] {
            let page = browser.get(path).await;
            assert_eq!(page.status, StatusCode::OK, "{path}");
            let html = page.html();
            let is_marked = |one: &&Element| one.attributes.contains_key("aria-current");
            let marked: Vec<_> = html.named("a").into_iter().filter(is_marked).collect();
            assert!(marked.iter().any(|link| link.attributes["href"] == place), "{path}: {marked:?}");
            // A phone has it behind "More".
            let more = html.named("summary")[0];
            assert_eq!(is_marked(&more), is_rare, "{path}");
        }
    }

    async fn the_price_of_the_paid_tier_is_that_of_the_specification(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        for path in ["/about", "/settings"] {
            assert!(browser.get(path).await.text.contains("9.99 USD per month"), "{path}");
        }
        assert!(browser.get("/api/openapi.json").await.text.contains("9.99 USD per month"));
    }

    async fn style_and_script_are_cached_forever(app: TestApp) {
        let browser = Browser::new(&app);
        for (asset, content_type) in [
            (&assets::STYLE, "text/css; charset=utf-8"),
            (&assets::SCRIPT, "text/javascript; charset=utf-8"),
            (&assets::ICON, "image/svg+xml"),
        ] {
            let page = browser.get(&format!("/assets/{}", asset.name)).await;
            assert_eq!(page.status, StatusCode::OK);
            assert_eq!(page.headers["content-type"], content_type);
            assert_eq!(page.headers["cache-control"], "public, max-age=31536000, immutable");
            assert!(browser.get("/").await.text.contains(&asset.name), "the pages name it");
        }
    }
}
