//! The examples run as a reader would run them, against the real server.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use svc_client::Client;
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
