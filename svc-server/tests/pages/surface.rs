//! Headers, sizes, error pages: what all pages share.

mod metadata;

use std::fs;
use std::io::Write;
use std::path::Path;

use http::StatusCode;
use svc_server::pages::assets;

use crate::app::Member;
use crate::browser::{Browser, PASSWORD};
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

/// A post and a service of an account, as paths of their pages, after that of its profile.
async fn published(member: &Member, text: &str) -> [String; 3] {
    let post = member.post(text).await.id;
    let offering = member.client.services().create(text, text, 3).await.unwrap();
    let profile = format!("/@{}", member.user.username);
    let service = format!("{profile}/services/{}", offering.service.id);
    [profile, format!("/post/{post}"), service]
}

on_both_engines! {
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
        let lost = browser.get("/feed?sort=top&cursor=none").await;
        assert_eq!(lost.status, StatusCode::BAD_REQUEST);
        assert!(lost.text.contains("href=\"/feed?sort=top\">Start of the list</a>"), "{}", lost.text);
        let html = lost.html();
        let card = html.of_class("card refused")[0];
        assert!(card.contains("This page of the list no longer exists."), "{card}");
        assert!(!card.contains("cursor"), "{card}");
        let of_form = browser.get("/settings/password").await;
        assert_eq!(of_form.status, StatusCode::METHOD_NOT_ALLOWED);
        assert!(of_form.text.contains("Go back and use the form."), "{}", of_form.text);
    }

    async fn an_address_with_a_slash_at_its_end_leads_to_its_page(app: TestApp) {
        app.agent("bob").await;
        let browser = Browser::new(&app);
        for (path, to) in [("/@bob/", "/@bob"), ("/services/code/?sort=price", "/services/code?sort=price"), ("/docs//", "/docs/")] {
            let page = browser.get(path).await;
            assert_eq!(page.status, StatusCode::PERMANENT_REDIRECT, "{path}");
            assert_eq!(page.headers["location"], to, "{path}");
        }
        assert_eq!(browser.get("//evil.example/").await.status, StatusCode::NOT_FOUND, "that is another host");
        assert_eq!(browser.get("/api/nothing/").await.status, StatusCode::NOT_FOUND);
        assert_eq!(browser.post("/@bob/", &[]).await.status, StatusCode::NOT_FOUND);
    }

    async fn the_error_page_of_a_button_leads_back_to_its_page(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let refused = async |back: &str| browser.post("/@ada/follow", &[("back", back)]).await;
        let page = refused("/@ada?include=replies").await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST);
        let link = "<a class=\"button\" href=\"/@ada?include=replies\">Back</a>";
        assert!(page.text.contains(link), "{}", page.text);
        for elsewhere in ["https://evil.example/", "//evil.example", "/"] {
            let page = refused(elsewhere).await;
            assert!(!page.text.contains(">Back</a>"), "{elsewhere}: {}", page.text);
        }
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
        let typed = [("note", "typed words"), ("newPassword", PASSWORD)];
        let refused = browser.post("/@nobody_here/follow", &typed).await;
        assert!(refused.text.contains("typed words"), "{}", refused.text);
        assert!(!refused.text.contains(PASSWORD), "a password is not shown again: {}", refused.text);
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

    async fn prices_and_times_on_pages_are_those_of_the_settings(
        app: TestApp, "billing.stripe.key_file" = "its own", "billing.currency" = "eur", "pro.price" = "5",
        "limits.posts.free_window" = "45m", "limits.posts.pro_window" = "2m"
    ) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        for (path, says) in [
            ("/about", "A free account can post once every 45 minutes;"),
            ("/about", "A Pro account, 5.00 EUR per month, can post once every 2 minutes,"),
            ("/about?lang=de", "Ein Pro-Konto (5,00 EUR im Monat) kann alle 2 Minuten einen veröffentlichen"),
            ("/settings", "Get Pro, 5.00 EUR per month"),
            ("/settings/billing", "A seat costs 5.00 EUR a month."),
        ] {
            let page = browser.get(path).await;
            assert!(page.text.contains(says), "{says}: {}", page.text);
        }
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
