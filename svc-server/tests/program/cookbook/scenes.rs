//! What happens around each recipe, and what it must do.

use std::cell::Cell;
use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use serde_json::{Map, Value, json};
use svc_client::types::api::keys::KeySpend;
use svc_client::types::api::orders::OrderStatus;
use svc_client::types::api::reports::{ReportReason, ReportStatus, Subject};
use svc_client::types::api::users::DmPolicy;
use svc_client::types::credits::Balance;

use super::recipe::{Account, Recipe, lines, next_line, until, until_answered};
use crate::sdk_crashes::offered;

/// A scene, whatever the language of its recipe.
pub(super) type Scene = for<'a> fn(&'a Recipe<'a>) -> LocalBoxFuture<'a, ()>;

pub(super) const ALL: [(&str, Scene); 10] = [
    ("buyer", |recipe| buyer(recipe).boxed_local()),
    ("channel_bot", |recipe| channel_bot(recipe).boxed_local()),
    ("dialogue", |recipe| dialogue(recipe).boxed_local()),
    ("greeter", |recipe| greeter(recipe).boxed_local()),
    ("mcp_host", |recipe| mcp_host(recipe).boxed_local()),
    ("moderators_helper", |recipe| moderators_helper(recipe).boxed_local()),
    ("order_router", |recipe| order_router(recipe).boxed_local()),
    ("scheduled_poster", |recipe| scheduled_poster(recipe).boxed_local()),
    ("translator", |recipe| translator(recipe).boxed_local()),
    ("webhook_receiver", |recipe| webhook_receiver(recipe).boxed_local()),
];

fn input(value: Value) -> Map<String, Value> {
    let Value::Object(members) = value else { panic!("{value} is no object") };
    members
}

/// Each follower gets a welcome, even after one who accepts no messages.
async fn greeter(recipe: &Recipe<'_>) {
    let bot = recipe.account("bot").await;
    let _running = recipe.start(&bot.key, &[]);
    let fan = Cell::new(None);
    let follow = async |number: usize| {
        let new = recipe.account(&format!("fan{number}")).await;
        new.client.relations().follow(bot.name.as_str()).await.unwrap();
        fan.set(Some(new));
    };
    let is_welcome = async || {
        let now: Account = fan.take().unwrap();
        let heard = now.latest_with(&bot.name).await;
        let welcome = format!("Welcome, @{}. I post a word a day.", now.name);
        fan.set(Some(now));
        heard.is_some_and(|heard| heard == welcome)
    };
    until_answered(&follow, &is_welcome).await;
    let shy = recipe.account("shy").await;
    shy.client.users().update_me().dm_policy(DmPolicy::None).await.unwrap();
    shy.client.relations().follow(bot.name.as_str()).await.unwrap();
    until_answered(async |number| follow(number + 100).await, &is_welcome).await;
}

/// The buyer holds 60 credits, reads the translation, and releases them.
async fn translator(recipe: &Recipe<'_>) {
    let [bot, ada] = [recipe.account("bot").await, recipe.account("ada").await];
    let _running = recipe.start(&bot.key, &[]);
    offered(&ada.client, &bot.name).await;
    let offers = ada.client.bots().capabilities(bot.name.as_str()).await.unwrap().capabilities;
    let (name, service) = (bot.name.as_str(), &offers[0].id);
    let escrow = ada.client.escrow().create(name, service, 60, "a translation").await.unwrap();
    let escrow = escrow.escrow.id;
    let text = input(json!({ "text": "good day", "to": "latin" }));
    let order = ada.client.orders().create(name, service, text).escrow_id(&escrow);
    let order = order.await.unwrap().order.id;
    until("the translation is delivered", async || {
        ada.client.orders().get(&order).await.unwrap().order.status == OrderStatus::Delivered
    })
    .await;
    let held = ada.client.escrow().get(&escrow).await.unwrap().escrow;
    let delivered = serde_json::to_string(&held.deliverable).unwrap();
    assert!(delivered.contains("bonus dies"), "{delivered}");
    ada.client.escrow().release(&escrow).await.unwrap();
    assert_eq!(bot.available().await, Balance::from(160));
}

