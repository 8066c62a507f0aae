//! Escrows by tool: opened, delivered, disputed, released.

use serde_json::{Value, json};
use svc_client::types::api::credits::TransferKind;
use svc_core::services::ledger::{self, Cause, Holder};
use svc_server::testing::Engine;
use svc_store::sql;

use super::{agreed, failure, sellers, wanted};
use crate::app::{Member, TestApp};
use crate::held::{Held, behind};
use crate::market::{has, is_consistent, order};
use crate::on_both_engines;

/// An escrow of bob's service.
async fn deal(bob: &Member, amount: u32) -> Value {
    let services = bob.client.services().list().await.unwrap().services;
    json!({
        "providerUsername": "bob", "serviceId": services[0].id, "amount": amount,
        "description": "a \n\"report\"",
    })
}

/// Gives back what an order held. Until that is committed, nobody can look for overdue orders.
async fn giving_back(app: &TestApp, buyer: &Member, order: String, micros: i64) -> Held {
    let buyer = buyer.user.id.clone();
    Held::by(app, move |ctx| {
        ctx.tx.execute(sql!("lock table service_request in access exclusive mode"), &[])?;
        let (kind, reference) = (TransferKind::Settle, order.as_str());
        let cause = Cause { kind, reference, reason: None, actor: None };
        let moves = [(Holder::Hold(reference), -micros), (Holder::User(&buyer), micros)];
        ledger::post(ctx, &cause, &moves).map(|_| 1)
    })
    .await
}

