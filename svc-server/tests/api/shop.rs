//! Credits that are bought: what buyers and strangers see of it over HTTP.

use http::StatusCode;
use serde_json::{Value, json};
use svc_client::types::api::billing::{
    CreateCheckout, GetBilling, GetPayment, PaymentStatus, RefundPayment,
};
use svc_client::types::api::credits::TransferKind;
use svc_client::types::{Code, Scope};
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items, code};
use crate::on_both_engines;
use crate::purchase::{begin, buy};
use crate::raw::answer;

const PASSWORD: &str = "correct horse";

/// A checkout as a program sends it, with an Idempotency-Key.
async fn checkout(app: &TestApp, buyer: &Member, credits: f64, key: &str) -> (StatusCode, Value) {
    let request = buyer.raw(app, http::Method::POST, "/v1/billing/checkout");
    let request = request.header("idempotency-key", key).json(&json!({ "credits": credits }));
    let received = answer(request).await;
    (received.status, serde_json::from_str(&received.text).unwrap())
}

async fn payments(app: &TestApp) -> i64 {
    app.count(sql!("select count(*) from payment")).await
}

/// An agent that a person owns.
async fn owned_agent(app: &TestApp, owner: &Member) -> Member {
    let agent = app.agent("bot").await;
    let link = agent.client.agents().create_claim_link().await.unwrap().url;
    owner.client.agents().claim(link).await.unwrap();
    agent
}

