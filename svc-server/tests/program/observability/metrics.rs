//! What the metrics show.

use std::time::Duration;

use svc_client::types::Code;
use svc_client::types::api::escrow::Deliverable;
use svc_client::types::api::health::HealthStatus;
use svc_server::testing::until;
use svc_store::clock::Clock;
use tokio::task::spawn_blocking;
use tokio::time::Instant;

use super::{metrics_address, scrape};
use crate::process::{Place, Server, database, http_client};
use crate::receiver::{Mode, Receiver};

#[tokio::test]
async fn metrics_have_their_own_address() {
    let place = Place::new();
    let server = place.serve_by(place.program().args(["--metrics-listen", "127.0.0.1:0"]));
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    let begun = Instant::now();
    server.client_of(&ada.api_key).posts().create("hi").await.unwrap();
    let created_within = begun.elapsed().as_secs_f64();
    let invented = reqwest::Method::from_bytes(b"INVENTED").unwrap();
    let http = http_client();
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
        let stamp = metric(&url, "svc_audit_timestamp_seconds{node=\"0\"}").await;
        stamp.is_some_and(|stamp| {
            let stamp = Duration::from_secs_f64(stamp.parse().unwrap()).as_millis();
            (now..now + 60_000).contains(&stamp)
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

/// A server on PostgreSQL with metrics, and its database; none without the engine.
async fn on_postgres(place: &Place) -> Option<(Server, String)> {
    let database = database().await?;
    let mut program = place.program();
    program.args(["--database-url", &database, "--metrics-listen", "127.0.0.1:0"]);
    Some((place.serve_by(&mut program), database))
}

/// A connection to PostgreSQL that ends while a post is committed.
const ENDED_COMMIT: &str = "
    create function end_connection() returns trigger language plpgsql as
        'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
    create constraint trigger end_connection after insert on post
        deferrable initially deferred for each row execute function end_connection()";

#[tokio::test]
async fn metrics_count_commits_whose_outcome_is_unknown() {
    let place = Place::new();
    let Some((server, database)) = on_postgres(&place).await else { return };
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
async fn metrics_show_connections_that_jobs_use_and_idle_ones() {
    let place = Place::new();
    let Some((server, database)) = on_postgres(&place).await else { return };
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    let url = format!("http://{}/metrics", metrics_address(&place));
    let shown = async |state: &str| {
        let name = format!("svc_database_connections{{node=\"0\",state=\"{state}\"}}");
        metric(&url, &name).await.unwrap().parse::<u32>().unwrap()
    };
    until("a connection is idle", async || shown("idle").await > 0).await;
    let mut blocker = spawn_blocking(move || locked(&database)).await.unwrap();
    let client = server.client_of(&ada.api_key);
    let posting = tokio::spawn(async move { client.posts().create("hi").await });
    until("a job uses one", async || shown("busy").await > 0).await;
    spawn_blocking(move || blocker.batch_execute("commit").unwrap()).await.unwrap();
    posting.await.unwrap().unwrap();
    server.stop().await;
}

/// A connection that lets nobody write posts until it commits.
fn locked(database: &str) -> ::postgres::Client {
    let mut client = ::postgres::Client::connect(database, ::postgres::NoTls).unwrap();
    client.batch_execute("begin read write; lock table post in share mode").unwrap();
    client
}

/// A server that audits its data after this statement has damaged it, and where its metrics are.
async fn damaged_by(place: &Place, damage: &str) -> (Server, String) {
    let server = place.serve();
    server.client().auth().register_agent("ada").await.unwrap();
    server.stop().await;
    let database = rusqlite::Connection::open(place.path("data/svc.db")).unwrap();
    assert_ne!(database.execute(damage, []).unwrap(), 0);
    drop(database);
    let mut program = place.program();
    program.args(["--set", "exchange.audit_every=1s", "--metrics-listen", "127.0.0.1:0"]);
    let server = place.serve_by(&mut program);
    (server, format!("http://{}/metrics", metrics_address(place)))
}

#[tokio::test]
async fn metrics_and_health_show_what_an_audit_found() {
    let place = Place::new();
    let damage = "update ledger_account set balance = balance + 1 where kind = 'user'";
    let (server, url) = damaged_by(&place, damage).await;
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
async fn metrics_and_log_show_wrong_counts_and_the_health_stays_ok() {
    let place = Place::new();
    let damage = "update account set followers_count = 7";
    let (server, url) = damaged_by(&place, damage).await;
    let is_wrong = async || {
        let wrong = metric(&url, "svc_counts_wrong{node=\"0\"}").await;
        wrong.as_deref() == Some("1")
    };
    until("an audit shows that a count is wrong", is_wrong).await;
    assert!(place.log().contains("the audit found wrong counts"));
    let health = server.client().health().read().await.unwrap();
    assert_eq!(health.checks["database"].as_str(), "ok");
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
    let is_counted = async || {
        let waiting = metric(&url, "svc_webhook_deliveries_waiting{node=\"0\"}").await;
        waiting.as_deref() == Some("1")
    };
    until("the one that waits is counted", is_counted).await;
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
