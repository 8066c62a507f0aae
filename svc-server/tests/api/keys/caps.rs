//! What a key may spend.

use http::Method;
use serde_json::{Value, json};
use svc_client::Client;
use svc_client::types::api::escrow::{CreateEscrow, FundEscrow};
use svc_client::types::api::keys::{KeySpend, UpdateApiKey};
use svc_client::types::api::messages::SendMessage;
use svc_client::types::api::tiers::BuyPass;
use svc_client::types::api::users::Tier;
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Code, Credits, Scope, ServiceMessage};
use svc_core::tasks::sweep;
use svc_store::sql;

use crate::app::code;
use crate::market::{self, Market};
use crate::on_both_engines;
use crate::raw::answer;

/// A client of ada's with a key that buys within these caps.
async fn capped(market: &Market, caps: Value) -> Client {
    let body =
        json!({ "name": "buyer", "scopes": ["read", "account", "exchange:spend"], "spend": caps });
    let request = market.ada.raw(&market.app, Method::POST, "/auth/keys").json(&body);
    let created = answer(request).await.json();
    market.app.client(created["apiKey"].as_str().unwrap())
}

/// The caps of that key and what counts towards them, as its owner sees it.
async fn spending(market: &Market) -> (Credits, Credits, Credits) {
    let keys = market.ada.client.keys().list().await.unwrap().keys;
    let spend = keys.into_iter().find_map(|key| key.spend).unwrap();
    let cap = |cap: Option<Credits>| cap.unwrap_or(0.into());
    (cap(spend.per_order), cap(spend.per_day), spend.spent_today)
}

