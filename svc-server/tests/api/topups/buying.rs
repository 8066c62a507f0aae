//! What a signed payment buys, and once only.

use serde_json::json;
use svc_client::types::api::billing::PaymentStatus;
use svc_store::sql;

use super::{SOON, ask, offer, purchases, purse, purse_of, sign, tokens, work};
use crate::app::chain::{ASSET, PAY_TO, PAYER, encode, signed};
use crate::app::code;
use crate::held::{Held, behind};
use crate::market::is_consistent;
use crate::on_both_engines;

on_both_engines! {
    async fn without_a_payment_the_answer_says_what_to_sign(
        app: TestApp, "x402.facilitator" = "its own"
    ) {
        let ada = app.agent("ada").await;
        let offer = offer(&app, &ada, "500").await;
        let public = app.server.url().trim_end_matches("/api").to_owned();
        assert_eq!(offer["x402Version"], 2);
        assert_eq!(offer["resource"]["url"], format!("{public}/api/v1/credits/x402?credits=500"));
        assert_eq!(offer["accepts"], json!([{
            "scheme": "exact",
            "network": "eip155:1337",
            "asset": ASSET,
            "amount": "5000000",
            "payTo": PAY_TO,
            "maxTimeoutSeconds": 300,
            "extra": { "name": "USD Coin", "version": "2" },
        }]));
        let books = app.chain().books();
        assert_eq!((books.verified, books.settled), (0, 0));
    }

    async fn a_signed_payment_buys_once_and_is_answered_the_same_again(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1",
        "exchange.signup_grant" = "0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let payment = sign(&app, &ada, "500", 1).await;
        let first = ask(&app, &ada, "500", Some(&payment)).await;
        assert_eq!(first.short(), (200, "paid"), "{first:?}");
        let settled = first.header("payment-response").unwrap();
        let chain_tx = format!("0x{:064x}", 101);
        assert_eq!(settled, json!({
            "success": true, "transaction": chain_tx, "network": "eip155:1337",
            "payer": PAYER.to_lowercase(), "amount": "5000000",
        }));
        let paid = &first.body["payment"];
        assert_eq!((&paid["currency"], &paid["amount"]), (&json!("usdc"), &json!(5_000_000)));
        assert_eq!(paid["inTest"], true);
        // What was paid on a test network has no money behind it.
        assert_eq!(purse(&ada).await, purse_of("500", "0"));
        assert_eq!(tokens(&app).await, [0, 5_000_000, -5_000_000]);
        // Long after the authorization has ended, too.
        app.advance(3_600);
        let again = ask(&app, &ada, "500", Some(&payment)).await;
        assert_eq!((again.status, &again.body), (200, &first.body));
        assert_eq!(again.header("payment-response"), Some(settled));
        let others = ask(&app, &bob, "500", Some(&payment)).await;
        assert_eq!(others.short(), (409, "payment_used"), "{others:?}");
        let more = ask(&app, &ada, "600", Some(&payment)).await;
        assert_eq!(more.short(), (409, "payment_used"), "{more:?}");
        assert_eq!(app.chain().books().settled, 1);
        assert_eq!(purchases(&app).await, 1);
        is_consistent(&app).await;
    }

    async fn the_last_payment_of_a_day_may_be_sent_twice_at_once(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1",
        "credits.buy_per_day" = "5,5,5", "database.connections" = "6", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let payment = sign(&app, &ada, "500", 1).await;
        let held = Held::account(&app, ada.user.id.clone()).await;
        let send = || ask(&app, &ada, "500", Some(&payment));
        let both = async { tokio::join!(send(), send()) };
        let (first, second) = behind(&app, held, 2, both).await;
        for answer in [first, second] {
            assert!([200, 202].contains(&answer.status), "{answer:?}");
        }
        work(&app).await;
        assert_eq!((purse(&ada).await, purchases(&app).await), (purse_of("500", "0"), 1));
        let other = ask(&app, &ada, "500", None).await;
        assert_eq!(other.short(), (409, "limit_reached"), "{other:?}");
        is_consistent(&app).await;
    }

    async fn a_signed_payment_is_the_same_in_upper_case(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1",
        "exchange.signup_grant" = "0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut payment = signed(&offer(&app, &ada, "500").await, 0xab, SOON);
        let first = ask(&app, &ada, "500", Some(&encode(&payment))).await;
        assert_eq!(first.short(), (200, "paid"), "{first:?}");
        for name in ["from", "nonce"] {
            let digits = &mut payment["payload"]["authorization"][name];
            *digits = json!(digits.as_str().unwrap().to_uppercase().replace("0X", "0x"));
        }
        let payment = encode(&payment);
        let again = ask(&app, &ada, "500", Some(&payment)).await;
        assert_eq!((again.status, &again.body), (200, &first.body));
        let others = ask(&app, &bob, "500", Some(&payment)).await;
        assert_eq!(others.short(), (409, "payment_used"), "{others:?}");
        assert_eq!(app.chain().books().settled, 1);
        assert_eq!(purchases(&app).await, 1);
        is_consistent(&app).await;
    }

    async fn a_payment_is_listed_announced_and_final(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1",
        "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let payment = sign(&app, &ada, "500", 1).await;
        ask(&app, &ada, "500", Some(&payment)).await;
        let page = ada.client.billing().payments().page().await.unwrap();
        let [listed] = &page.items[..] else { panic!("one payment: {:?}", page.items) };
        assert_eq!((&listed.status, listed.refundable_credits.is_zero()), (&PaymentStatus::Paid, true));
        let refused = ada.client.billing().refund(listed.payment_id.clone()).await;
        assert_eq!(code::<svc_client::types::api::billing::RefundPayment>(refused).as_str(), "not_refundable");
        let events = ada.client.events().list().await.unwrap().events;
        let events = events.into_iter().filter(|event| event.event == "billing");
        let data: Vec<_> = events.map(|event| serde_json::Value::from(event.data)).collect();
        assert_eq!(data.len(), 1, "{data:?}");
        assert_eq!((&data[0]["object"], &data[0]["status"]), (&json!("payment"), &json!("paid")));
    }

    async fn payments_that_are_open_at_once_are_paid_each_to_its_buyer(
        app: TestApp, "x402.facilitator" = "its own", "exchange.signup_grant" = "0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for (who, credits, nonce) in [(&ada, "500", 1), (&bob, "700", 2)] {
            let payment = sign(&app, who, credits, nonce).await;
            let begun = ask(&app, who, credits, Some(&payment)).await;
            assert_eq!(begun.short(), (202, "open"), "{begun:?}");
        }
        app.chain().books().mine(3);
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("500", "0"));
        assert_eq!(purse(&bob).await, purse_of("700", "0"));
        is_consistent(&app).await;
    }

    async fn tokens_count_once_they_are_deep_enough(
        app: TestApp, "x402.facilitator" = "its own", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let payment = sign(&app, &ada, "500", 1).await;
        let begun = ask(&app, &ada, "500", Some(&payment)).await;
        assert_eq!(begun.short(), (202, "open"), "{begun:?}");
        assert_eq!(begun.headers.get("payment-response"), None);
        app.chain().books().mine(1);
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("0", "0"), "two of three blocks");
        app.chain().books().mine(1);
        let id = begun.body["payment"]["paymentId"].as_str().unwrap();
        let waiting = ada.client.billing().payment(id).wait_seconds(30).into_future();
        let (seen, ()) = tokio::join!(waiting, work(&app));
        assert_eq!(seen.unwrap().payment.status, PaymentStatus::Paid);
        assert_eq!(purse(&ada).await, purse_of("500", "0"));
        let looked_for = sql!("select count(*) from payment where look_at is not null");
        assert_eq!(app.count(looked_for).await, 0, "nothing is left to look for");
        is_consistent(&app).await;
    }
}
