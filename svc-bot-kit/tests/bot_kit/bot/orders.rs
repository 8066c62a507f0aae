//! The outcomes of orders.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_bot_kit::testing::Fault;
use svc_bot_kit::{Bot, Buyer, Ctx, Error, Fail, Journal, Outcome, service};
use svc_client::Client;
use svc_client::types::api::escrow::{EscrowStatus, JSON_BYTES_MAX};
use svc_client::types::api::messages::RequestStatus;
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Code, Scope, Timestamp};
use svc_server::testing::until;

use super::market::{Ask, Market, count, done, request};

/// Longer than any outcome takes.
const LONG: Duration = Duration::from_secs(60);
/// The year 2100.
const LATER: Timestamp = Timestamp::from_millis(4_102_444_800_000);

/// The code by which the platform refuses a call.
fn refused(called: svc_bot_kit::Result<()>) -> Code {
    let Err(Error::Client(error)) = called else { panic!("{called:?}") };
    error.code().cloned().expect("the platform answered")
}

/// Orders this for 5 credits; what was answered, and what it cost.
async fn ordered(text: &str) -> (String, serde_json::Value, u32) {
    let market = Market::open().await;
    let count = || count(&Arc::default()).price(5);
    let service = market.publish(count()).await;
    let order = market.order(&service, text, 5).await;
    let closed = async { drop(market.closed(&order).await) };
    market.bot().service(count()).run_until(closed).await.unwrap();
    let answer = market.answer(&order).await;
    let (left, held) = market.credits(&market.buyer).await;
    assert!(held.is_zero(), "{held} are held");
    let paid = 100 - u32::try_from(left.micros() / 1_000_000).unwrap();
    (answer["status"].as_str().unwrap().to_owned(), answer["output"].clone(), paid)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_costs_what_is_offered() {
    let expected = ("completed".to_owned(), json!({ "words": 3 }), 5);
    assert_eq!(ordered("a bb ccc").await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_may_charge_less_and_never_more() {
    assert_eq!(ordered("cheap").await.2, 2);
    assert_eq!(ordered("dear").await.2, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_declined_order_costs_nothing() {
    let reason = json!({ "reason": "there is nothing to count" });
    assert_eq!(ordered("nothing").await, ("rejected".to_owned(), reason, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_and_panics_are_answered_without_their_causes() {
    let error = json!({ "error": "the service failed; nothing is charged" });
    for text in ["broken", "panic"] {
        assert_eq!(ordered(text).await, ("error".to_owned(), error.clone(), 0), "{text}");
    }
}

#[derive(Serialize, JsonSchema)]
struct AtLeastOne {
    #[schemars(range(min = 1))]
    words: usize,
}

#[tokio::test(flavor = "multi_thread")]
async fn an_output_that_does_not_match_its_schema_is_an_error_and_costs_nothing() {
    let market = Market::open().await;
    let none = || {
        let none = async |_: Ctx, _: Ask| Ok::<_, Fail>(AtLeastOne { words: 0 });
        service("count-words", none).price(5)
    };
    let service = market.publish(none()).await;
    let order = market.order(&service, "a bb", 5).await;
    let closed = async { drop(market.closed(&order).await) };
    market.bot().service(none()).run_until(closed).await.unwrap();
    let error = market.answer(&order).await["output"]["error"].take();
    assert_eq!(error, "the service failed; nothing is charged");
    assert_eq!(market.credits(&market.buyer).await, (100.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_below_the_price_is_declined_with_a_machine_readable_reason() {
    let market = Market::open().await;
    let starts = Arc::default();
    let service = market.publish(count(&starts).price(5)).await;
    let order = market.order(&service, "a bb", 4).await;
    let closed = async { drop(market.closed(&order).await) };
    market.bot().service(count(&starts).price(5)).run_until(closed).await.unwrap();
    let answer = market.answer(&order).await;
    assert_eq!(answer["output"]["faults"][0]["pointer"], "/offeredCredits");
    assert_eq!(starts.load(Ordering::Relaxed), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_input_is_validated_against_the_current_schema() {
    let market = Market::open().await;
    let starts = Arc::default();
    let service = market.publish(count(&starts)).await;
    // Anything fits while the order is sent.
    market
        .bot
        .services()
        .update(&service)
        .with(|change| change.input_schema = Some(serde_json::Map::new()))
        .await
        .unwrap();
    let order = market.send(request(&service, json!({ "text": "", "page": 7 }), 0, None)).await;
    let example = json!({ "text": "a bb" });
    let bot = market.bot().service(count(&starts).example(example.clone()));
    bot.run_until(async { drop(market.closed(&order).await) }).await.unwrap();
    let output = market.answer(&order).await["output"].take();
    let mut pointers: Vec<&str> =
        output["faults"].as_array().unwrap().iter().filter_map(|f| f["pointer"].as_str()).collect();
    pointers.sort_unstable();
    assert_eq!((pointers, &output["example"]), (vec!["/input", "/input/text"], &example));
    assert_eq!(starts.load(Ordering::Relaxed), 0);
    let offered = market.bot.services().list().await.unwrap().services.remove(0);
    assert!(offered.input_schema.is_some(), "the bot has published its own again");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_may_demand_an_escrow() {
    let market = Market::open().await;
    let count = || count(&Arc::default()).price(60).escrow_from(50);
    let service = market.publish(count()).await;
    let order = market.order(&service, "a bb", 60).await;
    let closed = async { drop(market.closed(&order).await) };
    market.bot().service(count()).run_until(closed).await.unwrap();
    let answer = market.answer(&order).await;
    assert_eq!(answer["output"]["faults"][0]["pointer"], "/escrowId");
    let reason = answer["output"]["reason"].as_str().unwrap();
    assert!(reason.contains("POST /v1/escrow opens one"), "{reason}");
    assert_eq!(market.state(&order).await.status, RequestStatus::Rejected);
}

#[tokio::test(flavor = "multi_thread")]
async fn under_an_escrow_the_result_is_delivered_with_its_checksum() {
    let market = Market::open().await;
    let count = || count(&Arc::default()).price(60);
    let service = market.publish(count()).await;
    let (order, escrow) = market.escrow_order(&service, "a bb", 60).await;
    market.bot().service(count()).run_until(market.answered(&order)).await.unwrap();
    let answer = market.answer(&order).await;
    assert_eq!(answer["status"], ResponseStatus::Delivered.as_str());
    let escrow = market.buyer.escrow().get(escrow).await.unwrap().escrow;
    assert_eq!(escrow.status, EscrowStatus::Delivered);
    let work = escrow.deliverable.unwrap();
    assert_eq!(work.rest["data"], json!({ "words": 2 }));
    // printf '{"words":2}' | sha256sum
    let expected = "sha256:a0bcf88b21393efe23fc5264bb5c49fe039ccc74a1e1a4229353ccaebc0bcaaa";
    assert_eq!(work.checksum.unwrap().as_str(), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn work_that_was_delivered_before_the_journal_was_lost_is_not_done_again() {
    let market = Market::open().await;
    let starts = Arc::default();
    let count = || count(&starts);
    let service = market.publish(count()).await;
    let (order, escrow) = market.escrow_order(&service, "a bb", 60).await;
    for lap in 1..=2 {
        let next = market.order(&service, "a", 0).await;
        let closed = async { drop(market.closed(&next).await) };
        market.bot().service(count()).run_until(closed).await.unwrap();
        assert_eq!(market.answer(&order).await["status"], "delivered");
        assert_eq!(starts.load(Ordering::Relaxed), 1 + lap, "the second order of each lap");
    }
    let escrow = market.buyer.escrow().get(escrow).await.unwrap().escrow;
    assert_eq!((escrow.status, escrow.deliverable_version), (EscrowStatus::Delivered, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn declining_an_order_under_escrow_returns_the_credits() {
    let market = Market::open().await;
    let count = || count(&Arc::default()).price(60);
    let service = market.publish(count()).await;
    let (order, escrow) = market.escrow_order(&service, "nothing", 60).await;
    let cancelled = until("the escrow is cancelled", async || {
        let status = market.buyer.escrow().get(&escrow).await.unwrap().escrow.status;
        status == EscrowStatus::Cancelled
    });
    market.bot().service(count()).run_until(cancelled).await.unwrap();
    assert_eq!(market.state(&order).await.status, RequestStatus::Rejected);
    assert_eq!(market.credits(&market.buyer).await, (100.into(), 0.into()));
}

#[derive(Serialize, JsonSchema)]
struct Report {
    text: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn work_that_the_platform_refuses_ends_the_order_and_returns_the_credits() {
    let market = Market::open().await;
    let report = || {
        let too_long = async |_: Ctx, ask: Ask| -> Result<Report, Fail> {
            Ok(Report { text: ask.text.repeat(JSON_BYTES_MAX) })
        };
        service("count-words", too_long).price(60)
    };
    let service = market.publish(report()).await;
    let (order, escrow) = market.escrow_order(&service, "a", 60).await;
    let journal = Journal::memory().unwrap();
    let bot = Bot::new(market.bot.clone()).journal(journal.clone()).service(report());
    let over = async {
        market.closed(&order).await;
        done(&journal).await;
    };
    bot.run_until(over).await.unwrap();
    assert_eq!(market.answer(&order).await["status"], ResponseStatus::Error.as_str());
    let escrow = market.buyer.escrow().get(escrow).await.unwrap().escrow;
    assert_eq!(escrow.status, EscrowStatus::Cancelled);
    assert_eq!(market.credits(&market.buyer).await, (100.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_reads_sends_messages_and_sells_is_enough_for_a_bot() {
    let market = Market::open().await;
    let scopes = [Scope::Read, Scope::Dm, Scope::ExchangeSell];
    let key = market.bot.keys().create("seller", scopes).await.unwrap().api_key;
    let count = || count(&Arc::default()).price(5);
    let service = market.publish(count()).await;
    let order = market.order(&service, "a bb ccc", 5).await;
    let client = Client::builder(market.server.url()).api_key(key.clone()).build().unwrap();
    let bot = Bot::new(client).journal(Journal::memory().unwrap()).live(key);
    let closed = async { drop(market.closed(&order).await) };
    bot.service(count().description("counts words")).run_until(closed).await.unwrap();
    assert_eq!(market.answer(&order).await["output"], json!({ "words": 3 }));
}

#[derive(Deserialize, Serialize, JsonSchema)]
pub(super) struct Choice {
    pub(super) language: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_reports_progress_sends_a_part_and_asks_the_buyer() {
    let market = Market::open().await;
    let greet = || {
        let greet = async |cx: Ctx, _: Ask| -> Result<Choice, Fail> {
            cx.progress(40, "half way").await?;
            cx.wants_until(LATER).await?;
            cx.partial(&json!({ "greeting": "hello" })).await?;
            cx.ask("language", "Which language?").await
        };
        service("greet", greet).price(5)
    };
    let service = market.publish(greet()).await;
    let buyer = Buyer::new(market.buyer.clone());
    let input = json!({ "text": "hi" });
    let deal = buyer.order(format!("wordbot/{service}")).input(&input).max_credits(5).send();
    let deal = deal.await.unwrap();
    let buying = async {
        let outcome = deal.wait(LONG).await.unwrap();
        let Outcome::InputRequired(prompt) = outcome else { panic!("{outcome:?}") };
        assert_eq!(prompt.text, "Which language?");
        let wrong = deal.give_input(&prompt, &json!({ "tongue": "en" })).await;
        assert_eq!(refused(wrong), Code::InputSchemaMismatch);
        deal.extend(Duration::from_hours(48)).await.unwrap();
        deal.give_input(&prompt, &Choice { language: "en".into() }).await.unwrap();
        let ended = deal.wait(LONG).await.unwrap();
        let Outcome::Completed { output, .. } = ended else { panic!("{ended:?}") };
        assert_eq!(output, json!({ "language": "en" }));
    };
    Box::pin(market.bot().service(greet()).run_until(buying)).await.unwrap();
    let read = deal.read().await.unwrap();
    assert_eq!(read.wants_until, Some(LATER));
    let progress = read.progress.unwrap();
    assert_eq!((progress.percent, progress.note.as_deref()), (Some(40), Some("half way")));
    assert_eq!(deal.partials().await.unwrap()[0].partial, json!({ "greeting": "hello" }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_outlasts_an_outage_of_the_platform() {
    let market = Market::open().await;
    let greet = || {
        let greet = async |cx: Ctx, _: Ask| -> Result<Choice, Fail> {
            cx.ask("language", "Which language?").await
        };
        service("greet", greet).price(5)
    };
    let service = market.publish(greet()).await;
    let buyer = Buyer::new(market.buyer.clone());
    let order = buyer.order(format!("wordbot/{service}")).input(&json!({ "text": "hi" }));
    let deal = order.max_credits(5).send().await.unwrap();
    let (proxy, journal) = (market.proxy().await, Journal::memory().unwrap());
    // The first report accepts the order, the second one asks.
    proxy.times(format!("POST /api/orders/{}/progress", deal.request()), Fault::LoseAnswer, 2);
    let read = format!("GET /api/orders/{}", deal.request());
    proxy.next(&read, Fault::LoseRequest);
    // A page of a proxy.
    proxy.next(&read, Fault::Refuse { status: 200, retry_after: None });
    let buying = async {
        let outcome = deal.wait(LONG).await.unwrap();
        let Outcome::InputRequired(prompt) = outcome else { panic!("{outcome:?}") };
        until("the outage has begun", async || proxy.seen("GET /api/orders/") > 0).await;
        deal.give_input(&prompt, &Choice { language: "en".into() }).await.unwrap();
        let ended = deal.wait(LONG).await.unwrap();
        let Outcome::Completed { output, .. } = ended else { panic!("{ended:?}") };
        assert_eq!(output, json!({ "language": "en" }));
    };
    let bot = market.bot_behind(&proxy, &journal).service(greet());
    Box::pin(bot.run_until(buying)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_that_runs_again_has_the_answers_to_all_its_questions() {
    let market = Market::open().await;
    let runs = Arc::<AtomicU32>::default();
    let translate = || {
        let runs = Arc::clone(&runs);
        let translate = move |cx: Ctx, _: Ask| {
            let run = runs.fetch_add(1, Ordering::Relaxed);
            async move {
                let from: Choice = cx.ask("from", "From which language?").await?;
                let to: Choice = cx.ask("to", "To which language?").await?;
                if run == 0 {
                    return Err(Fail::retry(Duration::ZERO));
                }
                Ok(Choice { language: format!("{} to {}", from.language, to.language) })
            }
        };
        service("translate", translate).price(5)
    };
    let service = market.publish(translate()).await;
    let buyer = Buyer::new(market.buyer.clone());
    let order = buyer.order(format!("wordbot/{service}")).input(&json!({ "text": "hi" }));
    let deal = order.max_credits(5).send().await.unwrap();
    let buying = async {
        for (question, language) in [("From", "en"), ("To", "fr")] {
            let outcome = deal.wait(LONG).await.unwrap();
            let Outcome::InputRequired(prompt) = outcome else { panic!("{outcome:?}") };
            assert!(prompt.text.starts_with(question), "{}", prompt.text);
            deal.give_input(&prompt, &Choice { language: language.into() }).await.unwrap();
        }
        let ended = deal.wait(LONG).await.unwrap();
        let Outcome::Completed { output, .. } = ended else { panic!("{ended:?}") };
        assert_eq!(output, json!({ "language": "en to fr" }));
    };
    Box::pin(market.bot().service(translate()).run_until(buying)).await.unwrap();
    assert_eq!(runs.load(Ordering::Relaxed), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_accepted_as_its_handler_starts_and_a_cancelled_one_does_not_run() {
    let market = Market::open().await;
    let starts = Arc::default();
    let service = market.publish(count(&starts).price(5)).await;
    let buyer = Buyer::new(market.buyer.clone());
    let order = |text: &str| {
        let input = json!({ "text": text });
        buyer.order(format!("wordbot/{service}")).input(&input).max_credits(5).send()
    };
    let (cancelled, done) = (order("a").await.unwrap(), order("b").await.unwrap());
    let limited = buyer.clone().per_day(10);
    cancelled.cancel("not needed any more").await.unwrap();
    // The other order leaves five of ten, since this one costs nothing.
    let third = limited.order(format!("wordbot/{service}")).input(&json!({ "text": "c" }));
    third.max_credits(5).quote().await.unwrap();
    assert!(matches!(cancelled.wait(LONG).await.unwrap(), Outcome::Cancelled));
    let waiting = async { drop(done.wait(LONG).await.unwrap()) };
    Box::pin(market.bot().service(count(&starts).price(5)).run_until(waiting)).await.unwrap();
    assert_eq!(starts.load(Ordering::Relaxed), 1, "the handler of the other ran");
    assert_eq!(refused(done.cancel("too late").await), Code::WrongState);
    let (left, _) = market.credits(&market.buyer).await;
    assert_eq!(left, 95.into());
}
