//! A bot that was offline for longer than events are kept.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use svc_bot_kit::{Bot, Journal};
use svc_client::types::api::messages::RequestStatus;

use super::market::{Market, count};

#[tokio::test(flavor = "multi_thread")]
async fn open_orders_are_answered_when_their_events_have_expired() {
    let market = Market::open().await;
    let starts = Arc::default();
    let service = market.publish(count(&starts)).await;
    let journal = Journal::memory().unwrap();
    let bot = || Bot::new(market.bot.clone()).journal(journal.clone()).service(count(&starts));
    let before = market.order(&service, "before", 0).await;
    bot().run_until(async { drop(market.closed(&before).await) }).await.unwrap();
    let meanwhile = market.order(&service, "meanwhile", 0).await;
    market.buyer.messages().send("wordbot", "hello").await.unwrap();
    market.forget_events(None).await;
    let after = market.order(&service, "after", 0).await;
    let done = async {
        for order in [&meanwhile, &after] {
            assert_eq!(market.closed(order).await.status, RequestStatus::Completed);
        }
    };
    bot().run_until(done).await.unwrap();
    assert_eq!(starts.load(Ordering::Relaxed), 3);
}
