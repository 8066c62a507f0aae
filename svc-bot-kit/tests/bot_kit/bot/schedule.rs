//! The scheduling of orders, and the end of a bot.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use svc_bot_kit::{Bot, Ctx, Error, Fail, Journal, OnCrash, Sequence, Service, service};
use svc_client::types::api::messages::RequestStatus;
use svc_client::types::{MessageId, ServiceId};
use svc_server::testing::found;
use tokio::sync::Barrier;

use super::market::{Ask, Count, Market, count, reached, request};

/// Orders by another buyer.
async fn order_of(market: &Market, name: &str, service: &ServiceId) -> MessageId {
    let buyer = Market::agent(&market.server, name).await;
    let order = request(service, serde_json::json!({ "text": name }), 0, None);
    buyer.messages().request_service("wordbot", order).await.unwrap().message.message_id
}

/// Waits until the bot has closed any order.
async fn closed(market: &Market, order: &MessageId) -> RequestStatus {
    found("an order is closed", async || {
        let message = market.bot.messages().get(order).await.unwrap().message;
        Some(message.request.unwrap().status).filter(|status| *status != RequestStatus::Open)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn two_conversations_are_worked_on_at_the_same_time() {
    let market = Market::open().await;
    let meet = Arc::new(Barrier::new(2));
    let both = || {
        let meet = Arc::clone(&meet);
        let handler = move |_: Ctx, _: Ask| {
            let meet = Arc::clone(&meet);
            async move {
                meet.wait().await;
                Ok::<_, Fail>(Count { words: 2 })
            }
        };
        service("count-words", handler)
    };
    let service = market.publish(both()).await;
    let first = order_of(&market, "bea", &service).await;
    let second = order_of(&market, "cyd", &service).await;
    let done = async {
        for order in [&first, &second] {
            assert_eq!(closed(&market, order).await, RequestStatus::Completed);
        }
    };
    market.bot().service(both()).run_until(done).await.unwrap();

    // So are orders of one conversation, if the service allows it.
    let first = market.order(&service, "a", 0).await;
    let second = market.order(&service, "b", 0).await;
    let done = async {
        for order in [&first, &second] {
            assert_eq!(market.closed(order).await.status, RequestStatus::Completed);
        }
    };
    let free = both().order(Sequence::Free);
    market.bot().service(free).run_until(done).await.unwrap();
}

/// Counts running handlers; fails if there are too many.
fn alone(log: &Arc<Mutex<Vec<String>>>) -> Service {
    let (log, at_work) = (Arc::clone(log), Arc::new(AtomicU32::new(0)));
    let handler = move |_: Ctx, ask: Ask| {
        let (log, at_work) = (Arc::clone(&log), Arc::clone(&at_work));
        async move {
            let others = at_work.fetch_add(1, Ordering::SeqCst);
            log.lock().unwrap().push(ask.text);
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            at_work.fetch_sub(1, Ordering::SeqCst);
            if others > 0 { Err(Fail::reject("not alone")) } else { Ok(Count { words: 1 }) }
        }
    };
    service("count-words", handler)
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_of_one_conversation_are_done_one_after_the_other() {
    let market = Market::open().await;
    let log = Arc::default();
    let service = market.publish(alone(&log)).await;
    let texts: Vec<String> = (0..6).map(|n| format!("order {n}")).collect();
    let mut orders = Vec::new();
    for text in &texts {
        orders.push(market.order(&service, text, 0).await);
    }
    let done = async {
        for order in &orders {
            assert_eq!(market.closed(order).await.status, RequestStatus::Completed);
        }
    };
    market.bot().service(alone(&log)).run_until(done).await.unwrap();
    assert_eq!(*log.lock().unwrap(), texts);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_orders_are_worked_on_than_the_bot_or_the_service_allows() {
    let market = Market::open().await;
    let log = Arc::default();
    let service = market.publish(alone(&log)).await;
    for lap in 0..2 {
        let mut orders = Vec::new();
        for name in ["bea", "cyd", "dan"] {
            orders.push(order_of(&market, &format!("{name}{lap}"), &service).await);
        }
        let done = async {
            for order in &orders {
                assert_eq!(closed(&market, order).await, RequestStatus::Completed);
            }
        };
        let bot = match lap {
            0 => market.bot().service(alone(&log)).concurrency(1),
            _ => market.bot().service(alone(&log).concurrency(1)),
        };
        bot.run_until(done).await.unwrap();
    }
}

/// A service that waits for the bot to stop, or forever.
fn waiting(entered: &Arc<AtomicU32>) -> Service {
    let entered = Arc::clone(entered);
    let handler = move |cx: Ctx, ask: Ask| {
        let entered = Arc::clone(&entered);
        async move {
            entered.fetch_add(1, Ordering::SeqCst);
            cx.cancelled().await;
            if ask.text == "for ever" {
                std::future::pending::<()>().await;
            }
            Ok::<_, Fail>(Count { words: 7 })
        }
    };
    service("count-words", handler)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_timeout_is_answered_with_an_error() {
    let market = Market::open().await;
    let slow = || waiting(&Arc::default()).timeout(Duration::from_millis(20));
    let service = market.publish(slow()).await;
    let order = market.order(&service, "a", 0).await;
    let done = async { drop(market.closed(&order).await) };
    market.bot().service(slow()).run_until(done).await.unwrap();
    let error = market.answer(&order).await["output"]["error"].take();
    assert_eq!(error, "the service took too long; nothing is charged");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_that_runs_may_end_and_its_answer_is_sent_before_the_bot_ends() {
    let market = Market::open().await;
    let entered = Arc::default();
    let service = market.publish(waiting(&entered)).await;
    let order = market.order(&service, "a", 0).await;
    let behind = market.order(&service, "b", 0).await;
    let bot = market.bot().service(waiting(&entered));
    let begun = async {
        reached(&entered, 1).await;
        let cancelled = market.buyer.orders().cancel(&order).await;
        let refused = cancelled.unwrap_err();
        assert_eq!(refused.message(), "the provider works on the order");
    };
    bot.run_until(begun).await.unwrap();
    assert_eq!(market.answer(&order).await["output"]["words"], 7);
    assert!(market.answers(&behind).await.is_empty(), "nothing new is started");
    assert_eq!(entered.load(Ordering::SeqCst), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_that_does_not_end_is_aborted_and_its_order_answered_after_the_next_start() {
    let market = Market::open().await;
    let entered = Arc::default();
    let service = market.publish(waiting(&entered)).await;
    let order = market.order(&service, "for ever", 0).await;
    let journal = Journal::memory().unwrap();
    let bot = || Bot::new(market.bot.clone()).journal(journal.clone()).service(waiting(&entered));
    let drained = bot().drain(Duration::from_millis(10));
    drained.run_until(reached(&entered, 1)).await.unwrap();
    assert!(market.answers(&order).await.is_empty());
    bot().run_until(async { drop(market.closed(&order).await) }).await.unwrap();
    let error = market.answer(&order).await["output"]["error"].take();
    assert_eq!(error, "the service was interrupted; nothing is charged");
    assert_eq!(entered.load(Ordering::SeqCst), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_may_run_again_runs_three_times_at_most() {
    let market = Market::open().await;
    let entered = Arc::default();
    let rerun = || waiting(&entered).on_crash(OnCrash::Rerun);
    let service = market.publish(rerun()).await;
    let order = market.order(&service, "for ever", 0).await;
    let journal = Journal::memory().unwrap();
    let bot = || Bot::new(market.bot.clone()).journal(journal.clone()).service(rerun());
    for start in 1..=3 {
        let drained = bot().drain(Duration::from_millis(10));
        drained.run_until(reached(&entered, start)).await.unwrap();
    }
    bot().run_until(async { drop(market.closed(&order).await) }).await.unwrap();
    let error = market.answer(&order).await["output"]["error"].take();
    assert_eq!(error, "the service was interrupted; nothing is charged");
    assert_eq!(entered.load(Ordering::SeqCst), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_regenerated_ends_the_bot() {
    let market = Market::open().await;
    let service = market.publish(count(&Arc::default())).await;
    let order = market.order(&service, "a", 0).await;
    let bot = market.bot().service(count(&Arc::default()));
    let running = tokio::spawn(bot.run_until(std::future::pending()));
    market.closed(&order).await;
    market.bot.auth().regenerate_api_key().await.unwrap();
    let ended = running.await.unwrap().unwrap_err();
    assert!(matches!(ended, Error::Client(_)), "{ended:?}");
}
