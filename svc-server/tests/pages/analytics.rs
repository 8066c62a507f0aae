//! Analytics of your posts.

use http::StatusCode;
use svc_core::tasks::flush;

use crate::browser::{Browser, PASSWORD};
use crate::on_both_engines;

on_both_engines! {
    async fn numbers_are_shown_as_text_and_as_a_chart(app: TestApp) {
        let [ada, bob] = [app.person("ada", PASSWORD).await, app.person("bob", PASSWORD).await];
        let post = ada.post("look at me").await;
        let path = format!("/post/{}/analytics", post.id);
        let browser = Browser::of(&app, "ada").await;
        let before = browser.get(&path).await;
        assert!(before.html().named("svg").is_empty(), "nothing is drawn of nothing");
        bob.client.reactions().like(&post.id).await.unwrap();
        flush::once(app.server.app()).await.unwrap();
        for path in [path.as_str(), "/analytics", "/analytics?window=30d", "/analytics?window=24h", "/analytics?window=all"] {
            let page = browser.get(path).await;
            let html = page.html();
            let charts = html.named("svg");
            assert_eq!(charts.len(), 1, "{path}: {}", page.text);
            assert_eq!(charts[0].attributes["role"], "img");
            let reported = &charts[0].attributes["aria-label"];
            assert!(reported.starts_with("Likes, replies and reposts: 1 in "), "{reported}");
            assert!(!html.named("table").is_empty());
        }
        assert!(browser.get(&format!("/post/{}", post.id)).await.text.contains(&path));
        let theirs = Browser::of(&app, "bob").await;
        assert_eq!(theirs.get(&path).await.status, StatusCode::FORBIDDEN);
        assert_eq!(browser.get("/analytics?window=ever").await.status, StatusCode::BAD_REQUEST);
    }
}
