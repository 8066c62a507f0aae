//! Failed handlers and their retries.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use svc_bot_kit::testing::{BotHarness, Clock, Fault, FaultProxy};
use svc_bot_kit::{Bot, Ctx, Decision, Fail, HandlerKind, Journal, OnCrash, Service, service};
use svc_client::types::api::messages::RequestStatus;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout;

use super::market::{Ask, Count, Market, done, open_once, opening, reached};

const OUTAGE: Fault = Fault::Refuse { status: 503, retry_after: None };
const SEND: &str = "POST /api/messages";

/// The errors passed to the hook: the attempt, and whether it was the last.
type Reports = UnboundedReceiver<(u32, bool)>;

/// A bot that answers messages and reports failed attempts.
fn replying(bot: Bot, clock: &Clock) -> (Bot, Reports) {
    let (sender, errors) = unbounded_channel();
    let bot = bot.clock(clock).on_message(async |cx, message| {
        let key = cx.step_key("reply");
        cx.client().messages().send(&*message.sender.username, "hi").idempotency_key(key).await?;
        Ok(())
    });
    (reporting(bot, sender), errors)
}

fn reporting(bot: Bot, sender: UnboundedSender<(u32, bool)>) -> Bot {
    bot.on_error(move |error| {
        sender.send((error.attempt, error.is_last)).unwrap();
        error.decision
    })
}

/// Texts that the bot wrote.
async fn replies(market: &Market) -> Vec<String> {
    let all = market.buyer.messages().list().limit(100).page().await.unwrap().items;
    let sent = all.into_iter().filter(|message| message.sender.username == "wordbot");
    sent.map(|message| message.content).collect()
}

