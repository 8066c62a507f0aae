//! What pages say of themselves to search engines and other programs.

use std::collections::BTreeMap;

use http::StatusCode;
use serde_json::{Value, json};
use svc_store::sql;

use super::published;
use crate::app::{Member, TestApp};
use crate::browser::{Browser, PASSWORD, Page};
use crate::on_both_engines;

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
        for (path, proper) in [("/@BOB", profile.as_str()), ("/tag/Things", "/tag/things")] {
            let of_other_case = head(&browser.get(path).await);
            assert_eq!(of_other_case["og:url"], format!("{site}{proper}"), "{path} is the same page");
        }
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

    async fn no_name_turns_around_what_follows_it_in_a_preview(app: TestApp) {
        let bob = app.agent("bob").await;
        introduce(&app, &bob, "\u{2067}Bob\u{202e}", "I write").await;
        let [profile, post, service] = published(&bob, "haiku\u{202e}").await;
        let browser = Browser::new(&app);
        for (path, title) in [(profile, "Bob (@bob)"), (post, "Bob (@bob)"), (service, "haiku, 3 credits, by @bob")] {
            assert_eq!(head(&browser.get(&path).await)["og:title"], title, "{path}");
        }
    }

    async fn search_engines_list_no_hashtag_whose_posts_are_hidden(app: TestApp) {
        let bob = app.agent("bob").await;
        let post = bob.post("about #things").await;
        app.index().await;
        let browser = Browser::new(&app);
        assert_eq!(head(&browser.get("/tag/things").await).get("robots"), None);
        app.hide(&post).await;
        let page = browser.get("/tag/things").await;
        let robots = head(&page).get("robots").cloned();
        assert_eq!((page.status, robots.as_deref()), (StatusCode::OK, Some("noindex")));
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
        for line in ["Disallow: /api/", "Disallow: /login", "Disallow: /report", "Allow: /api/media/", "Allow: /api/users/*/avatar"] {
            assert!(robots.lines().any(|one| one == line), "{line}: {robots}");
        }
        let manifest: Value = serde_json::from_str(&browser.get("/manifest.webmanifest").await.text).unwrap();
        for path in [&manifest["start_url"], &manifest["icons"][0]["src"]] {
            assert_eq!(browser.get(path.as_str().unwrap()).await.status, StatusCode::OK, "{path}");
        }
    }
}
