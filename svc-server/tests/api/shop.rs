//! Credits that are bought: what buyers and strangers see of it over HTTP.

use http::StatusCode;
use serde_json::{Value, json};
use svc_client::types::api::billing::{
    CreateCheckout, GetBilling, GetPayment, PaymentStatus, RefundPayment,
};
use svc_client::types::api::credits::TransferKind;
use svc_client::types::{Code, Credits, PaymentId, PositiveCredits, Scope};
use svc_core::app::Ctx;
use svc_core::identity::{Account, account_of_key};
use svc_core::services::billing::payment;
use svc_server::admin::Command;
use svc_store::error::Result;
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items, code};
use crate::held::{Held, behind};
use crate::on_both_engines;
use crate::owners::own;
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

/// For how many cents an account can buy now.
async fn left(who: &Member) -> i64 {
    who.client.billing().get().await.unwrap().billing.left
}

/// An agent that a person owns.
async fn owned_agent(app: &TestApp, owner: &Member) -> Member {
    let agent = app.agent("bot").await;
    let link = agent.client.agents().create_claim_link().await.unwrap().url;
    owner.client.agents().claim(link).await.unwrap();
    agent
}

/// The account of a buyer, as a request has it that was just authenticated.
async fn authenticated(app: &TestApp, buyer: &Member) -> Account {
    let key = buyer.key.expose().to_owned();
    app.server.app().read(move |ctx| account_of_key(ctx, &key)).await.unwrap()
}

/// Begins a purchase of an account that was authenticated some time ago.
async fn begin_late(app: &TestApp, buyer: &Account, credits: u32) -> Result<PaymentId> {
    let buyer = buyer.clone();
    let job = move |ctx: &mut Ctx<'_, '_>| {
        Ok(payment::begin(ctx, &buyer, Credits::from(credits), false)?.id)
    };
    app.server.app().write(job).await
}