/// A bot whose requests are lost, and one message to it.
async fn in_an_outage() -> (Market, FaultProxy, Journal) {
    let market = Market::open().await;
    let (proxy, journal) = (market.proxy().await, Journal::memory().unwrap());
    open_once(replying(market.bot_behind(&proxy, &journal), &Clock::new()).0).await;
    market.buyer.messages().send("wordbot", "hello").await.unwrap();
    proxy.always(SEND, OUTAGE);
    (market, proxy, journal)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_in_an_outage_of_six_seconds_is_answered_once() {
    let (market, proxy, journal) = in_an_outage().await;
    let clock = Clock::new();
    let (bot, mut errors) = replying(market.bot_behind(&proxy, &journal), &clock);
    let answered = async {
        assert_eq!(errors.recv().await, Some((1, false)));
        clock.advance(Duration::from_secs(2));
        assert_eq!(errors.recv().await, Some((2, false)));
        proxy.heal();
        clock.advance(Duration::from_secs(4));
        done(&journal).await;
    };
    bot.run_until(answered).await.unwrap();
    assert_eq!(replies(&market).await, ["hi"]);
    assert_eq!(proxy.seen(SEND), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_keeps_messages_and_their_attempts() {
    let (market, proxy, journal) = in_an_outage().await;
    let (clock, behind) = (Clock::new(), || market.bot_behind(&proxy, &journal));
    let (bot, mut errors) = replying(behind(), &clock);
    bot.run_until(async { assert_eq!(errors.recv().await, Some((1, false))) }).await.unwrap();
    // It waits for its time, also where the process is another.
    open_once(replying(behind(), &clock).0).await;
    assert_eq!((proxy.seen(SEND), journal.backlog().await.unwrap().jobs), (1, 1));
    let (bot, mut errors) = replying(behind(), &clock);
    let (bot, opened) = opening(bot);
    let answered = async {
        opened.notified().await;
        clock.advance(Duration::from_secs(2));
        assert_eq!(errors.recv().await, Some((2, false)));
        proxy.heal();
        clock.advance(Duration::from_secs(4));
        done(&journal).await;
    };
    bot.run_until(answered).await.unwrap();
    assert_eq!(replies(&market).await, ["hi"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_tried_ten_times() {
    let market = Market::open().await;
    let (journal, (sender, mut errors)) = (Journal::memory().unwrap(), unbounded_channel());
    let bot = || Bot::new(market.bot.clone()).journal(journal.clone());
    let retry = async |_, _| Err(Fail::retry(Duration::ZERO));
    open_once(bot().on_message(retry)).await;
    market.buyer.messages().send("wordbot", "hello").await.unwrap();
    let given_up = async {
        for attempt in 1..=10 {
            assert_eq!(errors.recv().await, Some((attempt, attempt == 10)));
        }
        done(&journal).await;
    };
    reporting(bot().on_message(retry), sender).run_until(given_up).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_tried_for_an_hour_after_its_first_failure() {
    const PAUSE: Duration = Duration::from_mins(25);
    let market = Market::open().await;
    let (journal, clock) = (Journal::memory().unwrap(), Clock::new());
    let (sender, mut errors) = unbounded_channel();
    let bot = || Bot::new(market.bot.clone()).journal(journal.clone()).clock(&clock);
    let retry = async |_, _| Err(Fail::retry(PAUSE));
    open_once(bot().on_message(retry)).await;
    market.buyer.messages().send("wordbot", "hello").await.unwrap();
    let given_up = async {
        for attempt in 1..=3 {
            assert_eq!(errors.recv().await, Some((attempt, attempt == 3)));
            clock.advance(PAUSE);
        }
        done(&journal).await;
    };
    reporting(bot().on_message(retry), sender).run_until(given_up).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_waits_as_long_as_the_platform_asks() {
    let (market, proxy, journal) = in_an_outage().await;
    proxy.heal();
    let limited = Fault::Refuse { status: 429, retry_after: Some(25 * 60) };
    proxy.always(SEND, limited);
    let clock = Clock::new();
    let (bot, mut errors) = replying(market.bot_behind(&proxy, &journal), &clock);
    let given_up = async {
        // With shorter pauses, the third attempt would not be the last one within an hour.
        for attempt in 1..=3 {
            assert_eq!(errors.recv().await, Some((attempt, attempt == 3)));
            clock.advance(Duration::from_mins(25));
        }
        done(&journal).await;
    };
    bot.run_until(given_up).await.unwrap();
    assert_eq!((proxy.seen(SEND), replies(&market).await.len()), (3, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_error_hook_decides_what_is_retried_and_what_is_dropped() {
    let market = Market::open().await;
    let (journal, clock) = (Journal::memory().unwrap(), Clock::new());
    let (sender, mut errors) = unbounded_channel();
    let bot = || Bot::new(market.bot.clone()).journal(journal.clone()).clock(&clock);
    let broken = async |cx: Ctx, _| {
        cx.reply("one moment").await?;
        Err::<(), Fail>(std::io::Error::other("disk").into())
    };
    open_once(bot().on_message(broken)).await;
    let sent = market.buyer.messages().send("wordbot", "hello").await.unwrap().message;
    let id = sent.message_id.clone();
    let bot = bot().on_message(broken).on_error(move |error| {
        assert_eq!((error.handler, error.decision), (HandlerKind::Message, Decision::Fail));
        assert_eq!((error.request_id.as_ref(), &*error.requester), (Some(&id), "ada"));
        assert!(error.to_string().ends_with("failed: disk"), "{error}");
        assert!(!error.is_retryable());
        sender.send(error.attempt).unwrap();
        if error.attempt == 1 { Decision::Retry } else { Decision::Drop }
    });
    let dropped = async {
        assert_eq!(errors.recv().await, Some(1));
        clock.advance(Duration::from_secs(2));
        assert_eq!(errors.recv().await, Some(2));
        done(&journal).await;
    };
    bot.run_until(dropped).await.unwrap();
    assert_eq!(replies(&market).await, ["one moment"], "both attempts made the same reply");
}

/// A service that fails at its first start and counts its starts.
fn failing_once(
    starts: &Arc<AtomicU32>,
    fail: impl Fn(&Ctx) -> Fail + Send + Sync + 'static,
) -> Service {
    let starts = Arc::clone(starts);
    let handler = move |cx: Ctx, _: Ask| {
        let is_first = starts.fetch_add(1, Ordering::SeqCst) == 0;
        std::future::ready(if is_first { Err(fail(&cx)) } else { Ok(Count { words: 7 }) })
    };
    service("count-words", handler).price(5)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_whose_handler_requests_a_retry_is_answered_and_charged_once() {
    let market = Market::open().await;
    let (starts, clock) = (Arc::default(), Clock::new());
    let soon = || failing_once(&starts, |_| Fail::retry(Duration::from_secs(30)));
    let service = market.publish(soon()).await;
    let order = market.order(&service, "a bb", 5).await;
    let (sender, mut errors) = unbounded_channel();
    let answered = async {
        assert_eq!(errors.recv().await, Some((1, false)));
        assert_eq!(market.state(&order).await.status, RequestStatus::Open);
        clock.advance(Duration::from_secs(30));
        market.closed(&order).await;
    };
    let bot = reporting(market.bot().clock(&clock).service(soon()), sender);
    bot.run_until(answered).await.unwrap();
    assert_eq!(market.answer(&order).await["output"]["words"], 7);
    assert_eq!(market.credits(&market.buyer).await, (95.into(), 0.into()));
    assert_eq!(starts.load(Ordering::SeqCst), 2);
}

/// The error of a request, which a handler can return more than once.
#[derive(Clone, Debug)]
struct Repeated(Arc<svc_client::Error>);

impl std::fmt::Display for Repeated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Repeated {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.0)
    }
}

/// Fails as a request does in an outage.
async fn passing(market: &Market) -> impl Fn(&Ctx) -> Fail + Send + Sync + Clone + 'static {
    let proxy = market.proxy().await;
    proxy.always("", OUTAGE);
    let client = svc_client::Client::builder(proxy.url()).retries(0).build().unwrap();
    let error = Arc::new(client.health().live().await.unwrap_err());
    move |_| Repeated(Arc::clone(&error)).into()
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_service_that_may_rerun_is_retried_after_a_transient_error() {
    let policies = [(OnCrash::Error, 1, "error"), (OnCrash::Rerun, 2, "completed")];
    for (policy, expected, status) in policies {
        let market = Market::open().await;
        let (starts, clock, error) = (Arc::default(), Clock::new(), passing(&market).await);
        let service = || failing_once(&starts, error.clone()).on_crash(policy);
        let id = market.publish(service()).await;
        let order = market.order(&id, "a bb", 5).await;
        let (sender, mut errors) = unbounded_channel();
        let answered = async {
            assert_eq!(errors.recv().await, Some((1, false)));
            clock.advance(Duration::from_secs(2));
            market.closed(&order).await;
        };
        let bot = reporting(market.bot().clock(&clock).service(service()), sender);
        bot.run_until(answered).await.unwrap();
        assert_eq!(market.answer(&order).await["status"], status);
        assert_eq!(starts.load(Ordering::SeqCst), expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_is_not_repeated_when_its_handler_runs_again() {
    let market = Market::open().await;
    let (steps, starts) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let twice = || {
        let (steps, starts) = (Arc::clone(&steps), Arc::clone(&starts));
        service("count-words", move |cx: Ctx, _: Ask| {
            let (steps, starts) = (Arc::clone(&steps), Arc::clone(&starts));
            async move {
                let step = || std::future::ready(Ok(steps.fetch_add(1, Ordering::SeqCst)));
                cx.once("paper", step).await?;
                if starts.fetch_add(1, Ordering::SeqCst) == 0 {
                    return Err(Fail::retry(Duration::ZERO));
                }
                Ok::<_, Fail>(Count { words: 7 })
            }
        })
    };
    let service = market.publish(twice()).await;
    let order = market.order(&service, "a bb", 0).await;
    let closed = async { drop(market.closed(&order).await) };
    market.bot().service(twice()).run_until(closed).await.unwrap();
    assert_eq!(market.answer(&order).await["status"], "completed");
    assert_eq!((starts.load(Ordering::SeqCst), steps.load(Ordering::SeqCst)), (2, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retried_order_is_answered_once_wherever_the_process_ends() {
    let market = Market::open().await;
    let starts = Arc::default();
    let again =
        || failing_once(&starts, |_| Fail::retry(Duration::ZERO)).price(0).on_crash(OnCrash::Rerun);
    let service = market.publish(again()).await;
    let harness =
        BotHarness::new(|journal| Bot::new(market.bot.clone()).journal(journal).service(again()));
    let begin = async || {
        starts.store(0, Ordering::SeqCst);
        market.order(&service, "a bb", 0).await
    };
    let check = async |order| {
        assert_eq!(market.answer(&order).await["status"], "completed");
        assert!(starts.load(Ordering::SeqCst) <= 3);
    };
    let points = harness.crash_everywhere(begin, check).await.points;
    assert!(points.contains(&"a job is put off"), "{points:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_repeated_function_is_retried_early() {
    let market = Market::open().await;
    let (clock, laps) = (Clock::new(), Arc::new(AtomicU32::new(0)));
    let ((sender, mut errors), counter) = (unbounded_channel(), Arc::clone(&laps));
    let bot = market.bot().clock(&clock).every(Duration::from_secs(60 * 60), move |_| {
        let is_first = counter.fetch_add(1, Ordering::SeqCst) == 0;
        let retry = || Fail::retry(Duration::from_secs(30));
        std::future::ready(if is_first { Err(retry()) } else { Ok(()) })
    });
    let twice = async {
        assert_eq!(errors.recv().await, Some((1, false)));
        // The bot reads the clock after the error, so it is advanced until that has happened; but by less than the
        // hour after which the function would run anyway.
        for _ in 0..100 {
            clock.advance(Duration::from_secs(30));
            if timeout(Duration::from_millis(100), reached(&laps, 2)).await.is_ok() {
                return;
            }
        }
        panic!("the function does not run early");
    };
    reporting(bot, sender).run_until(twice).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_handler_of_the_same_kind_is_refused_at_the_start() {
    let market = Market::open().await;
    let twice = [
        market.bot().on_message(async |_, _| Ok(())).on_message(async |_, _| Ok(())),
        market.bot().on_event(async |_, _| Ok(())).on_event(async |_, _| Ok(())),
        market.bot().on_error(|_| Decision::Drop).on_error(|_| Decision::Fail),
    ];
    for (bot, method) in twice.into_iter().zip(["on_message", "on_event", "on_error"]) {
        let refused = bot.run_until(std::future::pending()).await.unwrap_err().to_string();
        assert!(refused.contains(&format!("Bot::{method} was called twice")), "{refused}");
    }
}