/// The same name buys once; a third purchase exceeds what the key may spend a day.
async fn buyer(recipe: &Recipe<'_>) {
    let [seller, ada] = [recipe.account("seller").await, recipe.account("ada").await];
    seller.sell_words(5).await;
    let cap: KeySpend = serde_json::from_value(json!({ "perDay": 10 })).unwrap();
    let key = ada.client.keys().create("buyer", ["read", "dm", "exchange:spend"]).spend(cap);
    let key = key.await.unwrap().api_key;
    let service = format!("{}/count-words", seller.name);
    let purchases = async {
        for name in ["one", "one", "two"] {
            let said = recipe.run(&key, &[&service, name, "to be"]).await;
            assert_eq!(said, "2 words for 5 credits\n", "{name}");
        }
        recipe.end(&key, &[&service, "three", "to be"]).await
    };
    let (succeeded, said) = beside(purchases, seller.work()).await;
    assert!(!succeeded && said.to_lowercase().contains("limit"), "{said}");
    assert_eq!(ada.available().await, Balance::from(90));
}

/// The platform calls the receiver, which prints what came.
async fn webhook_receiver(recipe: &Recipe<'_>) {
    let [bot, ada] = [recipe.account("bot").await, recipe.account("ada").await];
    let hook = bot.client.webhooks().create("http://127.0.0.1:8091/hook").await.unwrap();
    let mut command = recipe.command(&bot.key, &[]);
    command.env("SVC_WEBHOOK_SECRET", hook.secret.expose()).env("PORT", "0");
    let (_running, mut printed) = lines(&mut command);
    let line = next_line(&mut printed).await;
    let url = line.strip_prefix("listening on ").unwrap();
    hang_up(url);
    bot.client.webhooks().update(&hook.webhook.id).url(url).await.unwrap();
    ada.client.messages().send(bot.name.as_str(), "hello").await.unwrap();
    assert_eq!(next_line(&mut printed).await, format!("@{}: hello", ada.name));
}

/// Sends half of a body. Anybody can, and the receiver goes on.
fn hang_up(url: &str) {
    let address = url.trim_start_matches("http://").trim_end_matches("/hook");
    let mut stream = TcpStream::connect(address).unwrap();
    let head = "POST /hook HTTP/1.1\r\nhost: bot\r\ncontent-type: application/json\r\n";
    write!(stream, "{head}content-length: 9\r\n\r\n{{").unwrap();
}

/// Of two reported posts one has the word: it is hidden, and the report about the other stays open.
async fn moderators_helper(recipe: &Recipe<'_>) {
    let [helper, reader] = [recipe.account("helper").await, recipe.account("reader").await];
    recipe.operator.run(&["admin", "grant-role", &helper.name, "moderator"]);
    let mut posts = Vec::new();
    for (author, text) in [("spammer", "Cheap PILLS here"), ("poet", "A nice day")] {
        let author = recipe.account(author).await;
        let post = author.client.posts().create(text).await.unwrap().post.id;
        let subject = Subject::post(&post);
        reader.client.reports().create(subject, ReportReason::Spam).await.unwrap();
        posts.push(post);
    }
    let said = recipe.run(&helper.key, &["pills"]).await;
    assert!(said.contains(&format!("{} is hidden\n", posts[0])), "{said}");
    assert!(said.contains(" is for people\n"), "{said}");
    let seen = reader.client.posts();
    assert!(seen.get(&posts[0]).await.is_err());
    assert_eq!(seen.get(&posts[1]).await.unwrap().post.content, "A nice day");
    let open = helper.client.moderation().reports().status(ReportStatus::Open);
    assert_eq!(open.page().await.unwrap().items.len(), 1);
}

/// The router has the work done by the cheaper of two bots, and keeps the difference.
async fn order_router(recipe: &Recipe<'_>) {
    let [bot, ada] = [recipe.account("bot").await, recipe.account("ada").await];
    let [dear, cheap] = [recipe.account("dear").await, recipe.account("cheap").await];
    dear.sell_words(5).await;
    cheap.sell_words(3).await;
    let services = [&dear, &cheap].map(|seller| format!("{}/count-words", seller.name));
    let _running = recipe.start(&bot.key, &[&services[0], &services[1]]);
    offered(&ada.client, &bot.name).await;
    let found = ada.client.bots().capabilities(bot.name.as_str()).await.unwrap().capabilities;
    let text = input(json!({ "text": "to be" }));
    let order = ada.client.orders().create(bot.name.as_str(), &found[0].id, text);
    let order = order.max_credits(6).await.unwrap().order.id;
    let completed = until("the order is completed", async || {
        ada.client.orders().get(&order).await.unwrap().order.status == OrderStatus::Completed
    });
    beside(completed, cheap.work()).await;
    assert_eq!(bot.available().await, Balance::from(103));
    assert_eq!(dear.available().await, Balance::from(100));
}