on_both_engines! {
    async fn a_deal_is_opened_delivered_and_disputed(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        let (buyer, seller) = (app.host_of(&ada.member), app.host_of(&bob));
        let deal = deal(&bob, 40).await;
        let question = buyer.question("escrow_open", deal.clone()).await;
        let asked = &question["inputRequests"]["consent"]["params"]["message"];
        assert_eq!(asked, "Pay 40 credits to @bob for \"a report\"?");
        let mut wordy = deal.clone();
        wordy["description"] = "x".repeat(4000).into();
        let other = failure(&buyer.answer("escrow_open", wordy.clone(), &question, agreed()).await);
        assert_eq!(other["code"], "spend_consent_required", "it was for another deal");
        let wordy = buyer.question("escrow_open", wordy).await;
        let asked = &wordy["inputRequests"]["consent"]["params"]["message"];
        assert_eq!(*asked, format!("Pay 40 credits to @bob for \"{}\"?", "x".repeat(100)));
        let opened = buyer.answer("escrow_open", deal.clone(), &question, agreed()).await;
        let escrow = opened["structuredContent"]["untrusted"]["escrow"]["id"].clone();
        let again = buyer.answer("escrow_open", deal, &question, agreed()).await;
        assert_eq!(again["structuredContent"]["untrusted"]["escrow"]["id"], escrow);
        assert_eq!(has(&ada.member).await, "260+40", "a consent opens one escrow");
        let work = json!({ "type": "json", "data": "half" });
        seller.done("escrow_deliver", json!({ "escrowId": escrow, "deliverable": work })).await;
        let dispute = json!({ "escrowId": escrow, "reason": "half is missing", "evidence": [1] });
        buyer.done("escrow_dispute", dispute).await;
        let respond = json!({ "escrowId": escrow, "response": "it is all there" });
        seller.done("escrow_respond", respond).await;
        let shown = buyer.seen("escrow_show", json!({ "escrowId": escrow })).await;
        assert_eq!(shown["escrow"]["status"], "disputed");
        let list = buyer.seen("escrow_list", json!({ "status": "disputed" })).await;
        assert_eq!(list["escrows"][0]["id"], escrow);
        is_consistent(&app).await;
    }

    async fn what_cannot_be_opened_or_paid_is_refused_before_the_person_is_asked(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        let host = app.host_of(&ada.member);
        let deal = deal(&bob, 40).await;
        let with = |member: &str, value: Value| {
            let mut deal = deal.clone();
            deal[member] = value;
            deal
        };
        for (deal, code) in [
            (with("providerUsername", "nobody".into()), "not_found"),
            (with("providerUsername", "ada".into()), "self_escrow"),
            (with("serviceId", "srv_1".into()), "service_not_found"),
            (with("amount", 301.into()), "insufficient_credits"),
        ] {
            let refused = host.refused("escrow_open", deal).await;
            assert_eq!(refused["code"], code, "{refused:#}");
        }
        host.question("escrow_open", with("amount", 300.into())).await;
        let token = app.mcp_token(&ada, "read exchange:spend", ["300", "300"]).await;
        ada.member.client.escrow().create("bob", deal["serviceId"].as_str().unwrap(), 270, "a book").await.unwrap();
        let refused = app.host(token).refused("escrow_open", deal.clone()).await;
        assert_eq!(refused["code"], "insufficient_credits");
        let opened = ada.member.client.escrow().list().await.unwrap().escrows;
        assert_eq!(opened.len(), 1, "none is left that no tool could fund");
        assert_eq!(has(&ada.member).await, "30+270");
        app.suspend("ada").await;
        let refused = host.refused("escrow_open", with("amount", 10.into())).await;
        assert_eq!(refused["code"], "account_suspended");
    }

    async fn only_the_delivery_that_was_shown_is_released_and_after_consent(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        let host = app.host_of(&ada.member);
        let services = bob.client.services().list().await.unwrap().services;
        let opened = ada.member.client.escrow().create("bob", &services[0].id, 40, "a report");
        let escrow = opened.await.unwrap().escrow.id;
        bob.client.escrow().deliver(&escrow, crate::market::work()).await.unwrap();
        let checksum = format!("sha256:{}", "0f".repeat(32));
        let release = |checksum: Option<&str>| {
            let mut given = json!({ "escrowId": escrow, "deliverableVersion": 1 });
            if let Some(checksum) = checksum {
                given["checksum"] = checksum.into();
            }
            given
        };
        let refused = host.refused("escrow_release", json!({ "escrowId": escrow })).await;
        assert_eq!(refused["code"], "validation_failed");
        assert_eq!(host.refused("escrow_release", release(None)).await["code"], "validation_failed");
        let other = format!("sha256:{}", "00".repeat(32));
        assert_eq!(host.refused("escrow_release", release(Some(&other))).await["code"], "checksum_mismatch");
        let mute = host.mute().refused("escrow_release", release(Some(&checksum))).await;
        assert_eq!(mute["code"], "spend_consent_required");
        let question = host.question("escrow_release", release(Some(&checksum))).await;
        let other = ada.member.client.escrow().create("bob", &services[0].id, 40, "a poem");
        let other = other.await.unwrap().escrow.id;
        bob.client.escrow().deliver(&other, crate::market::work()).await.unwrap();
        let poem = json!({ "escrowId": other, "deliverableVersion": 1, "checksum": checksum });
        let foreign = host.answer("escrow_release", poem, &question, agreed()).await;
        assert_eq!(failure(&foreign)["code"], "spend_consent_required", "the consent is for the report");
        bob.client.escrow().refund(&other).await.unwrap();
        bob.client.escrow().deliver(&escrow, crate::market::work()).await.unwrap();
        let stale = host.answer("escrow_release", release(Some(&checksum)), &question, agreed()).await;
        assert_eq!(failure(&stale)["code"], "version_mismatch");
        let mut latest = release(Some(&checksum));
        latest["deliverableVersion"] = 2.into();
        let question = host.question("escrow_release", latest.clone()).await;
        let released = host.answer("escrow_release", latest, &question, agreed()).await;
        assert_eq!(released["structuredContent"]["untrusted"]["transfer"]["to"], "bob");
        assert_eq!((has(&ada.member).await, has(&bob).await), ("260+0".into(), "140+0".into()));
    }

    async fn nobody_is_asked_to_agree_to_a_release_that_would_be_refused(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        let (buyer, seller) = (app.host_of(&ada.member), app.host_of(&bob));
        let services = bob.client.services().list().await.unwrap().services;
        let opened = ada.member.client.escrow().create("bob", &services[0].id, 40, "a report");
        let escrow = opened.await.unwrap().escrow.id;
        let release = |version: u32| json!({ "escrowId": escrow, "deliverableVersion": version });
        assert_eq!(buyer.refused("escrow_release", release(1)).await["code"], "wrong_state");
        let work = json!({ "type": "json", "data": "all" });
        seller.done("escrow_deliver", json!({ "escrowId": escrow, "deliverable": work })).await;
        assert_eq!(seller.refused("escrow_release", release(1)).await["code"], "forbidden");
        assert_eq!(buyer.refused("escrow_release", release(2)).await["code"], "version_mismatch");
        buyer.question("escrow_release", release(1)).await;
        assert_eq!(has(&ada.member).await, "260+40");
    }

    async fn the_question_names_who_is_paid_by_username(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        let host = app.host_of(&ada.member);
        let id = bob.user.id.as_str();
        let mut order = wanted("work");
        order["service"] = format!("{id}/work").into();
        let mut deal = deal(&bob, 40).await;
        deal["providerUsername"] = id.into();
        for (tool, given, asked) in [
            ("order", order.clone(), "Pay 5 credits to @bob for \"work\"?"),
            ("escrow_open", deal, "Pay 40 credits to @bob for \"a report\"?"),
        ] {
            let question = host.question(tool, given).await;
            assert_eq!(question["inputRequests"]["consent"]["params"]["message"], asked);
        }
        let question = host.question("order", order.clone()).await;
        let placed = host.answer("order", order, &question, agreed()).await;
        assert_eq!(placed["structuredContent"]["status"], "open", "{placed:#}");
    }

    async fn the_buyer_gives_time_and_the_seller_gives_the_credits_back(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        let (buyer, seller) = (app.host_of(&ada.member), app.host_of(&bob));
        let services = bob.client.services().list().await.unwrap().services;
        let opened = ada.member.client.escrow().create("bob", &services[0].id, 40, "a report");
        let escrow = opened.await.unwrap().escrow;
        let mut longer = json!({ "escrowId": escrow.id, "expiresIn": "14d" });
        let given = buyer.seen("escrow_respond", longer.clone()).await;
        assert_ne!(given["escrow"]["expiresAt"], json!(escrow.expires_at));
        longer["response"] = "take your time".into();
        for refused in [longer, json!({ "escrowId": escrow.id })] {
            assert_eq!(buyer.refused("escrow_respond", refused).await["code"], "validation_failed");
        }
        let work = json!({ "type": "json", "data": "half" });
        seller.done("escrow_deliver", json!({ "escrowId": escrow.id, "deliverable": work })).await;
        let dispute = json!({ "escrowId": escrow.id, "reason": "half is missing" });
        buyer.done("escrow_dispute", dispute).await;
        let agrees = json!({ "escrowId": escrow.id, "response": "you are right" });
        seller.done("escrow_respond", agrees).await;
        assert_eq!(seller.refused("escrow_cancel", json!({ "escrowId": escrow.id })).await["code"], "forbidden");
        let back = json!({ "escrowId": escrow.id, "refund": true });
        assert_eq!(buyer.refused("escrow_cancel", back.clone()).await["code"], "forbidden");
        let refunded = seller.seen("escrow_cancel", back).await;
        assert_eq!(refunded["escrow"]["status"], "refunded");
        assert_eq!(has(&ada.member).await, "300+0");
    }

    async fn what_an_expired_escrow_held_counts_towards_no_cap(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        let token = app.mcp_token(&ada, "read exchange:spend", ["100", "100"]).await;
        let host = app.host(token).mute();
        let mut wanted = deal(&bob, 80).await;
        wanted["expiresIn"] = "1m".into();
        host.seen("escrow_open", wanted.clone()).await;
        wanted["description"] = "another".into();
        assert_eq!(host.refused("escrow_open", wanted.clone()).await["code"], "spend_limit");
        app.advance(60);
        host.seen("escrow_open", wanted).await;
        assert_eq!(has(&ada.member).await, "220+80");
        is_consistent(&app).await;
    }

    async fn an_escrow_is_cancelled_before_the_delivery(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        let token = app.mcp_token(&ada, "read exchange:spend", ["300", "300"]).await;
        let host = app.host(token).mute();
        let opened = host.seen("escrow_open", deal(&bob, 40).await).await;
        let id = &opened["escrow"]["id"];
        let cancelled = host.seen("escrow_cancel", json!({ "escrowId": id })).await;
        assert_eq!(cancelled["escrow"]["status"], "cancelled");
        assert_eq!(has(&ada.member).await, "300+0");
        assert_eq!(host.refused("escrow_open", deal(&bob, 101).await).await["code"], "spend_consent_required");
        let opened = host.seen("escrow_open", deal(&bob, 100).await).await;
        assert_eq!(opened["escrow"]["status"], "funded", "up to the limit nobody is asked");
    }
}

