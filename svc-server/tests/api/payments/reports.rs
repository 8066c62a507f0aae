//! What reports of Stripe change, however often they come, in any order or never.

use http::StatusCode;
use serde_json::{Value, json};
use svc_client::types::Code;
use svc_client::types::api::billing::CreateCheckout;
use svc_client::types::api::users::Tier;
use svc_core::services::ledger::money::Money;
use svc_fake_stripe::{Delivery, Fault, WEBHOOK_SECRET, sign};
use svc_server::admin::Command;
use svc_store::{sql, values};

use super::events::told;
use super::{
    PAUSE, balances, begin, books, buy, page, purchases, purse, purse_of, seen, send, tell,
    waiting, work,
};
use crate::app::code;
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::payout::verify;
use crate::stripe::{SELLING, newest};
use crate::tiers::{PASSWORD, tier};

on_both_engines! {
    async fn a_payment_reported_fifty_times_adds_its_credits_once(app: TestApp, ..SELLING) {
        let ada = app.agent("ada").await;
        let (id, session) = page(&app, &ada, 500).await;
        assert!(seen(&app, &id).await.url.unwrap().starts_with("https://checkout.stripe.com/"));
        assert_eq!(purse(&ada).await, purse_of("0", "0"));
        app.stripe().pay(&session);
        let deliveries = app.stripe().deliveries();
        for _ in 0..50 {
            tell(&app, deliveries.clone()).await;
        }
        assert_eq!((purse(&ada).await, purchases(&app).await), (purse_of("500", "0"), 1));
        // 5.00 arrived, of which Stripe keeps 0.45.
        assert_eq!(books(&app).await, [0, 455, 45, 0, 0]);
        assert_eq!(waiting(&app).await, 0);
        is_consistent(&app).await;
    }

    async fn a_checkout_returns_the_page_and_a_repeated_key_the_same_one(app: TestApp, ..SELLING) {
        let ada = app.agent("ada").await;
        let checkout = || ada.client.billing().checkout(500).idempotency_key("one");
        // The first answer of Stripe is lost.
        app.stripe().fail_next("POST", "/v1/checkout/sessions", Fault::LosesAnswer);
        assert_eq!(code::<CreateCheckout>(checkout().await), Code::ProviderUnavailable);
        app.advance(PAUSE);
        let begun = checkout().await.unwrap();
        assert_eq!(begun.url, checkout().await.unwrap().url);
        let session = begun.url.strip_prefix("https://checkout.stripe.com/c/pay/").unwrap();
        app.stripe().pay(session);
        tell(&app, app.stripe().deliveries()).await;
        let read = ada.client.billing().payment(&begun.payment.payment_id).await.unwrap().payment;
        assert_eq!((read.status.as_str(), read.in_test), ("paid", true));
        assert_eq!(read.url, None, "nobody pays on that page any more");
        assert_eq!(read.receipt_url.unwrap().split("ch_").next(), Some("https://pay.stripe.com/receipts/"));
        assert_eq!((purse(&ada).await, purchases(&app).await), (purse_of("500", "0"), 1));
        assert_eq!(code::<CreateCheckout>(checkout().await), Code::WrongState);
        let refunded = ada.client.billing().refund(&read.payment_id).await.unwrap().payment;
        assert_eq!(refunded.refunded_credits, 500.into());
        work(&app).await;
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(purse(&ada).await, purse_of("0", "0"));
        is_consistent(&app).await;
    }

    async fn an_erased_account_leaves_no_link_to_its_receipts(app: TestApp, ..SELLING) {
        let ada = app.agent("ada").await;
        let (id, _) = buy(&app, &ada, 500).await;
        assert!(seen(&app, &id).await.receipt_url.is_some());
        ada.client.users().delete_me("ada").await.unwrap();
        app.server.admin(Command::Erase { username: "ada".to_owned() }).await;
        app.server.erase().await;
        let left = seen(&app, &id).await;
        assert_eq!((left.url, left.receipt_url, left.credits), (None, None, 500.into()));
        is_consistent(&app).await;
    }

    async fn a_payment_that_nobody_reports_is_found_in_the_events(
        app: TestApp, ..SELLING
    ) {
        let ada = app.agent("ada").await;
        let (_, session) = page(&app, &ada, 500).await;
        let intent = app.stripe().pay(&session);
        app.advance(14 * 60);
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("0", "0"));
        app.advance(2 * 60);
        work(&app).await;
        assert_eq!((purse(&ada).await, purchases(&app).await), (purse_of("500", "0"), 1));
        is_consistent(&app).await;
        // Events of a time in which they could not be read are read when they can be.
        app.stripe().refund(&intent, 100);
        app.stripe().set_down(true);
        for _ in 0..3 {
            app.advance(PAUSE);
            work(&app).await;
        }
        assert_eq!(purse(&ada).await, purse_of("500", "0"));
        app.stripe().set_down(false);
        app.advance(PAUSE);
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("400", "0"));
        is_consistent(&app).await;
    }

    async fn events_are_polled_as_often_as_the_operator_sets(
        app: TestApp, ..SELLING, "billing.stripe.poll" = "3h"
    ) {
        let ada = app.agent("ada").await;
        let (_, intent) = buy(&app, &ada, 500).await;
        app.stripe().refund(&intent, 100);
        app.advance(3 * 3_600 - 60);
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("500", "0"), "no webhook came, and it is too early to look");
        app.advance(60);
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("400", "0"));
    }

    async fn events_are_polled_after_a_clock_was_far_ahead(app: TestApp, ..SELLING) {
        let ada = app.agent("ada").await;
        let (_, intent) = buy(&app, &ada, 500).await;
        app.stripe().refund(&intent, 100);
        // What a look left behind while the clock was a year ahead.
        app.execute(|ctx| {
            let ahead = (ctx.now().as_millis() + 31_536_000_000).to_string();
            let sql = sql!("update provider_state set value = $1 where name in ('events', 'poll')");
            ctx.tx.execute(sql, values![ahead])
        }).await;
        app.advance(2 * 3_600);
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("400", "0"));
        is_consistent(&app).await;
    }

    async fn a_bank_that_only_asks_takes_nothing(app: TestApp, ..SELLING) {
        let ada = app.agent("ada").await;
        let (_, intent) = buy(&app, &ada, 500).await;
        let dispute = app.stripe().dispute(&intent);
        let deliveries = app.stripe().deliveries();
        let entries = app.stripe().object(&dispute)["balance_transactions"].clone();
        for status in ["warning_needs_response", "warning_under_review", "warning_closed"] {
            app.stripe().change(&dispute, |it| {
                it["status"] = json!(status);
                it["balance_transactions"] = json!([]);
            });
            tell(&app, deliveries.clone()).await;
            assert_eq!(purse(&ada).await, purse_of("500", "0"), "{status}");
        }
        app.stripe().change(&dispute, |it| {
            it["status"] = json!("needs_response");
            it["balance_transactions"] = entries;
        });
        tell(&app, deliveries).await;
        assert_eq!(purse(&ada).await, purse_of("0", "0"));
        is_consistent(&app).await;
    }

    async fn a_refund_at_stripe_takes_its_share_of_the_tax(
        app: TestApp, ..SELLING, "billing.tax" = "true"
    ) {
        let ada = app.agent("ada").await;
        let (_, intent) = buy(&app, &ada, 500).await;
        let sold = async || balances(&app, [Money::Sales, Money::Tax]).await;
        assert_eq!(sold().await, [-500, -95]);
        for (part, expected, left) in [(119, [-400, -76], "400"), (476, [0, 0], "0")] {
            app.stripe().refund(&intent, part);
            tell(&app, app.stripe().deliveries()).await;
            assert_eq!((sold().await, purse(&ada).await), (expected, purse_of(left, "0")));
        }
        is_consistent(&app).await;
    }

    async fn an_account_is_not_deleted_while_its_money_is_on_its_way(app: TestApp, ..SELLING) {
        let ada = app.agent("ada").await;
        let (id, session) = page(&app, &ada, 500).await;
        app.stripe().pay_later(&session);
        tell(&app, app.stripe().deliveries()).await;
        let completed = ada.client.billing().payment(&id).await.unwrap().payment;
        assert_eq!(completed.url, None, "nobody pays on that page any more");
        let deleted = ada.client.users().delete_me("ada").await.unwrap_err();
        assert_eq!((deleted.code(), deleted.hint()), (Some(&Code::OpenObligations), Some(id.as_str())));
        app.agent("eve").await.client.users().delete_me("eve").await.expect("it is not hers");
        app.stripe().settle(&session);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(purse(&ada).await, purse_of("500", "0"));
        // A page that nobody has completed keeps no account.
        page(&app, &ada, 500).await;
        ada.client.users().delete_me("ada").await.unwrap();
    }

    async fn the_pages_of_a_deleted_account_are_closed(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let (open, _) = page(&app, &ada, 500).await;
        let begun = begin(&app, &bob, 500).await;
        for member in [&ada, &bob] {
            member.client.users().delete_me(&*member.user.username).await.unwrap();
        }
        work(&app).await;
        for id in [open, begun] {
            assert_eq!(seen(&app, &id).await.status.as_str(), "expired");
        }
        let pages = app.stripe().objects("checkout.session");
        assert!(pages.iter().all(|page| page["status"] == "expired"), "{pages:?}");
        assert_eq!(waiting(&app).await, 0);
    }

    async fn a_buyer_who_comes_back_is_enough(app: TestApp, ..SELLING) {
        let ada = app.agent("ada").await;
        let (id, session) = page(&app, &ada, 500).await;
        let call = &app.stripe().calls()[1];
        let url = call.parameters["success_url"].as_str().unwrap();
        let own = format!("{}/billing/return?payment={id}", app.server.app().public_url);
        assert_eq!(url, own);
        app.stripe().pay(&session);
        let browser = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
        let browser = browser.build().unwrap();
        for (query, page) in [
            (format!("?payment={id}"), format!("/credits?payment={id}")),
            (format!("?payment={id}"), format!("/credits?payment={id}")),
            ("?payment=pay_0".to_owned(), "/credits?payment=pay_0".to_owned()),
            ("?payment=%0d%0aset-cookie:".to_owned(), "/credits".to_owned()),
            (String::new(), "/credits".to_owned()),
        ] {
            let base = app.server.url().trim_end_matches("/api").to_owned();
            let answer = browser.get(format!("{base}/billing/return{query}")).send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::SEE_OTHER);
            assert_eq!(answer.headers()["location"], page.as_str());
        }
        assert_eq!(waiting(&app).await, 1);
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("500", "0"));
    }

    async fn a_subscriber_and_a_seller_who_come_back_are_enough(
        app: TestApp, "billing.stripe.key_file" = "its own", "payouts.enabled" = "true",
        "payouts.rate" = "0.01"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        verify(&app, &ann.user.id).await;
        // The next look at the events is a quarter of an hour off.
        work(&app).await;
        ann.client.tiers().subscribe(["ann"]).await.unwrap();
        let session = app.stripe().objects("checkout.session").pop().unwrap();
        app.stripe().subscribe(session["id"].as_str().unwrap());
        ann.client.payouts().connect("DE").await.unwrap();
        let form = app.stripe().calls().pop().unwrap().parameters["return_url"].clone();
        app.stripe().enable_account(&newest(&app, "account"));
        assert_eq!(waiting(&app).await, 0);
        let browser = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
        let browser = browser.build().unwrap();
        for (url, page) in [(&session["success_url"], "/settings/billing"), (&form, "/sell/payouts")] {
            let path = url.as_str().unwrap().strip_prefix(&app.server.app().public_url).unwrap();
            let answer = browser.get(app.server.url().replace("/api", path)).send().await.unwrap();
            assert_eq!(answer.headers()["location"], page);
        }
        assert_eq!(waiting(&app).await, 2, "nobody else reports them");
        work(&app).await;
        assert_eq!(tier(&ann).await, Tier::Pro);
        assert!(ann.client.payouts().account().await.unwrap().account.enabled);
    }

    async fn a_webhook_that_stripe_did_not_sign_just_now_is_refused(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let ada = app.agent("ada").await;
        let (_, session) = page(&app, &ada, 500).await;
        app.stripe().pay(&session);
        let delivery = app.stripe().deliveries().pop().unwrap();
        let (body, now) = (delivery.body, app.stripe().now());
        let signed = |time| sign(&body, WEBHOOK_SECRET, time);
        let invalid = (StatusCode::BAD_REQUEST, "invalid_signature".to_owned());
        for signature in [
            sign(&body, "whsec_anotheranotheranother", now),
            sign(&format!("{body} "), WEBHOOK_SECRET, now),
            signed(now - 301),
            signed(now + 301),
            signed(now).replace("v1=", "v0="),
            String::new(),
        ] {
            assert_eq!(send(&app.server, &body, &signature).await, invalid, "{signature}");
        }
        assert_eq!(waiting(&app).await, 0);
        let signed_now = |body: &str| sign(body, WEBHOOK_SECRET, now);
        let long = format!("{body}{}", " ".repeat(300 * 1024));
        let (status, _) = send(&app.server, &long, &signed_now(&long)).await;
        assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
        let (status, code) = send(&app.server, "{", &signed_now("{")).await;
        assert_eq!((status, code.as_str()), (StatusCode::BAD_REQUEST, "validation_failed"));
        assert_eq!(send(&app.server, &body, &signed(now - 299)).await.0, StatusCode::OK);
        assert_eq!(waiting(&app).await, 1);
    }

    async fn an_event_of_no_interest_changes_nothing(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let now = app.stripe().now();
        let event = |kind: &str, livemode: bool, id: Value| json!({
            "id": "evt_1", "type": kind, "created": now, "livemode": livemode,
            "data": { "object": { "id": id, "object": "charge" } },
        });
        for event in [
            event("customer.created", false, json!("cus_1")),
            event("charge.succeeded", true, json!("ch_1")),
            event("charge.succeeded", false, json!(null)),
            event("charge.succeeded", false, json!("../refunds")),
            event("charge.succeeded", false, json!("x".repeat(256))),
        ] {
            let body = event.to_string();
            let sent = send(&app.server, &body, &sign(&body, WEBHOOK_SECRET, now)).await;
            assert_eq!(sent.0, StatusCode::OK, "{body}");
        }
        assert_eq!(waiting(&app).await, 0);
        // One who has the secret can name what does not exist: it is looked up once.
        let body = event("charge.succeeded", false, json!("ch_none")).to_string();
        send(&app.server, &body, &sign(&body, WEBHOOK_SECRET, now)).await;
        work(&app).await;
        assert_eq!(waiting(&app).await, 0);
    }

    async fn an_unpaid_page_adds_nothing_and_another_amount_or_currency_is_for_the_operator(
        app: TestApp, ..SELLING
    ) {
        let ada = app.agent("ada").await;
        let (later, session) = page(&app, &ada, 500).await;
        // Completed, but the money takes days.
        app.stripe().pay_later(&session);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(seen(&app, &later).await.status.as_str(), "open");
        let changes: [(&str, Value); 3] = [
            ("amount_subtotal", json!(499)), ("amount_total", json!(499)), ("currency", json!("eur")),
        ];
        for (name, value) in changes {
            let (id, session) = page(&app, &ada, 500).await;
            app.stripe().pay(&session);
            app.stripe().change(&session, |it| it[name] = value);
            tell(&app, app.stripe().deliveries()).await;
            assert_eq!(seen(&app, &id).await.status.as_str(), "mismatch", "{name}");
        }
        assert_eq!(purse(&ada).await, purse_of("0", "0"));
        app.stripe().settle(&session);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(purse(&ada).await, purse_of("500", "0"));
        let (failed, session) = page(&app, &ada, 500).await;
        app.stripe().pay_later(&session);
        app.stripe().fail(&session);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(seen(&app, &failed).await.status.as_str(), "expired");
        assert_eq!(told(&ada).await, [
            "payment mismatch", "payment mismatch", "payment mismatch", "payment paid", "payment expired",
        ]);
    }

    async fn events_in_any_order_end_alike(app: TestApp, ..SELLING) {
        // Told late, all at once, the newest first: a refund and a dispute come before the purchase.
        let ada = app.agent("ada").await;
        let (first, one) = page(&app, &ada, 500).await;
        let (_, two) = page(&app, &ada, 700).await;
        let stripe = app.stripe();
        let (one, two) = (stripe.pay(&one), stripe.pay(&two));
        stripe.refund(&one, 100);
        stripe.refund(&one, 50);
        let dispute = stripe.dispute(&two);
        let mut deliveries = stripe.deliveries();
        deliveries.reverse();
        tell(&app, deliveries.clone()).await;
        for _ in 0..3 {
            app.advance(PAUSE);
            work(&app).await;
        }
        assert_eq!(purse(&ada).await, purse_of("350", "0"));
        assert_eq!(seen(&app, &first).await.status.as_str(), "paid");
        let [receivable, cash, fee, disputed, lost] = books(&app).await;
        assert_eq!((receivable, disputed, lost), (0, 700, 0));
        assert_eq!(cash, 1_200 - 150 - 700 - fee);
        is_consistent(&app).await;
        // Webhooks that arrive again change nothing, and the dispute is won.
        app.stripe().win(&dispute);
        deliveries.extend(app.stripe().deliveries());
        let now = app.stripe().now();
        for Delivery { body, .. } in deliveries {
            let sent = send(&app.server, &body, &sign(&body, WEBHOOK_SECRET, now)).await;
            assert_eq!(sent.0, StatusCode::OK);
        }
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("1050", "0"));
        assert_eq!(waiting(&app).await, 0);
        is_consistent(&app).await;
    }

    async fn objects_of_another_server_are_left_alone(app: TestApp, ..SELLING) {
        let ada = app.agent("ada").await;
        let (id, session) = page(&app, &ada, 500).await;
        let intent = app.stripe().pay(&session);
        let charge = app.stripe().object(&intent)["latest_charge"].as_str().unwrap().to_owned();
        for object in [&session, &charge] {
            app.stripe().change(object, |it| it["metadata"]["server"] = json!("srv_other"));
        }
        app.stripe().refund(&intent, 100);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(seen(&app, &id).await.status.as_str(), "open");
        assert_eq!((purse(&ada).await, waiting(&app).await), (purse_of("0", "0"), 0));
        assert_eq!(books(&app).await, [0; 5]);
    }
}