on_both_engines! {
    async fn where_nothing_is_sold_everything_but_old_payments_is_unconfigured(app: TestApp) {
        let ada = app.agent("ada").await;
        let billing = ada.client.billing();
        assert_eq!(code::<GetBilling>(billing.get().await), Code::FeatureNotConfigured);
        assert_eq!(code::<CreateCheckout>(billing.checkout(500).await), Code::FeatureNotConfigured);
        assert_eq!(code::<RefundPayment>(billing.refund("pay_1").await), Code::FeatureNotConfigured);
        for (path, body, error) in [
            ("/v1/billing/checkout", json!({ "credits": 500 }), "this server sells no credits"),
            ("/v1/billing/passes", json!({ "tier": "boost" }), "this server sells no tiers"),
        ] {
            let refused = answer(ada.raw(&app, http::Method::POST, path).json(&body)).await.refusal();
            assert_eq!((refused.code, &*refused.error), (Code::FeatureNotConfigured, error));
        }
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
        app.advance(86_399);
        assert_eq!(left(&ada).await, 4_000);
        app.advance(1);
        assert_eq!(left(&ada).await, 5_000);
    }

    async fn a_purchase_that_a_clock_far_ahead_dated_counts_towards_no_cap(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.agent("ada").await;
        begin(&app, &ada, 3_000).await.unwrap();
        assert_eq!(left(&ada).await, 2_000);
        let year = sql!("update payment set created_at = created_at + 31536000000");
        app.execute(move |ctx| ctx.tx.execute(year, values![])).await;
        assert_eq!(left(&ada).await, 5_000);
    }

    async fn an_owner_and_its_agents_share_what_they_may_buy(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let bot = owned_agent(&app, &ada).await;
        let eve = app.agent("eve").await;
        begin(&app, &bot, 3_000).await.unwrap();
        assert_eq!((left(&ada).await, left(&bot).await, left(&eve).await), (2_000, 2_000, 5_000));
        let refused = ada.client.billing().checkout(2_001).await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::LimitReached));
        assert!(refused.hint().unwrap().contains("an owner and its agents together"), "{refused:?}");
        begin(&app, &ada, 2_000).await.unwrap();
        assert_eq!((left(&ada).await, left(&bot).await), (0, 0));
        let refused = bot.client.billing().checkout(500).await;
        assert_eq!(code::<CreateCheckout>(refused), Code::LimitReached);
    }

    async fn an_agent_of_a_trusted_owner_buys_up_to_a_cap_of_its_own(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let bot = owned_agent(&app, &ada).await;
        let trusted = Command::SetTrust { username: "ada".into(), trust: "trusted".into() };
        app.server.admin(trusted).await;
        begin(&app, &bot, 3_000).await.unwrap();
        assert_eq!((left(&ada).await, left(&bot).await), (497_000, 2_000));
        let refused = bot.client.billing().checkout(2_001).await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::LimitReached));
        assert_eq!(refused.hint(), Some("at most 50 USD in 24 hours; open payments count"));
    }

    async fn what_a_released_agent_bought_counts_only_for_itself(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let bot = owned_agent(&app, &ada).await;
        begin(&app, &bot, 3_000).await.unwrap();
        begin(&app, &ada, 1_000).await.unwrap();
        assert_eq!((left(&ada).await, left(&bot).await), (1_000, 1_000));
        ada.client.agents().release("bot").await.unwrap();
        assert_eq!((left(&ada).await, left(&bot).await), (4_000, 2_000));
    }

    async fn a_purchase_counts_for_the_owner_that_its_buyer_has_when_it_begins(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let [ada, eve] = [app.person("ada", PASSWORD).await, app.person("eve", PASSWORD).await];
        let bot = owned_agent(&app, &ada).await;
        let of_ada = authenticated(&app, &bot).await;
        begin(&app, &ada, 4_000).await.unwrap();
        ada.client.agents().release("bot").await.unwrap();
        begin_late(&app, &of_ada, 2_000).await.unwrap();
        own(&eve, &bot).await;
        begin_late(&app, &of_ada, 1_000).await.unwrap();
        begin(&app, &eve, 1_500).await.unwrap();
        assert_eq!((left(&ada).await, left(&bot).await, left(&eve).await), (1_000, 500, 500));
        let refused = begin_late(&app, &of_ada, 501).await.unwrap_err();
        assert_eq!(refused.code(), Code::LimitReached, "only so much is left of the cap of eve");
    }

    async fn a_buyer_that_was_deleted_meanwhile_begins_nothing(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.agent("ada").await;
        let known = authenticated(&app, &ada).await;
        ada.client.users().delete_me("ada").await.unwrap();
        let refused = begin_late(&app, &known, 500).await.unwrap_err();
        assert_eq!((refused.code(), payments(&app).await), (Code::NotFound, 0));
    }

    async fn of_purchases_of_an_owner_and_its_agent_at_once_each_counts_the_other(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret",
        "billing.stripe.api_url" = "http://127.0.0.1:9", "database.connections" = "6"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let bot = owned_agent(&app, &ada).await;
        let held = Held::account(&app, ada.user.id.clone()).await;
        let both = async {
            tokio::join!(checkout(&app, &ada, 3_000.0, "a"), checkout(&app, &bot, 3_000.0, "b"))
        };
        let (of_ada, of_bot) = behind(&app, held, 2, both).await;
        let mut statuses = [of_ada.0, of_bot.0];
        statuses.sort();
        assert_eq!(statuses, [StatusCode::CONFLICT, StatusCode::SERVICE_UNAVAILABLE], "one was begun");
        assert_eq!(payments(&app).await, 1);
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

    async fn payments_are_shown_only_to_their_buyer_and_its_owner(
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
        let dust = PositiveCredits::from_micros(1_000);
        let refused = bot.client.billing().refund(&bought).credits(dust).await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::NotRefundable));
        let says = "at least the smallest coin";
        assert!(refused.message().contains(says), "{}", refused.message());
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
