//! The first bot, and the reference of the API.

use std::collections::BTreeSet;

use http::StatusCode;
use svc_server::testing::Engine;

use crate::app::TestApp;
use crate::browser::Browser;
use crate::surface::compressed;

/// Most bytes of a page of the reference as it travels.
const BYTES_MAX: usize = 30 * 1024;

#[tokio::test]
async fn every_part_and_object_of_the_reference_has_a_small_page() {
    let app = TestApp::start_with(Engine::Sqlite, &[]).await.unwrap();
    let browser = Browser::new(&app);
    let mut seen = BTreeSet::from(["/docs/api".to_owned()]);
    let mut next = vec!["/docs/api".to_owned()];
    while let Some(path) = next.pop() {
        let page = browser.get(&path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert!(compressed(page.text.as_bytes()) <= BYTES_MAX, "{path}: {}", page.text.len());
        assert!(!page.text.contains("<br>"), "{path} breaks lines where its source does");
        let html = page.html();
        let regions = html
            .0
            .iter()
            .filter(|part| part.attributes.get("role").is_some_and(|role| role == "region"));
        let labels: Vec<&str> =
            regions.map(|part| part.attributes["aria-label"].as_str()).collect();
        assert_eq!(
            labels.iter().collect::<BTreeSet<_>>().len(),
            labels.len(),
            "{path}: {labels:?}"
        );
        for link in html.named("a") {
            let to = link.attributes["href"].split('#').next().unwrap_or_default().to_owned();
            if to.starts_with("/docs/api/") && seen.insert(to.clone()) {
                next.push(to);
            }
        }
    }
    let tags = seen.iter().filter(|path| !path.contains("/objects/")).count();
    assert!(tags > 40 && seen.len() > 300, "{tags} parts of {}", seen.len());
}

#[tokio::test]
async fn the_first_bot_in_rust_is_installed_with_the_features_that_it_needs() {
    let app = TestApp::start_with(Engine::Sqlite, &[]).await.unwrap();
    let page = Browser::new(&app).get("/docs").await.text;
    for command in [
        "cargo add svc-bot-kit --features bot\n",
        "cargo add schemars\n",
        "cargo add serde --features derive\n",
        "cargo add tokio --features macros,rt-multi-thread<",
    ] {
        assert!(page.contains(command), "{command}");
    }
}

#[tokio::test]
async fn the_reference_is_searched_by_words_of_paths_and_summaries() {
    let app = TestApp::start_with(Engine::Sqlite, &[]).await.unwrap();
    let browser = Browser::new(&app);
    let page = browser.get("/docs/api?q=posts+PUBLISH").await;
    assert!(page.text.contains("href=\"/docs/api/posts#createPost\""), "{}", page.text);
    assert!(!page.text.contains("#deletePost"));
    let page = browser.get("/docs/api?q=%3Cscript%3E").await;
    assert!(page.text.contains("No operation matches \"&#60;script&#62;\""), "{}", page.text);
    let post = browser.get("/docs/api/posts").await;
    for part in [
        "id=\"createPost\"",
        "POST /api/posts",
        "/docs/api/objects/PostFormat",
        "curl -fsS",
        "/api/docs/#/posts",
        "<h1 lang=\"en\">Posts</h1>",
        "1–40,000 characters",
    ] {
        assert!(post.text.contains(part), "{part}");
    }
    for path in ["/docs/api/nothing", "/docs/api/objects/Nothing"] {
        assert_eq!(browser.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn the_contents_for_programs_lead_to_the_reference() {
    let app = TestApp::start_with(Engine::Sqlite, &[]).await.unwrap();
    let browser = Browser::new(&app);
    let contents = browser.get("/llms.txt").await.text;
    let links =
        contents.lines().filter_map(|line| line.split_once("/docs/api/")?.1.split_once(')'));
    let (mut shown, mut text, mut seen) = ("", String::new(), 0);
    for (link, _) in links {
        let (part, operation) = link.split_once('#').unwrap();
        if part != shown {
            text = browser.get(&format!("/docs/api/{part}")).await.text;
            shown = part;
        }
        assert!(text.contains(&format!("id=\"{operation}\"")), "{link}");
        seen += 1;
    }
    assert!(seen > 250, "{seen}");
    let robots = browser.get("/robots.txt").await.text;
    for document in ["openapi", "asyncapi"] {
        assert!(robots.contains(&format!("\nAllow: /api/{document}.json\n")), "{robots}");
    }
}
