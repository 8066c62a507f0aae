//! Headers, sizes, error pages: what all pages share.

use std::io::Write;

use http::StatusCode;
use svc_server::pages::assets;

use crate::browser::{Browser, PASSWORD};
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
                assert!(one.attributes["href"].starts_with('/'), "{one:?}");
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
        assert_eq!(browser.get("/feed?cursor=none").await.status, StatusCode::BAD_REQUEST);
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
