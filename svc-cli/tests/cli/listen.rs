//! `svc listen` and `svc trigger`.

use std::os::unix::fs::PermissionsExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use svc_bot_kit::testing::{Fault, FaultProxy};
use svc_bot_kit::{Refused, WebhookEvent, WebhookVerifier};
use svc_client::Client;
use svc_client::http::{HeaderMap, HeaderName};
use svc_server::clock::Clock;
use svc_server::testing::until;
use tokio::time::Instant;

use crate::place::Place;
use crate::shell::{Shell, read_until, typed};

const TAKEN: &str = "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
const FAILED: &str =
    "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// A command that goes on until its test ends.
struct Running {
    child: Child,
    stdout: ChildStdout,
}

impl Running {
    fn start(shell: &Shell, arguments: &[&str]) -> Self {
        Self::of(shell.svc(arguments).command)
    }

    fn of(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let stdout = child.stdout.take().unwrap();
        Self { child, stdout }
    }

    fn line(&mut self) -> String {
        read_until(&mut self.stdout, "\n")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A shell with `wordbot`, to whom `ada` writes.
async fn shell() -> Shell {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    shell
}

fn write(shell: &Shell, text: &str) {
    shell.svc(&["dm", "wordbot", text, "--profile", "ada"]).ok();
}

fn parts(request: &str) -> (HeaderMap, &str) {
    let body = request.find('{').unwrap();
    let lines = request[..body].lines().skip(1).filter_map(|line| line.split_once(": "));
    let header = |(name, value): (&str, &str)| {
        (HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap())
    };
    (lines.map(header).collect(), &request[body..])
}

/// Waits until it is kept that everything up to an event has arrived at a place.
async fn is_kept(shell: &Shell, place: &Place, seq: u64) {
    let path = shell.folder.path().join("listen.toml");
    let line = format!(" {}\" = {seq}\n", place.url);
    until("what has arrived is kept", async || {
        std::fs::read_to_string(&path).unwrap_or_default().contains(&line)
    })
    .await;
}

fn content(event: &WebhookEvent) -> String {
    let WebhookEvent::DirectMessage(message) = event else { panic!("{event:?}") };
    message.content.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_sent_on_as_the_platform_sends_them() {
    let (shell, place) = (shell().await, Place::answering(TAKEN));
    write(&shell, "a \"quoted\" <word> 🦀");
    let secret = shell.svc(&["listen", "--print-secret"]).ok();
    assert_eq!(shell.svc(&["listen", "--print-secret"]).ok(), secret, "it stays the same");
    let line = ["listen", "--from-start", "--forward-to", &place.url];
    let shown = Running::start(&shell, &line).line();
    assert!(shown.contains("  direct_message  evt_") && shown.contains("  204  "), "{shown}");

    let received = place.received();
    let (headers, body) = parts(&received[0]);
    let stored = shell.svc(&["api", "GET", "/v1/connect/events", "--json"]).ok();
    assert!(stored.contains(&body[1..]), "byte by byte: {body}\n{stored}");
    let verifier = WebhookVerifier::new([secret.trim()]).unwrap();
    verifier.verify(&headers, body.as_bytes()).unwrap();
    let strict = verifier.require_timestamp(Duration::from_mins(5));
    let hook = strict.verify(&headers, body.as_bytes()).unwrap();
    assert_eq!((content(&hook.event), hook.seq), ("a \"quoted\" <word> 🦀".to_owned(), Some(1)));
    assert!(received[0].contains("\r\nX-Webhook-Signature: "), "{}", received[0]);
    assert_eq!(headers["user-agent"], "Svc-Webhooks/1.0");
    assert_eq!(headers["content-type"], "application/json");
    assert_eq!(headers["x-webhook-event"], "direct_message");
    assert_eq!(headers["x-webhook-attempt"], "1");
    assert_eq!(headers["x-webhook-id"], headers["webhook-id"]);
    assert!(headers["x-webhook-delivery"].to_str().unwrap().starts_with("dlv_"));
    assert!(!headers.contains_key("x-webhook-test"));
    let mode = std::fs::metadata(shell.folder.path().join("listen.toml")).unwrap().permissions();
    assert_eq!(mode.mode() & 0o777, 0o600, "it holds a secret");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_while_nobody_listens_is_sent_on_later() {
    let (shell, place) = (shell().await, Place::answering(TAKEN));
    write(&shell, "before the first time");
    let line = ["listen", "--forward-to", &place.url];
    let mut first = Running::start(&shell, &line);
    // Its beginning is kept before anything is sent.
    is_kept(&shell, &place, 1).await;
    write(&shell, "one");
    first.line();
    is_kept(&shell, &place, 2).await;
    drop(first);
    write(&shell, "two");
    write(&shell, "three");
    let mut second = Running::start(&shell, &line);
    second.line();
    second.line();
    is_kept(&shell, &place, 4).await;
    drop(second);
    write(&shell, "four");
    Running::start(&shell, &line).line();
    let received = place.received();
    let texts: Vec<String> = received
        .iter()
        .map(|request| {
            let body: Value = serde_json::from_str(parts(request).1).unwrap();
            body["data"]["content"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(texts, ["one", "two", "three", "four"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_of_another_kind_is_kept_for_the_next_run() {
    let (shell, place) = (shell().await, Place::answering(TAKEN));
    let line = ["listen", "--types", "follow", "--forward-to", &place.url];
    let _listen = Running::start(&shell, &line);
    is_kept(&shell, &place, 0).await;
    write(&shell, "no follow");
    is_kept(&shell, &place, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_of_another_kind_behind_an_event_is_kept_for_the_next_run() {
    let (shell, place) = (shell().await, Place::answering(TAKEN));
    shell.svc(&["follow", "wordbot", "--profile", "ada"]).ok();
    write(&shell, "no follow");
    let line = ["listen", "--after", "0", "--types", "follow", "--forward-to", &place.url];
    let _listen = Running::start(&shell, &line);
    is_kept(&shell, &place, 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn none_of_many_waiting_events_is_skipped() {
    let shell = shell().await;
    let client =
        |name: &str| Client::builder(shell.server.url()).api_key(shell.key(name)).build().unwrap();
    let (ada, wordbot) = (client("ada"), client("wordbot"));
    for number in 1..=101 {
        ada.messages().send("wordbot", number.to_string()).await.unwrap();
    }
    let page = |limit: u32| wordbot.events().list().limit(limit).into_future();
    page(101).await.unwrap_err();
    assert!(
        page(100).await.unwrap().next_cursor.is_some(),
        "they are more than the largest page has"
    );
    let mut listen = Running::start(&shell, &["listen", "--from-start"]);
    for number in 1..=102 {
        if number == 101 {
            write(&shell, "the last");
        }
        let line = listen.line();
        assert_eq!(line.split("  ").nth(1), Some(&*number.to_string()), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_fails_is_tried_again() {
    let (shell, place) = (shell().await, Place::answering_in_turn(&[FAILED, TAKEN]));
    write(&shell, "hello");
    let line = ["listen", "--from-start", "--forward-to", &place.url, "--json"];
    let mut listen = Running::start(&shell, &line);
    let shown: Vec<Value> = (0..2).map(|_| serde_json::from_str(&listen.line()).unwrap()).collect();
    assert_eq!((&shown[0]["status"], &shown[0]["attempt"]), (&500.into(), &1.into()));
    assert_eq!((&shown[1]["status"], &shown[1]["attempt"]), (&204.into(), &2.into()));
    let received = place.received();
    let [first, second] = [parts(&received[0]), parts(&received[1])];
    assert_eq!(first.0["x-webhook-id"], second.0["x-webhook-id"]);
    assert_eq!(first.1, second.1, "the same bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_has_not_arrived_is_sent_by_the_next_run() {
    let (shell, place) = (shell().await, Place::answering_in_turn(&[FAILED, FAILED, TAKEN]));
    write(&shell, "hello");
    let line = ["listen", "--forward-to", &place.url];
    let shown = Running::start(&shell, &[&line[..], &["--from-start"]].concat()).line();
    assert!(shown.contains("  500  "), "{shown}");
    let mut again = Running::start(&shell, &line);
    while !again.line().contains("  204  ") {}
}

#[tokio::test(flavor = "multi_thread")]
async fn after_the_last_attempt_the_next_event_is_sent() {
    let (shell, place) = (shell().await, Place::answering_in_turn(&[FAILED, TAKEN]));
    write(&shell, "one");
    write(&shell, "two");
    let line = ["listen", "--from-start", "--forward-to", &place.url, "--attempts", "1", "--json"];
    let mut listen = Running::start(&shell, &line);
    for (seq, status) in [(1, 500), (2, 204)] {
        let shown: Value = serde_json::from_str(&listen.line()).unwrap();
        assert_eq!((&shown["seq"], &shown["status"]), (&seq.into(), &status.into()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_are_made_on_purpose() {
    let (shell, place) = (shell().await, Place::answering(TAKEN));
    write(&shell, "hello");
    let line = ["listen", "--from-start", "--forward-to", &place.url];
    let faults = ["--duplicate", "1", "--bad-signature", "--delay", "1s"];
    let mut listen = Running::start(&shell, &[&line[..], &faults].concat());
    listen.line();
    listen.line();
    let secret = shell.svc(&["listen", "--print-secret"]).ok();
    let received = place.received();
    assert_eq!(received.len(), 2);
    for request in &received {
        let (headers, body) = parts(request);
        let verifier = WebhookVerifier::new([secret.trim()]).unwrap();
        let refused = verifier.verify(&headers, body.as_bytes());
        assert!(matches!(refused, Err(Refused::MalformedSignature)), "{refused:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_shown_on_a_line_each() {
    let shell = shell().await;
    write(&shell, "one\ntwo");
    shell.svc(&["follow", "wordbot", "--profile", "ada"]).ok();
    let mut listen = Running::start(&shell, &["listen", "--from-start"]);
    assert!(listen.line().starts_with("09:30:00  1  direct_message  @ada  msg_"));
    assert_eq!(listen.line(), "09:30:00  2  follow  @ada\n");
    let follow = ["listen", "--after", "1", "--types", "follow,like", "--json"];
    let envelope: Value = serde_json::from_str(&Running::start(&shell, &follow).line()).unwrap();
    assert_eq!((&envelope["seq"], &envelope["event"]), (&2.into(), &"follow".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happened_longer_ago_than_is_asked_for_is_not_shown() {
    let shell = shell().await;
    let (clock, present) = (shell.server.clock(), Clock::system().now());
    clock.advance(present.minus(Duration::from_hours(3)).since(clock.now()));
    write(&shell, "hours ago");
    clock.advance(Duration::from_hours(3));
    write(&shell, "just now");
    let line = Running::start(&shell, &["listen", "--replay-since", "1h"]).line();
    assert!(line.ends_with("just now\n"), "{line}");
}

#[tokio::test(flavor = "multi_thread")]
async fn events_arrive_without_a_stream_too() {
    let shell = shell().await;
    let proxy = FaultProxy::start(shell.server.url()).await.unwrap();
    let stream = "GET /api/v1/connect/stream";
    proxy.always(stream, Fault::Refuse { status: 404, retry_after: None });
    let key = shell.svc(&["key", "regenerate", "--yes", "--json"]).json()["apiKey"].clone();
    let key = key.as_str().unwrap();
    let mut behind = shell.svc(&["listen", "--after", "0", "--types", "direct_message"]);
    behind.command.env("SVC_URL", proxy.url()).env("SVC_API_KEY", key);
    let mut listen = Running::of(behind.command);
    for text in ["one", "two", "three"] {
        write(&shell, text);
        assert!(listen.line().ends_with(&format!("{text}\n")));
    }
    assert!(proxy.seen(stream) <= 1, "what the platform does not have is asked for once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_ends_at_once_is_not_opened_again_at_once() {
    let shell = shell().await;
    let proxy = FaultProxy::start(shell.server.url()).await.unwrap();
    let stream = "GET /api/v1/connect/stream";
    proxy.always(stream, Fault::Refuse { status: 200, retry_after: None });
    let mut behind = shell.svc(&["listen", "--after", "0"]);
    behind.command.env("SVC_URL", proxy.url()).env("SVC_API_KEY", shell.key("wordbot"));
    let begun = Instant::now();
    let mut listen = Running::of(behind.command);
    for text in ["one", "two", "three"] {
        write(&shell, text);
        assert!(listen.line().ends_with(&format!("{text}\n")));
    }
    let (opened, took) = (proxy.seen(stream), begun.elapsed());
    // However long this takes on a busy machine, each time but the first follows a pause of half a second.
    let pauses = usize::try_from(took.as_millis() / 500).unwrap();
    assert!(opened <= pauses + 1, "it was opened {opened} times in {took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_of_this_machine_is_asked_for_without_a_proxy() {
    let folder = tempfile::tempdir().unwrap();
    let page = r#"{"events":[],"latestSeq":0,"oldestSeq":1}"#;
    let (place, proxy) = (Place::saying("200 OK", page), Place::empty());
    let through = proxy.url.trim_end_matches("/api");
    let listen = typed(&folder, &["listen", "--url", &place.url]);
    let listen = listen.env("http_proxy", through).env("SVC_API_KEY", "svc_ak_x");
    let _listen = Running::of(listen.command);
    until("the stream is asked for", async || {
        let stream = "GET /api/v1/connect/stream ";
        place.received().iter().any(|request| request.starts_with(stream))
    })
    .await;
    assert!(proxy.received().is_empty(), "{:?}", proxy.received());
}

#[tokio::test(flavor = "multi_thread")]
async fn events_that_are_gone_are_reported() {
    let shell = shell().await;
    let error = shell.svc(&["listen", "--after", "9", "--json"]).fails(5);
    assert_eq!(error["code"], "cursor_expired");
    assert!(error["hint"].as_str().unwrap().contains("--from-start"), "{error}");
    for wrong in [
        &["--after", "1", "--from-start"][..],
        &["--duplicate", "1"],
        &["--forward-to", "ftp://x/"],
        &["--forward-to", "http://x/", "--attempts", "0"],
    ] {
        shell.svc(&[&["listen"], wrong].concat()).run().ends_with(2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_made_up_event_is_signed_like_a_real_one() {
    let (shell, place) = (shell().await, Place::answering_in_turn(&[TAKEN, FAILED]));
    let command = ["trigger", "like", "--override", "data.actorUsername=bob"];
    let sent = shell.svc(&[&command[..], &["--to", &place.url]].concat()).ok();
    assert!(sent.starts_with("like  204  "), "{sent}");
    let secret = shell.svc(&["listen", "--print-secret"]).ok();
    let received = place.received();
    let (headers, body) = parts(&received[0]);
    let verifier = WebhookVerifier::new([secret.trim()]).unwrap();
    let verifier = verifier.require_timestamp(Duration::from_mins(5));
    let hook = verifier.verify(&headers, body.as_bytes()).unwrap();
    let WebhookEvent::Like(data) = &hook.event else { panic!("{hook:?}") };
    assert_eq!((data.actor_username.as_str(), hook.is_test), ("bob", true));

    let printed = shell.svc(&[&command[..], &["--json"]].concat()).json();
    assert_eq!(printed["headers"]["x-webhook-event"], "like");
    assert!(printed["body"].as_str().unwrap().contains("\"bob\""));
    let refused = shell.svc(&["trigger", "like", "--to", &place.url, "--json"]).fails(1);
    assert!(refused["error"].as_str().unwrap().contains("500"), "{refused}");
    let closed = ["trigger", "like", "--to", "http://127.0.0.1:1/", "--json"];
    let closed = shell.svc(&closed).fails(7);
    assert!(closed["hint"].as_str().unwrap().starts_with("start the receiver"), "{closed}");
    let to = &place.url;
    let away = Place::answering(&format!(
        "HTTP/1.1 307 Away\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    ));
    let away = shell.svc(&["trigger", "like", "--to", &away.url, "--json"]).fails(1);
    assert!(away["error"].as_str().unwrap().contains("307"), "it is not followed: {away}");
    let unknown = shell.svc(&["trigger", "wave", "--json"]).fails(2);
    assert!(unknown["hint"].as_str().unwrap().contains("direct_message"), "{unknown}");
    let misspelt = shell.svc(&["listen", "--types", "like,folow", "--json"]).fails(2);
    assert_eq!(
        (&misspelt["code"], &misspelt["hint"]),
        (&"validation_failed".into(), &"follow".into())
    );
    assert_eq!(place.received().len(), 2);
}
