//! The services a bot offers (spec §2.6).

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::services::{CreateService, DeleteService, ListServices, UpdateService};
use svc_client::types::{Code, Credits};

use crate::app::{Member, TestApp, code, fault};
use crate::market::{object, offer};
use crate::on_both_engines;
use crate::raw::{answer, member};

const PATH: &str = "/v1/bots/me/services";

/// The code and the member of a refusal to offer a service with one member changed.
async fn refused(app: &TestApp, bot: &Member, name: &str, value: Value) -> (Code, Option<String>) {
    let mut members = json!({ "name": "count", "description": "counts", "priceCredits": 5 });
    members[name] = value;
    let received = answer(bot.raw(app, Method::POST, PATH).json(&members)).await.refusal();
    (received.code, received.field.map(|field| member(&field).to_owned()))
}

/// Parts within parts.
fn nested(depth: usize) -> Value {
    (0..depth).fold(json!({ "type": "string" }), |inner, _| json!({ "items": inner }))
}

on_both_engines! {
    async fn a_price_is_the_number_that_was_written(app: TestApp) {
        let bot = app.agent("wordbot").await;
        for price in ["1e-400", "1.00000000000000000001", "1e-7", "0.1000000000000000055511151231257827", "4.99999999999999999999"] {
            let body = format!(r#"{{"name":"count","description":"counts","priceCredits":{price}}}"#);
            let request = bot.raw(&app, Method::POST, PATH).header("content-type", "application/json");
            let refusal = answer(request.body(body)).await.refusal();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationFailed, Some("priceCredits")), "{price}");
        }
        for (price, credits) in [("25e-1", 2.5), ("0.000001", 0.000_001), ("1e1", 10.0), ("2.50", 2.5)] {
            let body = format!(r#"{{"name":"{price}","description":"counts","priceCredits":{price}}}"#);
            let request = bot.raw(&app, Method::POST, PATH).header("content-type", "application/json");
            let made = answer(request.body(body)).await.json();
            assert_eq!(made["service"]["priceCredits"].as_f64(), Some(credits), "{price}");
        }
    }

    async fn a_service_needs_a_name_that_can_be_seen(app: TestApp) {
        let bot = app.agent("bot").await;
        let id = offer(&bot, "work", 1).await;
        let expected = (Code::ValidationFailed, "name".to_owned());
        for name in ["   ", "\u{200b}\u{2060}", "\u{2800}"] {
            let made = bot.client.services().create(name, "does it", 1).await;
            assert_eq!(fault::<CreateService>(made), expected);
            let changed = bot.client.services().update(&id).name(name).await;
            assert_eq!(fault::<UpdateService>(changed), expected);
        }
        bot.client.services().create("\u{200b}seen", "does it", 1).await.unwrap();
    }

    async fn a_service_is_returned_as_it_was_offered(app: TestApp) {
        let bot = app.agent("bot").await;
        let offered = answer(bot.raw(&app, Method::POST, PATH).json(&json!({
            "name": "Count words",
            "description": "Counts the words of a text.",
            "priceCredits": 2.5,
            "inputSchema": { "type": "object", "required": ["text"] },
            "outputSchema": { "type": "object" },
            "tags": ["text", "Text", "text"],
        }))).await;
        assert_eq!(offered.status, 201);
        let service = offered.json()["service"].clone();
        assert!(service["id"].as_str().unwrap().starts_with("srv_"));
        assert_eq!(service, json!({
            "id": service["id"],
            "name": "Count words",
            "description": "Counts the words of a text.",
            "priceCredits": 2.5,
            "inputSchema": { "type": "object", "required": ["text"] },
            "outputSchema": { "type": "object" },
            "tags": ["text", "Text"],
            "rating": 0.0,
            "ratingsCount": 0,
            "active": true,
            "acceptance": "implicit",
            "category": "other",
            "languages": [],
            "samples": [],
            "ordersDone": 0,
            "createdAt": "2026-01-31T09:30:00.000Z",
            "updatedAt": "2026-01-31T09:30:00.000Z",
        }));
        let listed = answer(bot.raw(&app, Method::GET, PATH)).await.json();
        assert_eq!(listed, json!({ "services": [service] }));
    }

    async fn an_update_leaves_other_fields_unchanged(app: TestApp) {
        let bot = app.agent("bot").await;
        let schema = object(json!({ "type": "object" }));
        let offering = bot.client.services().create("count", "counts", 5).input_schema(schema);
        let before = offering.tags(vec!["text".into()]).await.unwrap().service;
        app.advance(60);
        let change = || bot.client.services().update(&before.id);
        let changed = change().price(Credits::from_micros(1)).await.unwrap().service;
        assert_eq!(changed.price_credits.micros(), 1);
        assert_eq!((&changed.name, &changed.tags, &changed.input_schema), (&before.name, &before.tags, &before.input_schema));
        assert!(changed.updated_at > before.updated_at && changed.created_at == before.created_at);
        let changed = change().input_schema(object(json!({}))).tags(vec![]).active(false).await.unwrap().service;
        assert_eq!((changed.input_schema, changed.tags, changed.active), (None, vec![], false));
        let changed = change().name("count words").description("counts words").await.unwrap().service;
        assert_eq!((&*changed.name, &*changed.description), ("count words", "counts words"));
        assert_eq!(bot.client.services().list().await.unwrap().services, [changed]);
    }

    async fn a_withdrawn_service_is_removed_and_its_name_is_available(app: TestApp) {
        let bot = app.agent("bot").await;
        let id = offer(&bot, "count", 5).await;
        bot.client.services().delete(&id).await.unwrap();
        assert_eq!(bot.client.services().list().await.unwrap().services, []);
        assert_eq!(bot.client.bots().capabilities("bot").await.unwrap().capabilities, []);
        assert_eq!(code::<DeleteService>(bot.client.services().delete(&id).await), Code::NotFound);
        assert_eq!(code::<UpdateService>(bot.client.services().update(&id).active(true).await), Code::NotFound);
        offer(&bot, "Count", 5).await;
    }

    async fn names_are_unique_ignoring_case(app: TestApp) {
        let [bot, other] = app.agents(["bot", "other"]).await;
        offer(&bot, "Größe", 5).await;
        let second = offer(&bot, "count", 5).await;
        let expected = (Code::AlreadyExists, "name".to_owned());
        let again = bot.client.services().create("GRÖßE", "x", 1).await;
        assert_eq!(fault::<CreateService>(again), expected);
        let renamed = bot.client.services().update(&second).name("gröSSe").await.unwrap().service;
        assert_eq!(renamed.name, "gröSSe", "another letter is another name");
        let taken = bot.client.services().update(&second).name("größe").await;
        assert_eq!(fault::<UpdateService>(taken), expected);
        bot.client.services().update(&second).name("GRÖSSE").await.unwrap();
        offer(&bot, "caf\u{e9}", 5).await;
        let twice = bot.client.services().create("Cafe\u{301}", "x", 1).await;
        assert_eq!(fault::<CreateService>(twice), expected, "an accent has two forms");
        let theirs = offer(&other, "Größe", 5).await;
        other.client.services().update(&theirs).name("GRÖSSE").await.unwrap();
    }

    async fn a_bot_offers_at_most_a_hundred_services(app: TestApp, "database.connections" = "4") {
        let bot = app.agent("bot").await;
        let offers = (0..99).map(|number| {
            let creating = bot.client.services().create(format!("work {number}"), "works", 1);
            tokio::spawn(creating.into_future())
        });
        for offered in offers.collect::<Vec<_>>() {
            offered.await.unwrap().unwrap();
        }
        let last = bot.client.services().create("last", "x", 1).active(false).await.unwrap().service.id;
        let refused = bot.client.services().create("one more", "x", 1).await;
        assert_eq!(code::<CreateService>(refused), Code::LimitReached);
        bot.client.services().delete(&last).await.unwrap();
        offer(&bot, "one more", 1).await;
        assert_eq!(bot.client.services().list().await.unwrap().services.len(), 100);
        let found = bot.client.bots().discover("work").await.unwrap().bots;
        assert_eq!(found[0].services.len(), 10, "a list of bots shows the best ones");
        let all = app.anonymous.bots().capabilities("bot").await.unwrap().capabilities;
        assert_eq!(all.len(), 100);
    }

    async fn only_agents_offer_services(app: TestApp) {
        let ada = app.person("ada", "correct horse").await;
        let refused = ada.client.services().create("count", "counts", 5).await;
        assert_eq!(code::<CreateService>(refused), Code::NotAnAgent);
        assert_eq!(code::<ListServices>(ada.client.services().list().await), Code::NotAnAgent);
        let none = ada.client.services().delete("srv_00000000000000000000000000").await;
        assert_eq!(code::<DeleteService>(none), Code::NotFound);
    }

    async fn services_of_other_bots_are_not_found(app: TestApp) {
        let [bot, other] = app.agents(["bot", "other"]).await;
        let id = offer(&bot, "count", 5).await;
        app.grant_role("other", "admin").await;
        assert_eq!(code::<UpdateService>(other.client.services().update(&id).active(false).await), Code::NotFound);
        assert_eq!(code::<DeleteService>(other.client.services().delete(&id).await), Code::NotFound);
        assert_eq!(bot.client.services().list().await.unwrap().services.len(), 1);
    }

    async fn the_fields_of_a_service_are_bounded(app: TestApp) {
        let bot = app.agent("bot").await;
        for (name, value) in [
            ("name", json!("")), ("name", json!("x".repeat(101))),
            ("description", json!("")), ("description", json!("x".repeat(2001))),
            ("priceCredits", json!(-1)), ("priceCredits", json!("5")), ("priceCredits", json!(1e21)),
            ("tags", json!(vec!["x"; 11])),
        ] {
            let reported = refused(&app, &bot, name, value.clone()).await;
            assert_eq!(reported, (Code::ValidationFailed, Some(name.to_owned())), "{value}");
        }
        for tag in [String::new(), "x".repeat(33), " ".to_owned(), "\u{200b}".to_owned()] {
            assert_eq!(refused(&app, &bot, "tags", json!([tag])).await.0, Code::ValidationFailed);
        }
        for (name, value) in [
            ("name", json!(bot.key.expose())),
            ("description", json!(format!("use {}", bot.key.expose()))),
        ] {
            assert_eq!(refused(&app, &bot, name, value).await, (Code::CredentialInContent, Some(name.to_owned())));
        }
        let free = bot.client.services().create("x".repeat(100), "x".repeat(2000), 0).await.unwrap();
        assert!(free.service.price_credits.is_zero());
    }

    async fn a_schema_is_bounded_and_self_contained(app: TestApp) {
        let bot = app.agent("bot").await;
        let id = offer(&bot, "count", 5).await;
        let large = json!({ "description": "x".repeat(16 * 1024) });
        let cycle = json!({ "$defs": { "a": { "items": { "$ref": "#/$defs/a" } } }, "$ref": "#/$defs/a" });
        let path = format!("{PATH}/{id}");
        for (name, schema) in [
            ("inputSchema", json!({ "$ref": "https://example.org/schema" })),
            ("inputSchema", json!({ "$ref": "file:///etc/passwd" })),
            ("inputSchema", json!({ "$ref": "#" })),
            ("inputSchema", json!({ "$dynamicRef": "#node" })),
            ("inputSchema", json!({ "type": "no such type" })),
            ("inputSchema", json!({ "properties": { "a": { "pattern": "(a" } } })),
            ("inputSchema", nested(40)),
            ("inputSchema", cycle.clone()),
            ("inputSchema", large.clone()),
            ("outputSchema", cycle),
            ("outputSchema", large),
            ("outputSchema", json!({ "$ref": "other.json" })),
            ("outputSchema", json!([])),
        ] {
            let expected = (Code::ValidationFailed, Some(name.to_owned()));
            assert_eq!(refused(&app, &bot, name, schema.clone()).await, expected, "{schema:.60}");
            let change = bot.raw(&app, Method::PATCH, &path).json(&json!({ name: schema }));
            let received = answer(change).await.refusal();
            let field = received.field.map(|field| member(&field).to_owned());
            assert_eq!((received.code, field), expected, "{schema:.60}");
        }
        let own = json!({ "$defs": { "text": { "type": "string" } }, "properties": { "a": { "$ref": "#/$defs/text" } } });
        for schema in [own, nested(10), json!({ "description": "x".repeat(16 * 1024 - 20) })] {
            let changing = bot.client.services().update(&id).input_schema(object(schema.clone()));
            assert_eq!(changing.await.unwrap().service.input_schema, Some(object(schema)));
        }
    }

    async fn concurrent_services_of_one_name_are_one(app: TestApp, "database.connections" = "4") {
        let bot = app.agent("bot").await;
        let creating = (0..8).map(|number| {
            let name = if number % 2 == 0 { "count" } else { "COUNT" };
            tokio::spawn(bot.client.services().create(name, "counts", 1).into_future())
        });
        let mut offered = 0;
        for created in creating.collect::<Vec<_>>() {
            match created.await.unwrap() {
                Ok(_) => offered += 1,
                refused => assert_eq!(code::<CreateService>(refused), Code::AlreadyExists),
            }
        }
        assert_eq!(offered, 1);
    }
}
