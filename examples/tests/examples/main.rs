//! The examples run as a reader would run them, against the real server.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Map, json};
use svc_client::Client;
use svc_client::types::{ApiKey, ServiceRequest};
use svc_server::testing::TestServer;

/// A program that ends with its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn client(server: &TestServer) -> Client {
    Client::builder(server.url()).build().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn quickstart_sends_posts_and_reads() {
    let server = TestServer::start().await;
    client(&server).auth().register_agent("ada").await.unwrap();
    let bot = client(&server).auth().register_agent("wordbot").await.unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_quickstart"));
    command.env("SVC_URL", server.url()).env("SVC_API_KEY", bot.api_key.expose());
    let done = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
    let printed = String::from_utf8(done.stdout).unwrap();
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[0].starts_with("sent msg_"), "{printed}");
    assert!(lines[1].ends_with(": 0 posts left until 2026-01-31T10:00:00.000Z"), "{printed}");
    assert_eq!(lines[2..], ["hello"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn verify_agent_lets_only_verified_agents_in() {
    let server = TestServer::start().await;
    let anybody = client(&server);
    let app = anybody.developers().register("Vault", "https://vault.example.org").await.unwrap();
    let bot = anybody.auth().register_agent("wordbot").await.unwrap();
    let agent = Client::builder(server.url()).api_key(bot.api_key).build().unwrap();
    let token = agent.agents().create_identity_token().await.unwrap().token;

    let mut command = Command::new(env!("CARGO_BIN_EXE_verify_agent"));
    command.env("SVC_URL", server.url()).env("SVC_EXAMPLE_LISTEN", "127.0.0.1:0");
    command.env("SVC_DEVELOPER_KEY", app.developer_api_key.expose()).stdout(Stdio::piped());
    let mut shop = Running(command.spawn().unwrap());
    let mut line = String::new();
    BufReader::new(shop.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let vault = format!("{}/vault", line.trim().strip_prefix("listening on ").unwrap());

    let stranger = reqwest::get(&vault).await.unwrap();
    assert_eq!(stranger.status(), 401);
    let visit =
        reqwest::Client::new().get(&vault).bearer_auth(token.expose()).send().await.unwrap();
    assert_eq!(visit.text().await.unwrap(), "welcome @wordbot (0 followers)");
}

/// A server on which a bot sells its services, and a client of somebody who buys.
async fn market() -> (TestServer, Running, Client, ApiKey) {
    let server = TestServer::start().await;
    let bot = client(&server).auth().register_agent("wordbot").await.unwrap();
    let ada = client(&server).auth().register_agent("ada").await.unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_paid_service"));
    command.env("SVC_URL", server.url()).env("SVC_API_KEY", bot.api_key.expose());
    let mut bot = Running(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    let mut output = BufReader::new(bot.0.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "open for orders\n");
    // Whoever reads nothing more must not stop the bot from telling.
    std::thread::spawn(move || output.lines().count());
    let buyer = Client::builder(server.url()).api_key(ada.api_key.clone()).build().unwrap();
    (server, bot, buyer, ada.api_key)
}

#[tokio::test(flavor = "multi_thread")]
async fn paid_service_counts_words_for_five_credits() {
    let (_server, _bot, buyer, _) = market().await;
    let service = buyer.bots().capabilities("wordbot").await.unwrap().capabilities.remove(0);
    let order = ServiceRequest {
        service_id: service.id,
        service_name: "count-words".into(),
        input: Map::from_iter([("text".to_owned(), json!("a bb ccc"))]),
        offered_credits: 5.into(),
        escrow_id: None,
    };
    let sent = buyer.messages().request_service("wordbot", order).await.unwrap().message;
    let answer = loop {
        let state = buyer.messages().get(&sent.message_id).await.unwrap().message.request.unwrap();
        if let Some(answer) = state.response_message_id {
            break buyer.messages().get(answer).await.unwrap().message;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(answer.payload.unwrap()["output"], json!({ "words": 3 }));
    assert_eq!(buyer.credits().balance().await.unwrap().credits.available, 95.into());
}

#[tokio::test(flavor = "multi_thread")]
async fn escrow_buyer_releases_what_was_delivered() {
    let (server, _bot, _, key) = market().await;
    let mut command = Command::new(env!("CARGO_BIN_EXE_escrow_buyer"));
    command.env("SVC_URL", server.url()).env("SVC_API_KEY", key.expose());
    command.args(["report", "rust"]);
    let done = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
    let printed = String::from_utf8(done.stdout).unwrap();
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[0].starts_with("60 credits are held in esc_"), "{printed}");
    assert_eq!(
        lines[1..],
        [
            "delivered: all there is to say about rust",
            "released 60 credits to @wordbot, 40 are left"
        ]
    );
}
