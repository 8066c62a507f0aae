//! Mails on their way to mail servers: aiosmtpd in Python, smtp-server in JavaScript, and one that breaks.

use std::net;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};
use svc_client::Client;
use svc_server::testing::{Engine, in_time};
use svc_store::sql;
use svc_store::testing::left_out;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::TcpListener;
use tokio::process::{Child, ChildStdout, Command};

use crate::app::{self, TestApp};
use crate::email::SECURITY;

const PASSWORD: &str = "correct horse";
const NOTHING: [&str; 0] = [];

/// User and password of the mail server with TLS, percent-encoded.
const CREDENTIALS: &str = "svc%40example.org:p%3A%2F%C3%A4%40";

fn file(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/api");
    folder.join(name).to_str().unwrap().to_owned()
}

/// Whether a test may run; a missing program is reported, or fails where all services are required.
async fn is_there(program: &str, arguments: [&str; 2], what: &str) -> bool {
    let mut look = Command::new(program);
    look.args(arguments).stderr(Stdio::null());
    if look.status().await.is_ok_and(|status| status.success()) {
        return true;
    }
    left_out(what);
    false
}

/// A mail server while it runs; it ends with its input.
struct Server {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    port: u16,
}

impl Server {
    /// aiosmtpd on this port, or on a free one for 0.
    async fn plain(port: u16) -> Option<Self> {
        let is_there = is_there("python3", ["-c", "import aiosmtpd"], "Python's aiosmtpd").await;
        let mut command = Command::new("python3");
        command.arg(file("foreign/smtp.py")).arg(port.to_string());
        if is_there { Some(Self::start(command).await) } else { None }
    }

    /// smtp-server with a certificate for localhost and 0.0.0.0.
    async fn with_tls(mode: &str) -> Option<Self> {
        let look = ["-e", "require.resolve('smtp-server')"];
        let is_there = is_there("node", look, "node's smtp-server (NODE_PATH)").await;
        let mut command = Command::new("node");
        command.args([&*file("foreign/smtp.cjs"), mode, &file("tls/certificate.pem")]);
        command.arg(file("tls/key.pem"));
        if is_there { Some(Self::start(command).await) } else { None }
    }

    async fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = in_time("a mail server starts", lines.next_line()).await;
        let port = line.unwrap().expect("it says its port").parse().unwrap();
        Self { child, lines, port }
    }

    /// What it says next.
    async fn line(&mut self) -> Value {
        let line = in_time("a mail server says something", self.lines.next_line()).await;
        serde_json::from_str(&line.unwrap().expect("it still runs")).unwrap()
    }

    /// Stops it; everything it said since the last line.
    async fn rest(mut self) -> Vec<String> {
        drop(self.child.stdin.take());
        let mut rest = Vec::new();
        let end = "a mail server ends";
        while let Some(line) = in_time(end, self.lines.next_line()).await.unwrap() {
            rest.push(line);
        }
        rest
    }
}

/// The platform with a mail server at this URL.
async fn app(engine: Engine, url: &str, more: &[(&str, &str)]) -> Option<TestApp> {
    let settings = [&[("mail.url", url), ("public_url", "https://svc.example.org")], more].concat();
    TestApp::start_with(engine, &settings).await
}

/// The token of the link in a mail.
fn token(mail: &Value) -> String {
    let text = mail["text"].as_str().unwrap();
    let link = text.lines().find_map(|line| line.split_once("?token="));
    link.expect("the mail holds a link").1.trim().to_owned()
}

/// Makes an address pending, whose link is due.
async fn propose(client: &Client, email: &str) {
    client.users().update_me().email(email).await.unwrap();
}

async fn waiting(app: &TestApp) -> i64 {
    app.count(sql!("select count(*) from mail_outbox")).await
}

