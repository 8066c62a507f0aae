//! What an operator observes: the log and the metrics.

mod metrics;

use std::fs::File;
use std::io::{self, Read};
use std::process::Stdio;

use serde_json::{Value, json};
use svc_client::types::PostId;
use svc_server::testing::{in_time, until};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::process::{Place, Server, http_client};

/// The lines of a log as JSON objects.
pub(crate) fn lines(log: &str) -> Vec<Value> {
    log.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")))
        .collect()
}

/// The address of the metrics, from the log.
pub(crate) fn metrics_address(place: &Place) -> String {
    let lines = lines(&place.log());
    let entry = lines.iter().find(|line| line["message"] == "metrics are served");
    entry
        .and_then(|line| line["address"].as_str())
        .expect("the log contains the address")
        .to_owned()
}

#[tokio::test]
async fn an_untrusted_proxy_is_logged_once() {
    let place = Place::new();
    let server = place.serve();
    let url = format!("http://{}/api/health", server.address());
    let http = http_client();
    http.get(&url).send().await.unwrap();
    assert!(!place.log().contains("X-Forwarded-For"));
    for number in 1..4 {
        let forwarded = format!("192.0.2.{number}");
        http.get(&url).header("x-forwarded-for", forwarded).send().await.unwrap();
    }
    server.stop().await;
    let entry = lines(&place.log()).into_iter().filter_map(|line| {
        let entry = line["message"].as_str()?.to_owned();
        (line["level"] == "WARN" && entry.contains("X-Forwarded-For")).then_some(entry)
    });
    let entry: Vec<String> = entry.collect();
    assert_eq!(
        entry,
        ["an X-Forwarded-For was ignored; if 127.0.0.1 is your proxy, add it to the setting \
          trusted_proxies, or all clients behind it share their limits"]
    );
}

/// What is written there fails as on a full disk.
fn full_disk() -> File {
    File::options().write(true).open("/dev/full").unwrap()
}

#[tokio::test]
async fn a_log_that_cannot_be_written_fails_no_request() {
    let place = Place::new();
    let mut command = place.program();
    command.args(["--listen", "127.0.0.1:0", "--mqtt-listen", "off", "--print-addresses"]);
    let server = Server::start(command.stderr(full_disk())).expect("it serves");
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    let client = server.client_of(&ada.api_key);
    client.posts().create("hello").await.unwrap();
    assert_eq!(client.users().me().await.unwrap().user.username.as_str(), "ada");
    server.stop().await;
}

/// A server with this log, after more requests than a pipe or a terminal holds lines.
async fn asked_much(place: &Place, log: impl Into<Stdio>) -> Server {
    let mut command = place.program();
    command.args(["--listen", "127.0.0.1:0", "--mqtt-listen", "off", "--print-addresses"]);
    let server = Server::start(command.stderr(log)).expect("it serves");
    let client = server.client();
    for _ in 0..1_000 {
        client.health().ready().await.unwrap();
    }
    server
}

#[tokio::test]
async fn a_log_that_nobody_reads_delays_no_request() {
    let place = Place::new();
    let (mut reader, writer) = io::pipe().unwrap();
    let server = asked_much(&place, writer).await;
    // What the pipe holds, however large the system makes it.
    let mut read = vec![0; 1024 * 1024];
    let held = reader.read(&mut read).unwrap();
    read.truncate(held);
    server.client().health().ready().await.unwrap();
    server.stop().await;
    reader.read_to_end(&mut read).unwrap();
    let lines = lines(str::from_utf8(&read).unwrap());
    let dropped = lines.iter().find_map(|line| line["dropped"].as_u64());
    assert!(dropped.is_some_and(|dropped| dropped > 100), "{dropped:?}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_terminal_that_shows_no_more_delays_no_request() {
    use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};

    let place = Place::new();
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let terminal = openpt(flags).unwrap();
    unlockpt(&terminal).unwrap();
    let server = asked_much(&place, ioctl_tiocgptpeer(&terminal, flags).unwrap()).await;
    server.stop().await;
    // Without it, a hangup would have ended the server.
    drop(terminal);
}

