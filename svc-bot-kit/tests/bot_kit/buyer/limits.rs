//! Spending limits, checked before anything is sent.

use std::time::Duration;

use futures::future::join_all;
use serde::Deserialize;
use serde_json::json;
use svc_bot_kit::{Buyer, Error, Outcome};
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Credits, ServiceResponse};

use super::market::{Market, count, report};

/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(60);

fn limit(error: &Error) -> (&'static str, Credits, Credits) {
    match error {
        Error::SpendLimit { limit, asked, left, .. } => (limit, *asked, *left),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_paid_and_its_output_returned() {
    let market = Market::open().await;
    let deal = count(&market.buyer()).send().await.unwrap();
    assert_eq!(market.credits().await, (95.into(), 5.into()));
    assert_eq!((deal.amount(), deal.escrow()), (5.into(), None));
    assert!(matches!(deal.wait(Duration::ZERO).await, Ok(Outcome::Open)));
    let sent = &market.orders().await[0];
    assert_eq!(sent.payload.as_ref().unwrap()["input"], json!({ "text": "a bb" }));
    market.answer(ResponseStatus::Completed, json!({ "words": 2 })).await;
    let Outcome::Completed { output, charged, answer, .. } = deal.wait(LONG).await.unwrap() else {
        panic!("it was answered");
    };
    assert_eq!((output, charged), (json!({ "words": 2 }), 5.into()));
    assert_eq!(answer.sender.username, "wordbot");
    assert_eq!(market.credits().await, (95.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_of_zero_looks_once() {
    let market = Market::open().await;
    let deal = count(&market.buyer()).send().await.unwrap();
    assert!(matches!(deal.wait(Duration::ZERO).await, Ok(Outcome::Open)));
    market.answer(ResponseStatus::Completed, json!({ "words": 2 })).await;
    assert!(matches!(deal.wait(Duration::ZERO).await, Ok(Outcome::Completed { .. })));
}

#[derive(Debug, PartialEq, Deserialize)]
struct Count {
    words: u32,
}

#[tokio::test(flavor = "multi_thread")]
async fn an_output_has_the_type_of_the_buyer_or_is_an_error_of_a_paid_order() {
    let (market, id) = (Market::open().await, "monday");
    let deal = count(&market.buyer()).id(id).output::<Count>().send().await.unwrap();
    market.answer(ResponseStatus::Completed, json!({ "words": 2 })).await;
    let outcome = deal.wait(LONG).await.unwrap();
    assert!(
        matches!(outcome, Outcome::Completed { output: Count { words: 2 }, .. }),
        "{outcome:?}"
    );
    let deal = count(&market.buyer()).id(id).output::<String>().send().await.unwrap();
    let error = deal.wait(LONG).await.unwrap_err();
    assert!(error.to_string().starts_with("the order is completed and paid, but"), "{error}");
    let Error::Output { answer, .. } = error else { panic!("{error:?}") };
    assert_eq!(answer.payload.unwrap()["output"], json!({ "words": 2 }));
    assert_eq!(market.credits().await, (95.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_beyond_any_limit_sends_nothing() {
    let market = Market::open().await;
    let cases = [
        ("max_credits", market.buyer(), 4),
        ("per_order", market.buyer().per_order(3), 3),
        ("per_day", market.buyer().per_day(2), 2),
        ("per_provider", market.buyer().per_day(9).per_provider(1), 1),
        ("only", market.buyer().only(["@Paintbot"]), 0),
    ];
    for (name, buyer, left) in cases {
        let most = if name == "max_credits" { 4 } else { 5 };
        let order = || count(&buyer).max_credits(most);
        let expected = (name, 5.into(), left.into());
        assert_eq!(limit(&order().send().await.unwrap_err()), expected);
        assert_eq!(limit(&order().quote().await.unwrap_err()), expected);
    }
    // Without consent nothing is spent.
    let order = market.buyer().order("wordbot/count").input(&json!({ "text": "a bb" }));
    assert_eq!(limit(&order.send().await.unwrap_err()), ("max_credits", 5.into(), 0.into()));
    assert_eq!(market.orders().await, []);
    assert_eq!(market.credits().await, (100.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_is_the_same_by_name_and_by_id() {
    let market = Market::open().await;
    let id = market.wordbot.users().me().await.unwrap().user.id;
    let buyer = market.buyer().per_provider(8).only(["WordBot"]);
    count(&buyer).send().await.unwrap();
    let by_id = buyer.order(format!("{id}/count")).input(&json!({ "text": "a bb" }));
    let error = by_id.max_credits(5).send().await.unwrap_err();
    assert_eq!(limit(&error), ("per_provider", 5.into(), 3.into()));
    let error = buyer.reserve(id.as_str(), 4).await.unwrap_err();
    assert_eq!(limit(&error), ("per_provider", 4.into(), 3.into()));
    let _reserved = buyer.reserve(id.as_str(), 2).await.unwrap();
    let error = buyer.reserve("@WordBot", 2).await.unwrap_err();
    assert_eq!(limit(&error), ("per_provider", 2.into(), 1.into()));
    let stranger = buyer.reserve("paintbot", 1).await.unwrap_err();
    assert_eq!(limit(&stranger), ("only", 1.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_per_provider_counts_names_and_ids_together_by_itself() {
    let market = Market::open().await;
    let id = market.wordbot.users().me().await.unwrap().user.id;
    let buyer = market.buyer().per_provider(8);
    let _reserved = buyer.reserve(id.as_str(), 5).await.unwrap();
    let error = buyer.reserve("wordbot", 4).await.unwrap_err();
    assert_eq!(limit(&error), ("per_provider", 4.into(), 3.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_input_is_refused_with_all_faults_before_anything_is_sent() {
    let market = Market::open().await;
    let order = |input| market.buyer().order("wordbot/count").input(&input).max_credits(5);
    let Error::Input { faults, .. } = order(json!({ "text": "a" })).send().await.unwrap_err()
    else {
        panic!("the text is too short");
    };
    assert_eq!(faults.iter().map(|fault| fault.pointer.as_str()).collect::<Vec<_>>(), ["/text"]);
    assert!(matches!(order(json!({})).quote().await, Err(Error::Input { .. })));
    assert!(matches!(order(json!("a bb")).send().await, Err(Error::Config { .. })));
    let missing = market.buyer().order("wordbot/paint").max_credits(5).send().await.unwrap_err();
    let Error::NoService { offers, .. } = missing else { panic!("{missing:?}") };
    assert_eq!(offers, ["count", "report", "book"]);
    for what in ["wordbot", "/count", "wordbot/"] {
        let refused = market.buyer().order(what).max_credits(5).send().await;
        assert!(matches!(refused, Err(Error::Config { .. })), "{what}");
    }
    assert_eq!(market.orders().await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quote_returns_the_price_and_sends_nothing() {
    let market = Market::open().await;
    let quote = count(&market.buyer()).quote().await.unwrap();
    assert_eq!((quote.request.offered_credits, quote.available), (5.into(), 100.into()));
    assert_eq!((quote.service.name.as_str(), quote.escrow), ("count", None));
    let buyer = market.buyer().escrow_from(5);
    assert!(count(&buyer).quote().await.unwrap().escrow.is_some());
    assert!(count(&buyer).direct().quote().await.unwrap().escrow.is_none());
    assert_eq!(market.orders().await, []);
    assert_eq!(market.credits().await, (100.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_concurrent_orders_never_exceed_the_limit() {
    let market = Market::open().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("buyer.db");
    // Two buyers on one file are what two processes are.
    let buyer = || market.buyer().journal(&file).per_day(25);
    let buyers = [buyer(), buyer()];
    let orders = (0..50).map(|number| tokio::spawn(count(&buyers[number % 2]).send()));
    let ended: Vec<_> = join_all(orders).await.into_iter().map(Result::unwrap).collect();
    let (placed, refused): (Vec<_>, Vec<_>) = ended.into_iter().partition(Result::is_ok);
    assert_eq!((placed.len(), refused.len()), (5, 45));
    for error in refused {
        assert_eq!(limit(&error.unwrap_err()), ("per_day", 5.into(), 0.into()));
    }
    assert_eq!(market.credits().await, (75.into(), 25.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_concurrent_run_of_the_same_order_frees_nothing() {
    let market = Market::open().await;
    let folder = tempfile::tempdir().unwrap();
    let buyer = market.buyer().journal(folder.path().join("buyer.db")).per_day(5);
    let one = count(&buyer).id("same");
    let other = count(&buyer).input(&json!({ "text": "another" })).id("same");
    let (one, other) = tokio::join!(one.send(), other.send());
    assert!(one.is_ok() || other.is_ok(), "{one:?} {other:?}");
    assert_eq!(limit(&count(&buyer).send().await.unwrap_err()), ("per_day", 5.into(), 0.into()));
    assert_eq!(market.credits().await, (95.into(), 5.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn credits_of_rejected_failed_and_expired_orders_may_be_spent_again() {
    let market = Market::open().await;
    let buyer = market.buyer().per_day(5);
    let place = async |buyer: &Buyer| count(buyer).send().await.unwrap();

    let deal = place(&buyer).await;
    let error = count(&buyer).send().await.unwrap_err();
    assert_eq!(limit(&error), ("per_day", 5.into(), 0.into()), "all is reserved");
    market.answer(ResponseStatus::Rejected, json!({ "reason": "too busy" })).await;
    let Outcome::Rejected { reason, .. } = deal.wait(LONG).await.unwrap() else { panic!() };
    assert_eq!(reason, "too busy");

    let deal = place(&buyer).await;
    market.answer(ResponseStatus::Error, json!({ "error": "out of ink" })).await;
    let Outcome::Failed { error, .. } = deal.wait(LONG).await.unwrap() else { panic!() };
    assert_eq!(error, "out of ink");

    let deal = place(&buyer).await;
    market.server.clock().advance(Duration::from_hours(25));
    assert!(matches!(deal.wait(LONG).await, Ok(Outcome::Expired)));

    let deal = place(&buyer).await;
    market.answer(ResponseStatus::Completed, json!({})).await;
    assert!(matches!(deal.wait(LONG).await, Ok(Outcome::Completed { .. })));
    let error = count(&buyer).send().await.unwrap_err();
    assert_eq!(limit(&error), ("per_day", 5.into(), 0.into()), "what was spent stays spent");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_lower_charge_leaves_may_be_spent() {
    let market = Market::open().await;
    let buyer = market.buyer().per_day(8);
    let deal = count(&buyer).send().await.unwrap();
    let answer = ServiceResponse {
        request_id: deal.request().clone(),
        status: ResponseStatus::Completed,
        output: None,
        charged_credits: Some(2.into()),
    };
    market.wordbot.messages().respond_to("ada", answer).await.unwrap();
    let Outcome::Completed { charged, .. } = deal.wait(LONG).await.unwrap() else { panic!() };
    assert_eq!(charged, 2.into());
    count(&buyer).send().await.unwrap();
    assert_eq!(limit(&count(&buyer).send().await.unwrap_err()), ("per_day", 5.into(), 1.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn credits_of_refused_orders_may_be_spent_again_and_leave_no_escrow() {
    let market = Market::open().await;
    let buyer = market.buyer().per_day(60);
    let closed = market.wordbot.users().update_me();
    closed.with(|me| me.allow_service_requests = Some(false)).await.unwrap();
    for order in [count(&buyer), report(&buyer), report(&buyer)] {
        let refused = order.send().await.unwrap_err();
        assert!(matches!(refused, Error::Client(_)), "{refused:?}");
        assert_eq!(market.credits().await, (100.into(), 0.into()));
    }
}
