//! Orders that an escrow pays.

use std::time::Duration;

use serde_json::json;
use svc_bot_kit::{Buyer, Deal, Error, Outcome, Work};
use svc_client::Client;
use svc_client::types::api::escrow::{Deliverable, EscrowStatus};
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Code, Scope, ServiceResponse};

use super::market::{Market, object, report};

/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(60);

/// SHA-256 of `{"pages":3}`.
const THREE_PAGES: &str = "sha256:77cfe6e04689b043c6e169ad067435c1bfb843a7efc38da2dc68db05ab336c04";

/// A deliverable whose data is in the escrow.
fn pages(number: u32, checksum: &str) -> Deliverable {
    let mut work = Deliverable::new("json");
    work.rest = object(&json!({ "data": { "pages": number } }));
    work.checksum = Some(checksum.into());
    work
}

async fn deliver(market: &Market, deal: &Deal, work: Deliverable) {
    market.wordbot.escrow().deliver(deal.escrow().unwrap(), work).await.unwrap();
}

async fn work(deal: &Deal) -> Work {
    match deal.wait(LONG).await.unwrap() {
        Outcome::Delivered(work) => *work,
        other => panic!("{other:?}"),
    }
}

async fn status(market: &Market, deal: &Deal) -> EscrowStatus {
    market.ada.escrow().get(deal.escrow().unwrap()).await.unwrap().escrow.status
}

