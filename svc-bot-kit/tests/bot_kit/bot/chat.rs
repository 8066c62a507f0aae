//! Which handler gets a message, and what handlers remember.

use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use svc_bot_kit::testing::Clock;
use svc_bot_kit::{Bot, ChatMessage, Ctx, Dialogue, Fail, Journal, Source};
use svc_client::types::api::messages::Message;
use svc_server::testing::until;
use tokio::sync::Notify;
use tower::layer::layer_fn;
use tower::util::MapRequestLayer;

use super::market::{Market, done, open_once, reached};

/// What the bot has answered to ada, oldest first.
async fn answers(market: &Market) -> Vec<String> {
    let page = market.buyer.messages().list().with_user("wordbot").limit(100).page().await.unwrap();
    let from_bot = |message: &Message| message.sender.username == "wordbot";
    page.items.into_iter().rev().filter(from_bot).map(|message| message.content).collect()
}

/// Sends messages one after the other, each after the answer to the one before.
async fn ask(market: &Market, texts: &[&str]) {
    let before = answers(market).await.len();
    for (answered, text) in texts.iter().enumerate() {
        market.buyer.messages().send("wordbot", *text).await.unwrap();
        until("the bot answers", async || answers(market).await.len() > before + answered).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_handler_that_matches_gets_a_message() {
    let (market, journal) = (Market::open().await, Journal::memory().unwrap());
    let bot = || {
        let asks = |message: &ChatMessage| message.content().ends_with('?');
        let bot = Bot::new(market.bot.clone()).journal(journal.clone()).source(Source::stream());
        bot.command("/Remind", async |cx, command| {
            cx.reply(format!("noted: {}", command.args)).await
        })
        .command("set_alarm", async |cx, it| cx.reply(format!("set: {}", it.args)).await)
        .filter(asks, async |cx, _| cx.reply("who knows").await)
        .mention(async |cx, _| cx.reply("not in direct messages").await)
        .on_message(async |cx, message| cx.reply(format!("heard: {}", message.content)).await)
    };
    open_once(bot()).await;
    let texts = [
        "/remind me",
        "/remind@wordbot us",
        r"/set\_alarm 7:00",
        "/remind@another us",
        "/remind?",
        "@wordbot",
    ];
    bot().run_until(ask(&market, &texts)).await.unwrap();
    let expected = [
        "noted: me",
        "noted: us",
        "set: 7:00",
        "heard: /remind@another us",
        "who knows",
        "heard: @wordbot",
    ];
    assert_eq!(answers(&market).await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mention_is_answered_in_its_channel() {
    let (market, journal) = (Market::open().await, Journal::memory().unwrap());
    let tea = market.buyer.channels().create("tea").await.unwrap().channel.id;
    market.bot.channels().join(&tea).await.unwrap();
    let bot = || {
        let bot = Bot::new(market.bot.clone()).journal(journal.clone()).source(Source::stream());
        bot.mention(async |cx, message| {
            assert!(message.channel().is_some());
            cx.reply("yes?").await
        })
    };
    open_once(bot()).await;
    let talk = async {
        for text in ["nothing for bots", "hello @WordBot!"] {
            market.buyer.channels().post(&tea, text).await.unwrap();
        }
        let list = || market.buyer.channels().messages(&tea).into_future();
        until("the bot answers", async || list().await.unwrap().messages.len() >= 3).await;
    };
    bot().run_until(talk).await.unwrap();
    let messages = market.buyer.channels().messages(&tea).await.unwrap().messages;
    assert_eq!(
        (&*messages[0].content, messages[0].reply_to_id.as_ref()),
        ("yes?", Some(&messages[1].message_id))
    );
}

/// Asks for two numbers and adds them. The first attempt at each message fails after it changed the
/// dialogue.
async fn add(cx: Ctx, text: String, attempts: Arc<AtomicU32>) -> Result<(), Fail> {
    let sum: Dialogue<u32> = cx.dialogue();
    let before = sum.get().await?;
    let number: u32 = text.parse()?;
    match before {
        None => sum.set(&number)?,
        Some(_) => sum.end()?,
    }
    assert_eq!(sum.get().await?, before.xor(Some(number)).filter(|_| before.is_none()));
    if attempts.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
        return Err(Fail::retry(Duration::ZERO));
    }
    match before {
        None => cx.reply("and?").await,
        Some(before) => cx.reply((before + number).to_string()).await,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dialogue_changes_with_the_end_of_the_handler_and_outlives_the_process() {
    let (market, journal) = (Market::open().await, Journal::memory().unwrap());
    let attempts = Arc::<AtomicU32>::default();
    let bot = || {
        let attempts = Arc::clone(&attempts);
        let bot = Bot::new(market.bot.clone()).journal(journal.clone()).source(Source::stream());
        bot.on_message(move |cx, message| add(cx, message.content, Arc::clone(&attempts)))
    };
    open_once(bot()).await;
    bot().run_until(ask(&market, &["3"])).await.unwrap();
    bot().run_until(ask(&market, &["4", "5"])).await.unwrap();
    assert_eq!(answers(&market).await, ["and?", "7", "and?"]);
    assert_eq!(attempts.load(Ordering::Relaxed), 6);
}

/// Says how many messages it remembers.
async fn count(cx: Ctx) -> Result<(), Fail> {
    let seen: Dialogue<u32> = cx.dialogue();
    let number = seen.get().await?.unwrap_or(0) + 1;
    seen.set(&number)?;
    cx.reply(number.to_string()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dialogue_is_forgotten_thirty_days_after_its_last_change() {
    let (market, journal) = (Market::open().await, Journal::memory().unwrap());
    let clock = Clock::new();
    let bot = || {
        let bot = Bot::new(market.bot.clone()).journal(journal.clone()).source(Source::stream());
        bot.clock(&clock).on_message(|cx, _| count(cx))
    };
    open_once(bot()).await;
    for days in [0, 29, 29, 31] {
        clock.advance(Duration::from_hours(24 * days));
        bot().run_until(ask(&market, &["hello"])).await.unwrap();
    }
    assert_eq!(answers(&market).await, ["1", "2", "3", "1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_person_in_a_channel_has_a_dialogue_of_their_own() {
    let (market, journal) = (Market::open().await, Journal::memory().unwrap());
    let bea = Market::agent(&market.server, "bea").await;
    let tea = market.buyer.channels().create("tea").await.unwrap().channel.id;
    for member in [&market.bot, &bea] {
        member.channels().join(&tea).await.unwrap();
    }
    let bot = || {
        let bot = Bot::new(market.bot.clone()).journal(journal.clone()).source(Source::stream());
        bot.on_channel_message(|cx, _| count(cx))
    };
    open_once(bot()).await;
    let list = || market.buyer.channels().messages(&tea).into_future();
    let talk = async {
        for (writer, messages) in [(&market.buyer, 2), (&bea, 4), (&market.buyer, 6)] {
            writer.channels().post(&tea, "hello").await.unwrap();
            let is_answered = async || list().await.unwrap().messages.len() >= messages;
            until("the bot answers", is_answered).await;
        }
    };
    bot().run_until(talk).await.unwrap();
    let mut messages = list().await.unwrap().messages;
    messages.retain(|message| message.sender.username == "wordbot");
    let counted: Vec<&str> = messages.iter().rev().map(|message| &*message.content).collect();
    assert_eq!(counted, ["1", "1", "2"]);
}

struct Greeting(&'static str);

#[tokio::test(flavor = "multi_thread")]
async fn handlers_share_state_and_are_wrapped_by_layers() {
    let (market, journal) = (Market::open().await, Journal::memory().unwrap());
    let seen = Arc::<Mutex<Vec<String>>>::default();
    let bot = || {
        let seen = Arc::clone(&seen);
        let shouts = MapRequestLayer::new(move |(cx, message): (Ctx, ChatMessage)| {
            seen.lock().unwrap().push(format!("{}: {}", cx.requester, message.content()));
            (cx, message)
        });
        let bot = Bot::new(market.bot.clone())
            .journal(journal.clone())
            .source(Source::stream())
            .state(Greeting("hello"));
        bot.on_message(async |cx, _| cx.reply(cx.state::<Greeting>()?.0).await)
            .layer(layer_fn(|inner| inner))
            .layer(shouts)
    };
    open_once(bot()).await;
    bot().run_until(ask(&market, &["hi"])).await.unwrap();
    assert_eq!(answers(&market).await, ["hello"]);
    assert_eq!(*seen.lock().unwrap(), ["ada: hi"]);
}

#[tokio::test]
async fn a_handler_that_would_replace_another_keeps_the_bot_from_starting() {
    let market = Market::open().await;
    let twice: [fn(Bot) -> Bot; 4] = [
        |bot| bot.on_message(async |_, _| Ok(())),
        |bot| bot.on_channel_message(async |_, _| Ok(())),
        |bot| bot.command("help", async |_, _| Ok(())),
        |bot| bot.state(7_u32),
    ];
    for set in twice {
        let error = set(set(market.bot())).run_until(std::future::pending()).await.unwrap_err();
        let text = error.to_string();
        assert!(text.contains("called twice") || text.contains("two handlers"), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_that_panics_fails_one_message_and_not_the_bot() {
    let (market, journal) = (Market::open().await, Journal::memory().unwrap());
    let bot = || {
        let strict = |message: &ChatMessage| {
            assert_ne!(message.content(), "panic", "a bug");
            false
        };
        let bot = Bot::new(market.bot.clone()).journal(journal.clone()).source(Source::stream());
        bot.filter(strict, async |_, _| Ok(()))
            .on_message(async |cx, message| cx.reply(format!("heard: {}", message.content)).await)
    };
    open_once(bot()).await;
    market.buyer.messages().send("wordbot", "panic").await.unwrap();
    bot().run_until(ask(&market, &["hello"])).await.unwrap();
    assert_eq!(answers(&market).await, ["heard: hello"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_that_runs_again_may_word_its_reply_differently() {
    let (market, journal) = (Market::open().await, Journal::memory().unwrap());
    let attempts = Arc::<AtomicU32>::default();
    let bot = || {
        let attempts = Arc::clone(&attempts);
        let bot = Bot::new(market.bot.clone()).journal(journal.clone()).source(Source::stream());
        bot.on_message(move |cx, _| {
            let attempt = attempts.fetch_add(1, Ordering::Relaxed);
            async move {
                cx.reply(format!("attempt {attempt}")).await?;
                if attempt == 0 {
                    return Err(Fail::retry(Duration::ZERO));
                }
                cx.reply("done").await
            }
        })
    };
    open_once(bot()).await;
    let talk = async {
        market.buyer.messages().send("wordbot", "hello").await.unwrap();
        until("the bot answers", async || answers(&market).await.len() >= 2).await;
    };
    bot().run_until(talk).await.unwrap();
    assert_eq!(answers(&market).await, ["attempt 0", "done"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_reply_is_lost_when_a_handler_skips_a_step_that_replied() {
    let answers = answers_of_two_attempts(|cx| {
        Box::pin(async { cx.once("greet", async || cx.reply("one moment").await).await })
    });
    assert_eq!(answers.await, ["one moment", "done"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_beside_a_step_is_sent_once_when_a_handler_skips_the_step() {
    let answers = answers_of_two_attempts(|cx| Box::pin(search_and_reply(cx)));
    assert_eq!(answers.await, ["searching", "done"]);
}

/// What a handler does before it fails once.
type Beginning = for<'a> fn(&'a Ctx) -> Pin<Box<dyn Future<Output = Result<(), Fail>> + Send + 'a>>;

/// What ada gets of a handler that fails after its beginning, runs again and ends.
async fn answers_of_two_attempts(begin: Beginning) -> Vec<String> {
    let (market, journal) = (Market::open().await, Journal::memory().unwrap());
    let attempts = Arc::<AtomicU32>::default();
    let bot = || {
        let attempts = Arc::clone(&attempts);
        let bot = Bot::new(market.bot.clone()).journal(journal.clone()).source(Source::stream());
        bot.on_message(move |cx, _| {
            let attempt = attempts.fetch_add(1, Ordering::Relaxed);
            async move {
                begin(&cx).await?;
                if attempt == 0 {
                    return Err(Fail::retry(Duration::ZERO));
                }
                cx.reply("done").await
            }
        })
    };
    open_once(bot()).await;
    let talk = async {
        market.buyer.messages().send("wordbot", "hello").await.unwrap();
        reached(&attempts, 2).await;
        done(&journal).await;
    };
    bot().run_until(talk).await.unwrap();
    answers(&market).await
}

/// Replies while a step is under way, or after it if an earlier attempt finished it.
async fn search_and_reply(cx: &Ctx) -> Result<(), Fail> {
    let (begun, replied) = (Notify::new(), Notify::new());
    let search = async {
        cx.once("search", async || {
            begun.notify_one();
            replied.notified().await;
            Ok(())
        })
        .await?;
        begun.notify_one();
        Ok::<_, Fail>(())
    };
    let reply = async {
        begun.notified().await;
        cx.reply("searching").await?;
        replied.notify_one();
        Ok::<_, Fail>(())
    };
    tokio::try_join!(search, reply).map(|((), ())| ())
}
