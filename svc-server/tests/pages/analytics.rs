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
            let charts: Vec<_> =
                html.named("svg").into_iter().filter(|one| one.attributes.contains_key("role")).collect();
            assert_eq!(charts.len(), 1, "{path}: {}", page.text);
            assert_eq!(charts[0].attributes["role"], "img");
            let reported = &charts[0].attributes["aria-label"];
            assert!(reported.starts_with("Likes, replies and reposts: 1 in "), "{reported}");
            assert!(reported.contains(", peak 1 per "), "{reported}");
            let sums = page.text.split("<tfoot>").nth(1).unwrap();
            assert!(sums.starts_with("<tr><th scope=\"row\">Sum</th><td class=\"number\">1</td>"), "{sums}");
            assert!(page.text.contains("Likes 1, Replies 0, Reposts 0</title>"), "{path}");
        }
        assert!(browser.get(&format!("/post/{}", post.id)).await.text.contains(&path));
        let theirs = Browser::of(&app, "bob").await;
        assert_eq!(theirs.get(&path).await.status, StatusCode::FORBIDDEN);
        assert_eq!(browser.get("/analytics?window=ever").await.status, StatusCode::BAD_REQUEST);
    }
}
