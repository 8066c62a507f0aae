//! Orders that were answered or expired while the bot was offline or busy.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use svc_bot_kit::testing::{Clock, Fault};
use svc_bot_kit::{Bot, Ctx, Fail, Journal, Service, service};
use svc_client::types::EscrowId;
use svc_client::types::api::escrow::{Escrow, EscrowStatus};
use svc_client::types::api::messages::RequestStatus;
use svc_server::testing::{in_time, until};
use tokio::sync::Notify;

use super::market::{Ask, Count, Market, count, opening, reached};

/// Longer than the platform keeps an idempotency key or an order open.
const LONG: Duration = Duration::from_secs(25 * 60 * 60);

async fn escrow(market: &Market, id: &EscrowId) -> Escrow {
    market.buyer.escrow().get(id).await.unwrap().escrow
}

/// Delivers work without the bot getting the response; afterwards the bot is offline for long.
async fn delivered_without_response(
    market: &Market,
    id: &EscrowId,
    journal: &Journal,
    work: impl Fn() -> Service,
) {
    let proxy = market.proxy().await;
    proxy.always("POST /api/v1/escrow/", Fault::LoseAnswer);
    let bot = market.bot_behind(&proxy, journal).service(work()).drain(Duration::ZERO);
    // Asks the platform, because the proxy sees the request before the platform has handled it.
    let delivered = until("the work is delivered", async || {
        escrow(market, id).await.status == EscrowStatus::Delivered
    });
    bot.run_until(delivered).await.unwrap();
    market.server.clock().advance(LONG);
    // Now the platform has forgotten the key, too.
    market.server.sweep().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn delivered_work_is_not_delivered_again_when_its_key_has_expired() {
    for is_disputed in [false, true] {
        let market = Market::open().await;
        let work = || count(&Arc::default()).price(60);
        let service = market.publish(work()).await;
        let (order, id) = market.escrow_order(&service, "a bb", 60).await;
        let journal = Journal::memory().unwrap();
        delivered_without_response(&market, &id, &journal, work).await;
        let before = escrow(&market, &id).await;
        assert_eq!((before.status, before.deliverable_version), (EscrowStatus::Delivered, 1));
        if is_disputed {
            market.buyer.escrow().dispute(&id, "three words, not two").await.unwrap();
        }
        let bot = Bot::new(market.bot.clone()).journal(journal).service(work());
        bot.run_until(market.answered(&order)).await.unwrap();
        assert_eq!(market.answer(&order).await["status"], "delivered");
        assert_eq!(market.state(&order).await.status, RequestStatus::Open);
        assert_eq!(escrow(&market, &id).await.deliverable_version, 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn delivered_work_is_announced_even_if_the_checks_would_fail_now() {
    let market = Market::open().await;
    let starts = Arc::default();
    let service = market.publish(count(&starts).price(60)).await;
    let (order, id) = market.escrow_order(&service, "a bb", 60).await;
    let journal = Journal::memory().unwrap();
    delivered_without_response(&market, &id, &journal, || count(&starts).price(60)).await;
    // The journal is lost, and the price has changed.
    let bot = market.bot().service(count(&starts).price(70));
    bot.run_until(market.answered(&order)).await.unwrap();
    assert_eq!(market.answer(&order).await["status"], "delivered");
    assert_eq!(starts.load(Ordering::Relaxed), 1);
    assert_eq!(escrow(&market, &id).await.status, EscrowStatus::Delivered);
}

/// A service whose handler waits until it is released.
fn held(starts: &Arc<AtomicU32>, release: &Arc<Notify>) -> Service {
    let (starts, release) = (Arc::clone(starts), Arc::clone(release));
    let handler = move |_: Ctx, _: Ask| {
        starts.fetch_add(1, Ordering::Relaxed);
        let release = Arc::clone(&release);
        async move {
            release.notified().await;
            Ok::<_, Fail>(Count { words: 1 })
        }
    };
    service("count-words", handler)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_expired_while_it_waited_is_not_worked_on() {
    let market = Market::open().await;
    let (starts, release) = (Arc::default(), Arc::default());
    let service = market.publish(held(&starts, &release)).await;
    let (clock, journal) = (Clock::new(), Journal::memory().unwrap());
    let bot = Bot::new(market.bot.clone()).journal(journal.clone()).clock(&clock);
    let first = market.order(&service, "a", 0).await;
    let second = market.order(&service, "b", 0).await;
    let expired = async {
        reached(&starts, 1).await;
        market.server.clock().advance(LONG);
        clock.advance(LONG);
        release.notify_one();
        let no_jobs = async || journal.backlog().await.unwrap().jobs == 0;
        until("the bot has no jobs left", no_jobs).await;
    };
    bot.service(held(&starts, &release)).run_until(expired).await.unwrap();
    assert_eq!(starts.load(Ordering::Relaxed), 1);
    for order in [&first, &second] {
        assert_eq!(market.state(order).await.status, RequestStatus::Expired);
        assert!(market.answers(order).await.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_expired_while_the_bot_was_offline_is_not_processed() {
    let market = Market::open().await;
    let (starts, release) = (Arc::default(), Arc::default());
    let service = market.publish(held(&starts, &release)).await;
    let journal = Journal::memory().unwrap();
    let bot = || Bot::new(market.bot.clone()).journal(journal.clone());
    market.order(&service, "a", 0).await;
    let drained = bot().service(held(&starts, &release)).drain(Duration::ZERO);
    drained.run_until(reached(&starts, 1)).await.unwrap();
    market.server.clock().advance(LONG);
    let (bot, opened) = opening(bot().service(held(&starts, &release)));
    bot.run_until(in_time("the bot opens", opened.notified())).await.unwrap();
    assert_eq!(journal.backlog().await.unwrap(), svc_bot_kit::Backlog::default());
    assert_eq!(starts.load(Ordering::Relaxed), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_escrow_does_not_block_other_orders() {
    let market = Market::open().await;
    let starts = Arc::default();
    let service = market.publish(count(&starts)).await;
    let (slow, _) = market.escrow_order(&service, "a bb", 60).await;
    let proxy = market.proxy().await;
    proxy.always("GET /api/v1/escrow/", Fault::Refuse { status: 503, retry_after: Some(1) });
    let other = Market::agent(&market.server, "bea").await;
    let order = super::market::request(&service, serde_json::json!({ "text": "a" }), 0, None);
    let quick = other.messages().request_service("wordbot", order).await.unwrap();
    let quick = quick.message.message_id;
    let done = async {
        until("the escrow is read", async || proxy.seen("GET /api/v1/escrow/") > 0).await;
        until("the other order is completed", async || {
            let message = market.bot.messages().get(&quick).await.unwrap().message;
            message.request.unwrap().status == RequestStatus::Completed
        })
        .await;
        assert!(market.answers(&slow).await.is_empty());
        proxy.heal();
        market.answered(&slow).await;
    };
    let bot = market.bot_behind(&proxy, &Journal::memory().unwrap()).concurrency(1);
    bot.service(count(&starts)).run_until(done).await.unwrap();
    assert_eq!(market.answer(&slow).await["status"], "delivered");
}