/// From sign-up to a new password, by mails that aiosmtpd received.
async fn journey(engine: Engine) {
    let Some(mut server) = Server::plain(0).await else { return };
    let url = format!("smtp://127.0.0.1:{}", server.port);
    let Some(app) = app(engine, &url, &[]).await else { return };
    let ada = app.person("ada", PASSWORD).await;
    app.server.send_mails().await;
    let mail = server.line().await;
    assert_eq!(mail["from"], "svc@svc.example.org");
    assert_eq!(mail["to"], json!(["ada@example.org"]));
    assert_eq!(mail["greeting"], "svc.example.org");
    let headers = &mail["headers"];
    assert_eq!(headers["subject"], "Verify your e-mail address");
    assert_eq!(headers["to"], "ada@example.org");
    assert_eq!(headers["from"], "svc@svc.example.org");
    assert_eq!(headers["auto-submitted"], "auto-generated");
    assert_eq!(headers["date"], "Sat, 31 Jan 2026 09:30:00 +0000");
    let id = headers["message-id"].as_str().unwrap();
    assert!(id.starts_with("<mail_") && id.ends_with("@svc.example.org>"), "{id}");
    app.anonymous.auth().verify_email(token(&mail)).await.unwrap();
    assert_eq!(ada.client.users().me().await.unwrap().user.email_verified, Some(true));
    app.anonymous.auth().reset_password("ada@example.org").await.unwrap();
    app.server.send_mails().await;
    // The verification of the address is mailed too.
    let mut mails = [server.line().await, server.line().await];
    mails.sort_by_key(|mail| mail["headers"]["subject"].to_string());
    let [mail, about] = mails;
    assert_eq!(mail["headers"]["subject"], "Reset your password");
    assert_eq!(about["headers"]["subject"], SECURITY);
    let reset = app.anonymous.auth().finish_password_reset(token(&mail));
    reset.new_password("battery staple").await.unwrap();
    app.sign_in("ada", "battery staple").await;
    assert_eq!(waiting(&app).await, 0);
}

#[tokio::test]
async fn links_arrive_and_work_on_sqlite() {
    journey(Engine::Sqlite).await;
}

#[tokio::test]
async fn links_arrive_and_work_on_postgres() {
    journey(Engine::Postgres).await;
}

/// From sign-up to a verified address, by a mail that smtp-server received.
async fn journey_with_tls(mode: &str, scheme: &str, host: &str) {
    let Some(mut server) = Server::with_tls(mode).await else { return };
    let url = format!("{scheme}://{CREDENTIALS}@{host}:{}", server.port);
    let settings =
        [("mail.ca_file", &*file("tls/authority.pem")), ("mail.from", "bot@example.org")];
    let app = app(Engine::Sqlite, &url, &settings).await.unwrap();
    let ada = app.person("ada", PASSWORD).await;
    app.server.send_mails().await;
    let mail = server.line().await;
    assert_eq!((&mail["secure"], &mail["user"]), (&json!(true), &json!("svc@example.org")));
    assert_eq!(mail["from"], "bot@example.org");
    assert_eq!(mail["to"], json!(["ada@example.org"]));
    app.anonymous.auth().verify_email(token(&mail)).await.unwrap();
    assert_eq!(ada.client.users().me().await.unwrap().user.email_verified, Some(true));
    assert_eq!(waiting(&app).await, 0);
}

#[tokio::test]
async fn mails_leave_by_tls_from_the_start() {
    journey_with_tls("tls", "smtps", "localhost").await;
}

/// 0.0.0.0 is this machine as well, but not by the name of a loopback address.
#[tokio::test]
async fn mails_leave_by_starttls() {
    journey_with_tls("starttls", "smtp", "0.0.0.0").await;
}

#[tokio::test]
async fn nothing_is_sent_to_a_server_with_a_wrong_certificate() {
    let Some(mut server) = Server::with_tls("tls").await else { return };
    let other = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mqtt/tls/certificate.pem");
    let wrong_authority = ("localhost", other.to_str().unwrap().to_owned());
    let wrong_name = ("127.0.0.1", file("tls/authority.pem"));
    let of_the_system = ("localhost", String::new());
    for (host, authority) in [wrong_authority, wrong_name, of_the_system] {
        let url = format!("smtps://{CREDENTIALS}@{host}:{}", server.port);
        let settings = [("mail.ca_file", &*authority)];
        let app = app(Engine::Sqlite, &url, &settings).await.unwrap();
        app.person("ada", PASSWORD).await;
        app.server.send_mails().await;
        assert_eq!(server.line().await, json!({ "broken": true }), "{host} {authority}");
        assert_eq!(waiting(&app).await, 1, "it is tried again");
    }
}

