//! Limits count everything the account spent, without refunds.

use std::time::Duration;

use serde_json::json;
use svc_bot_kit::{Buyer, Error, Outcome};
use svc_client::types::Credits;
use svc_client::types::api::escrow::Deliverable;
use svc_client::types::service_message::ResponseStatus;
use svc_server::clock::Clock;

use super::market::{Market, count, report};

/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(60);

/// What a limit of 70 a day leaves.
async fn left(buyer: &Buyer) -> Credits {
    buyer.catch_up().await.unwrap();
    match buyer.reserve("nobody", 1_000).await.unwrap_err() {
        Error::SpendLimit { left, .. } => left,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn earlier_orders_and_those_of_other_machines_count_until_refunded() {
    let market = Market::open().await;
    market.at_present();
    // Each has a journal of its own.
    count(&market.buyer()).send().await.unwrap();
    report(&market.buyer()).id("r").send().await.unwrap();
    let limited = market.buyer().per_day(70);
    assert_eq!(left(&limited).await, 5.into());
    assert_eq!(left(&limited).await, 5.into(), "nothing is taken in twice");
    let refused = market.buyer().per_day(70);
    refused.catch_up().await.unwrap();
    assert!(matches!(report(&refused).send().await, Err(Error::SpendLimit { .. })));

    let escrow = market.ada.escrow().list().await.unwrap().escrows.remove(0);
    market.ada.escrow().cancel(&escrow.id).await.unwrap();
    assert_eq!(left(&limited).await, 65.into());
    market.answer(ResponseStatus::Rejected, json!({ "reason": "busy" })).await;
    assert_eq!(left(&limited).await, 70.into());
    count(&market.buyer()).send().await.unwrap();
    assert_eq!(left(&limited).await, 65.into());
    market.server.clock().advance(Duration::from_hours(25));
    assert_eq!(left(&limited).await, 70.into(), "nobody answered it in time");
    assert_eq!(left(&market.buyer().per_day(70)).await, 70.into());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_escrow_that_was_split_counts_as_what_the_provider_received() {
    let market = Market::open().await;
    market.at_present();
    let buyer = market.buyer().per_day(70);
    let deal = report(&buyer).send().await.unwrap();
    let (id, work) = (deal.escrow().unwrap(), Deliverable::new("text"));
    market.wordbot.escrow().deliver(id, work).await.unwrap();
    let offered = market.wordbot.escrow().offer_split(id, 20).await.unwrap().escrow;
    assert_eq!(left(&buyer).await, 10.into(), "nobody accepted the offer yet");
    let version = u32::try_from(offered.split.unwrap().offer_version).unwrap();
    market.ada.escrow().accept_split(id, version).await.unwrap();
    assert!(matches!(deal.wait(LONG).await, Ok(Outcome::Delivered(_))));
    let Err(Error::SpendLimit { left: after, .. }) = buyer.reserve("nobody", 1_000).await else {
        panic!("the limit is 70")
    };
    assert_eq!(after, 50.into());
    for buyer in [buyer, market.buyer().per_day(70)] {
        assert_eq!(left(&buyer).await, 50.into(), "as the platform knows it");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_earlier_escrow_under_the_same_id_does_not_free_what_pays_now() {
    let market = Market::open().await;
    market.at_present();
    let offers = market.ada.bots().capabilities("wordbot").await.unwrap().capabilities;
    let service = offers.iter().find(|offer| offer.name == "report").unwrap().id.clone();
    let description = "report (order r)";
    let create = || market.ada.escrow().create("wordbot", service.clone(), 60_u32, description);
    let earlier = create().await.unwrap().escrow;
    market.ada.escrow().cancel(&earlier.id).await.unwrap();
    create().await.unwrap();
    let buyer = market.buyer().per_day(70);
    assert_eq!(left(&buyer).await, 10.into());
    assert_eq!(left(&buyer).await, 10.into(), "nothing is taken in twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_of_another_machine_counts_from_when_it_was_placed() {
    let market = Market::open().await;
    let clock = market.server.clock();
    let earlier = Clock::system().now().minus(Duration::from_hours(23));
    clock.advance(earlier.since(clock.now()));
    count(&market.buyer()).send().await.unwrap();
    let placed_at = market.orders().await[0].created_at;
    market.at_present();
    let here = market.buyer();
    here.catch_up().await.unwrap();
    assert_eq!(here.orders(1).await.unwrap()[0].created_at, placed_at);
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_that_the_account_receives_do_not_count() {
    let market = Market::open().await;
    market.at_present();
    market.ada.services().create("advice", "gives advice", 7).await.unwrap();
    let buyer = Buyer::new(market.wordbot.clone());
    buyer.order("ada/advice").max_credits(7).send().await.unwrap();
    assert_eq!(left(&market.buyer().per_day(70)).await, 70.into());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lower_charge_on_another_machine_leaves_more() {
    let market = Market::open().await;
    market.at_present();
    let buyer = market.buyer().per_day(70);
    let deal = count(&buyer).send().await.unwrap();
    let answer = svc_client::types::ServiceResponse {
        request_id: deal.request().clone(),
        status: ResponseStatus::Completed,
        output: None,
        charged_credits: Some(2.into()),
    };
    assert_eq!(left(&buyer).await, 65.into());
    market.wordbot.messages().respond_to("ada", answer).await.unwrap();
    assert_eq!(left(&buyer).await, 68.into(), "no one waited for it");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_escrow_that_is_opened_by_hand_counts_once() {
    let market = Market::open().await;
    market.at_present();
    let buyer = market.buyer().per_day(70).per_order(60);
    let over = buyer.reserve("wordbot", 61).await.unwrap_err();
    assert!(matches!(over, Error::SpendLimit { limit: "per_order", .. }), "{over:?}");
    let reserved = buyer.reserve("wordbot", 60).await.unwrap();
    let second = buyer.reserve("wordbot", 20).await.unwrap_err();
    assert!(matches!(second, Error::SpendLimit { limit: "per_day", .. }), "{second:?}");
    let offers = market.ada.bots().capabilities("wordbot").await.unwrap().capabilities;
    let id = offers.iter().find(|offer| offer.name == "report").unwrap().id.clone();
    let opened = market.ada.escrow().create("wordbot", id, 60_u32, "a report").await.unwrap();
    let wide = market.buyer().per_day(70);
    assert_eq!(left(&wide).await, 10.into());
    reserved.paid_into(&opened.escrow.id).await.unwrap();
    let limited = buyer.clone().per_order(1_000);
    assert_eq!(left(&limited).await, 10.into());
    market.ada.escrow().cancel(&opened.escrow.id).await.unwrap();
    assert_eq!(left(&limited).await, 70.into());
    assert!(buyer.orders(20).await.unwrap().is_empty(), "it is no order");
}
