//! Messages, events and repeated functions.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use svc_bot_kit::{Bot, Fail, Journal};
use svc_client::types::api::messages::RequestStatus;
use svc_server::testing::until;

use super::market::{Market, count, done, open_once, reached};

/// Received texts, in order.
type Received = Arc<Mutex<Vec<String>>>;

/// A bot that records its messages.
fn recording(market: &Market, journal: &Journal, received: &Received) -> Bot {
    let received = Arc::clone(received);
    Bot::new(market.bot.clone()).journal(journal.clone()).on_message(move |cx, message| {
        assert_eq!(cx.requester, "ada");
        received.lock().unwrap().push(message.content);
        std::future::ready(Ok(()))
    })
}

/// Waits until this many messages were received.
async fn until_received(received: &Received, count: usize) {
    until("messages are received", async || received.lock().unwrap().len() >= count).await;
}

async fn say(market: &Market, text: &str) {
    market.buyer.messages().send("wordbot", text).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_bot_handles_new_messages_and_open_orders() {
    let market = Market::open().await;
    let service = market.publish(count(&Arc::default())).await;
    say(&market, "long ago").await;
    let order = market.order(&service, "a bb", 0).await;
    let (journal, received) = (Journal::memory().unwrap(), Received::default());
    let bot = || recording(&market, &journal, &received).service(count(&Arc::default()));
    let new = async {
        assert_eq!(market.closed(&order).await.status, RequestStatus::Completed);
        say(&market, "hello").await;
        until_received(&received, 1).await;
    };
    bot().run_until(new).await.unwrap();
    say(&market, "while it is away").await;
    bot().run_until(until_received(&received, 2)).await.unwrap();
    assert_eq!(*received.lock().unwrap(), ["hello", "while it is away"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_message_is_lost_when_its_event_has_expired() {
    let market = Market::open().await;
    let (journal, received) = (Journal::memory().unwrap(), Received::default());
    let bot = || recording(&market, &journal, &received);
    say(&market, "of before").await;
    open_once(bot()).await;
    market.server.clock().advance(Duration::from_secs(1));
    say(&market, "one").await;
    bot().run_until(until_received(&received, 1)).await.unwrap();
    market.server.clock().advance(Duration::from_secs(1));
    say(&market, "two").await;
    market.forget_events(None).await;
    say(&market, "three").await;
    bot().run_until(until_received(&received, 3)).await.unwrap();
    assert_eq!(*received.lock().unwrap(), ["one", "two", "three"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_message_is_lost_when_the_platform_reuses_sequence_numbers() {
    let market = Market::open().await;
    let (journal, received) = (Journal::memory().unwrap(), Received::default());
    let bot = || recording(&market, &journal, &received);
    open_once(bot()).await;
    for text in ["one", "two", "three"] {
        market.server.clock().advance(Duration::from_secs(1));
        say(&market, text).await;
    }
    bot().run_until(until_received(&received, 3)).await.unwrap();
    // It came back from a backup.
    market.forget_events(Some(0)).await;
    market.server.clock().advance(Duration::from_secs(1));
    say(&market, "four").await;
    bot().run_until(until_received(&received, 4)).await.unwrap();
    for text in ["five", "six", "seven"] {
        market.server.clock().advance(Duration::from_secs(1));
        say(&market, text).await;
    }
    bot().run_until(until_received(&received, 7)).await.unwrap();
    let expected = ["one", "two", "three", "four", "five", "six", "seven"];
    assert_eq!(*received.lock().unwrap(), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_whose_handler_never_ends_is_skipped_after_three_starts() {
    let (market, journal) = (Market::open().await, Journal::memory().unwrap());
    let entered = Arc::new(AtomicU32::new(0));
    let bot = || {
        let entered = Arc::clone(&entered);
        let bot = Bot::new(market.bot.clone()).journal(journal.clone());
        bot.drain(Duration::from_millis(10)).on_message(move |_, _| {
            entered.fetch_add(1, Ordering::SeqCst);
            std::future::pending()
        })
    };
    open_once(bot()).await;
    say(&market, "hello").await;
    for start in 1..=3 {
        bot().run_until(reached(&entered, start)).await.unwrap();
    }
    bot().run_until(done(&journal)).await.unwrap();
    assert_eq!(entered.load(Ordering::SeqCst), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_events_are_handled_once() {
    let market = Market::open().await;
    let (journal, received) = (Journal::memory().unwrap(), Received::default());
    let bot = || {
        let received = Arc::clone(&received);
        let bot = Bot::new(market.bot.clone()).journal(journal.clone());
        bot.on_event(move |cx, event| {
            assert_eq!(cx.request_id.as_str(), event.id.as_str());
            received.lock().unwrap().push(event.event);
            std::future::ready(Ok(()))
        })
    };
    open_once(bot()).await;
    say(&market, "a message is none").await;
    market.buyer.relations().follow("wordbot").await.unwrap();
    for _ in 0..2 {
        bot().run_until(until_received(&received, 1)).await.unwrap();
    }
    open_once(bot()).await;
    assert_eq!(*received.lock().unwrap(), ["follow"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_before_handlers_may_decline_an_order() {
    let market = Market::open().await;
    let starts = Arc::default();
    let service = market.publish(count(&starts)).await;
    let order = market.order(&service, "a bb", 0).await;
    let bot = market.bot().service(count(&starts)).before(async |_| Ok(())).before(async |cx| {
        match cx.requester.as_str() {
            "ada" => Err(Fail::reject("not for you")),
            _ => Ok(()),
        }
    });
    bot.run_until(async { drop(market.closed(&order).await) }).await.unwrap();
    assert_eq!(market.answer(&order).await["output"]["reason"], "not for you");
    assert_eq!(starts.load(Ordering::Relaxed), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_function_continues_after_a_failure() {
    let market = Market::open().await;
    let laps = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&laps);
    let bot = market.bot().every(Duration::from_millis(1), move |svc| {
        let lap = counter.fetch_add(1, Ordering::Relaxed);
        async move {
            assert!(lap != 0, "a bug");
            svc.users().me().await?;
            Err(Fail::from(std::io::Error::other("the second time")))
        }
    });
    bot.run_until(reached(&laps, 3)).await.unwrap();
}
