//! Consent to spend.

use serde_json::{Value, json};
use svc_server::testing::Engine;

use super::{Host, agreed, failure, sellers, wanted};
use crate::app::TestApp;
use crate::market::{has, is_consistent, offer};
use crate::on_both_engines;
use crate::owners::pair;

/// The sealing key of nodes that answer each other's questions.
const SEALING_KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

fn message(question: &Value) -> &str {
    question["inputRequests"]["consent"]["params"]["message"].as_str().unwrap()
}

/// The outcome of an order that the person agreed to.
async fn agree(host: &Host<'_>, arguments: &Value, question: &Value) -> Value {
    let result = host.answer("order", arguments.clone(), question, agreed()).await;
    result["structuredContent"].clone()
}

on_both_engines! {
    async fn an_order_by_api_key_is_placed_once_the_person_agrees(app: TestApp) {
        let (ada, _) = sellers(&app).await;
        let host = app.host_of(&ada.member);
        let question = host.question("order", wanted("work")).await;
        assert_eq!(message(&question), "Pay 5 credits to @bob for \"work\"?");
        let form = &question["inputRequests"]["consent"];
        assert_eq!(form["method"], "elicitation/create");
        assert_eq!(form["params"]["requestedSchema"]["required"], json!(["agree"]));
        assert_eq!(has(&ada.member).await, "300+0", "a question spends nothing");
        let placed = agree(&host, &wanted("work"), &question).await;
        assert_eq!((&placed["status"], has(&ada.member).await.as_str()), (&"open".into(), "295+5"));
        let again = agree(&host, &wanted("work"), &question).await;
        assert_eq!(again["orderId"], placed["orderId"], "a consent is for one order");
        assert_eq!(has(&ada.member).await, "295+5");
        is_consistent(&app).await;
    }

    async fn a_question_is_one_line_in_one_direction(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        let service = bob.client.services().list().await.unwrap().services.remove(0).id;
        let deal = json!({
            "providerUsername": "bob", "serviceId": service, "amount": 5,
            "description": "a\u{202e}b\u{2028}c\u{200b}d\"?\n",
        });
        let question = app.host_of(&ada.member).question("escrow_open", deal).await;
        assert_eq!(message(&question), "Pay 5 credits to @bob for \"abcd?\"?");
    }

    async fn the_consent_to_an_order_that_was_declined_places_no_other(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        let host = app.host_of(&ada.member);
        let question = host.question("order", wanted("report")).await;
        let placed = agree(&host, &wanted("report"), &question).await;
        let declined = json!({ "orderId": placed["orderId"], "status": "rejected", "reason": "busy" });
        app.host_of(&bob).done("order_answer", declined).await;
        let again = host.answer("order", wanted("report"), &question, agreed()).await;
        assert_eq!(failure(&again)["code"], "rejected");
        assert_eq!(has(&ada.member).await, "300+0");
        is_consistent(&app).await;
    }

    async fn without_a_clear_yes_nothing_is_spent(app: TestApp) {
        let (ada, _) = sellers(&app).await;
        let host = app.host_of(&ada.member);
        let question = host.question("order", wanted("work")).await;
        for said in [
            json!({ "action": "decline" }), json!({ "action": "cancel" }), json!({ "action": "accept" }),
            json!({ "action": "accept", "content": { "agree": false } }),
            json!({ "action": "accept", "content": { "agree": "true" } }), json!(true),
        ] {
            let refused = host.answer("order", wanted("work"), &question, said).await;
            assert_eq!(failure(&refused)["code"], "spend_declined");
        }
        let silent = json!({ "name": "order", "arguments": wanted("work"), "requestState": question["requestState"] });
        assert_eq!(host.ask("tools/call", silent).await["resultType"], "input_required");
        assert_eq!(has(&ada.member).await, "300+0");
    }

    async fn a_consent_is_bound_to_account_arguments_and_server(app: TestApp) {
        let (ada, _) = sellers(&app).await;
        let eve = app.agent("eve").await;
        let host = app.host_of(&ada.member);
        let question = host.question("order", wanted("work")).await;
        let mut larger = wanted("work");
        larger["input"] = json!({ "more": true });
        let mut forged = question.clone();
        let state = question["requestState"].as_str().unwrap();
        let (rest, last) = state.split_at(state.len() - 1);
        forged["requestState"] = format!("{rest}{}", if last == "A" { "Q" } else { "A" }).into();
        let mut empty = question.clone();
        empty["requestState"] = "".into();
        for (host, arguments, question) in [
            (&host, larger, &question),
            (&host, wanted("report"), &question),
            (&app.host_of(&eve), wanted("work"), &question),
            (&host, wanted("work"), &forged),
            (&host, wanted("work"), &empty),
        ] {
            let refused = failure(&host.answer("order", arguments, question, agreed()).await);
            assert_eq!(refused["code"], "spend_consent_required", "{refused:#}");
        }
        let open = json!({ "providerUsername": "bob", "serviceId": "srv_1", "amount": 5, "description": "x" });
        let refused = failure(&host.answer("escrow_open", open, &question, agreed()).await);
        assert_eq!(refused["code"], "spend_consent_required");
        assert_eq!(has(&ada.member).await, "300+0");
    }

    async fn a_consent_ends_after_five_minutes_or_when_the_price_changes(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        let host = app.host_of(&ada.member);
        let question = host.question("order", wanted("work")).await;
        app.advance(299);
        let services = bob.client.services().list().await.unwrap().services;
        bob.client.services().update(&services[0].id).price(7).await.unwrap();
        let dearer = host.answer("order", wanted("work"), &question, agreed()).await;
        assert_eq!(message(&dearer), "Pay 7 credits to @bob for \"work\"?");
        app.advance(300);
        let late = host.answer("order", wanted("work"), &dearer, agreed()).await;
        assert_eq!(late["resultType"], "input_required");
        app.advance(299);
        assert_eq!(agree(&host, &wanted("work"), &late).await["status"], "open");
        assert_eq!(has(&ada.member).await, "293+7");
    }

    async fn a_host_that_cannot_ask_learns_where_the_person_can(app: TestApp) {
        let (ada, _) = sellers(&app).await;
        let refused = app.host_of(&ada.member).mute().refused("order", wanted("work")).await;
        assert_eq!(refused["code"], "spend_consent_required");
        let settings = format!("{}/settings/security", app.root());
        let hint = refused["hint"].as_str().unwrap();
        assert!(hint.contains("by OAuth") && hint.ends_with(&format!("{settings} what may spend")), "{hint}");
        let mut book = wanted("book");
        book["maxCredits"] = 200.into();
        let dear = app.host_of(&ada.member).mute().refused("order", book).await;
        let hint = dear["hint"].as_str().unwrap();
        assert!(hint.contains("above 100 credits") && !hint.contains("OAuth"), "{hint}");
        let urls = Host { capabilities: json!({ "elicitation": { "url": {} } }), ..app.host_of(&ada.member) };
        assert_eq!(urls.refused("order", wanted("work")).await["code"], "spend_consent_required");
        let forms = Host { capabilities: json!({ "elicitation": {} }), ..app.host_of(&ada.member) };
        forms.question("order", wanted("work")).await;
        assert_eq!(has(&ada.member).await, "300+0");
    }

    async fn within_its_caps_a_program_orders_without_asking(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        offer(&bob, "gift", 0).await;
        let token = app.mcp_token(&ada, "read exchange:spend", ["150", "170"]).await;
        let host = app.host(token).mute();
        assert_eq!(host.done("order", wanted("work")).await["status"], "open");
        assert_eq!(host.done("order", wanted("report")).await["status"], "open");
        let mut book = wanted("book");
        assert_eq!(host.refused("order", book.clone()).await["code"], "price_above_max");
        book["maxCredits"] = 200.into();
        let refused = host.refused("order", book.clone()).await;
        assert_eq!(refused["code"], "spend_consent_required", "more than 100 credits");
        let asking = app.host(&*host.credential);
        let question = asking.question("order", book.clone()).await;
        assert_eq!(host.done("order", wanted("work")).await["status"], "open");
        let over = failure(&asking.answer("order", book.clone(), &question, agreed()).await);
        assert_eq!(over["code"], "spend_limit", "no consent is above the caps");
        assert_eq!(over["hint"], "100 are left");
        assert_eq!(asking.refused("order", book).await["code"], "spend_limit", "nobody is asked");
        assert_eq!(host.done("order", wanted("gift")).await["status"], "open");
        assert_eq!(has(&ada.member).await, "230+70");
        is_consistent(&app).await;
    }

    async fn an_agent_that_may_not_spend_asks_nobody(app: TestApp) {
        let (_, bob) = sellers(&app).await;
        let [ann, bot] = pair(&app).await;
        app.grant_credits("bot", 200).await;
        let host = app.host_of(&bot);
        let service = bob.client.services().list().await.unwrap().services.remove(0).id;
        let deal = json!({
            "providerUsername": "bob", "serviceId": service, "amount": 5, "description": "a report",
        });
        let asked = [("order", wanted("work")), ("escrow_open", deal)];
        for (tool, given) in &asked {
            host.question(tool, given.clone()).await;
        }
        ann.client.agents().set_caps("bot").per_order(4).await.unwrap();
        for (tool, given) in &asked {
            assert_eq!(host.refused(tool, given.clone()).await["code"], "spend_limit", "{tool}");
        }
        ann.client.agents().set_caps("bot").per_order(5).per_day(5).await.unwrap();
        ann.client.agents().pause("bot").await.unwrap();
        for (tool, given) in &asked {
            assert_eq!(host.refused(tool, given.clone()).await["code"], "account_paused", "{tool}");
        }
        ann.client.agents().resume("bot").await.unwrap();
        for (tool, given) in &asked {
            host.question(tool, given.clone()).await;
        }
    }

    async fn what_is_free_or_only_asked_for_needs_no_consent(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        offer(&bob, "gift", 0).await;
        let host = app.host_of(&ada.member).mute();
        assert_eq!(host.done("order", wanted("gift")).await["status"], "open");
        let mut dry = wanted("report");
        dry["dryRun"] = true.into();
        let quote = host.done("order", dry).await;
        assert_eq!(quote, json!({ "wouldPay": 60, "available": 300, "escrow": true }));
    }
}

#[tokio::test]
async fn another_node_takes_the_answer() {
    let Some(database) = Engine::Postgres.database() else { return };
    let settings = [("exchange.sealing_keys", SEALING_KEY)];
    let one = TestApp::on(Engine::Postgres, &database, &settings).await;
    let two = TestApp::on(Engine::Postgres, &database, &settings).await;
    let (ada, _) = sellers(&one).await;
    let question = one.host_of(&ada.member).question("order", wanted("work")).await;
    let placed = agree(&two.host_of(&ada.member), &wanted("work"), &question).await;
    assert_eq!(placed["status"], "open");
    let again = agree(&one.host_of(&ada.member), &wanted("work"), &question).await;
    assert_eq!(again["orderId"], placed["orderId"]);
    assert_eq!(has(&ada.member).await, "295+5");
}
