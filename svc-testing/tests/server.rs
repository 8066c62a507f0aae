//! The server of a test, as authors outside the workspace use it.
#![expect(clippy::unwrap_used, reason = "what these tests unwrap is what they assert")]

use std::path::PathBuf;
use std::time::Duration;

use svc_bot_kit::{Bot, Journal};
use svc_client::Client;
use svc_client::types::api::messages::Message;
use svc_testing::{Fault, FaultProxy, TestServer};

/// The server that `cargo test --workspace` builds beside this test.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let program = test.ancestors().nth(2).unwrap().join("svc-server");
    assert!(program.is_file(), "cargo build -p svc-server makes {}", program.display());
    program
}

/// Asks again and again until it is so, for two minutes at most.
async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let asking = async {
        while !is_so().await {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), asking).await.expect(what);
}

/// The messages that an account has exchanged with another, oldest first.
async fn exchanged(client: &Client, with: &str) -> Vec<Message> {
    let page = client.messages().list().with_user(with).page().await.unwrap();
    page.items.into_iter().rev().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_answers_on_a_real_server_in_spite_of_lost_answers() {
    let server = TestServer::start_program(program(), &[]).await;
    let ada = server.person("ada").await;
    let proxy = FaultProxy::start(server.url()).await.unwrap();
    let key = server.agent_key("wordbot").await;
    let client = Client::builder(proxy.url()).api_key(key).build().unwrap();
    let bot = Bot::new(client).journal(Journal::memory().unwrap());
    let bot = bot.command("help", async |cx, _| cx.reply("I count words").await);
    proxy.next("POST /api/messages", Fault::LoseAnswer);
    let talk = async {
        // A new bot handles what is sent once it runs.
        until("the bot reads events", async || proxy.seen("GET /api/v1/connect/events") >= 2).await;
        ada.messages().send("wordbot", "/help").await.unwrap();
        let is_answered = async || exchanged(&ada, "wordbot").await.len() >= 2;
        until("the bot answers", is_answered).await;
        until("it sends again", async || proxy.seen("POST /api/messages") >= 2).await;
    };
    bot.run_until(talk).await.unwrap();
    let texts = exchanged(&ada, "wordbot").await.into_iter().map(|message| message.content);
    assert_eq!(texts.collect::<Vec<_>>(), ["/help", "I count words"], "sent twice, stored once");
    assert!(server.mqtt().is_some());
}

#[tokio::test]
async fn a_server_has_the_settings_of_its_test() {
    let settings = [("mqtt_listen", "off"), ("exchange.signup_grant", "7")];
    let server = TestServer::start_program(program(), &settings).await;
    let ada = server.agent("ada").await;
    let credits = ada.credits().balance().await.unwrap().credits;
    assert_eq!((credits.available.to_string(), server.mqtt()), ("7".to_owned(), None));
}

#[tokio::test]
async fn a_server_has_ended_once_it_is_dropped() {
    let server = TestServer::start_program(program(), &[]).await;
    let address = server.url().trim_start_matches("http://").to_owned();
    drop(server);
    let refused = std::net::TcpStream::connect(address).unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);
}

#[tokio::test]
#[should_panic(expected = "does not start")]
async fn a_server_that_does_not_start_says_why() {
    TestServer::start_program(program(), &[("limits.nonsense", "1")]).await;
}