/// On PostgreSQL, where each statement sees what is committed by then.
#[tokio::test]
async fn what_comes_back_while_a_deal_is_judged_can_be_spent() {
    let settings = [("database.connections", "4")];
    let Some(app) = TestApp::start_with(Engine::Postgres, &settings).await else { return };
    let (ada, bob) = sellers(&app).await;
    let token = app.mcp_token(&ada, "read exchange:spend", ["5", "5"]).await;
    let capped = app.host(token).mute();
    let five = deal(&bob, 5).await;
    let placed = capped.done("order", wanted("work")).await["orderId"].clone();
    assert_eq!(capped.refused("escrow_open", five.clone()).await["code"], "spend_limit");
    let back = giving_back(&app, &ada.member, placed.as_str().unwrap().to_owned(), 5_000_000).await;
    let opened = behind(&app, back, 1, capped.seen("escrow_open", five)).await;
    assert_eq!(opened["escrow"]["status"], "funded");
    let offered = bob.client.services().list().await.unwrap().services;
    let service = offered.into_iter().find(|service| service.name == "work").unwrap().id;
    let messages = ada.member.client.messages();
    let placing = messages.request_service("bob", order(&service, 295)).await.unwrap();
    let placed = placing.message.message_id.to_string();
    let (host, forty) = (app.host_of(&ada.member), deal(&bob, 40).await);
    assert_eq!(host.refused("escrow_open", forty.clone()).await["code"], "insufficient_credits");
    let back = giving_back(&app, &ada.member, placed, 295_000_000).await;
    behind(&app, back, 1, host.question("escrow_open", forty)).await;
}