on_both_engines! {
    async fn a_key_spends_within_its_caps(app: TestApp) {
        let market = Market::new(app).await;
        let buyer = capped(&market, json!({ "perOrder": 6, "perDay": 10 })).await;
        let order = |offered: u32| {
            let order = ServiceMessage::Request(market::order(&market.service, offered));
            buyer.messages().send("bob", order.content())
        };
        let beyond = order(7).await;
        assert_eq!(code::<SendMessage>(beyond), Code::SpendLimit);
        let first = order(6).await.unwrap().message.message_id;
        let refused = order(5).await.unwrap_err();
        assert_eq!((refused.code(), refused.hint()), (Some(&Code::SpendLimit), Some("4 are left")));
        assert_eq!(refused.message(), "this API key may spend at most 10 in 24 hours");
        let escrow = buyer.escrow().create("bob", &market.service, 5, "a report on rust").await;
        assert_eq!(code::<CreateEscrow>(escrow), Code::SpendLimit);
        order(4).await.unwrap();
        assert_eq!(code::<SendMessage>(order(1).await), Code::SpendLimit);
        assert_eq!(spending(&market).await, (6.into(), 10.into(), 10.into()));
        // What came back counts no longer: 4 of the 6 that were offered.
        let mut answer = market::response(&first, ResponseStatus::Completed);
        answer.charged_credits = Some(2.into());
        market.answer(answer).await;
        assert_eq!(spending(&market).await.2, 6.into());
        order(4).await.unwrap();
        assert_eq!(code::<SendMessage>(order(1).await), Code::SpendLimit);
        market.ada.client.messages().send("bob", ServiceMessage::Request(market.order(50)).content()).await.unwrap();
        market.app.advance(24 * 3_600 - 1);
        sweep::once(market.app.server.app()).await.unwrap();
        assert_eq!(code::<SendMessage>(order(1).await), Code::SpendLimit);
        market.app.advance(1);
        order(6).await.unwrap();
        market.is_consistent().await;
        sweep::once(market.app.server.app()).await.unwrap();
        assert_eq!(market.app.count(sql!("select count(*) from key_hold")).await, 1, "of the last order");
    }

    async fn what_one_key_spends_counts_towards_no_cap_of_another(app: TestApp) {
        let market = Market::new(app).await;
        for name in ["one", "other"] {
            let body = json!({ "name": name, "scopes": ["exchange:spend"], "spend": { "perDay": 10 } });
            let request = market.ada.raw(&market.app, Method::POST, "/auth/keys").json(&body);
            let buyer = market.app.client(answer(request).await.json()["apiKey"].as_str().unwrap());
            let order = |offered: u32| {
                let order = ServiceMessage::Request(market.order(offered));
                buyer.messages().send("bob", order.content())
            };
            order(10).await.unwrap();
            assert_eq!(code::<SendMessage>(order(1).await), Code::SpendLimit, "{name}");
        }
    }

    async fn a_pass_counts_like_an_order(
        app: TestApp,
        "billing.stripe.key_file" = "its own", "passes.boost" = "4", "passes.pro" = "7"
    ) {
        let market = Market::new(app).await;
        let buyer = capped(&market, json!({ "perOrder": 6, "perDay": 10 })).await;
        let pass = |tier: Tier| buyer.tiers().buy_pass(tier);
        assert_eq!(code::<BuyPass>(pass(Tier::Pro).await), Code::SpendLimit);
        pass(Tier::Boost).await.unwrap();
        pass(Tier::Boost).await.unwrap();
        let refused = pass(Tier::Boost).await.unwrap_err();
        assert_eq!((refused.code(), refused.hint()), (Some(&Code::SpendLimit), Some("2 are left")));
        assert_eq!(spending(&market).await.2, 8.into());
        market.ada.client.tiers().buy_pass(Tier::Pro).await.unwrap();
        market.app.advance(24 * 3_600);
        pass(Tier::Boost).await.unwrap();
        market.is_consistent().await;
    }

    async fn an_escrow_counts_when_it_is_funded_and_until_it_is_paid_back(app: TestApp) {
        let market = Market::new(app).await;
        let buyer = capped(&market, json!({ "perDay": 60 })).await;
        let opening = |amount: u32| buyer.escrow().create("bob", &market.service, amount, "a report");
        let escrow = opening(60).await.unwrap().escrow;
        assert_eq!(code::<CreateEscrow>(opening(1).await), Code::SpendLimit);
        buyer.escrow().cancel(&escrow.id).await.unwrap();
        assert_eq!(spending(&market).await.2, 0.into());
        let unpaid = opening(200).await.unwrap().escrow;
        market.app.grant_credits("ada", 500).await;
        assert_eq!(code::<FundEscrow>(buyer.escrow().fund(&unpaid.id).await), Code::SpendLimit);
        market.ada.client.escrow().fund(&unpaid.id).await.unwrap();
        opening(60).await.unwrap();
        market.is_consistent().await;
    }

    async fn of_concurrent_orders_no_more_pass_than_the_cap_allows(
        app: TestApp, "database.connections" = "4"
    ) {
        let market = Market::new(app).await;
        let buyer = capped(&market, json!({ "perDay": 5 })).await;
        let order = || {
            let order = ServiceMessage::Request(market::order(&market.service, 2));
            buyer.messages().send("bob", order.content())
        };
        let sent = futures_util::future::join_all((0..8).map(|_| order().into_future())).await;
        assert_eq!(sent.iter().filter(|sent| sent.is_ok()).count(), 2);
        assert_eq!(spending(&market).await.2, 4.into());
    }

    async fn caps_are_changed_and_removed_by_keys_without_caps(app: TestApp) {
        let market = Market::new(app).await;
        let buyer = capped(&market, json!({ "perOrder": 1 })).await;
        let id = buyer.keys().current().await.unwrap().key.key_id;
        let own = buyer.keys().update(&*id).spend(KeySpend::default()).await;
        assert_eq!(code::<UpdateApiKey>(own), Code::InsufficientScope);
        let other = market.ada.client.keys().create("other", [Scope::Read]).await.unwrap();
        let other = market.app.client(other.api_key);
        let update = |spend: KeySpend| market.ada.client.keys().update(&*id).spend(spend);
        let changed = update(KeySpend { per_order: None, per_day: Some(3.into()) }).await.unwrap().key;
        let spend = changed.spend.unwrap();
        assert_eq!((spend.per_order, spend.per_day), (None, Some(3.into())));
        let other = other.keys().current().await.unwrap().key;
        assert_eq!(other.spend, None, "another key is as it was");
        assert_eq!(update(KeySpend::default()).await.unwrap().key.spend, None);
        let default = market.ada.client.keys().current().await.unwrap().key.key_id;
        let capped = market.ada.client.keys().update(&*default);
        let refused = capped.spend(KeySpend { per_order: Some(1.into()), per_day: None }).await;
        assert_eq!(code::<UpdateApiKey>(refused), Code::WrongState);
    }
}