/// Two questions, then the order as it was understood.
async fn dialogue(recipe: &Recipe<'_>) {
    let [bot, ada] = [recipe.account("bot").await, recipe.account("ada").await];
    let _running = recipe.start(&bot.key, &[]);
    let say = async |text: &str| {
        ada.client.messages().send(bot.name.as_str(), text).await.unwrap();
    };
    let hears = async |text: &str| ada.latest_with(&bot.name).await.is_some_and(|it| it == text);
    until_answered(async |_| say("/cancel").await, async || hears("Forgotten.").await).await;
    // An account that accepts no answer does not stop the bot for others.
    let shy = recipe.account("shy").await;
    shy.client.users().update_me().dm_policy(DmPolicy::None).await.unwrap();
    shy.client.messages().send(bot.name.as_str(), "hello").await.unwrap();
    for (text, answer) in [
        ("hello", "Which cake would you like?"),
        ("cheese", "For which day?"),
        ("Sunday", "One cheese cake for Sunday."),
    ] {
        say(text).await;
        until(answer, async || hears(answer).await).await;
    }
}

/// The bot answers its command in a channel, as a reply to it.
async fn channel_bot(recipe: &Recipe<'_>) {
    let [bot, ada] = [recipe.account("bot").await, recipe.account("ada").await];
    let channel = ada.client.channels().create("cakes").await.unwrap().channel.id;
    bot.client.channels().join(&channel).await.unwrap();
    let _running = recipe.start(&bot.key, &[]);
    let ask = async |_| {
        ada.client.channels().post(&channel, "hello").await.unwrap();
        ada.client.channels().post(&channel, "/rules").await.unwrap();
    };
    let is_answered = async || {
        let page = ada.client.channels().messages(&channel).page().await.unwrap();
        page.items.iter().any(|message| {
            let text = &*message.content;
            text == "1. Be kind. 2. Stay on topic." && message.reply_to_id.is_some()
        })
    };
    until_answered(ask, is_answered).await;
}

/// Running it again schedules nothing twice.
async fn scheduled_poster(recipe: &Recipe<'_>) {
    let bot = recipe.account("bot").await;
    let now = bot.client.users().me().await.unwrap().user.created_at;
    let times = [1, 2, 3].map(|days| now.plus(Duration::from_hours(24 * days)));
    let posts: String = times.map(|time| format!("{time} a word\n")).concat();
    fs::write(recipe.folder.path("posts.txt"), &posts).unwrap();
    assert_eq!(recipe.run(&bot.key, &["posts.txt"]).await, posts);
    let again = posts.replace("a word", "is scheduled");
    assert_eq!(recipe.run(&bot.key, &["posts.txt"]).await, again);
    let waiting = bot.client.scheduled_posts().list().page().await.unwrap().items;
    assert_eq!(waiting.len(), 3);
}

/// The host finds the tools and reads an account with one.
async fn mcp_host(recipe: &Recipe<'_>) {
    let [bot, ada] = [recipe.account("bot").await, recipe.account("ada").await];
    let arguments = json!({ "username": ada.name }).to_string();
    let said = recipe.run(&bot.key, &["user", &arguments]).await;
    let (tools, account) = said.split_once('\n').unwrap();
    assert_eq!(tools, "40 tools");
    let account: Value = serde_json::from_str(account).unwrap();
    assert_eq!(account["user"]["username"], ada.name);
}

/// What a future gives, while another one, which never ends, goes on.
async fn beside<T>(main: impl Future<Output = T>, endless: impl Future<Output = ()>) -> T {
    tokio::select! {
        done = main => done,
        () = endless => unreachable!("it never ends"),
    }
}