#[test]
fn an_exit_code_says_what_was_wrong_although_nothing_can_be_printed() {
    let place = Place::new();
    let mut command = place.program();
    let ended = command.args(["--set", "retention.idempotency=1h"]).stderr(full_disk()).status();
    assert_eq!(ended.unwrap().code(), Some(78));
}

#[tokio::test]
async fn each_request_logs_one_line_without_private_data() {
    let place = Place::new();
    let server = place.serve();
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    let client = server.client_of(&ada.api_key);
    let post = client.posts().create("the body of a post").await.unwrap().post;
    client.users().list().beginning("searched").await.unwrap();
    client.posts().get(PostId::from("post_none")).await.unwrap_err();
    let password = server.client().auth().login("ada", "a secret word").await;
    password.unwrap_err();
    let hello = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "a name of a host", "version": "1" },
        },
    });
    let tools = http_client().post(format!("http://{}/mcp", server.address())).json(&hello);
    let tools = tools.header("accept", "application/json, text/event-stream");
    tools.bearer_auth(ada.api_key.expose()).send().await.unwrap().error_for_status().unwrap();
    server.stop().await;

    let log = place.log();
    let requests: Vec<Value> =
        lines(&log).into_iter().filter(|line| line.get("route").is_some()).collect();
    let entry: Vec<(&str, &str, u64)> = requests
        .iter()
        .map(|line| {
            let text = |name: &str| line[name].as_str().unwrap();
            assert!(text("request_id").starts_with("req_"), "{line}");
            (text("method"), text("route"), line["status"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(
        entry,
        [
            ("POST", "/api/auth/register", 201),
            ("POST", "/api/posts", 201),
            ("GET", "/api/users", 200),
            ("GET", "/api/posts/{postId}", 404),
            ("POST", "/api/auth/login", 401),
            ("POST", "/mcp", 200),
        ]
    );
    assert!(!log.contains("rmcp"), "the library logs nothing of its own: {log}");
    let secrets = [
        "a name of a host",
        "the body of a post",
        "searched",
        "post_none",
        "a secret word",
        "svc_ak_",
    ];
    for secret in secrets.into_iter().chain([post.id.as_str()]) {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}

#[tokio::test]
async fn every_line_of_a_request_names_its_client() {
    let place = Place::new();
    let server = place.serve();
    let _ = server.client().users().get("nobody").await;
    let address = server.address();
    let broken = tokio::task::spawn_blocking(move || {
        use std::io::Write;
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nno colon\r\n\r\n").unwrap();
        let mut received = Vec::new();
        stream.read_to_end(&mut received).unwrap();
    });
    broken.await.unwrap();
    server.stop().await;
    let mut entries = lines(&place.log());
    entries.retain(|line| line["target"] == "svc_server::request");
    for status in [404, 400] {
        assert!(entries.iter().any(|line| line["status"] == status), "{entries:?}");
    }
    assert!(entries.iter().all(|line| line["address"] == "127.0.0.1"), "{entries:?}");
}

#[tokio::test]
async fn a_request_whose_client_leaves_before_the_answer_is_logged_and_counted() {
    let place = Place::new();
    let server = place.serve_by(place.program().args(["--metrics-listen", "127.0.0.1:0"]));
    let ada = server.client().auth().register_person("ada", "ada@example.org", "correct horse");
    ada.await.unwrap();
    let body = r#"{"username":"ada","password":"another horse"}"#;
    let head = format!(
        "POST /api/auth/login HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n\
         Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut begun = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
    in_time("the server reads the body", stream.read_exact(&mut begun)).await.unwrap();
    // Comparing the password takes longer than it takes the client to leave.
    stream.write_all(body.as_bytes()).await.unwrap();
    drop(stream);
    let is_logged = async || place.log().contains("\"status\":499");
    until("the request is logged", is_logged).await;
    let lines = lines(&place.log());
    let line = lines.iter().find(|line| line["status"] == 499).unwrap();
    assert_eq!((&line["method"], &line["route"]), (&json!("POST"), &json!("/api/auth/login")));
    let text = scrape(&format!("http://{}/metrics", metrics_address(&place))).await;
    assert!(text.contains("route=\"/api/auth/login\",status=\"499\""), "{text}");
    server.stop().await;
}

#[tokio::test]
async fn a_line_names_caller_bytes_and_the_trace_of_a_trusted_proxy() {
    let place = Place::new();
    let server = place.serve_by(place.program().args(["--set", "trusted_proxies=127.0.0.1"]));
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    let http = http_client();
    let request = http.get(format!("http://{}/api/users/me", server.address()));
    let request = request.bearer_auth(ada.api_key.expose()).header("x-forwarded-for", "192.0.2.1");
    let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let answer = request.header("traceparent", trace).send().await.unwrap();
    let bytes = answer.bytes().await.unwrap().len();
    server.stop().await;
    let lines = lines(&place.log());
    let line = lines.iter().find(|line| line["route"] == "/api/users/me").unwrap();
    assert_eq!(line["caller"], ada.user.id.as_str());
    assert_eq!(line["address"], "192.0.2.1");
    assert_eq!(line["bytes"], bytes);
    assert_eq!(line["trace_id"], "4bf92f3577b34da6a3ce929d0e0e4736");
}

#[tokio::test]
async fn a_broker_connection_failure_is_logged_once() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("mqtt://svc:service@{}", listener.local_addr().unwrap());
    let server = place.serve_by(place.program().args(["--broker", &url]));
    for answer in [None, Some(5), Some(5), Some(0), None, None] {
        let accepted = in_time("the server connects to its broker", listener.accept()).await;
        let (mut stream, _) = accepted.unwrap();
        if let Some(code) = answer {
            in_time("the server greets its broker", stream.read_u8()).await.unwrap();
            stream.write_all(&[0x20, 2, 0, code]).await.unwrap();
        }
        if answer == Some(0) {
            let is_logged = async || place.log().contains("connected to the broker");
            until("the server logs the connection", is_logged).await;
        }
    }
    // It logs the last but one failure before the last attempt.
    let warnings: Vec<Value> =
        lines(&place.log()).into_iter().filter(|line| line["level"] == "WARN").collect();
    let logged: Vec<&str> = warnings.iter().filter_map(|line| line["message"].as_str()).collect();
    let unreached = "failed to reach the broker";
    assert_eq!(logged, [unreached, "lost the connection to the broker", unreached]);
    assert!(!place.log().contains("service"), "without the password");
    server.stop().await;
}

#[tokio::test]
async fn the_log_level_is_configurable() {
    let place = Place::new();
    let server = place.serve_by(place.program().args(["--log", "warn"]));
    server.client().auth().register_agent("ada").await.unwrap();
    server.stop().await;
    assert_eq!(place.log(), "");
    for (unknown, why) in [
        ("warning", "log: warning is not a level"),
        ("info,verbose", "verbose"),
        ("info;debug", "log: info;debug is not a level"),
        ("", "log: it is empty"),
    ] {
        let message = place.refused(&["serve", "--log", unknown]);
        assert!(message.contains(why) && message.contains("error, warn, info"), "{message}");
    }
}

#[tokio::test]
async fn developers_get_a_readable_log() {
    let place = Place::new();
    let server = place.serve_by(place.program().arg("--dev"));
    server.client().auth().register_agent("ada").await.unwrap();
    server.stop().await;
    let log = place.log();
    assert!(log.contains("/api/auth/register") && !log.starts_with('{'), "{log}");
}

pub(crate) async fn scrape(url: &str) -> String {
    let http = http_client();
    http.get(url).send().await.unwrap().text().await.unwrap()
}
