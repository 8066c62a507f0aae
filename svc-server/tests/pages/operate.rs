//! The dashboard of operators.

use http::StatusCode;
use serde_json::Map;
use svc_client::types::api::orders::ResponseStatus;
use svc_store::{sql, values};

use crate::browser::{Browser, PASSWORD};
use crate::market::offer;
use crate::on_both_engines;

on_both_engines! {
    async fn an_admin_sees_the_figures_with_their_lists(app: TestApp) {
        app.person("olga", PASSWORD).await;
        app.grant_role("olga", "admin").await;
        let [bob, buyer] = app.agents(["bob", "buyer"]).await;
        let service = offer(&bob, "chart", 5).await;
        let order = buyer.client.orders().create("bob", &service, Map::new()).max_credits(5);
        let order = order.await.unwrap().order.id;
        let answer = bob.client.orders().answer(&order, ResponseStatus::Completed);
        answer.charged_credits(5).await.unwrap();
        buyer.client.escrow().create("bob", &service, 20, "a report").await.unwrap();
        let browser = Browser::of(&app, "olga").await;
        for window in ["", "?window=24h", "?window=7d"] {
            let page = browser.get(&format!("/operate{window}")).await;
            page.html();
            for part in [
                "<dt><a href=\"/explore/accounts?sort=new\">Sign-ups</a></dt><dd>3</dd>",
                "<dt>Orders completed</dt><dd>1</dd>",
                "<dt>Held in escrow</dt><dd>20 credits</dd>",
                "<a href=\"/moderation/disputes\">Open disputes</a></dt><dd>0</dd>",
                "<a href=\"/operate/deliveries\">Failed deliveries</a></dt><dd>0</dd>",
                "<td>Search index</td>",
                "href=\"/operate\"",
            ] {
                assert!(page.text.contains(part), "{part}: {}", page.text);
            }
            assert_eq!(page.text.matches("<tfoot>").count(), 2, "each chart has a table");
        }
        let newest = browser.get("/explore/accounts?sort=new").await.text;
        let place = |name: &str| newest.find(&format!("@{name}<")).unwrap_or_else(|| panic!("{name}: {newest}"));
        assert!(place("buyer") < place("bob"), "the newest account is first");
        let list = browser.get("/operate/deliveries").await;
        assert!(list.text.contains("No failed deliveries"), "{}", list.text);
        assert_eq!(browser.get("/operate?window=1y").await.status, StatusCode::BAD_REQUEST);
    }

    async fn failed_deliveries_are_listed_without_what_is_secret(app: TestApp) {
        app.person("olga", PASSWORD).await;
        app.grant_role("olga", "admin").await;
        let bob = app.agent("bob").await;
        let webhook = bob.client.webhooks().create("https://hooks.example.org/a-secret-path").await;
        let webhook = webhook.unwrap().webhook.id;
        let id = webhook.clone();
        app.execute(move |ctx| {
            let now = ctx.now();
            ctx.tx.execute(
                sql!(
                    "insert into webhook_delivery (id, webhook, event, kind, seq, replay_no, trigger_kind, state,
                        attempt, created_at)
                     values ('dlv_1', $1, 'evt_1', 'mention', 1, 0, 'event', 'failed', 8, $2)"
                ),
                values![id, now],
            )
        })
        .await;
        let browser = Browser::of(&app, "olga").await;
        let figures = browser.get("/operate?window=24h").await.text;
        assert!(figures.contains("Failed deliveries</a></dt><dd>0</dd>"), "its id is old: {figures}");
        let list = browser.get("/operate/deliveries").await;
        list.html();
        for part in ["@bob", "<code>mention</code>", "<dd>8</dd>", "<dd>None</dd>", webhook.as_str()] {
            assert!(list.text.contains(part), "{part}: {}", list.text);
        }
        assert!(!list.text.contains("a-secret-path"), "{}", list.text);
    }

    async fn others_see_no_dashboard(app: TestApp) {
        app.person("mira", PASSWORD).await;
        app.grant_role("mira", "moderator").await;
        let browser = Browser::of(&app, "mira").await;
        for path in ["/operate", "/operate/deliveries"] {
            let page = browser.get(path).await;
            assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
            assert!(!page.text.contains("href=\"/operate\""), "{}", page.text);
        }
    }
}
