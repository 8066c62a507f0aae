//! What an operator observes: the log and the metrics.

use std::fs::File;
use std::time::Duration;

use serde_json::{Value, json};
use svc_client::types::api::escrow::Deliverable;
use svc_client::types::api::health::HealthStatus;
use svc_client::types::{Code, PostId};
use svc_server::testing::{in_time, until};
use svc_store::clock::Clock;
use svc_store::testing::postgres;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::spawn_blocking;
use tokio::time::Instant;

use crate::process::{Place, Server};
use crate::receiver::{Mode, Receiver};

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
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
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
    let tools =
        reqwest::Client::new().post(format!("http://{}/mcp", server.address())).json(&hello);
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
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
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
        ("warning", "log: warning is no level"),
        ("info,verbose", "verbose"),
        ("info;debug", "log: info;debug is no level"),
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

#[tokio::test]
async fn metrics_have_their_own_address() {
    let place = Place::new();
    let server = place.serve_by(place.program().args(["--metrics-listen", "127.0.0.1:0"]));
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    let begun = Instant::now();
    server.client_of(&ada.api_key).posts().create("hi").await.unwrap();
    let created_within = begun.elapsed().as_secs_f64();
    let invented = reqwest::Method::from_bytes(b"INVENTED").unwrap();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!("http://{}/api/posts", server.address());
    assert_eq!(http.request(invented, url).send().await.unwrap().status(), 405);
    // No mail server is named, which is no failure.
    let reset = format!("http://{}/api/auth/password/reset", server.address());
    let reset = http.post(reset).header("content-type", "application/json");
    let reset = reset.body(r#"{"email":"ada@example.org"}"#).send().await.unwrap();
    assert_eq!(reset.status(), 503);
    let text = scrape(&format!("http://{}/metrics", metrics_address(&place))).await;
    assert!(text.contains("method=\"other\"") && !text.contains("INVENTED"), "{text}");
    assert!(text.contains("code=\"feature_not_configured\""), "{text}");
    let mut totals = text.lines().filter(|line| line.starts_with("svc_http_requests_total{"));
    let counted =
        totals.find(|line| line.contains("/api/posts\"") && line.contains("method=\"POST\""));
    let counted = counted.unwrap_or_else(|| panic!("{text}"));
    assert!(counted.contains("status=\"201\""), "{counted}");
    assert!(counted.ends_with(" 1"), "{counted}");
    assert!(text.contains("svc_http_request_seconds_bucket"), "{text}");
    let mut sums = text.lines().filter(|line| line.starts_with("svc_http_request_seconds_sum{"));
    let took = sums.find(|line| line.contains("/api/posts\"") && line.contains("method=\"POST\""));
    let took: f64 = took.unwrap().rsplit(' ').next().unwrap().parse().unwrap();
    assert!(took > 0.0 && took < created_within, "{took} s of {created_within} s");
    assert!(counted.contains("node=\"0\""), "{counted}");
    for line in text.lines().filter(|line| line.starts_with("# TYPE ")) {
        let name = line.split(' ').nth(2).unwrap();
        assert!(text.contains(&format!("# HELP {name} ")), "{name} has no text");
    }
    for name in ["svc_build_info{", "process_open_fds{", "process_cpu_seconds_total{"] {
        assert!(text.contains(name), "{name} is missing: {text}");
    }
    for name in [
        "svc_db_overruns_total",
        "svc_database_connects_failed_total",
        "svc_database_unknown_outcomes_total",
        "svc_bus_failed_total",
        "svc_billing_mismatches_total",
        "svc_x402_failures_total",
    ] {
        let zero = format!("{name}{{node=\"0\"}} 0");
        assert!(text.contains(&zero), "its first increase shows: {text}");
    }
    let address = metrics_address(&place);
    let arguments = ["--listen", "127.0.0.1:0", "--mqtt-listen", "off", "--metrics-listen"];
    let message = Place::new().refused(&[&arguments[..], &[address.as_str()]].concat());
    assert!(message.contains(&format!("can't listen on {address} for metrics")), "{message}");
    let elsewhere = scrape(&format!("http://{}/metrics", server.address())).await;
    assert!(!elsewhere.contains("svc_http_requests_total"), "they are for the operator");
    server.stop().await;
}

/// The values of a metric whose labels contain a text.
fn values_of(text: &str, name: &str, labels: &str) -> Vec<f64> {
    let lines = text.lines().filter(|line| line.starts_with(&format!("{name}{{")));
    let values = lines.filter(|line| line.contains(labels)).map(|line| line.rsplit(' ').next());
    values.map(|value| value.unwrap().parse().unwrap()).collect()
}

#[tokio::test]
async fn metrics_show_the_time_the_disk_and_when_each_task_last_succeeded() {
    let place = Place::new();
    let server = place.serve_by(place.program().args(["--metrics-listen", "127.0.0.1:0"]));
    let url = format!("http://{}/metrics", metrics_address(&place));
    let begun = u128::from(Clock::system().now().as_millis().unsigned_abs());
    let is_recent = |values: Vec<f64>| {
        let since = values.into_iter().map(|value| Duration::from_secs_f64(value).as_millis());
        since.map(|since| since.abs_diff(begun) < 600_000).collect::<Vec<_>>() == [true]
    };
    let are_shown = async || {
        let text = scrape(&url).await;
        is_recent(values_of(&text, "svc_clock_timestamp_seconds", ""))
            && ["due", "erase", "sweep", "waits"].iter().all(|task| {
                let label = format!("task=\"{task}\"");
                is_recent(values_of(&text, "svc_task_done_timestamp_seconds", &label))
            })
    };
    until("the metrics are there", are_shown).await;
    let text = scrape(&url).await;
    let [free, size] = ["svc_disk_free_bytes", "svc_disk_size_bytes"]
        .map(|name| values_of(&text, name, "").into_iter().sum::<f64>());
    assert!(size > 0.0 && free <= size, "{free} of {size}");
    server.stop().await;
}

#[tokio::test]
async fn metrics_show_what_the_ledger_holds_and_how_long_a_dispute_is_open() {
    let place = Place::new();
    let mut program = place.program();
    program.args(["--set", "exchange.audit_every=1s", "--set", "exchange.signup_grant=7"]);
    program.args(["--set", "exchange.grant_requires=nothing", "--metrics-listen", "127.0.0.1:0"]);
    let server = place.serve_by(&mut program);
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    let bob = server.client().auth().register_agent("bob").await.unwrap();
    let (buyer, seller) = (server.client_of(&ada.api_key), server.client_of(&bob.api_key));
    let service = seller.services().create("count", "counts words", 5).await.unwrap().service.id;
    let escrow = buyer.escrow().create("bob", &service, 5, "a count").await.unwrap().escrow.id;
    seller.escrow().deliver(&escrow, Deliverable::new("text")).await.unwrap();
    buyer.escrow().dispute(&escrow, "it is no count").await.unwrap();
    let url = format!("http://{}/metrics", metrics_address(&place));
    let now = u128::from(Clock::system().now().as_millis().unsigned_abs());
    let is_shown = async || {
        let text = scrape(&url).await;
        [("user", "9"), ("hold", "5"), ("issuance", "-14")].iter().all(|(kind, credits)| {
            let line = format!("svc_ledger_credits{{node=\"0\",kind=\"{kind}\"}} {credits}\n");
            text.contains(&line)
        })
    };
    until("an audit shows the credits", is_shown).await;
    let is_timed = async || {
        let told = metric(&url, "svc_audit_timestamp_seconds{node=\"0\"}").await;
        told.is_some_and(|told| {
            let told = Duration::from_secs_f64(told.parse().unwrap()).as_millis();
            (now..now + 60_000).contains(&told)
        })
    };
    until("the end of that audit is shown", is_timed).await;
    let is_open = async || {
        let open = metric(&url, "svc_dispute_open_seconds{node=\"0\"}").await;
        open.is_some_and(|seconds| seconds != "0")
    };
    until("the audit shows that a dispute is open", is_open).await;
    server.stop().await;
}

/// A connection to PostgreSQL that ends while a post is committed.
const ENDED_COMMIT: &str = "
    create function end_connection() returns trigger language plpgsql as
        'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
    create constraint trigger end_connection after insert on post
        deferrable initially deferred for each row execute function end_connection()";

#[tokio::test]
async fn metrics_count_commits_whose_outcome_is_unknown() {
    let database = spawn_blocking(|| postgres::postgres().map(postgres::Cluster::database));
    let Some(database) = database.await.unwrap() else { return };
    let place = Place::new();
    let mut program = place.program();
    program.args(["--database-url", &database, "--metrics-listen", "127.0.0.1:0"]);
    let server = place.serve_by(&mut program);
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    let break_commits = move || {
        let mut client = ::postgres::Client::connect(&database, ::postgres::NoTls).unwrap();
        client.batch_execute("set default_transaction_read_only = off").unwrap();
        client.batch_execute(ENDED_COMMIT).unwrap();
    };
    spawn_blocking(break_commits).await.unwrap();
    let lost = server.client_of(&ada.api_key).posts().create("hi").no_retry().await.unwrap_err();
    assert_eq!(lost.code(), Some(&Code::OutcomeUnknown));
    let url = format!("http://{}/metrics", metrics_address(&place));
    let counted = metric(&url, "svc_database_unknown_outcomes_total{node=\"0\"}").await;
    assert_eq!(counted.as_deref(), Some("1"));
    server.stop().await;
}

#[tokio::test]
async fn metrics_and_health_show_what_an_audit_found() {
    let place = Place::new();
    let server = place.serve();
    server.client().auth().register_agent("ada").await.unwrap();
    server.stop().await;
    let database = rusqlite::Connection::open(place.path("data/svc.db")).unwrap();
    let damage = "update ledger_account set balance = balance + 1 where kind = 'user'";
    assert_ne!(database.execute(damage, []).unwrap(), 0);
    drop(database);
    let mut program = place.program();
    program.args(["--set", "exchange.audit_every=1s", "--metrics-listen", "127.0.0.1:0"]);
    let server = place.serve_by(&mut program);
    let url = format!("http://{}/metrics", metrics_address(&place));
    let is_broken = async || {
        let broken = metric(&url, "svc_audit_broken{node=\"0\"}").await;
        broken.is_some_and(|broken| broken != "0")
    };
    until("an audit shows that something is broken", is_broken).await;
    let is_degraded = async || {
        let health = server.client().health().read().await.unwrap();
        health.status == HealthStatus::Degraded && health.checks["database"] == health.status
    };
    until("the health says so", is_degraded).await;
    server.stop().await;
}

#[tokio::test]
async fn metrics_show_webhook_calls_that_wait_and_how_they_ended() {
    let place = Place::new();
    let mut program = place.program();
    program.args(["--allow-loopback-webhooks", "--set", "webhooks.sends=1"]);
    let server = place.serve_by(program.args(["--metrics-listen", "127.0.0.1:0"]));
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    let bob = server.client().auth().register_agent("bob").await.unwrap();
    let receiver = Receiver::start(Mode::Waits(500)).await;
    server.client_of(&ada.api_key).webhooks().create(receiver.url()).await.unwrap();
    for text in ["one", "two"] {
        server.client_of(&bob.api_key).messages().send("ada", text).await.unwrap();
    }
    receiver.reaches(1).await;
    let url = format!("http://{}/metrics", metrics_address(&place));
    let is_late = async || {
        let lag = metric(&url, "svc_webhook_lag_seconds{node=\"0\"}").await;
        lag.is_some_and(|lag| lag != "0")
    };
    until("the second call is late", is_late).await;
    let calls = metric(&url, "svc_webhook_in_flight{node=\"0\"}").await;
    assert_eq!(calls.as_deref(), Some("1"), "one runs and one waits");
    receiver.answer(2);
    let have_failed = async || {
        let failed = "svc_webhook_attempts_total{node=\"0\",class=\"http_status\"}";
        metric(&url, failed).await.as_deref() == Some("2")
    };
    until("both calls have failed", have_failed).await;
}

/// The value of a metric with these labels, if it is there.
async fn metric(url: &str, name: &str) -> Option<String> {
    let text = scrape(url).await;
    text.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(' ')?.to_owned()))
}

pub(crate) async fn scrape(url: &str) -> String {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    http.get(url).send().await.unwrap().text().await.unwrap()
}
