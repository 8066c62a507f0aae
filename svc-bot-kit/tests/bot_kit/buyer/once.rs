//! An order of one id is paid once, whatever happens in between.

use std::time::Duration;

use serde_json::json;
use svc_bot_kit::testing::Fault;
use svc_bot_kit::{Error, Outcome};
use svc_client::Outcome as Known;
use svc_client::types::service_message::ResponseStatus;
use svc_server::testing::until;

use super::market::{Market, count, report};

#[tokio::test(flavor = "multi_thread")]
async fn running_the_same_program_again_resumes_and_pays_once() {
    let market = Market::open().await;
    let folder = tempfile::tempdir().unwrap();
    let run = || {
        let buyer = market.buyer().journal(folder.path().join("buyer.db")).per_day(5);
        count(&buyer).id("night-42").send()
    };
    let earlier = || {
        let buyer = market.buyer();
        async move { buyer.order("wordbot/count").id("night-42").earlier().await.unwrap() }
    };
    assert!(earlier().await.is_none());
    let first = run().await.unwrap();
    let second = run().await.unwrap();
    assert_eq!(earlier().await.unwrap().request(), first.request());
    assert_eq!((first.request(), first.id()), (second.request(), "night-42"));
    assert_eq!((market.orders().await.len(), market.credits().await), (1, (95.into(), 5.into())));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_id_at_once_pays_once() {
    let market = Market::open().await;
    let buyer = market.buyer().per_day(5);
    let runs = (0..8).map(|_| tokio::spawn(count(&buyer).id("one").send()));
    for run in futures::future::join_all(runs).await {
        run.unwrap().unwrap();
    }
    assert_eq!((market.orders().await.len(), market.credits().await), (1, (95.into(), 5.into())));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_journal_pays_nothing_twice() {
    let market = Market::open().await;
    let first = count(&market.buyer()).id("night-42").send().await.unwrap();
    // The server has forgotten every key by then, but not the message.
    market.server.clock().advance(Duration::from_hours(48));
    let second = count(&market.buyer()).id("night-42").send().await.unwrap();
    assert_eq!(first.request(), second.request());
    assert!(matches!(second.wait(Duration::from_mins(1)).await, Ok(Outcome::Expired)));
    assert_eq!(market.credits().await, (100.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_belongs_to_one_order() {
    let market = Market::open().await;
    let buyer = market.buyer();
    count(&buyer).id("weekly").send().await.unwrap();
    for buyer in [buyer.clone(), market.buyer()] {
        let other = report(&buyer).id("weekly").send().await.unwrap_err();
        let Error::OrderExists { service, .. } = other else { panic!("{other:?}") };
        assert_eq!(service, "count");
    }
    let same_name = buyer.order("paintbot/count").input(&json!({})).max_credits(5).id("weekly");
    assert!(matches!(same_name.send().await, Err(Error::OrderExists { .. })));
    let id = market.wordbot.users().me().await.unwrap().user.id;
    let by_id = buyer.order(format!("{id}/count")).id("weekly").earlier().await.unwrap();
    assert!(by_id.is_some(), "the same provider by its id");
    for id in ["", "a b", &"x".repeat(59)] {
        assert!(matches!(count(&market.buyer()).id(id).send().await, Err(Error::Config { .. })));
    }
    assert_eq!(market.orders().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_with_a_lost_answer_resumes_under_the_same_id() {
    for lost in ["POST /api/v1/escrow", "POST /api/messages"] {
        let market = Market::open().await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("buyer.db");
        let (_proxy, cut) = market.buyer_behind(Fault::LoseAnswer, lost).await;
        let cut = cut.journal(&file).per_day(60);
        let unknown = report(&cut).id("r7").send().await.unwrap_err();
        let Error::Client(unknown) = unknown else { panic!("{unknown:?}") };
        assert_eq!(unknown.outcome(), Known::Unknown, "{lost}");
        let buyer = market.buyer().journal(&file).per_day(60);
        let other = report(&buyer).send().await.unwrap_err();
        assert!(matches!(other, Error::SpendLimit { .. }), "it stays reserved: {other:?}");
        report(&buyer).id("r7").send().await.unwrap();
        assert_eq!(
            (market.orders().await.len(), market.credits().await),
            (1, (40.into(), 60.into()))
        );
        assert_eq!(market.ada.escrow().list().await.unwrap().escrows.len(), 1, "{lost}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_waited_for_while_the_platform_fails() {
    const ORDERS: &str = "GET /api/orders/";
    let market = Market::open().await;
    let outage = Fault::Refuse { status: 503, retry_after: None };
    let (proxy, buyer) = market.buyer_behind(outage, ORDERS).await;
    let deal = count(&buyer).send().await.unwrap();
    market.answer(ResponseStatus::Completed, json!({ "words": 2 })).await;
    let heal = async {
        until("the platform is asked", async || proxy.seen(ORDERS) > 0).await;
        proxy.heal();
    };
    let (outcome, ()) = tokio::join!(deal.wait(Duration::from_mins(1)), heal);
    assert!(matches!(outcome, Ok(Outcome::Completed { .. })), "{outcome:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_did_not_arrive_resumes_at_the_agreed_price() {
    let market = Market::open().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("buyer.db");
    let (_proxy, cut) = market.buyer_behind(Fault::LoseRequest, "POST /api/messages").await;
    let cut = cut.journal(&file);
    report(&cut).max_credits(100).id("r7").send().await.unwrap_err();
    assert_eq!((market.orders().await.len(), market.credits().await), (0, (40.into(), 60.into())));

    let service = market.wordbot.bots().capabilities("wordbot").await.unwrap().capabilities;
    let report_id = service.iter().find(|it| it.name == "report").unwrap().id.clone();
    market.wordbot.services().update(report_id).price(90).await.unwrap();
    // The server has forgotten the keys by then.
    market.server.clock().advance(Duration::from_hours(48));
    let buyer = market.buyer().journal(&file);
    let deal = report(&buyer).max_credits(100).id("r7").send().await.unwrap();
    assert_eq!(deal.amount(), 60.into());
    let orders = market.orders().await;
    assert_eq!(orders[0].request.as_ref().unwrap().offered_credits, 60.into());
    assert_eq!(market.ada.escrow().list().await.unwrap().escrows.len(), 1);
    assert_eq!(market.credits().await, (40.into(), 60.into()));
}
