//! The seller console.

use http::StatusCode;
use serde_json::{Map, Value, json};
use svc_client::types::api::orders::ResponseStatus;
use svc_client::types::api::services::Acceptance;
use svc_server::testing::until;

use crate::app::{Member, TestApp};
use crate::browser::{Browser, PASSWORD};
use crate::market::offer;
use crate::on_both_engines;
use crate::webhooks::receiver;

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

    async fn failed_orders_are_distinguished_from_completed_ones(app: TestApp) {
        let (_, bob) = sold(&app).await;
        let service = bob.client.services().list().await.unwrap().services.remove(0).id;
        for name in ["dan", "eli"] {
            let buyer = app.agent(name).await;
            let order = buyer.client.orders().create("bob", &service, Map::new()).max_credits(60);
            let answer = bob.client.orders().answer(order.await.unwrap().order.id, ResponseStatus::Error);
            answer.error("broken").await.unwrap();
        }
        let page = Browser::of(&app, "ada").await.get("/sell?agent=bob").await;
        for part in [
            "<dt>Earned</dt><dd>60 credits</dd>", "<dt>Orders completed</dt><dd>1</dd>",
            "<dt>Orders failed</dt><dd>2</dd>", "<dd>1 completed, 2 failed",
            "<td class=\"number\">1</td><td class=\"number\">2</td></tr></tfoot>",
        ] {
            assert!(page.text.contains(part), "{part}: {}", page.text);
        }
        assert!(page.text.contains("href=\"/sell/bob/sales.csv?window=30d\""), "{}", page.text);
    }

    async fn the_file_has_the_numbers_of_the_charts(app: TestApp) {
        sold(&app).await;
        let browser = Browser::of(&app, "ada").await;
        let file = browser.get("/sell/bob/sales.csv?window=7d").await;
        assert_eq!(file.headers["content-type"], "text/csv; charset=utf-8");
        assert_eq!(file.headers["content-disposition"], "attachment; filename=\"sales-bob-7d.csv\"");
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
        let action = format!("/sell/bob/services/{service}/active");
        for active in [false, true] {
            let form = browser.get("/sell?agent=bob").await.form(&action);
            assert_eq!(browser.send(&form).await.to(), "/sell?agent=bob");
            let services = bob.client.services().list().await.unwrap().services;
            assert_eq!(services[0].active, active);
        }
    }

    async fn an_owner_is_led_through_the_first_steps_with_an_agent(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let link = bob.client.agents().create_claim_link().await.unwrap().url;
        ada.client.agents().claim(link).await.unwrap();
        let browser = Browser::of(&app, "ada").await;
        let page = async || browser.get("/settings/agents/bob").await.text;
        let done = async || page().await.matches("<span class=\"state good\">Done</span>").count();
        let text = page().await;
        for link in ["/docs/api/users#updateMe", "/sell/bob/services", "/docs/api/webhooks#createWebhook"] {
            assert!(text.contains(&format!("href=\"{link}\"")), "{link}: {text}");
        }
        assert_eq!(done().await, 0, "{text}");
        bob.client.users().update_me().bio("Counts words.").await.unwrap();
        assert_eq!(done().await, 1);
        let service = offer(&bob, "count", 5).await;
        assert_eq!(done().await, 2);
        assert!(page().await.contains(&format!("href=\"/@bob/services/{service}\"")));
        bob.client.webhooks().create(receiver().await.as_str()).await.unwrap();
        ada.client.orders().create("bob", &service, Map::new()).max_credits(5).await.unwrap();
        until("all four steps are done", async || done().await >= 4).await;
    }

    async fn a_person_without_an_agent_learns_how_to_sell(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let page = Browser::of(&app, "ada").await.get("/sell").await;
        assert!(page.text.contains("You don&#39;t own an agent yet"), "{}", page.text);
    }

    async fn an_owner_offers_a_service_described_by_fields(app: TestApp) {
        let (_, bob) = sold(&app).await;
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get("/sell/bob/services").await.form("/sell/bob/services");
        let form = form
            .with("name", "Haiku").with("description", "Writes a haiku.").with("priceCredits", "2.5")
            .with("category", "writing").with("tagList", "poetry, short").with("languageList", "en")
            .with("input.1.name", "topic").with("input.1.kind", "line").with("input.1.required", "true")
            .with("input.2.name", "mood").with("input.2.kind", "choice")
            .with("input.2.choices", "calm, merry");
        assert_eq!(browser.send(&form).await.to(), "/sell?agent=bob");
        let made = bob.client.services().list().await.unwrap().services.pop().unwrap();
        assert_eq!((made.name.as_str(), made.price_credits.to_string().as_str()), ("Haiku", "2.5"));
        assert_eq!((made.tags, made.active), (vec!["poetry".to_owned(), "short".to_owned()], true));
        let expected = json!({
            "type": "object", "required": ["topic"],
            "properties": {
                "topic": { "type": "string", "maxLength": 120 },
                "mood": { "type": "string", "enum": ["calm", "merry"] },
            },
        });
        assert_eq!(made.input_schema.map(Value::Object), Some(expected));
    }

    async fn the_editor_changes_what_is_offered_and_keeps_the_rest(app: TestApp) {
        let (_, bob) = sold(&app).await;
        let schema = json!({ "type": "object", "properties": { "n": { "type": "integer", "minimum": 1 } } });
        let made = bob.client.services().create("dice", "Rolls dice.", 1);
        let made = made.input_schema(schema.as_object().unwrap().clone());
        let made = made.acceptance(Acceptance::Explicit).active(false).await.unwrap().service;
        let browser = Browser::of(&app, "ada").await;
        let path = format!("/sell/bob/services/{}", made.id);
        let form = browser.get(&path).await.form(&path);
        // Rows can't describe a minimum, so that the schema stays as it is.
        assert_eq!(form.value("inputBy"), "schema");
        let form = form.with("priceCredits", "3").with("sample.0.input", "{\"n\": 2}")
            .with("sample.0.output", "{\"sum\": 7}");
        browser.send(&form).await.to();
        let services = bob.client.services().list().await.unwrap().services;
        let changed = services.into_iter().find(|one| one.id == made.id).unwrap();
        assert_eq!(changed.price_credits.to_string(), "3");
        assert_eq!((changed.name, changed.description), (made.name, made.description));
        assert_eq!((changed.acceptance, changed.active), (Acceptance::Explicit, false), "it stays paused");
        assert_eq!((changed.input_schema, changed.samples.len()), (made.input_schema, 1));

        let form = browser.get(&format!("{path}/withdraw")).await.form(&format!("{path}/withdraw"));
        assert_eq!(browser.send(&form).await.to(), "/sell?agent=bob");
        assert_eq!(bob.client.services().list().await.unwrap().services.len(), 1);
    }

    async fn an_old_editor_changes_only_what_its_person_changed(app: TestApp) {
        let (_, bob) = sold(&app).await;
        let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } } });
        let made = bob.client.services().create("dice", "Rolls\ndice.", 1);
        let made = made.input_schema(schema.as_object().unwrap().clone());
        let made = made.tags(["games".into()]).await.unwrap().service;
        let browser = Browser::of(&app, "ada").await;
        let path = format!("/sell/bob/services/{}", made.id);
        let old = browser.get(&path).await.form(&path);
        let new = browser.get(&path).await.form(&path).with("priceCredits", "3").with("input.1.name", "sides")
            .with("tagList", "games, luck").with("sample.0.input", "{\"sides\": 2}").with("sample.0.output", "{}");
        browser.send(&new).await.to();
        let wrong = browser.send(&old.with("description", "Throws dice.").with("name", "")).await;
        assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
        browser.send(&wrong.form(&path).with("name", "Dice")).await.to();
        let services = bob.client.services().list().await.unwrap().services;
        let changed = services.into_iter().find(|one| one.id == made.id).unwrap();
        assert_eq!((changed.name.as_str(), changed.description.as_str()), ("Dice", "Throws dice."));
        assert_eq!((changed.price_credits.to_string().as_str(), changed.tags.len()), ("3", 2));
        assert!(changed.input_schema.unwrap()["properties"].get("sides").is_some());
        assert_eq!((changed.samples.len(), changed.active), (1, true));
    }

    async fn a_preview_shows_what_buyers_will_see_and_saves_nothing(app: TestApp) {
        let (_, bob) = sold(&app).await;
        let browser = Browser::of(&app, "ada").await;
        let mut form = browser.get("/sell/bob/services").await.form("/sell/bob/services")
            .with("name", "Haiku").with("description", "See <b>this</b>.").with("priceCredits", "2")
            .with("input.1.name", "topic").with("input.1.help", "what it is about")
            .with("tagList", "verse, short, verse");
        form.action.push_str("/check");
        let page = browser.send(&form).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        page.html();
        let (_, shown) = page.text.split_once("What buyers see").unwrap();
        for part in ["Haiku", "2 credits", "See &lt;b&gt;this&lt;/b&gt;.", "what it is about", "Order for 2 credits"] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        assert_eq!(shown.matches("<bdi>verse</bdi>").count(), 1, "{shown}");
        let again = page.form("/sell/bob/services");
        assert_eq!((again.value("name"), again.value("input.1.name")), ("Haiku", "topic"));
        assert_eq!(again.value("input.2.name"), "", "there is room for another field");
        let other = browser.send(&form.with("name", "Tanka")).await;
        assert_eq!(other.status, StatusCode::OK, "the same form may ask again: {}", other.text);
        assert_eq!(bob.client.services().list().await.unwrap().services.len(), 1);
    }

    async fn what_is_wrong_is_said_at_its_field_and_kept(app: TestApp) {
        sold(&app).await;
        let browser = Browser::of(&app, "ada").await;
        let mut form = browser.get("/sell/bob/services").await.form("/sell/bob/services")
            .with("name", "Haiku").with("description", "Writes.").with("priceCredits", "2")
            .with("inputBy", "schema");
        form.action.push_str("/check");
        for (name, text, place) in [
            ("name", "CHART", "name"),
            ("priceCredits", "much", "priceCredits"),
            ("inputSchema", "{\"type\": \"object\",}", "inputSchema"),
            ("inputSchema", "{\"type\": 7}", "inputSchema"),
            ("inputSchema", "[]", "inputSchema"),
            ("sample.0.input", "{\"a\": 1}", "samples.0.output"),
            ("output.1.kind", "choice", "output.1.choices"),
        ] {
            let form = form.clone().with("output.1.name", "kind").with(name, text);
            let page = browser.send(&form).await;
            assert!(page.status.is_client_error(), "{name} {text}: {}", page.text);
            page.html();
            let wrong = format!("id=\"wrong-{place}\"");
            assert!(page.text.contains(&wrong), "{name} {text}: {}", page.text);
            assert!(page.text.contains(&format!("href=\"#field-{place}\"")), "{name} {text}");
            assert_eq!(page.form("/sell/bob/services").value(name), text);
        }
    }

    async fn services_of_other_agents_are_out_of_reach(app: TestApp) {
        sold(&app).await;
        let [eve] = app.agents(["eve"]).await;
        let service = offer(&eve, "chart", 60).await;
        let browser = Browser::of(&app, "ada").await;
        for path in [
            "/sell/eve/services".to_owned(),
            format!("/sell/eve/services/{service}"),
            format!("/sell/bob/services/{service}"),
            format!("/sell/bob/services/{service}/withdraw"),
        ] {
            assert_eq!(browser.get(&path).await.status, StatusCode::NOT_FOUND, "{path}");
        }
        let fields = [("name", "x"), ("description", "x"), ("priceCredits", "1")];
        let refused = browser.post("/sell/eve/services", &fields).await;
        assert_eq!(refused.status, StatusCode::NOT_FOUND);
        assert_eq!(eve.client.services().list().await.unwrap().services.len(), 1);
    }
}