#[tokio::test]
async fn nothing_is_sent_elsewhere_without_starttls() {
    let Some(server) = Server::plain(0).await else { return };
    let url = format!("smtp://0.0.0.0:{}", server.port);
    let app = app(Engine::Sqlite, &url, &[]).await.unwrap();
    app.person("ada", PASSWORD).await;
    app.server.send_mails().await;
    assert_eq!(server.rest().await, NOTHING);
    assert_eq!(waiting(&app).await, 1);
}

#[tokio::test]
async fn a_mail_waits_while_the_server_does_not_let_us_in() {
    let Some(mut server) = Server::with_tls("tls").await else { return };
    let url = format!("smtps://svc:wrong@localhost:{}", server.port);
    let settings = [("mail.ca_file", &*file("tls/authority.pem"))];
    let app = app(Engine::Sqlite, &url, &settings).await.unwrap();
    app.person("ada", PASSWORD).await;
    app.server.send_mails().await;
    assert_eq!(server.line().await, json!({ "refused": "svc" }));
    assert_eq!(waiting(&app).await, 1);
}

#[tokio::test]
async fn certificates_that_can_not_be_read_are_reported_at_the_start() {
    let starting = tokio::spawn(async {
        let settings = [("mail.ca_file", "/does/not/exist.pem")];
        app(Engine::Sqlite, "smtps://localhost", &settings).await.is_some()
    });
    assert!(starting.await.unwrap_err().is_panic());
}

/// A mail that the server was down for arrives once it is up, and only once.
async fn late(engine: Engine) {
    let port = net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("smtp://127.0.0.1:{port}");
    let Some(app) = app(engine, &url, &[]).await else { return };
    app.person("ada", PASSWORD).await;
    app.server.send_mails().await;
    let Some(mut server) = Server::plain(port).await else { return };
    app.server.send_mails().await;
    assert_eq!(waiting(&app).await, 1, "the pause is not over");
    app.advance(60);
    app.server.send_mails().await;
    assert_eq!(server.line().await["to"], json!(["ada@example.org"]));
    app.advance(24 * 3_600);
    app.server.send_mails().await;
    assert_eq!(server.rest().await, NOTHING);
    assert_eq!(waiting(&app).await, 0);
}

#[tokio::test]
async fn a_mail_arrives_once_after_the_server_was_down_on_sqlite() {
    late(Engine::Sqlite).await;
}

#[tokio::test]
async fn a_mail_arrives_once_after_the_server_was_down_on_postgres() {
    late(Engine::Postgres).await;
}

#[tokio::test]
async fn a_refused_recipient_is_given_up_and_a_busy_server_is_asked_again() {
    let Some(mut server) = Server::plain(0).await else { return };
    let url = format!("smtp://127.0.0.1:{}", server.port);
    let app = app(Engine::Sqlite, &url, &[]).await.unwrap();
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    propose(&ada.client, "gone@example.org").await;
    app.server.send_mails().await;
    assert_eq!(waiting(&app).await, 0, "5xx is final");
    propose(&bob.client, "busy@example.org").await;
    app.server.send_mails().await;
    assert_eq!(waiting(&app).await, 1, "4xx is not");
    app.advance(60);
    app.server.send_mails().await;
    assert_eq!(server.line().await["to"], json!(["busy@example.org"]));
    assert_eq!(server.rest().await, NOTHING);
    assert_eq!(waiting(&app).await, 0);
}

#[tokio::test]
async fn a_server_that_hangs_is_left_in_time_and_delays_no_other_mail() {
    let Some(mut server) = Server::plain(0).await else { return };
    let url = format!("smtp://127.0.0.1:{}", server.port);
    let app = app(Engine::Sqlite, &url, &[("mail.timeout", "1s")]).await.unwrap();
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    propose(&ada.client, "silent@example.org").await;
    propose(&bob.client, "bob@example.org").await;
    app.server.send_mails().await;
    let said = [server.line().await, server.line().await];
    assert!(said.contains(&json!({ "silent": true })), "{said:?}");
    assert!(said.iter().any(|mail| mail["to"] == json!(["bob@example.org"])), "{said:?}");
    assert_eq!(app.count(sql!("select count(*) from mail_outbox where attempt = 1")).await, 1);
}

