//! Events about money: who learns of payments, refunds, disputes, subscriptions and payouts.

use std::slice;

use http::Method;
use serde_json::{Value, json};
use svc_client::types::PaymentId;
use svc_client::types::api::notifications::NotificationType;
use svc_client::types::api::tiers::SubscriptionStatus;
use svc_server::billing;
use svc_server::testing::Engine;
use svc_store::sql;
use tokio::task::JoinHandle;

use super::{begin, buy, page, tell, work};
use crate::app::{Member, TestApp, all_items, database};
use crate::oauth::{DONE, text};
use crate::on_both_engines;
use crate::owners::own;
use crate::payout::requested;
use crate::raw::{Raw, answer};
use crate::stripe::{SELLING, another_node};
use crate::tiers::{PASSWORD, subscribed};

/// The events about money of an account: `payment paid`, oldest first.
pub(crate) async fn told(member: &Member) -> Vec<String> {
    let events = member.client.events().list().await.unwrap().events;
    let events = events.into_iter().filter(|event| event.event == "billing");
    let data = events.map(|event| Value::from(event.data));
    data.map(|data| format!("{} {}", data["object"], data["status"]).replace('"', "")).collect()
}

/// Texts of its notifications about money, oldest first.
async fn read(member: &Member) -> Vec<String> {
    let mut all = all_items(member.client.notifications().list()).await;
    all.retain(|one| one.r#type == NotificationType::Billing);
    all.reverse();
    all.into_iter().map(|one| one.text.unwrap()).collect()
}

/// Asks for a payment that is open, and returns once the request waits.
async fn waiting(app: &TestApp, by: &Member, id: &PaymentId) -> JoinHandle<Raw> {
    let path = format!("/v1/billing/payments/{id}?waitSeconds=60");
    crate::waits::waiting(app, by.raw(app, Method::GET, &path), 1).await
}

fn status(received: &Raw) -> String {
    received.json()["payment"]["status"].as_str().unwrap().to_owned()
}

on_both_engines! {
    async fn an_account_and_its_owner_hear_what_becomes_of_a_payment(app: TestApp, ..SELLING) {
        let [ann, eve] = [app.person("ann", PASSWORD).await, app.person("eve", PASSWORD).await];
        let bot = app.agent("bot").await;
        own(&ann, &bot).await;
        let (id, intent) = buy(&app, &bot, 500).await;
        ann.client.auth().step_up().password(PASSWORD).await.unwrap();
        ann.client.billing().refund(&id).credits(100).await.unwrap();
        work(&app).await;
        app.stripe().deliveries();
        let dispute = app.stripe().dispute(&intent);
        tell(&app, app.stripe().deliveries()).await;
        app.stripe().win(&dispute);
        tell(&app, app.stripe().deliveries()).await;
        let all = ["payment paid", "refund asked", "refund done", "dispute open", "dispute won"];
        assert_eq!(told(&bot).await, all);
        let but_her_own = [&["payment open"][..], &all[..1], &all[2..]].concat();
        assert_eq!(told(&ann).await, but_her_own, "she asked for the refund herself");
        assert_eq!(told(&eve).await, Vec::<String>::new());
        let news = [
            "@bot bought 500 credits", "@bot was refunded for 100 credits",
            "the bank of @bot disputes a payment",
            "the dispute of a payment of @bot ended: the payment stands",
        ];
        assert_eq!(read(&bot).await, news);
        let asked = ["@bot asks you to pay for 500 credits"];
        assert_eq!(read(&ann).await, [&asked[..], &news[..]].concat());
        let events = bot.client.events().list().await.unwrap().events;
        let data = events.into_iter().filter(|it| it.event == "billing").map(|it| Value::from(it.data));
        let expected = json!({
            "object": "payment", "id": id, "status": "paid", "account": bot.user.id, "username": "bot",
            "credits": 500,
        });
        assert_eq!(data.collect::<Vec<_>>()[0], expected);
    }

    async fn an_owner_is_asked_once_to_pay_for_what_its_agent_buys(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let [bot, free] = [app.agent("bot").await, app.agent("free").await];
        own(&ann, &bot).await;
        let (id, _) = page(&app, &bot, 500).await;
        page(&app, &free, 500).await;
        page(&app, &ann, 500).await;
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(told(&ann).await, ["payment open"], "she knows of her own");
        assert_eq!(read(&ann).await, ["@bot asks you to pay for 500 credits"]);
        assert!(ann.client.billing().payment(&id).await.unwrap().payment.url.is_some());
        for agent in [&bot, &free] {
            assert_eq!(told(agent).await, Vec::<String>::new());
        }
    }

    async fn a_page_that_nobody_pays_is_an_event_and_no_news(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let bot = app.agent("bot").await;
        page(&app, &bot, 500).await;
        app.advance(24 * 3_600);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!((told(&bot).await, read(&bot).await), (vec!["payment expired".to_owned()], vec![]));
    }

    async fn a_person_is_notified_of_a_subscription_and_of_payouts(
        app: TestApp, "billing.stripe.key_file" = "its own", "payouts.enabled" = "true",
        "payouts.rate" = "0.008"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let admin = app.agent("olga").await;
        app.grant_role("olga", "admin").await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        assert_eq!(told(&ann).await, ["subscription active"]);
        app.stripe().decline(&id, true);
        app.advance(31 * 86_400);
        tell(&app, app.stripe().deliveries()).await;
        let found = ann.client.tiers().get().await.unwrap().tier.subscription.unwrap();
        assert_eq!(found.status, SubscriptionStatus::PastDue);
        let payout = requested(&app, &ann).await;
        admin.client.payouts().deny(&payout, "not yet").await.unwrap();
        assert_eq!(told(&ann).await, ["subscription past_due", "payout denied"]);
        assert_eq!(read(&ann).await.last().unwrap(), "a payout of 100 credits to @ann was denied");
    }

    async fn a_request_waits_until_a_payment_is_decided(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let bot = app.agent("bot").await;
        let (id, session) = page(&app, &bot, 500).await;
        let asking = waiting(&app, &bot, &id).await;
        app.stripe().pay(&session);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(status(&asking.await.unwrap()), "paid");
        let at_once = bot.client.billing().payment(&id).wait_seconds(60).await.unwrap().payment;
        assert_eq!(at_once.status.as_str(), "paid", "nothing is left to wait for");
        let open = begin(&app, &bot, 500).await;
        let asking = waiting(&app, &bot, &open).await;
        app.advance(60);
        assert_eq!(status(&asking.await.unwrap()), "creating", "the time is over");
    }

    async fn a_wait_for_a_payment_may_be_longer_than_a_request(
        app: TestApp, "billing.stripe.key_file" = "its own", "limits.request_timeout" = "1s"
    ) {
        let bot = app.agent("bot").await;
        let (id, _) = page(&app, &bot, 500).await;
        let asking = waiting(&app, &bot, &id).await;
        // Real time, since that is what the limit of requests counts.
        let longer = std::time::Duration::from_millis(1_200);
        tokio::time::timeout(longer, asking).await.expect_err("it still waits");
    }

    async fn a_later_owner_of_an_agent_sees_no_receipt_of_an_earlier_one(app: TestApp, ..SELLING) {
        let [ann, eve] = [app.person("ann", PASSWORD).await, app.person("eve", PASSWORD).await];
        let bot = app.agent("bot").await;
        let receipts = async |member: &Member| {
            let listed = member.client.billing().payments().await.unwrap().payments.into_iter();
            let mut shown = Vec::new();
            for listed in listed {
                let one = member.client.billing().payment(&listed.payment_id).await.unwrap().payment;
                assert_eq!(one.receipt_url, listed.receipt_url);
                if one.receipt_url.is_some() {
                    shown.push(one.payment_id);
                }
            }
            shown
        };
        let (unowned, _) = buy(&app, &bot, 500).await;
        assert_eq!(receipts(&bot).await, slice::from_ref(&unowned));
        own(&ann, &bot).await;
        let (of_ann, _) = buy(&app, &bot, 500).await;
        for member in [&ann, &bot] {
            assert_eq!(receipts(member).await, slice::from_ref(&of_ann), "nobody knows who paid before");
        }
        let (_, late) = page(&app, &bot, 500).await;
        ann.client.auth().step_up().password(PASSWORD).await.unwrap();
        ann.client.agents().release("bot").await.unwrap();
        app.stripe().pay(&late);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(receipts(&bot).await, [unowned], "without an owner, it sees what it bought without one");
        own(&eve, &bot).await;
        for member in [&eve, &bot] {
            assert_eq!(receipts(member).await, Vec::<PaymentId>::new());
        }
        let seen = eve.client.billing().payment(&of_ann).await.unwrap().payment;
        assert_eq!((seen.status.as_str(), seen.username), ("paid", "bot".to_owned()));
        let (of_eve, _) = buy(&app, &bot, 500).await;
        assert_eq!(receipts(&eve).await, [of_eve]);
        let stored = sql!("select count(*) from payment where receipt_url <> ''");
        assert_eq!(app.count(stored).await, 2, "those of ann are not stored");
    }

    async fn a_program_without_the_scope_email_gets_no_link_to_a_receipt(app: TestApp, ..SELLING) {
        let ada = app.visitor("ada").await;
        let (id, _) = buy(&app, &ada.member, 500).await;
        let client = app.register_client(&[DONE]).await;
        for (scope, sees) in [("read", false), ("read email", true)] {
            let access = text(&app.tokens(&ada, &client, scope).await, "access_token");
            let got = async |path: &str| {
                answer(app.raw(Method::GET, path).bearer_auth(&access)).await.json()
            };
            let one = got(&format!("/v1/billing/payments/{id}")).await;
            assert_eq!(one["payment"].get("receiptUrl").is_some(), sees, "{one}");
            let all = got("/v1/billing/payments").await;
            assert_eq!(all["payments"][0].get("receiptUrl").is_some(), sees, "{all}");
        }
        let own = ada.member.client.billing().payment(&id).await.unwrap().payment;
        assert!(own.receipt_url.is_some());
    }
}

#[tokio::test]
async fn a_payment_that_another_node_saw_paid_ends_a_wait() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let settings = [("billing.stripe.key_file", "its own")];
    let app = TestApp::on(Engine::Postgres, &database, &settings).await;
    let other = another_node(&app, &database, &settings).await;
    let bot = app.agent("bot").await;
    let (id, session) = page(&app, &bot, 500).await;
    let asking = waiting(&app, &bot, &id).await;
    app.stripe().pay(&session);
    for delivery in app.stripe().deliveries() {
        super::send(&other, &delivery.body, &delivery.signature).await;
    }
    billing::once(other.app()).await.unwrap();
    svc_core::tasks::waits::once(app.server.app()).await.unwrap();
    assert_eq!(status(&asking.await.unwrap()), "paid");
    other.stop().await;
    drop(app);
    Engine::Postgres.remove(database);
}
