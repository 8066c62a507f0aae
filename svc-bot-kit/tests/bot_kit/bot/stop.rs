//! How a bot stops.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use svc_bot_kit::{Bot, Ctx, Fail, Journal, Sequence, Service, service};

use super::market::{Ask, Count, Market, done, open_once, reached};

/// A service that counts handlers started after the bot began to stop.
fn counted(
    starts: &Arc<AtomicU32>,
    is_stopping: &Arc<AtomicBool>,
    late: &Arc<AtomicU32>,
) -> Service {
    let (starts, is_stopping, late) =
        (Arc::clone(starts), Arc::clone(is_stopping), Arc::clone(late));
    let handler = move |_: Ctx, _: Ask| {
        starts.fetch_add(1, Ordering::SeqCst);
        late.fetch_add(u32::from(is_stopping.load(Ordering::SeqCst)), Ordering::SeqCst);
        std::future::ready(Ok::<_, Fail>(Count { words: 1 }))
    };
    service("count-words", handler).order(Sequence::Free)
}

// On one thread, so that nothing happens between the stop and the next step of the bot.
#[tokio::test]
async fn no_handler_starts_once_the_bot_is_stopping() {
    let market = Market::open().await;
    let (starts, is_stopping, late) = (Arc::default(), Arc::default(), Arc::default());
    let offer = || counted(&starts, &is_stopping, &late);
    let service = market.publish(offer()).await;
    let journal = Journal::memory().unwrap();
    let bot = || Bot::new(market.bot.clone()).journal(journal.clone()).service(offer());
    open_once(bot()).await;
    for _ in 0..30 {
        market.order(&service, "a", 0).await;
    }
    let stop = async {
        reached(&starts, 1).await;
        is_stopping.store(true, Ordering::SeqCst);
    };
    bot().run_until(stop).await.unwrap();
    assert_eq!(late.load(Ordering::SeqCst), 0);
    let left = journal.backlog().await.unwrap();
    assert!(left.jobs > 0 && left.calls == 0, "{left:?}");
    // Those that did not start are not taken for interrupted ones.
    is_stopping.store(false, Ordering::SeqCst);
    bot().run_until(done(&journal)).await.unwrap();
    assert_eq!(starts.load(Ordering::SeqCst), 30);
}

/// A service whose handler blocks its thread until it is let go.
fn blocking(entered: &Arc<AtomicU32>) -> (Service, Sender<()>) {
    let (let_go, held): (Sender<()>, Receiver<()>) = channel();
    let (entered, held) = (Arc::clone(entered), Arc::new(Mutex::new(held)));
    let handler = move |_: Ctx, _: Ask| {
        let (entered, held) = (Arc::clone(&entered), Arc::clone(&held));
        async move {
            entered.fetch_add(1, Ordering::SeqCst);
            let _ = held.lock().unwrap().recv();
            Ok::<_, Fail>(Count { words: 1 })
        }
    };
    (service("count-words", handler), let_go)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_handler_that_blocks_its_thread_does_not_keep_the_bot_running() {
    let market = Market::open().await;
    let entered = Arc::default();
    let (offer, let_go) = blocking(&entered);
    let service = market.publish(blocking(&entered).0).await;
    market.order(&service, "a", 0).await;
    let bot = market.bot().service(offer).drain(Duration::from_millis(10));
    let bot = bot.run_until(reached(&entered, 1));
    let ended = tokio::time::timeout(Duration::from_secs(30), bot).await;
    drop(let_go);
    ended.expect("it ends without the handler").unwrap();
}