/// Where the connection to a mail server breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Breaks {
    /// At its greeting, which is none.
    AtGreeting,
    /// Before it has the mail.
    Before,
    /// After it has the mail, and before it says so.
    After,
    Nowhere,
}

/// Plays a mail server for one connection; the answer is the mail as far as it came.
async fn play(listener: &TcpListener, breaks: Breaks) -> String {
    let (stream, _) = in_time("a mail server is called", listener.accept()).await.unwrap();
    let (reader, mut writer) = stream.into_split();
    let mut lines = BufReader::new(reader).lines();
    let is_greeted = breaks != Breaks::AtGreeting;
    let greeting = if is_greeted { "220 mail.example.org\r\n" } else { "what is this?\r\n" };
    writer.write_all(greeting.as_bytes()).await.unwrap();
    let (mut mail, mut is_mail) = (String::new(), false);
    let next = "the server goes on with its mail, or leaves";
    while let Ok(Some(line)) = in_time(next, lines.next_line()).await {
        let reply = match line.as_str() {
            "." if breaks == Breaks::After => break,
            "DATA" if breaks == Breaks::Before => break,
            "DATA" => "354 go on\r\n",
            "." => "250 accepted\r\n",
            _ if is_mail => "",
            _ => "250 fine\r\n",
        };
        if is_mail {
            mail.push_str(&line);
            mail.push('\n');
        }
        is_mail = line == "DATA" || is_mail && line != ".";
        // A caller that has hung up needs no reply.
        let _ = writer.write_all(reply.as_bytes()).await;
    }
    mail
}

#[tokio::test]
async fn a_mail_is_the_same_each_time_wherever_the_connection_breaks() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    let app = app(Engine::Sqlite, &url, &[]).await.unwrap();
    let ada = app.agent("ada").await;
    propose(&ada.client, "ada@example.org").await;
    let mut ids = Vec::new();
    for breaks in [Breaks::AtGreeting, Breaks::Before, Breaks::After, Breaks::Nowhere] {
        let (mail, ()) = tokio::join!(play(&listener, breaks), app.server.send_mails());
        let is_id = |line: &&str| line.starts_with("Message-ID: <mail_");
        ids.extend(mail.lines().find(is_id).map(str::to_owned));
        let expected = i64::from(breaks != Breaks::Nowhere);
        assert_eq!(waiting(&app).await, expected, "{breaks:?}");
        app.advance(3_600);
    }
    assert_eq!(ids.len(), 2, "one that was lost with its answer, and one that arrived");
    assert_eq!(ids[0], ids[1], "so that readers see it once");
}

/// Servers that share a database send each mail once.
#[tokio::test]
async fn of_two_nodes_one_sends_a_mail() {
    let Some(mut server) = Server::plain(0).await else { return };
    let url = format!("smtp://127.0.0.1:{}", server.port);
    let database = app::database(Engine::Postgres).await;
    let Some(database) = database else { return };
    let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    let settings = [("mail.url", &*url), ("exchange.sealing_keys", key)];
    let one = TestApp::on(Engine::Postgres, &database, &settings).await;
    let two = TestApp::on(Engine::Postgres, &database, &settings).await;
    for number in 0..5 {
        let agent = one.agent(&format!("agent_{number}")).await;
        propose(&agent.client, &format!("agent{number}@example.org")).await;
    }
    for _ in 0..3 {
        tokio::join!(one.server.send_mails(), two.server.send_mails());
    }
    let mut recipients = Vec::new();
    for _ in 0..5 {
        recipients.push(server.line().await["to"][0].as_str().unwrap().to_owned());
    }
    recipients.sort();
    recipients.dedup();
    assert_eq!(recipients.len(), 5);
    assert_eq!(server.rest().await, NOTHING);
    assert_eq!(waiting(&one).await, 0);
}
