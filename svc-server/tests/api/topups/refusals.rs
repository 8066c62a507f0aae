//! Payments that are not what was asked for, and accounts that may not buy.

use serde_json::{Value, json};

use super::{SOON, ask, offer, purchases, sign};
use crate::app::chain::{START, encode, signed};
use crate::on_both_engines;

on_both_engines! {
    async fn what_is_not_the_offer_is_refused_and_nobody_is_asked_about_it(
        app: TestApp, "x402.facilitator" = "its own"
    ) {
        let ada = app.agent("ada").await;
        let offered = offer(&app, &ada, "500").await;
        let right = signed(&offered, 1, SOON);
        let with = |path: &str, value: Value| {
            let mut wrong = right.clone();
            *wrong.pointer_mut(path).unwrap() = value;
            encode(&wrong)
        };
        let authorization = |name: &str, value: &str| {
            with(&format!("/payload/authorization/{name}"), json!(value))
        };
        let (early, late) = (START + 29, START + 3_601);
        let long = "A".repeat(8 * 1024 + 1);
        let wrong = [
            ("?".to_owned(), "is not base64"),
            (encode(&json!("text")), "is not a payment of x402"),
            (encode(&json!({})), "is not a payment of x402"),
            ("bm8ganNvbg==".to_owned(), "is not base64 of JSON"),
            (long, "is longer than 8 KiB"),
            (with("/x402Version", json!(1)), "x402Version must be 2"),
            (with("/accepted/amount", json!("1")), "accepted.amount must be \"5000000\""),
            (with("/accepted/scheme", json!("upto")), "accepted.scheme"),
            (with("/accepted/network", json!("eip155:8453")), "accepted.network"),
            (with("/accepted/asset", json!("0x01")), "accepted.asset"),
            (with("/accepted/payTo", json!("0x01")), "accepted.payTo"),
            (with("/accepted/maxTimeoutSeconds", json!(1)), "accepted.maxTimeoutSeconds"),
            (authorization("from", "0x01"), "payload.authorization.from must be"),
            (authorization("to", "0x01"), "payload.authorization.to must be 0xCcCC"),
            (authorization("value", "1"), "payload.authorization.value must be 5000000"),
            (authorization("nonce", "0x01"), "payload.authorization.nonce must be"),
            (authorization("validBefore", &early.to_string()), "payload.authorization.validBefore"),
            (authorization("validBefore", &late.to_string()), "payload.authorization.validBefore"),
            (authorization("validBefore", "soon"), "payload.authorization.validBefore must be from"),
        ];
        for (payment, why) in wrong {
            let refused = ask(&app, &ada, "500", Some(&payment)).await;
            assert_eq!(refused.short(), (400, "validation_failed"), "{why}: {refused:?}");
            let message = refused.body["error"].as_str().unwrap();
            assert!(message.starts_with("PAYMENT-SIGNATURE") && message.contains(why), "{message}");
        }
        assert_eq!(app.chain().books().verified, 0);
        assert_eq!(purchases(&app).await, 0);
    }

    async fn a_payment_that_would_fail_is_asked_for_again(
        app: TestApp, "x402.facilitator" = "its own"
    ) {
        let ada = app.agent("ada").await;
        let payment = sign(&app, &ada, "500", 1).await;
        for (why, told) in [
            ("invalid_exact_evm_insufficient_balance", "invalid_exact_evm_insufficient_balance"),
            ("/etc/keys: no such file", "unknown"),
        ] {
            app.chain().books().refuses = Some(why);
            let refused = ask(&app, &ada, "500", Some(&payment)).await;
            assert_eq!(refused.short(), (402, "payment_required"), "{refused:?}");
            assert_eq!(refused.body["hint"], told);
            assert_eq!(refused.header("payment-required").unwrap()["error"], told);
        }
        assert_eq!(app.chain().books().settled, 0);
        app.chain().books().refuses = None;
        assert_eq!(ask(&app, &ada, "500", Some(&payment)).await.status, 202);
    }

    async fn sales_of_credits_are_limited(
        app: TestApp, "x402.facilitator" = "its own", "credits.buy_per_day" = "50,50,50",
        "credits.price" = "0.00001", "credits.min" = "1000", "credits.max" = "100000000"
    ) {
        let ada = app.agent("ada").await;
        for (credits, answer) in [
            ("", (400, "validation_failed")),
            ("many", (400, "validation_failed")),
            ("999", (400, "validation_failed")),
            ("100000001", (400, "validation_failed")),
            ("1000.05", (400, "amount_not_exact")),
            ("5000001", (409, "limit_reached")),
            ("5000000", (402, "payment_required")),
        ] {
            assert_eq!(ask(&app, &ada, credits, None).await.short(), answer, "{credits}");
        }
        let payment = sign(&app, &ada, "4999999", 1).await;
        assert_eq!(ask(&app, &ada, "4999999", Some(&payment)).await.status, 202);
        let beyond = ask(&app, &ada, "1000", None).await;
        assert_eq!(beyond.short(), (409, "limit_reached"), "an open payment counts, rounded up");
    }

    async fn a_query_that_asks_for_anything_else_is_refused(
        app: TestApp, "x402.facilitator" = "its own"
    ) {
        let ada = app.agent("ada").await;
        let payment = sign(&app, &ada, "500", 1).await;
        for payment in [None, Some(&*payment)] {
            let other = ask(&app, &ada, "500&credit=600", payment).await;
            assert_eq!(other.short(), (400, "unknown_parameter"));
            assert_eq!((&other.body["field"], &other.body["hint"]), (&json!("credit"), &json!("credits")));
            let twice = ask(&app, &ada, "500&credits=600", payment).await;
            assert_eq!(twice.short(), (400, "validation_failed"), "{twice:?}");
        }
        assert_eq!(purchases(&app).await, 0);
    }

    async fn only_an_account_that_may_spend_buys(
        app: TestApp, "x402.facilitator" = "its own"
    ) {
        let ada = app.agent("ada").await;
        let reading = ada.client.keys().create("reading", ["read"]).await.unwrap();
        let mut reader = ada.clone();
        reader.key = reading.api_key;
        assert_eq!(ask(&app, &reader, "500", None).await.short(), (403, "insufficient_scope"));
        reader.key = "svc_ak_wrong".into();
        assert_eq!(ask(&app, &reader, "500", None).await.short(), (401, "unauthorized"));
        app.suspend("ada").await;
        assert_eq!(ask(&app, &ada, "500", None).await.short(), (403, "account_suspended"));
    }

    async fn nothing_is_sold_for_tokens_where_none_are_taken(app: TestApp) {
        let ada = app.agent("ada").await;
        let refused = ask(&app, &ada, "500", None).await;
        assert_eq!(refused.short(), (503, "feature_not_configured"), "{refused:?}");
        assert_eq!(refused.headers.get("payment-required"), None);
    }
}