#[tokio::test(flavor = "multi_thread")]
async fn from_fifty_credits_an_escrow_pays_and_is_released_once_the_work_was_compared() {
    let market = Market::open().await;
    let deal = report(&market.buyer()).id("r1").send().await.unwrap();
    assert_eq!(market.credits().await, (40.into(), 60.into()));
    let request = market.orders().await.remove(0).request.unwrap();
    assert_eq!(request.escrow_id.as_ref(), deal.escrow());
    deliver(&market, &deal, pages(3, THREE_PAGES)).await;
    let note = json!({ "escrowId": deal.escrow(), "message": "have a look" });
    market.answer(ResponseStatus::Delivered, note).await;

    let work = work(&deal).await;
    assert_eq!(work.data(), Some(&json!({ "pages": 3 })));
    assert!(work.note.is_some());
    assert!(matches!(work.release(4.2).await, Err(Error::Config { .. })));
    work.release(4.5).await.unwrap();
    work.release(4.5).await.unwrap();
    let escrow = market.ada.escrow().get(deal.escrow().unwrap()).await.unwrap().escrow;
    assert_eq!(escrow.status, EscrowStatus::Released);
    assert_eq!(escrow.rating.unwrap().half_steps(), 9);
    let earned = market.wordbot.credits().balance().await.unwrap().credits.available;
    assert_eq!((market.credits().await.0, earned), (40.into(), 160.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_costs_less_than_fifty_credits_is_paid_without_an_escrow() {
    let market = Market::open().await;
    let services = market.wordbot.services().list().await.unwrap().services;
    let service = services.iter().find(|service| *service.name == *"report").unwrap();
    for (price, has_escrow) in [(49_u32, false), (50, true)] {
        market.wordbot.services().update(&service.id).price(price).await.unwrap();
        let deal = report(&market.buyer()).send().await.unwrap();
        assert_eq!(deal.escrow().is_some(), has_escrow, "{price} credits");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_buyer_gives_more_time_for_work_that_an_escrow_pays() {
    let market = Market::open().await;
    let deal = report(&market.buyer()).send().await.unwrap();
    let read = async || market.ada.escrow().get(deal.escrow().unwrap()).await.unwrap().escrow;
    let before = read().await.expires_at;
    deal.extend(Duration::from_hours(60 * 24)).await.unwrap();
    assert!(read().await.expires_at > before);
}

#[tokio::test(flavor = "multi_thread")]
async fn work_that_changed_since_it_was_read_is_not_released() {
    let market = Market::open().await;
    let deal = report(&market.buyer()).send().await.unwrap();
    deliver(&market, &deal, pages(4, THREE_PAGES)).await;
    let refused = work(&deal).await.release(5.0).await.unwrap_err();
    assert!(matches!(refused, Error::Checksum { seen: Some(_), .. }), "{refused:?}");
    let mut empty = pages(3, THREE_PAGES);
    empty.rest.clear();
    deliver(&market, &deal, empty).await;
    let refused = work(&deal).await.release(5.0).await.unwrap_err();
    assert!(matches!(refused, Error::Checksum { seen: None, .. }), "{refused:?}");

    deliver(&market, &deal, pages(3, THREE_PAGES)).await;
    let seen = work(&deal).await;
    deliver(&market, &deal, pages(3, THREE_PAGES)).await;
    let Error::Client(swapped) = seen.release(5.0).await.unwrap_err() else { panic!() };
    assert_eq!(swapped.code(), Some(&Code::VersionMismatch));
    assert_eq!(status(&market, &deal).await, EscrowStatus::Delivered);
    work(&deal).await.release(5.0).await.unwrap();
    assert_eq!(status(&market, &deal).await, EscrowStatus::Released);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_caller_inspects_a_repository() {
    let market = Market::open().await;
    let deal = report(&market.buyer()).send().await.unwrap();
    let code = Deliverable::code("https://git.example.org/r", "main", THREE_PAGES);
    deliver(&market, &deal, code).await;
    let work = work(&deal).await;
    assert!(matches!(work.release(5.0).await, Err(Error::Unchecked { .. })));
    let other = "sha256:0000000000000000000000000000000000000000000000000000000000000000";
    let refused = work.release_checked(5.0, async |_| Ok(other.into())).await;
    assert!(matches!(refused, Err(Error::Checksum { .. })));
    assert_eq!(status(&market, &deal).await, EscrowStatus::Delivered);
    let look = async |seen: &Deliverable| {
        assert_eq!(seen.repository.as_ref().unwrap().as_str(), "https://git.example.org/r");
        Ok(THREE_PAGES.into())
    };
    work.release_checked(5.0, look).await.unwrap();
    assert_eq!(status(&market, &deal).await, EscrowStatus::Released);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_short_balance_ends_before_the_request_and_leaves_no_escrow() {
    let market = Market::open().await;
    let buyer = market.buyer().per_day(200);
    let book = |id| {
        buyer.order("wordbot/book").input(&json!({ "text": "all" })).max_credits(160).id(id).send()
    };
    let short = book("b1").await.unwrap_err();
    assert!(matches!(short, Error::InsufficientCredits { .. }), "{short:?}");
    assert_eq!(market.orders().await, []);
    let escrows = market.ada.escrow().list().await.unwrap().escrows;
    let ended: Vec<_> = escrows.iter().map(|escrow| escrow.status.as_str()).collect();
    assert_eq!(ended, ["cancelled"]);
    let again = book("b1").await.unwrap_err();
    assert!(matches!(again, Error::OrderEnded { .. }), "{again:?}");
    // It counts for nothing.
    report(&buyer).send().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_escrow_ends_with_the_order_that_is_rejected() {
    let market = Market::open().await;
    let buyer = market.buyer().per_day(60);
    let deal = report(&buyer).send().await.unwrap();
    market.answer(ResponseStatus::Rejected, json!({ "reason": "no" })).await;
    assert!(matches!(deal.wait(LONG).await, Ok(Outcome::Rejected { .. })));
    assert_eq!(status(&market, &deal).await, EscrowStatus::Cancelled);
    assert_eq!(market.credits().await, (100.into(), 0.into()));

    let deal = report(&buyer).send().await.unwrap();
    let decline = market.wordbot.escrow().decline(deal.escrow().unwrap());
    decline.await.unwrap();
    let Outcome::Closed(escrow) = deal.wait(LONG).await.unwrap() else { panic!() };
    assert_eq!(escrow.status, EscrowStatus::Cancelled);
    report(&buyer).send().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn delivered_work_can_not_fail_and_stays_counted() {
    let market = Market::open().await;
    let buyer = market.buyer().per_day(60);
    let deal = report(&buyer).send().await.unwrap();
    deliver(&market, &deal, pages(3, THREE_PAGES)).await;
    let failed = ServiceResponse {
        request_id: deal.request().clone(),
        status: ResponseStatus::Error,
        output: json!({ "error": "no time" }).as_object().cloned(),
        charged_credits: None,
    };
    let refused = market.wordbot.messages().respond_to("ada", failed).await.unwrap_err();
    assert_eq!(refused.code(), Some(&Code::WrongState));
    assert_eq!(work(&deal).await.data(), Some(&json!({ "pages": 3 })));
    assert!(matches!(report(&buyer).send().await, Err(Error::SpendLimit { .. })));

    // What the provider gives back is an end, and may be spent again.
    market.wordbot.escrow().refund(deal.escrow().unwrap()).await.unwrap();
    let Outcome::Closed(escrow) = deal.wait(LONG).await.unwrap() else { panic!() };
    assert_eq!(escrow.status, EscrowStatus::Refunded);
    report(&buyer).send().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_buyer_knows_which_escrows_pay_for_its_orders() {
    let market = Market::open().await;
    let buyer = market.buyer();
    let deal = report(&buyer).send().await.unwrap();
    assert!(buyer.pays_by(deal.escrow().unwrap().clone()).await.unwrap());
    assert!(!market.buyer().pays_by(deal.escrow().unwrap().clone()).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_buyer_needs_a_key_that_reads_gets_messages_and_spends() {
    let market = Market::open().await;
    let scopes = [Scope::Read, Scope::Dm, Scope::ExchangeSpend];
    let key = market.ada.keys().create("buyer", scopes).await.unwrap().api_key;
    let client = Client::builder(market.server.url()).api_key(key).build().unwrap();
    let deal = report(&Buyer::new(client)).send().await.unwrap();
    deliver(&market, &deal, pages(3, THREE_PAGES)).await;
    work(&deal).await.release(5.0).await.unwrap();
    assert_eq!(status(&market, &deal).await, EscrowStatus::Released);
}
