//! Orders over a faulty network: one answer, one charge, no credits stuck.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use svc_bot_kit::testing::{Fault, FaultProxy};
use svc_bot_kit::{Bot, Ctx, Fail, Journal, Service, service};
use svc_client::types::MessageId;
use svc_client::types::api::escrow::EscrowStatus;
use svc_client::types::api::messages::RequestStatus;

use super::market::{Ask, Count, Market, count, done, open_once, reached};

/// All faults of a request.
fn faults() -> Vec<Fault> {
    vec![
        Fault::LoseRequest,
        Fault::LoseAnswer,
        Fault::Delay(Duration::from_millis(50)),
        Fault::Duplicate,
        Fault::Refuse { status: 429, retry_after: Some(1) },
        Fault::Refuse { status: 500, retry_after: None },
        Fault::Refuse { status: 503, retry_after: None },
        Fault::Deny { status: 500 },
        Fault::Deny { status: 503 },
        Fault::Cut { after: 0 },
        Fault::Cut { after: 200 },
    ]
}

/// A bot behind a proxy, which is open and waits.
struct Stage {
    market: Market,
    proxy: FaultProxy,
    journal: Journal,
    starts: Arc<AtomicU32>,
}

impl Stage {
    async fn set() -> Self {
        let market = Market::open().await;
        let proxy = market.proxy().await;
        let stage =
            Self { proxy, journal: Journal::memory().unwrap(), starts: Arc::default(), market };
        open_once(stage.bot()).await;
        stage
    }

    fn bot(&self) -> Bot {
        let bot = self.market.bot_behind(&self.proxy, &self.journal);
        bot.service(count(&self.starts).price(5))
    }

    /// Waits until an order is ingested and finished.
    async fn done(&self, order: &MessageId) {
        self.market.answered(order).await;
        done(&self.journal).await;
    }
}

/// A faulty step of a deal on a stage of its own.
async fn direct(begins: &str, fault: Fault) {
    let stage = Stage::set().await;
    let service = stage.market.services().await.remove(0).0;
    let order = stage.market.order(&service, "a bb", 5).await;
    stage.proxy.times(begins, fault.clone(), 2);
    stage.bot().run_until(stage.done(&order)).await.unwrap();
    assert_eq!(stage.market.answer(&order).await["status"], "completed");
    let credits = stage.market.credits(&stage.market.buyer).await;
    assert_eq!(credits, (95.into(), 0.into()), "{begins} {fault:?}");
    assert_eq!(stage.starts.load(Ordering::Relaxed), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_answered_and_charged_once_despite_any_fault() {
    for begins in ["GET /api/v1/connect/events", "POST /api/messages"] {
        futures::future::join_all(faults().into_iter().map(|fault| direct(begins, fault))).await;
    }
}

/// The same where an escrow pays.
async fn escrowed(begins: &str, fault: Fault) {
    let stage = Stage::set().await;
    let service = stage.market.services().await.remove(0).0;
    let (order, escrow) = stage.market.escrow_order(&service, "a bb", 60).await;
    stage.proxy.times(begins, fault.clone(), 2);
    stage.bot().run_until(stage.done(&order)).await.unwrap();
    assert_eq!(stage.market.answer(&order).await["status"], "delivered");
    let escrow = stage.market.buyer.escrow().get(&escrow).await.unwrap().escrow;
    let seen = (escrow.status, escrow.deliverable_version);
    assert_eq!(seen, (EscrowStatus::Delivered, 1), "{begins} {fault:?}");
    assert_eq!(stage.starts.load(Ordering::Relaxed), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn work_is_delivered_and_announced_once_despite_any_fault() {
    for begins in ["GET /api/v1/escrow/", "POST /api/v1/escrow/", "POST /api/messages"] {
        futures::future::join_all(faults().into_iter().map(|fault| escrowed(begins, fault))).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_out_of_order_remain_one_per_order() {
    let stage = Stage::set().await;
    let service = stage.market.services().await.remove(0).0;
    let mut orders = Vec::new();
    for name in ["bea", "cyd"] {
        let buyer = Market::agent(&stage.market.server, name).await;
        let input = serde_json::json!({ "text": name });
        let order = super::market::request(&service, input, 5, None);
        let sent = buyer.messages().request_service("wordbot", order).await.unwrap();
        orders.push((buyer, sent.message.message_id));
    }
    stage.proxy.next("POST /api/messages", Fault::Reorder);
    let both = async {
        reached(&stage.starts, 2).await;
        done(&stage.journal).await;
    };
    stage.bot().run_until(both).await.unwrap();
    for (buyer, order) in orders {
        let message = buyer.messages().get(&order).await.unwrap().message;
        assert_eq!(message.request.unwrap().status, RequestStatus::Completed);
        assert_eq!(stage.market.credits(&buyer).await, (95.into(), 0.into()));
    }
}

/// A service during whose work something happens.
fn during(what: impl Fn() + Send + Sync + 'static) -> Service {
    let handler = move |_: Ctx, ask: Ask| {
        what();
        std::future::ready(Ok::<_, Fail>(Count { words: ask.text.len() }))
    };
    service("count-words", handler).price(5)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_escrow_that_expires_during_the_work_pays_back_and_the_order_is_over() {
    let market = Market::open().await;
    let service = market.publish(during(|| ())).await;
    let (order, escrow) = market.escrow_order(&service, "a bb", 60).await;
    let clock = market.server.app().clock.clone();
    let journal = Journal::memory().unwrap();
    let bot = Bot::new(market.bot.clone()).journal(journal.clone());
    let bot = bot.service(during(move || clock.advance(Duration::from_hours(24 * 40))));
    let over = async {
        market.closed(&order).await;
        done(&journal).await;
    };
    bot.run_until(over).await.unwrap();
    assert!(market.answers(&order).await.len() <= 1);
    let escrow = market.buyer.escrow().get(escrow).await.unwrap().escrow;
    assert_eq!(escrow.status, EscrowStatus::Cancelled);
    assert_eq!(market.credits(&market.buyer).await, (100.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_changed_during_the_work_does_not_affect_accepted_orders() {
    let market = Market::open().await;
    let service = market.publish(during(|| ())).await;
    let order = market.order(&service, "a bb", 5).await;
    let runtime = tokio::runtime::Handle::current();
    let (bot, id) = (market.bot.clone(), service.clone());
    let change = move || {
        let (bot, id) = (bot.clone(), id.clone());
        tokio::task::block_in_place(|| {
            runtime.block_on(async move {
                let schema = serde_json::json!({ "type": "object", "required": ["page"] });
                let update = bot.services().update(&id);
                let schema = schema.as_object().cloned();
                update.with(|change| change.input_schema = schema).await.unwrap();
            });
        });
    };
    let bot = market.bot().service(during(change));
    bot.run_until(async { drop(market.closed(&order).await) }).await.unwrap();
    assert_eq!(market.answer(&order).await["status"], "completed");
    assert_eq!(market.credits(&market.buyer).await, (95.into(), 0.into()));
}
