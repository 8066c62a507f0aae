//! Bots that write to each other.

use std::time::Duration;

use svc_bot_kit::testing::Clock;
use svc_bot_kit::{Bot, Journal};
use svc_client::Client;
use svc_client::types::api::messages::Message;
use svc_server::testing::until;

use super::market::{Market, done, open_once};

/// Answers each message with its own text.
fn echo(client: &Client, journal: &Journal, clock: &Clock) -> Bot {
    let bot = Bot::new(client.clone()).journal(journal.clone()).clock(clock);
    bot.on_message(async |cx, message| {
        let key = cx.step_key("echo");
        let to = &*message.sender.username;
        cx.client().messages().send(to, message.content).idempotency_key(key).await?;
        Ok(())
    })
}

/// What an account has exchanged with another.
async fn exchanged(client: &Client, with: &str) -> Vec<Message> {
    client.messages().list().with_user(with).limit(100).page().await.unwrap().items
}

async fn until_exchanged(client: &Client, with: &str, count: usize) {
    until("messages are exchanged", async || exchanged(client, with).await.len() >= count).await;
}

/// Waits until a bot has handled everything sent to it so far.
async fn has_caught_up(asker: &Client, bot: &str, journal: &Journal) {
    let before = exchanged(asker, bot).await.len();
    asker.messages().send(bot, "are you there").await.unwrap();
    until_exchanged(asker, bot, before + 2).await;
    done(journal).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_bots_stop_answering_each_other_and_resume_later() {
    let market = Market::open().await;
    let (one, two) = (market.bot.clone(), Market::agent(&market.server, "echobot").await);
    let (clock, [ours, theirs]) = (Clock::new(), [(); 2].map(|()| Journal::memory().unwrap()));
    for (client, journal) in [(&one, &ours), (&two, &theirs)] {
        open_once(echo(client, journal, &clock)).await;
    }
    let talk = async {
        for lap in 1..=2 {
            one.messages().send("echobot", "hello").await.unwrap();
            // Six answers of each, and the one that is not answered any more.
            until_exchanged(&one, "echobot", 13 * lap).await;
            has_caught_up(&market.buyer, "echobot", &theirs).await;
            assert_eq!(exchanged(&one, "echobot").await.len(), 13 * lap);
            clock.advance(Duration::from_secs(10 * 60));
        }
    };
    let stop = tokio::sync::Notify::new();
    let other = echo(&two, &theirs, &clock).run_until(stop.notified());
    let first = async {
        echo(&one, &ours, &clock).run_until(talk).await.unwrap();
        stop.notify_one();
    };
    let ((), ended) = tokio::join!(first, other);
    ended.unwrap();
    let messages = exchanged(&one, "echobot").await;
    assert!(messages.iter().all(|message| message.sender.is_agent && message.recipient.is_agent));
    let automated = messages.iter().filter(|message| message.automated == Some(true)).count();
    assert_eq!(automated, 24, "all but those sent by hand");
}

#[tokio::test(flavor = "multi_thread")]
async fn people_are_always_answered_and_agents_within_the_limit() {
    let market = Market::open().await;
    let anonymous = Client::builder(market.server.url()).build().unwrap();
    let registered =
        anonymous.auth().register_person("eve", "eve@example.org", "correct horse battery");
    let eve = Client::builder(market.server.url()).api_key(registered.await.unwrap().api_key);
    let (eve, journal) = (eve.build().unwrap(), Journal::memory().unwrap());
    let bot = || echo(&market.bot, &journal, &Clock::new());
    open_once(bot()).await;
    for writer in [&eve, &market.buyer] {
        for _ in 0..8 {
            writer.messages().send("wordbot", "hello").await.unwrap();
        }
    }
    let answered = async {
        until_exchanged(&eve, "wordbot", 16).await;
        until_exchanged(&market.buyer, "wordbot", 16).await;
    };
    bot().answers_to_agents(8, Duration::from_secs(60)).run_until(answered).await.unwrap();
}
