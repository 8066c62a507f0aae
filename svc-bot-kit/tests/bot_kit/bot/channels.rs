//! Bots in channels.

use svc_bot_kit::{Bot, Journal, Listener, Notifier, Source};
use svc_client::Client;
use svc_client::types::ChannelId;
use svc_client::types::api::channels::{ChannelMessage, ChannelVisibility};
use svc_server::testing::{found, in_time, until};

use super::market::{Market, done, open_once};

/// A channel of ada with the bot as a member.
async fn channel(market: &Market, name: &str) -> ChannelId {
    let id = market.buyer.channels().create(name).await.unwrap().channel.id;
    market.buyer.channels().add(&id, ["wordbot"]).await.unwrap();
    id
}

/// Answers each message in a channel with its own text.
fn echo(client: &Client, journal: &Journal) -> Bot {
    let bot = Bot::new(client.clone()).journal(journal.clone()).source(Source::stream());
    bot.on_channel_message(async |cx, message| cx.reply(message.content).await)
}

/// The messages of a channel, oldest first.
async fn messages(client: &Client, channel: &ChannelId) -> Vec<ChannelMessage> {
    let page = client.channels().messages(channel).limit(100).page().await.unwrap();
    page.items.into_iter().rev().collect()
}

/// Waits until a channel has this many messages; their texts.
async fn texts(client: &Client, channel: &ChannelId, count: usize) -> Vec<String> {
    let all = found("messages of a channel arrive", async || {
        Some(messages(client, channel).await).filter(|messages| messages.len() >= count)
    });
    all.await.into_iter().map(|message| message.content).collect()
}

async fn say(market: &Market, channel: &ChannelId, text: &str) {
    market.buyer.channels().post(channel, text).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn each_new_message_in_a_channel_is_handled_once() {
    let (market, journal) = (Market::open().await, Journal::memory().unwrap());
    let tea = channel(&market, "tea").await;
    let silent = channel(&market, "silent").await;
    say(&market, &silent, "before").await;
    say(&market, &tea, "before").await;
    let bot = || echo(&market.bot, &journal);
    let now = async {
        done(&journal).await;
        say(&market, &tea, "one").await;
        texts(&market.buyer, &tea, 3).await;
    };
    open_once(bot()).await;
    bot().run_until(now).await.unwrap();
    say(&market, &tea, "two").await;
    say(&market, &tea, "three").await;
    let mut talk = Vec::new();
    bot().run_until(async { talk = texts(&market.buyer, &tea, 7).await }).await.unwrap();
    assert_eq!(talk, ["before", "one", "one", "two", "three", "two", "three"]);
    let answer = messages(&market.buyer, &tea).await.pop().unwrap();
    assert!(answer.reply_to_id.is_some() && answer.sender.is_agent);
    assert_eq!(texts(&market.buyer, &silent, 1).await, ["before"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_channel_that_the_bot_joins_is_followed_from_then_on() {
    let (market, journal) = (Market::open().await, Journal::memory().unwrap());
    let bot = Bot::new(market.bot.clone()).journal(journal.clone());
    let bot = bot.on_channel_message(async |cx, message| cx.reply(message.content).await);
    let (bot, opened) = super::market::opening(bot);
    let joins = async {
        opened.notified().await;
        let tea = channel(&market, "tea").await;
        say(&market, &tea, "hello").await;
        assert_eq!(texts(&market.buyer, &tea, 2).await, ["hello", "hello"]);
    };
    bot.run_until(joins).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn two_bots_stop_answering_each_other_in_a_channel() {
    let market = Market::open().await;
    let other = Market::agent(&market.server, "echobot").await;
    let tea = channel(&market, "tea").await;
    other.channels().join(&tea).await.unwrap();
    let [ours, theirs] = [(); 2].map(|()| Journal::memory().unwrap());
    open_once(echo(&market.bot, &ours)).await;
    open_once(echo(&other, &theirs)).await;
    let stop = tokio::sync::Notify::new();
    let first = async {
        let talk = async {
            market.bot.channels().post(&tea, "hello").await.unwrap();
            // Six answers of each, and the one that is not answered any more.
            texts(&market.buyer, &tea, 13).await;
            done(&ours).await;
        };
        echo(&market.bot, &ours).run_until(talk).await.unwrap();
        stop.notify_one();
    };
    let ((), ended) = tokio::join!(first, echo(&other, &theirs).run_until(stop.notified()));
    ended.unwrap();
    assert_eq!(messages(&market.buyer, &tea).await.len(), 13);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listener_resumes_each_channel_where_it_stopped() {
    let market = Market::open().await;
    let [tea, chess] = [channel(&market, "tea").await, channel(&market, "chess").await];
    for number in 0..120 {
        say(&market, &tea, &format!("tea {number}")).await;
    }
    let read = messages(&market.buyer, &tea).await.remove(0);
    let mut channels = Listener::channels(market.bot.clone())
        .after(&read.channel_id, &read.message_id)
        .sources([Source::stream()]);
    channels.begin().await.unwrap();
    say(&market, &chess, "e4").await;
    let mut received = Vec::new();
    let reading = async {
        while received.len() < 100 {
            let message = channels.next().await.unwrap();
            channels.done(&message);
            received.push(message.content);
        }
    };
    in_time("the messages of both channels are read", reading).await;
    let of_tea: Vec<_> = received.iter().filter(|text| text.starts_with("tea")).collect();
    let expected: Vec<String> = (21..120).map(|number| format!("tea {number}")).collect();
    assert_eq!(of_tea, expected.iter().collect::<Vec<_>>());
    assert_eq!(received.iter().filter(|text| *text == "e4").count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_channel_that_was_deleted_does_not_end_the_reading_of_others() {
    let market = Market::open().await;
    let [tea, chess] = [channel(&market, "tea").await, channel(&market, "chess").await];
    let mut channels = Listener::channels(market.bot.clone()).sources([Source::stream()]);
    channels.begin().await.unwrap();
    market.buyer.channels().delete(&chess).await.unwrap();
    for text in ["hello", "again"] {
        say(&market, &tea, text).await;
        let message = in_time("a message is read", channels.next()).await.unwrap();
        channels.done(&message);
        assert_eq!(message.content, text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_channel_that_can_be_read_later_begins_with_the_messages_that_follow() {
    let market = Market::open().await;
    let secret = market.buyer.channels().create("tea").visibility(ChannelVisibility::Private);
    let tea = secret.await.unwrap().channel.id;
    say(&market, &tea, "before").await;
    let (proxy, notifier) = (market.proxy().await, Notifier::new());
    let client = Client::builder(proxy.url()).api_key(market.bot_key.clone()).build().unwrap();
    let sources = [Source::notifier(&notifier)];
    let mut channels = Listener::channels(client).only([tea.clone()]).sources(sources);
    channels.begin().await.unwrap();
    market.buyer.channels().add(&tea, ["wordbot"]).await.unwrap();
    let list = format!("GET /api/channels/{tea}/messages");
    let talk = async {
        notifier.notify();
        // Refused, then where to begin, then what follows.
        until("the channel is read", async || proxy.seen(&list) >= 3).await;
        say(&market, &tea, "after").await;
        notifier.notify();
    };
    let (first, ()) = tokio::join!(in_time("a message is read", channels.next()), talk);
    assert_eq!(first.unwrap().content, "after");
}
