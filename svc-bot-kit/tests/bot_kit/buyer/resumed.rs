//! A resumed order keeps its escrow, its price and its payment method.

use std::time::Duration;

use serde_json::json;
use svc_bot_kit::testing::Fault;
use svc_bot_kit::{Buyer, Error, Order};
use svc_client::types::api::escrow::Deliverable;
use svc_client::types::service_message::ResponseStatus;
use svc_server::clock::Clock;

use super::market::{Market, count, report};

const DAY: Duration = Duration::from_secs(24 * 3_600);

/// Escrows of ada, and orders that wordbot has to answer.
async fn escrows_and_orders(market: &Market) -> (usize, usize) {
    let escrows = market.ada.escrow().list().await.unwrap().escrows;
    (escrows.len(), market.orders().await.len())
}

async fn raise(market: &Market, name: &str, price: u32) {
    let offers = market.ada.bots().capabilities("wordbot").await.unwrap().capabilities;
    let id = offers.iter().find(|offer| offer.name == name).unwrap().id.clone();
    market.wordbot.services().update(id).price(price).await.unwrap();
}

fn limit(error: &Error) -> (&'static str, u32) {
    match error {
        Error::SpendLimit { limit, left, .. } => (limit, left.to_string().parse().unwrap()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_opened_but_unrecorded_escrow_pays_for_the_order_days_later() {
    for is_journal_kept in [true, false] {
        let market = Market::open().await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("buyer.db");
        let (_proxy, cut) = market.buyer_behind(Fault::LoseAnswer, "POST /api/v1/escrow").await;
        let cut = cut.journal(&file);
        report(&cut).id("night-42").send().await.unwrap_err();
        assert_eq!(escrows_and_orders(&market).await, (1, 0));
        // The server has forgotten the keys by then, and the bot has become dearer.
        market.server.clock().advance(2 * DAY);
        raise(&market, "report", 90).await;
        let buyer = market.buyer();
        let buyer = if is_journal_kept { buyer.journal(&file) } else { buyer };
        let deal = report(&buyer).max_credits(100).id("night-42").send().await.unwrap();
        assert_eq!(escrows_and_orders(&market).await, (1, 1));
        assert_eq!((deal.amount(), market.credits().await), (60.into(), (40.into(), 60.into())));
        let tied = market.orders().await.remove(0).request.unwrap().escrow_id;
        assert_eq!(tied.as_ref(), deal.escrow());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_escrow_of_another_order_is_left_alone() {
    let market = Market::open().await;
    let (_proxy, cut) = market.buyer_behind(Fault::LoseAnswer, "POST /api/v1/escrow").await;
    report(&cut).id("night-4").send().await.unwrap_err();
    let buyer = market.buyer().escrow_from(5);
    let deal = count(&buyer).id("night-42").send().await.unwrap();
    assert_eq!((deal.amount(), escrows_and_orders(&market).await), (5.into(), (2, 1)));
    let taken = count(&buyer).id("night-4").send().await.unwrap_err();
    assert!(matches!(taken, Error::OrderExists { .. }), "{taken:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resumed_order_keeps_its_payment_method() {
    let by_escrow: fn(Order) -> Order = |order| order.escrow(DAY);
    let cases = [
        (Order::direct as fn(Order) -> Order, by_escrow, "POST /api/messages", [0, 0]),
        (by_escrow, Order::direct, "POST /api/messages", [1, 1]),
        (by_escrow, Order::direct, "POST /api/v1/escrow", [0, 1]),
    ];
    for (first, then, lost, escrows) in cases {
        let market = Market::open().await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("buyer.db");
        let (_proxy, cut) = market.buyer_behind(Fault::LoseRequest, lost).await;
        let cut = cut.journal(&file);
        first(count(&cut)).id("w").send().await.unwrap_err();
        assert_eq!(escrows_and_orders(&market).await, (escrows[0], 0));
        let buyer = market.buyer().journal(&file);
        let quote = then(count(&buyer)).id("w").quote().await.unwrap();
        let deal = then(count(&buyer)).id("w").send().await.unwrap();
        let is_by_escrow = escrows[1] == 1;
        assert_eq!((quote.escrow.is_some(), deal.escrow().is_some()), (is_by_escrow, is_by_escrow));
        assert_eq!(escrows_and_orders(&market).await, (escrows[1], 1));
        assert_eq!(market.credits().await, (95.into(), 5.into()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resumed_order_is_checked_against_the_limits_again() {
    let market = Market::open().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("buyer.db");
    let (_proxy, cut) = market.buyer_behind(Fault::LoseRequest, "POST /api/messages").await;
    let cut = cut.journal(&file).per_day(5);
    count(&cut).id("w").send().await.unwrap_err();
    let buyer = || market.buyer().journal(&file);
    let again = |buyer: Buyer| count(&buyer).id("w");
    let refused = async |order: Order| limit(&order.send().await.unwrap_err());
    assert_eq!(refused(again(buyer().per_order(4))).await, ("per_order", 4));
    assert_eq!(refused(again(buyer()).max_credits(3)).await, ("max_credits", 3));
    assert_eq!(refused(again(buyer().only(["paintbot"]))).await, ("only", 0));
    assert_eq!(refused(again(buyer().per_day(2))).await, ("per_day", 2));
    assert_eq!(escrows_and_orders(&market).await, (0, 0));
    // Its own reservation does not count against it.
    again(buyer().per_day(5)).quote().await.unwrap();
    again(buyer().per_day(5)).send().await.unwrap();
    assert_eq!(limit(&count(&buyer().per_day(5)).quote().await.unwrap_err()), ("per_day", 0));
    assert_eq!(market.credits().await, (95.into(), 5.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_was_sent_is_quoted_whatever_the_limits_are() {
    let market = Market::open().await;
    let buyer = market.buyer();
    count(&buyer).id("w").send().await.unwrap();
    let limited = buyer.clone().per_order(4).per_day(1).only(["paintbot"]);
    let quote = count(&limited).max_credits(3).id("w").quote().await.unwrap();
    assert_eq!(quote.request.offered_credits, 5.into());
    count(&limited).max_credits(3).id("w").send().await.unwrap();
    assert_eq!(escrows_and_orders(&market).await, (0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_whose_credits_are_in_its_escrow_is_not_checked_against_the_day() {
    let market = Market::open().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("buyer.db");
    let (_proxy, cut) = market.buyer_behind(Fault::LoseRequest, "POST /api/messages").await;
    report(&cut.journal(&file)).id("r").send().await.unwrap_err();
    assert_eq!(escrows_and_orders(&market).await, (1, 0));
    let again = |buyer: Buyer| report(&buyer).id("r");
    let buyer = || market.buyer().journal(&file).per_day(2);
    let refused = again(buyer().per_order(4)).quote().await.unwrap_err();
    assert_eq!(limit(&refused), ("per_order", 4));
    assert_eq!(again(buyer()).quote().await.unwrap().request.offered_credits, 60.into());
    again(buyer()).send().await.unwrap();
    assert_eq!(escrows_and_orders(&market).await, (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_whose_escrow_was_refunded_before_it_was_sent_counts_for_nothing() {
    let market = Market::open().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("buyer.db");
    let (_proxy, cut) = market.buyer_behind(Fault::LoseRequest, "POST /api/messages").await;
    report(&cut.journal(&file)).id("r").send().await.unwrap_err();
    let escrow = market.ada.escrow().list().await.unwrap().escrows.remove(0).id;
    market.wordbot.escrow().deliver(&escrow, Deliverable::new("text")).await.unwrap();
    market.wordbot.escrow().refund(&escrow).await.unwrap();
    let buyer = market.buyer().journal(&file).per_day(60);
    let refused = report(&buyer).id("r").send().await.unwrap_err();
    assert!(matches!(refused, Error::OrderEnded { .. }), "{refused:?}");
    report(&buyer).send().await.unwrap();
    assert_eq!(market.credits().await, (40.into(), 60.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_earlier_order_is_searched_for_a_new_id() {
    let market = Market::open().await;
    let (_proxy, cut) = market.buyer_behind(Fault::LoseRequest, "GET /api/messages").await;
    count(&cut).id("random").send().await.unwrap_err();
    let deal = count(&cut).new_id("random").send().await.unwrap();
    let again = count(&market.buyer()).id("random").send().await.unwrap();
    assert_eq!(again.request(), deal.request(), "it is gone on with all the same");
    assert_eq!(market.orders().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_found_behind_pages_of_later_ones() {
    let market = Market::open().await;
    let first = count(&market.buyer()).id("first").send().await.unwrap();
    market.wordbot.services().create("free", "costs nothing", 0).await.unwrap();
    let buyer = market.buyer();
    for _ in 0..101 {
        buyer.order("wordbot/free").send().await.unwrap();
    }
    // The journal is lost, and so is the key.
    market.server.clock().advance(DAY / 2);
    let found = market.buyer().order("wordbot/count").id("first").earlier().await.unwrap();
    assert_eq!(found.unwrap().request(), first.request());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_the_journal_forgot_counts_from_when_it_was_placed() {
    let market = Market::open().await;
    let clock = market.server.clock();
    let days_ago = Clock::system().now().minus(9 * DAY);
    clock.advance(days_ago.since(clock.now()));
    let placed = count(&market.buyer()).id("night-1").send().await.unwrap();
    market.answer(ResponseStatus::Completed, json!({ "words": 2 })).await;
    market.at_present();
    let buyer = market.buyer().per_day(5);
    let again = count(&buyer).id("night-1").send().await.unwrap();
    assert_eq!(again.request(), placed.request());
    // What was paid nine days ago is not spent today.
    count(&buyer).id("night-2").send().await.unwrap();
}
