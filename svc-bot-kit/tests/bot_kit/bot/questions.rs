//! Questions and partial results of handlers that run again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::json;
use svc_bot_kit::{Buyer, Ctx, Fail, Journal, Outcome, service};
use svc_server::testing::until;
use tokio::sync::Notify;

use super::market::{Ask, Market};
use super::orders::Choice;

/// Longer than any outcome takes.
const LONG: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_a_handler_withdrew_by_running_again_is_asked_again() {
    let market = Market::open().await;
    let (runs, seen) = (Arc::<AtomicU32>::default(), Arc::<Notify>::default());
    let greet = || {
        let (runs, seen) = (Arc::clone(&runs), Arc::clone(&seen));
        let greet = move |cx: Ctx, _: Ask| {
            let (run, seen) = (runs.fetch_add(1, Ordering::Relaxed), Arc::clone(&seen));
            async move {
                cx.progress(10, "begun").await?;
                tokio::select! {
                    answer = cx.ask::<Choice>("language", "Which language?") => answer,
                    () = seen.notified(), if run == 0 => Err(Fail::retry(Duration::ZERO)),
                }
            }
        };
        service("greet", greet).price(5)
    };
    let service = market.publish(greet()).await;
    let buyer = Buyer::new(market.buyer.clone());
    let order = buyer.order(format!("wordbot/{service}")).input(&json!({ "text": "hi" }));
    let deal = order.max_credits(5).send().await.unwrap();
    let (proxy, journal) = (market.proxy().await, Journal::memory().unwrap());
    let buying = async {
        let outcome = deal.wait(LONG).await.unwrap();
        let Outcome::InputRequired(first) = outcome else { panic!("{outcome:?}") };
        until("it waits for the answer", async || proxy.seen("GET /api/orders/") > 0).await;
        seen.notify_one();
        let again = async || deal.read().await.unwrap().prompt.is_some_and(|it| it.id != first.id);
        until("the question is asked again", again).await;
        let outcome = deal.wait(LONG).await.unwrap();
        let Outcome::InputRequired(second) = outcome else { panic!("{outcome:?}") };
        deal.give_input(&second, &Choice { language: "en".into() }).await.unwrap();
        let ended = deal.wait(LONG).await.unwrap();
        let Outcome::Completed { output, .. } = ended else { panic!("{ended:?}") };
        assert_eq!(output, json!({ "language": "en" }));
    };
    let bot = market.bot_behind(&proxy, &journal).service(greet());
    Box::pin(bot.run_until(buying)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_that_runs_again_sends_each_partial_result_once() {
    let market = Market::open().await;
    let runs = Arc::<AtomicU32>::default();
    let spell = || {
        let runs = Arc::clone(&runs);
        let spell = move |cx: Ctx, _: Ask| {
            let run = runs.fetch_add(1, Ordering::Relaxed);
            async move {
                cx.partial(&"a").await?;
                cx.once("b", async || cx.partial(&"b").await).await?;
                // The second run has other words; the buyer keeps those of the first.
                cx.partial(&format!("c of run {run}")).await?;
                if run == 0 {
                    return Err(Fail::retry(Duration::ZERO));
                }
                cx.partial(&"d").await?;
                Ok(Choice { language: "en".into() })
            }
        };
        service("spell", spell).price(5)
    };
    let service = market.publish(spell()).await;
    let buyer = Buyer::new(market.buyer.clone());
    let order = buyer.order(format!("wordbot/{service}")).input(&json!({ "text": "hi" }));
    let deal = order.max_credits(5).send().await.unwrap();
    let waiting = async { drop(deal.wait(LONG).await.unwrap()) };
    Box::pin(market.bot().service(spell()).run_until(waiting)).await.unwrap();
    assert_eq!(runs.load(Ordering::Relaxed), 2);
    let sent = deal.partials().await.unwrap();
    let sent: Vec<_> = sent.into_iter().map(|part| part.partial).collect();
    assert_eq!(sent, [json!("a"), json!("b"), json!("c of run 0"), json!("d")]);
}
