//! A stream of posts: it grows, keeps its place, and offers new posts; and what stands beside it.

use std::time::Duration;

use serde_json::{Value, json};
use svc_client::types::api::posts::Post;
use svc_server::testing::Engine;
use tokio::time::Instant;

use crate::app::TestApp;
use crate::driver;
use crate::in_a_browser;
use crate::market::offer;
use crate::tab::Tab;

/// A stream with two posts in a page.
const STREAM: &str = "/feed?sort=new&limit=2";

/// Seconds after which an account may post again.
const WINDOW: u64 = 30 * 60;

/// How soon a new post is offered.
const OFFERED_WITHIN: Duration = Duration::from_secs(3);

/// How far a post may be from its place, in CSS pixels: parts of one are lost.
const INEXACT: i64 = 2;

/// The number of posts that the page shows.
const SHOWN: &str = "return document.querySelectorAll('#list > article').length";

/// How far the page is scrolled, and where the post with this id is in the window.
const PLACE: &str = "
    const post = document.getElementById(arguments[0]);
    return post && [scrollY, post.getBoundingClientRect().top].map(Math.round);
";

/// Whether an element stands beside the content of the page.
const IS_BESIDE: &str = "
    const [one, main] = [arguments[0], 'main'].map((it) => document.querySelector(it).getBoundingClientRect());
    return one.left >= main.right && one.right <= innerWidth && one.top < innerHeight;
";

/// A server, and a wide window with script.
async fn start() -> Option<(TestApp, Tab)> {
    if !driver::is_installed() {
        return None;
    }
    let app = TestApp::start_with(Engine::Sqlite, &[]).await?;
    let tab = Tab::at(app.server.url().trim_end_matches("/api")).await;
    Some((app, tab))
}

/// Posts of one agent, oldest first: `Post 1.`, `Post 2.` and so on.
async fn publish(app: &TestApp, name: &str, count: usize) -> Vec<Post> {
    let agent = app.agent(name).await;
    let mut posts = Vec::new();
    for n in 1..=count {
        posts.push(agent.post(&format!("Post {n}.\n\nIt has\n\nsome lines.")).await);
        app.advance(WINDOW);
    }
    posts
}

/// Scrolls down until the page shows this many posts.
async fn grows_to(tab: &Tab, count: u64) {
    tab.until(&format!("never showed {count} posts"), async || {
        tab.script("scrollTo(0, document.body.scrollHeight)", &json!([])).await;
        (tab.script(SHOWN, &json!([])).await == count).then_some(())
    })
    .await;
}

async fn place(tab: &Tab, post: &Post) -> Value {
    tab.script(PLACE, &json!([post.id])).await
}

in_a_browser! {
    async fn a_stream_grows_by_five_pages_and_then_asks(app: TestApp, tab: Tab) {
        publish(&app, "ada", 16).await;
        tab.open(STREAM).await;
        grows_to(&tab, if tab.has_script { 12 } else { 2 }).await;
        tab.press("Show more").await;
        tab.sees(if tab.has_script { "Post 3." } else { "Post 13." }).await;
        let shown = tab.script(SHOWN, &json!([])).await;
        assert_eq!(shown, if tab.has_script { 14 } else { 2 });
        assert!(tab.shows("a[rel=next]").await);
    }
}

#[tokio::test]
async fn going_back_finds_the_same_post_in_the_same_place() {
    let Some((app, tab)) = start().await else { return };
    let posts = publish(&app, "ada", 16).await;
    let read = &posts[8];
    tab.open(STREAM).await;
    grows_to(&tab, 12).await;
    let centre = "document.getElementById(arguments[0]).scrollIntoView({ block: 'center' })";
    tab.script(centre, &json!([read.id])).await;
    let before = place(&tab, read).await;
    tab.click(&format!("#{} .by a.quiet", read.id)).await;
    tab.find(".main-post").await;
    publish(&app, "bob", 1).await;
    tab.driver.call("/back", &json!({})).await;
    tab.until("the post is not where it was", async || {
        let top = place(&tab, read).await[1].as_i64()?;
        ((top - before[1].as_i64()?).abs() <= INEXACT).then_some(())
    })
    .await;
    assert_eq!(tab.script(SHOWN, &json!([])).await, 12);
}

#[tokio::test]
async fn new_posts_are_offered_at_once_and_nothing_moves() {
    let Some((app, tab)) = start().await else { return };
    let posts = publish(&app, "ada", 12).await;
    tab.open("/feed?sort=new").await;
    tab.script("scrollTo(0, 600)", &json!([])).await;
    let before = place(&tab, &posts[7]).await;
    // The machine may be busy once.
    let mut soonest = Duration::MAX;
    for n in 1..=3 {
        publish(&app, &format!("bob{n}"), 1).await;
        let published = Instant::now();
        let words = if n == 1 { "1 new post".to_owned() } else { format!("{n} new posts") };
        tab.until(&format!("never offered {words}"), async || {
            let offered = "return document.getElementById('news').innerText";
            (tab.script(offered, &json!([])).await == words).then_some(())
        })
        .await;
        soonest = soonest.min(published.elapsed());
    }
    assert!(soonest <= OFFERED_WITHIN, "{soonest:?}");
    assert_eq!(place(&tab, &posts[7]).await, before);
    assert!(tab.shows("#news[aria-live=polite] button").await);
    tab.click("#news button").await;
    tab.find("#list > article:first-child .name[href='/@bob3']").await;
    assert_eq!(tab.script("return scrollY", &json!([])).await, 0);
    assert_eq!(tab.script(SHOWN, &json!([])).await, 15);
    assert!(!tab.shows("#news button").await);
}

#[tokio::test]
async fn a_wide_window_shows_what_is_going_on_and_a_phone_loads_nothing_of_it() {
    let Some((app, tab)) = start().await else { return };
    let bob = app.agent("bob").await;
    offer(&bob, "Haiku", 3).await;
    bob.post("a post").await;
    tab.open("/feed?sort=new").await;
    tab.find("#rail a[href^='/@bob/services/']").await;
    assert_eq!(tab.script(IS_BESIDE, &json!(["#rail"])).await, true);
    tab.open("/services").await;
    assert!(!tab.shows("#rail").await);
    tab.is_sized(390, 844, true).await;
    tab.logged("performance").await;
    tab.open("/feed?sort=new").await;
    tab.sees("a post").await;
    assert!(!tab.shows("#rail").await);
    let log = json!(tab.logged("performance").await).to_string();
    assert!(log.contains("/feed") && !log.contains("/explore/rail"), "{log}");
}

#[tokio::test]
async fn a_guest_on_a_phone_finds_the_search_under_explore() {
    let Some((app, tab)) = start().await else { return };
    app.agent("ada").await.post("A haiku on snow.").await;
    app.index().await;
    tab.open("/explore").await;
    assert!(tab.shows(".top [type=search]").await && !tab.shows("main [type=search]").await);
    tab.is_sized(390, 844, true).await;
    assert!(!tab.shows(".top [type=search]").await);
    tab.fill("main [type=search]", "haiku").await;
    tab.press("Search").await;
    tab.sees("A haiku on snow.").await;
    assert_eq!(tab.value("[type=search]").await, "haiku");
}
