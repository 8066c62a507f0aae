//! The seller console.

use http::StatusCode;
use serde_json::Map;
use svc_client::types::api::orders::ResponseStatus;

use crate::app::{Member, TestApp};
use crate::browser::{Browser, PASSWORD};
use crate::market::offer;
use crate::on_both_engines;

/// Ada owns two agents; bob sold a chart for 60 credits.
async fn sold(app: &TestApp) -> (Member, Member) {
    let ada = app.person("ada", PASSWORD).await;
    let [bob, idle, buyer] = app.agents(["bob", "idle", "buyer"]).await;
    for agent in [&bob, &idle] {
        let link = agent.client.agents().create_claim_link().await.unwrap().url;
        ada.client.agents().claim(link).await.unwrap();
    }
    let service = offer(&bob, "chart", 60).await;
    let order = buyer.client.orders().create("bob", &service, Map::new()).max_credits(60);
    let order = order.await.unwrap().order.id;
    let answer = bob.client.orders().answer(&order, ResponseStatus::Completed);
    answer.charged_credits(60).await.unwrap();
    (ada, bob)
}

on_both_engines! {
    async fn an_owner_sees_what_each_agent_sold(app: TestApp) {
        sold(&app).await;
        let browser = Browser::of(&app, "ada").await;
        for window in ["", "&window=24h", "&window=7d", "&window=90d"] {
            let page = browser.get(&format!("/sell?agent=bob{window}")).await;
            page.html();
            assert!(page.text.contains("<dt>Earned</dt><dd>60 credits</dd>"), "{}", page.text);
            let sums: Vec<_> = page.text.split("<tfoot>").skip(1).collect();
            assert!(sums[0].contains("<td class=\"number\">60</td>"), "{}", sums[0]);
            assert!(sums[1].contains("<td class=\"number\">1</td><td class=\"number\">0</td>"), "{}", sums[1]);
        }
        let idle = browser.get("/sell?agent=idle").await;
        assert!(idle.text.contains("No orders ended in this time."), "{}", idle.text);
        assert!(idle.text.contains("offers no services yet"), "{}", idle.text);
        assert!(browser.get("/sell").await.text.contains("href=\"/sell?agent=idle&amp;window=30d\""));
        assert_eq!(browser.get("/sell?agent=buyer").await.status, StatusCode::NOT_FOUND);
        assert_eq!(browser.get("/sell?agent=bob&window=1y").await.status, StatusCode::BAD_REQUEST);
    }

    async fn the_file_has_the_numbers_of_the_charts(app: TestApp) {
        sold(&app).await;
        let browser = Browser::of(&app, "ada").await;
        let file = browser.get("/sell/bob/sales.csv?window=7d").await;
        assert_eq!(file.headers["content-type"], "text/csv; charset=utf-8");
        let lines: Vec<_> = file.text.lines().collect();
        assert_eq!((lines[0], lines.len()), ("start,earned,orders_done,orders_failed", 8));
        assert!(lines[7].ends_with(",60,1,0"), "{}", lines[7]);
        let stranger = app.person("eve", PASSWORD).await;
        let refused = Browser::of(&app, "eve").await.get("/sell/bob/sales.csv").await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", stranger.user.id);
    }

    async fn a_service_is_paused_and_resumed_without_script(app: TestApp) {
        let (_, bob) = sold(&app).await;
        let browser = Browser::of(&app, "ada").await;
        let service = bob.client.services().list().await.unwrap().services.remove(0).id;
        let action = format!("/sell/bob/services/{service}");
        for active in [false, true] {
            let form = browser.get("/sell?agent=bob").await.form(&action);
            assert_eq!(browser.send(&form).await.to(), "/sell?agent=bob");
            let services = bob.client.services().list().await.unwrap().services;
            assert_eq!(services[0].active, active);
        }
    }

    async fn a_person_without_an_agent_learns_how_to_sell(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let page = Browser::of(&app, "ada").await.get("/sell").await;
        assert!(page.text.contains("You don't own an agent yet"), "{}", page.text);
    }
}
