//! Runs the examples as a reader would, against the real server.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

mod aborted;

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Map, json};
use svc_bot_kit::{WebhookEvent, sign};
use svc_client::Client;
use svc_client::types::{ApiKey, ServiceRequest};
use svc_server::testing::{TestServer, found, until};
use tempfile::TempDir;

/// A process that is killed when its test ends.
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
async fn verify_agent_admits_only_verified_agents() {
    let server = TestServer::start().await;
    let anonymous = client(&server);
    let app = anonymous.developers().register("Vault", "https://vault.example.org").await.unwrap();
    let bot = anonymous.auth().register_agent("wordbot").await.unwrap();
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

/// The first line that a program prints, and a reader of the rest.
fn first_line(running: &mut Running) -> (String, BufReader<ChildStdout>) {
    let mut output = BufReader::new(running.0.stdout.take().unwrap());
    (next_line(&mut output), output)
}

fn next_line(output: &mut BufReader<ChildStdout>) -> String {
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    line.trim().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn webhook_receiver_accepts_signed_and_new_events() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_webhook_receiver"));
    command.env("SVC_WEBHOOK_SECRET", SECRET).env("SVC_EXAMPLE_LISTEN", "127.0.0.1:0");
    let mut receiver = Running(command.stdout(Stdio::piped()).spawn().unwrap());
    let (line, mut output) = first_line(&mut receiver);
    let hook = line.strip_prefix("listening on ").unwrap().to_owned();
    let send = async |secret: &str, event: &WebhookEvent| {
        let request = sign::test_request::<Vec<u8>>(secret, event).unwrap();
        let (parts, body) = request.into_parts();
        let twice = [body.clone(), body].map(|body| {
            reqwest::Client::new().post(&hook).headers(parts.headers.clone()).body(body).send()
        });
        let [first, again] = twice;
        [first.await.unwrap().status().as_u16(), again.await.unwrap().status().as_u16()]
    };
    let liked = WebhookEvent::sample("like").unwrap();
    assert_eq!(send(SECRET, &liked).await, [204, 200], "the second is known");
    assert_eq!(next_line(&mut output), "@ada likes post_01kdya0svee4hr04hmasw9nf6y");
    let stranger = "whsec_GBkaGxwdHh8gISIjJCUmJygpKissLS4v";
    assert_eq!(send(stranger, &liked).await, [401, 401]);
    send(SECRET, &WebhookEvent::sample("direct_message").unwrap()).await;
    assert_eq!(next_line(&mut output), "@ada: hello", "the duplicate printed nothing");
}

const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

#[tokio::test(flavor = "multi_thread")]
async fn listen_resumes_after_the_last_event() {
    let broker = [("mqtt_listen", "127.0.0.1:0")];
    let server = TestServer::start_with("sqlite::memory:", &broker).await;
    let bot = client(&server).auth().register_agent("wordbot").await.unwrap();
    let ada = client(&server).auth().register_agent("ada").await.unwrap();
    let ada = Client::builder(server.url()).api_key(ada.api_key).build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_listen"));
        command.env("SVC_URL", server.url()).env("SVC_API_KEY", bot.api_key.expose());
        command.current_dir(&folder).stdout(Stdio::piped());
        Running(command.spawn().unwrap())
    };
    let mut first = start();
    let (line, mut output) = first_line(&mut first);
    assert_eq!(line, "listening after 0");
    ada.messages().send("wordbot", "one").await.unwrap();
    assert_eq!(next_line(&mut output), "1 @ada: one");
    let place = folder.path().join("listen.seq");
    let is_kept = async || std::fs::read_to_string(&place).unwrap_or_default() == "1";
    until("the number of the event is kept", is_kept).await;
    drop(first);
    ada.messages().send("wordbot", "two").await.unwrap();
    let mut second = start();
    let (line, mut output) = first_line(&mut second);
    assert_eq!(line, "listening after 1");
    assert_eq!(next_line(&mut output), "2 @ada: two");
}

/// A server with a bot that sells services, and the client of a buyer.
struct Market {
    server: TestServer,
    _bot: Running,
    /// The folder of the bot's journal.
    _folder: TempDir,
    buyer: Client,
    key: ApiKey,
}

async fn market() -> Market {
    let broker = [("mqtt_listen", "127.0.0.1:0")];
    let server = TestServer::start_with("sqlite::memory:", &broker).await;
    let bot = client(&server).auth().register_agent("wordbot").await.unwrap();
    let key = client(&server).auth().register_agent("ada").await.unwrap().api_key;
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_paid_service"));
    command.env("SVC_URL", server.url()).env("SVC_API_KEY", bot.api_key.expose());
    let bot = Running(command.current_dir(&folder).spawn().unwrap());
    let buyer = Client::builder(server.url()).api_key(key.clone()).build().unwrap();
    until("the bot offers its services", async || {
        buyer.bots().capabilities("wordbot").await.unwrap().capabilities.len() >= 2
    })
    .await;
    Market { server, _bot: bot, _folder: folder, buyer, key }
}

#[tokio::test(flavor = "multi_thread")]
async fn paid_service_counts_words_for_five_credits() {
    let market = market().await;
    let buyer = &market.buyer;
    let service = buyer.bots().capabilities("wordbot").await.unwrap().capabilities.remove(0);
    let order = ServiceRequest {
        service_id: service.id,
        service_name: "count-words".into(),
        input: Map::from_iter([("text".to_owned(), json!("a bb ccc"))]),
        offered_credits: 5.into(),
        escrow_id: None,
    };
    let sent = buyer.messages().request_service("wordbot", order).await.unwrap().message;
    let answer = found("the order is answered", async || {
        let order = buyer.messages().get(&sent.message_id).await.unwrap().message;
        order.request.unwrap().response_message_id
    })
    .await;
    let answer = buyer.messages().get(answer).await.unwrap().message;
    assert_eq!(answer.payload.unwrap()["output"], json!({ "words": 3 }));
    assert_eq!(buyer.credits().balance().await.unwrap().credits.available, 95.into());
}

#[tokio::test(flavor = "multi_thread")]
async fn escrow_buyer_releases_what_was_delivered_and_pays_once() {
    let Market { server, buyer, key, .. } = &market().await;
    let folder = tempfile::tempdir().unwrap();
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_escrow_buyer"));
        command.env("SVC_URL", server.url()).env("SVC_API_KEY", key.expose());
        command.args(["report", "rust"]).current_dir(&folder);
        tokio::task::spawn_blocking(move || command.output())
    };
    let printed = String::from_utf8(run().await.unwrap().unwrap().stdout).unwrap();
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[0].starts_with("60 credits are held in esc_"), "{printed}");
    assert_eq!(
        lines[1..],
        [
            "delivered: all there is to say about rust",
            "released 60 credits to @wordbot, 40 are left"
        ]
    );
    let again = String::from_utf8(run().await.unwrap().unwrap().stdout).unwrap();
    assert_eq!(again, printed);
    assert_eq!(buyer.credits().balance().await.unwrap().credits.available, 40.into());
}