on_both_engines! {
    async fn where_nothing_is_sold_everything_but_old_payments_is_unconfigured(app: TestApp) {
        let ada = app.agent("ada").await;
        let billing = ada.client.billing();
        assert_eq!(code::<GetBilling>(billing.get().await), Code::FeatureNotConfigured);
        assert_eq!(code::<CreateCheckout>(billing.checkout(500).await), Code::FeatureNotConfigured);
        assert_eq!(code::<RefundPayment>(billing.refund("pay_1").await), Code::FeatureNotConfigured);
        assert!(all_items(billing.payments()).await.is_empty());
        assert_eq!(code::<GetPayment>(billing.payment("pay_1").await), Code::NotFound);
    }

    async fn buyers_see_the_price_and_what_they_may_still_buy(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret",
        "credits.price" = "0.02"
    ) {
        let ada = app.agent("ada").await;
        let offer = ada.client.billing().get().await.unwrap().billing;
        assert_eq!((offer.currency.as_str(), offer.decimals, offer.price.as_str()), ("usd", 2, "0.02"));
        assert_eq!((offer.min, offer.max), (500.into(), 100_000.into()));
        assert_eq!((offer.left, offer.refund_seconds), (5_000, 14 * 86_400));
        begin(&app, &ada, 500).await.unwrap();
        assert_eq!(ada.client.billing().get().await.unwrap().billing.left, 4_000);
        app.advance(86_400);
        assert_eq!(ada.client.billing().get().await.unwrap().billing.left, 5_000);
    }

    async fn a_purchase_that_breaks_a_rule_begins_nothing(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret",
        "billing.stripe.api_url" = "http://127.0.0.1:9"
    ) {
        let ada = app.agent("ada").await;
        let billing = ada.client.billing();
        for credits in [499, 100_001] {
            let refused = billing.checkout(credits).await;
            assert_eq!(code::<CreateCheckout>(refused), Code::ValidationFailed);
        }
        let (_, refused) = checkout(&app, &ada, 500.5, "half").await;
        assert_eq!((&refused["code"], &refused["hint"]), (&json!("amount_not_exact"), &json!("501")));
        assert_eq!(code::<CreateCheckout>(billing.checkout(5_001).await), Code::LimitReached);
        let seller = ada.client.keys().create("seller", [Scope::ExchangeSell, Scope::Read]).await.unwrap();
        let refused = app.client(seller.api_key).billing().checkout(500).await;
        assert_eq!(code::<CreateCheckout>(refused), Code::InsufficientScope);
        assert_eq!(payments(&app).await, 0);
    }

    async fn a_purchase_outlives_a_provider_that_is_down(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret",
        "billing.stripe.api_url" = "http://127.0.0.1:9"
    ) {
        let ada = app.agent("ada").await;
        for _ in 0..3 {
            let (status, refused) = checkout(&app, &ada, 500.0, "a").await;
            assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{refused}");
            assert_eq!(refused["code"], "provider_unavailable");
            assert!(refused["hint"].as_str().unwrap().contains("same Idempotency-Key"), "{refused}");
        }
        assert_eq!(payments(&app).await, 1, "the key names one payment");
        let other = checkout(&app, &ada, 600.0, "a").await.1;
        assert_eq!(other["code"], "idempotency_conflict");
        let listed = all_items(ada.client.billing().payments()).await;
        assert_eq!((listed.len(), &listed[0].status), (1, &PaymentStatus::Creating));
        // The provider has refused to make the page: another attempt with this key is in vain.
        app.execute(|ctx| ctx.tx.execute(sql!("update payment set status = 'expired'"), values![])).await;
        let ended = checkout(&app, &ada, 500.0, "a").await.1;
        assert!(ended["hint"].as_str().unwrap().contains("another Idempotency-Key"), "{ended}");
    }

    async fn payments_are_shown_to_their_buyer_and_the_owner_of_the_buyer_alone(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let bot = owned_agent(&app, &ada).await;
        let eve = app.agent("eve").await;
        let bought = [buy(&app, &bot, 500).await, buy(&app, &ada, 600).await, buy(&app, &bot, 700).await];
        let seen = async |who: &Member| {
            let seen = all_items(who.client.billing().payments().limit(2)).await;
            seen.into_iter().map(|payment| (payment.username, payment.payment_id)).collect::<Vec<_>>()
        };
        let [first, second, third] = bought.clone();
        let of = |name: &str, id| (name.to_owned(), id);
        assert_eq!(seen(&ada).await, [of("bot", third.clone()), of("ada", second), of("bot", first.clone())]);
        assert_eq!(seen(&bot).await, [of("bot", third), of("bot", first)]);
        assert_eq!(seen(&eve).await, []);
        let shown = ada.client.billing().payment(&bought[0]).await.unwrap().payment;
        assert_eq!((&shown.account, shown.status), (&bot.user.id, PaymentStatus::Paid));
        assert_eq!((shown.credits, shown.amount), (500.into(), 500));
        assert_eq!(shown.refundable_credits, 500.into());
        assert_eq!(code::<GetPayment>(bot.client.billing().payment(&bought[1]).await), Code::NotFound);
        for id in &bought {
            assert_eq!(code::<GetPayment>(eve.client.billing().payment(id).await), Code::NotFound);
            assert_eq!(code::<RefundPayment>(eve.client.billing().refund(id).await), Code::NotFound);
        }
    }

    async fn what_is_unspent_can_be_given_back_by_buyer_and_owner_after_a_step_up(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let bot = owned_agent(&app, &ada).await;
        let bought = buy(&app, &bot, 500).await;
        let refused = bot.client.billing().refund(&bought).credits(501).await.unwrap_err();
        assert_eq!((refused.code(), refused.hint()), (Some(&Code::NotRefundable), Some("500")));
        let asked = bot.client.billing().refund(&bought).credits(100).await.unwrap().payment;
        assert_eq!((asked.refunded_credits, asked.refundable_credits), (100.into(), 400.into()));
        app.advance(601);
        let refused = ada.client.billing().refund(&bought).await;
        assert_eq!(code::<RefundPayment>(refused), Code::StepUpRequired);
        ada.client.auth().step_up().password(PASSWORD).await.unwrap();
        let asked = ada.client.billing().refund(&bought).await.unwrap().payment;
        assert_eq!((asked.refunded_credits, asked.refundable_credits), (500.into(), 0.into()));
        let again = ada.client.billing().refund(&bought).await;
        assert_eq!(code::<RefundPayment>(again), Code::NotRefundable);
        let reader = bot.client.keys().create("reader", [Scope::Read]).await.unwrap();
        let refused = app.client(reader.api_key).billing().refund(&bought).await;
        assert_eq!(code::<RefundPayment>(refused), Code::InsufficientScope);
    }

    async fn transactions_name_the_payment_of_a_purchase_and_of_its_refund(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.agent("ada").await;
        let bought = buy(&app, &ada, 500).await;
        ada.client.billing().refund(&bought).await.unwrap();
        let moved = all_items(ada.client.credits().transactions()).await;
        let moved: Vec<_> = moved.into_iter().map(|one| (one.kind, one.payment_id)).collect();
        assert_eq!(moved, [
            (TransferKind::Refund, Some(bought.clone())),
            (TransferKind::Purchase, Some(bought)),
            (TransferKind::Grant, None),
        ]);
    }
}
