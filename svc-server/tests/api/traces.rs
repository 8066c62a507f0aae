//! Traces: which requests and which work of a node by itself are recorded, what their spans say, and what a
//! collector costs.

use std::sync::Arc;

use futures_util::future::{join, join_all};
use http::Method;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use serde_json::json;
use svc_client::types::PostId;
use svc_core::due;
use svc_core::keys::hex;
use svc_core::tasks::sweep;
use svc_server::testing::{Engine, in_time};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::app::{Member, TestApp};
use crate::collector::{Collector, attribute, only, requests};
use crate::receiver::{Hit, Mode, Receiver};

const ENGINES: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];

/// What a trusted proxy sends, as W3C Trace Context shows it.
const TRACE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const TRACE_ID: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PROXY: (&str, &str) = ("trusted_proxies", "127.0.0.1");
const LOOPBACK: (&str, &str) = ("webhooks.allow_loopback", "true");

/// A server whose spans go to a collector.
async fn traced(engine: Engine, more: &[(&str, &str)]) -> Option<(TestApp, Collector)> {
    let collector = Collector::start().await;
    let endpoint = collector.endpoint();
    let settings = [&[("trace.endpoint", &*endpoint)][..], more].concat();
    Some((TestApp::start_with(engine, &settings).await?, collector))
}

/// Sends a message by a request with this header `traceparent`.
async fn write(app: &TestApp, from: &Member, to: &Member, trace: &str) {
    let request = from.raw(app, Method::POST, "/messages").header("traceparent", trace);
    let body = json!({ "recipientUsername": to.user.username, "content": "psst" });
    assert_eq!(request.json(&body).send().await.unwrap().status(), 201);
}

#[tokio::test]
async fn a_request_is_one_trace_from_the_proxy_to_the_webhook() {
    for engine in ENGINES {
        let settings = [PROXY, LOOPBACK, ("database.connections", "1")];
        let Some((app, collector)) = traced(engine, &settings).await else { continue };
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        // Prepares the statements: with that, a first message may have more spans than are recorded.
        bob.write(&ada, "hello").await;
        let receiver = Receiver::start(Mode::ok()).await;
        ada.client.webhooks().create(receiver.url()).await.unwrap();
        write(&app, &bob, &ada, TRACE).await;
        let hit = receiver.reaches(1).await.remove(0);
        let spans = collector.trace(TRACE_ID, &["POST /api/messages", "POST webhook"]).await;

        let request = only(&spans, "POST /api/messages");
        assert_eq!(hex(&request.parent_span_id), "00f067aa0ba902b7");
        assert_eq!(request.kind(), SpanKind::Server);
        for (name, value) in [
            ("http.request.method", "POST"),
            ("http.route", "/api/messages"),
            ("http.response.status_code", "201"),
            ("svc.caller", bob.user.id.as_str()),
        ] {
            assert_eq!(attribute(&request.attributes, name), value);
        }
        let job = only(&spans, "database write");
        assert_eq!(job.parent_span_id, request.span_id);
        for name in ["svc.job.group", "svc.job.wait_us"] {
            attribute(&job.attributes, name).parse::<u64>().unwrap();
        }
        let trips: Vec<_> =
            spans.iter().filter(|span| span.parent_span_id == job.span_id).collect();
        assert_eq!(trips.iter().any(|trip| trip.name == "commit"), engine == Engine::Postgres);
        for trip in trips {
            assert_eq!(trip.kind(), SpanKind::Client);
            assert_eq!(attribute(&trip.attributes, "db.system.name"), "postgresql");
            assert!(trip.start_time_unix_nano >= job.start_time_unix_nano);
        }
        let call = only(&spans, "POST webhook");
        assert_eq!(call.parent_span_id, request.span_id);
        assert_eq!(
            (call.kind(), attribute(&call.attributes, "server.address")),
            (SpanKind::Client, "127.0.0.1".to_owned())
        );
        assert_eq!(attribute(&call.attributes, "http.response.status_code"), "200");
        let passed_on = format!("00-{TRACE_ID}-{}-01", hex(&call.span_id));
        assert_eq!(hit.header("traceparent"), passed_on);
    }
}

#[tokio::test]
async fn a_server_begins_traces_that_no_client_can_choose() {
    let (app, collector) = traced(Engine::Sqlite, &[LOOPBACK]).await.unwrap();
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    let receiver = Receiver::start(Mode::ok()).await;
    ada.client.webhooks().create(receiver.url()).await.unwrap();
    write(&app, &bob, &ada, TRACE).await;
    let hit = receiver.reaches(1).await.remove(0);
    let header = hit.header("traceparent");
    let (id, flags) = (&header[3..35], &header[53..]);
    assert!(id != TRACE_ID && flags == "01", "{header}");
    let spans = collector.trace(id, &["POST /api/messages", "POST webhook"]).await;
    assert_eq!(only(&spans, "POST /api/messages").parent_span_id, b"");
    app.server.stop().await;
    let resources = requests(&collector.0.hits()).into_iter().flat_map(|all| all.resource_spans);
    for resource in resources.map(|spans| spans.resource.unwrap()) {
        assert_eq!(attribute(&resource.attributes, "service.name"), "svc-server");
        assert_eq!(attribute(&resource.attributes, "service.version"), env!("CARGO_PKG_VERSION"));
        assert_eq!(attribute(&resource.attributes, "service.instance.id").len(), 32);
        assert_eq!(attribute(&resource.attributes, "svc.node"), "0");
    }
}

#[tokio::test]
async fn the_flag_of_a_trusted_proxy_decides_what_is_recorded() {
    let unrecorded = TRACE.replace("-01", "-00");
    let settings = [PROXY, LOOPBACK, ("trace.sample", "0")];
    let (app, collector) = traced(Engine::Sqlite, &settings).await.unwrap();
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    let receiver = Receiver::start(Mode::ok()).await;
    ada.client.webhooks().create(receiver.url()).await.unwrap();
    write(&app, &bob, &ada, &unrecorded).await;
    let hit = receiver.reaches(1).await.remove(0);
    assert_eq!(hit.header("traceparent"), unrecorded, "it is passed on as it came");
    bob.write(&ada, "without a trace").await;
    let hit = receiver.reaches(2).await.remove(1);
    assert!(!hit.head.contains("traceparent"), "{}", hit.head);
    let recorded = TRACE.replace(TRACE_ID, "11111111111111111111111111111111");
    write(&app, &bob, &ada, &recorded).await;
    receiver.reaches(3).await;
    app.server.stop().await;
    let spans = collector.spans();
    assert!(spans.iter().any(|span| span.name == "POST webhook"), "what waits is sent at the end");
    assert!(spans.iter().all(|span| hex(&span.trace_id) == recorded[3..35]));
}

#[tokio::test]
async fn refusals_and_calls_of_others_are_named_by_code_and_host() {
    let selling = ("billing.stripe.key_file", "its own");
    let (app, collector) = traced(Engine::Sqlite, &[selling]).await.unwrap();
    let ada = app.agent("ada").await;
    ada.client.billing().checkout(500).await.unwrap();
    ada.client.posts().get(PostId::from("post_none")).await.unwrap_err();
    app.server.stop().await;
    let spans = collector.spans();
    let checkout = only(&spans, "POST /api/v1/billing/checkout");
    let call = spans.iter().find(|span| span.name == "POST").expect("Stripe is asked");
    assert_eq!((&call.parent_span_id, call.kind()), (&checkout.span_id, SpanKind::Client));
    assert_eq!(attribute(&call.attributes, "server.address"), "127.0.0.1");
    let refused = only(&spans, "GET /api/posts/{postId}");
    assert_eq!(attribute(&refused.attributes, "error.type"), "not_found");
    let code = refused.status.as_ref().unwrap().code();
    assert_eq!(code, StatusCode::Unset, "a refusal is no failure of the server");
}

#[tokio::test]
async fn what_falls_due_by_itself_is_a_trace_that_leads_to_the_webhook() {
    const HOUR: u64 = 3_600;
    for engine in ENGINES {
        let settings = [LOOPBACK, ("database.connections", "1")];
        let Some((app, collector)) = traced(engine, &settings).await else { continue };
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let receiver = Receiver::start(Mode::ok()).await;
        bob.client.webhooks().create(receiver.url()).await.unwrap();
        ada.schedule("hello @bob", app.ahead(HOUR)).await;
        app.advance(HOUR);
        let hit = receiver.reaches(1).await.remove(0);
        let header = hit.header("traceparent");
        let id = &header[3..35];
        let spans = collector.trace(id, &["due", "POST webhook"]).await;

        let round = only(&spans, "due");
        assert_eq!((round.kind(), &*round.parent_span_id), (SpanKind::Internal, &b""[..]));
        assert_eq!(attribute(&round.attributes, "svc.task"), "due");
        assert_eq!(attribute(&round.attributes, "svc.task.done"), "1");
        let job = only(&spans, "database write");
        let call = only(&spans, "POST webhook");
        for below in [job, call] {
            assert_eq!(below.parent_span_id, round.span_id);
        }
        assert_eq!(header, format!("00-{id}-{}-01", hex(&call.span_id)));
    }
}

#[tokio::test]
async fn rounds_that_find_nothing_to_do_are_not_recorded() {
    for engine in ENGINES {
        let Some((app, collector)) = traced(engine, &[]).await else { continue };
        let core = app.server.app();
        assert!(sweep::TASK.round(core, sweep::once(core)).await);
        assert!(due::TASK.round(core, due::sweep(core)).await);
        app.server.stop().await;
        let mut spans = collector.spans();
        // Leaderboards are written whether or not there are accounts.
        spans.retain(|span| span.parent_span_id.is_empty() && span.name != "rankings");
        assert!(spans.is_empty(), "{spans:?}");
    }
}

#[tokio::test]
async fn nothing_that_an_account_sends_is_exported() {
    for engine in ENGINES {
        let settings = [LOOPBACK, ("mqtt_listen", "127.0.0.1:0")];
        let Some((app, collector)) = traced(engine, &settings).await else { continue };
        let [ada, bob] = app.agents(["markedada", "markedbob"]).await;
        let receiver = Receiver::start(Mode::ok()).await;
        ada.client.webhooks().create(format!("{}/markedpath", receiver.url())).await.unwrap();
        bob.write(&ada, "markedcontent").await;
        receiver.reaches(1).await;
        bob.client.users().list().beginning("markedquery").await.unwrap();
        bob.client.users().get("markedada").await.unwrap();
        bob.client.auth().login("markedada", "markedpassword").await.unwrap_err();
        let (collected, key) = (collector.0, bob.key.expose().to_owned());
        app.server.stop().await;
        let hits = collected.hits();
        let exported =
            |hit: &Hit| String::from_utf8_lossy(&hit.body).contains("POST /api/messages");
        assert!(hits.iter().any(exported), "what is exported can be read here");
        for hit in hits {
            let sent = hit.head + &String::from_utf8_lossy(&hit.body);
            for secret in ["marked", &*key, "svc_ak_", "select ", "insert into"] {
                assert!(!sent.contains(secret), "{secret} in {sent}");
            }
        }
    }
}

/// Starts a server with this collector, which stops with spans that wait.
async fn is_not_delayed(endpoint: &str, collector: Option<&Receiver>) {
    let settings = [("trace.endpoint", endpoint)];
    let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    if let Some(collector) = collector {
        collector.reaches(1).await;
    }
    in_time("a request is answered", ada.write(&bob, "hello")).await;
    in_time("the server stops", app.server.stop()).await;
}

#[tokio::test]
async fn a_collector_that_fails_delays_neither_requests_nor_the_end() {
    let modes = [
        Mode::Hangs,
        Mode::DripsHead,
        Mode::Endless,
        Mode::Garbage,
        Mode::Resets,
        Mode::status(503, "retry-after: 600\r\n"),
        Mode::status(307, "location: http://127.0.0.1:9/\r\n"),
    ];
    let failing = modes.map(async |mode| {
        let collector = Receiver::start(mode).await;
        is_not_delayed(&format!("http://{}", collector.address), Some(&collector)).await;
    });
    join(join_all(failing), is_not_delayed("http://127.0.0.1:9", None)).await;
}

/// Whether a server with these settings trusts a collector whose certificate is of the authority of the tests.
async fn trusts_collector(more: &[(&str, &str)]) -> bool {
    let certificate =
        CertificateDer::from_pem_slice(include_bytes!("tls/certificate.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("tls/key.pem")).unwrap();
    let config = ServerConfig::builder().with_no_client_auth();
    let config = config.with_single_cert(vec![certificate], key).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    let settings = [&[("trace.endpoint", &*endpoint)][..], more].concat();
    let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
    app.agent("ada").await;
    let called = in_time("the collector is called", listener.accept()).await;
    TlsAcceptor::from(Arc::new(config)).accept(called.unwrap().0).await.is_ok()
}

#[tokio::test]
async fn a_collector_is_trusted_by_the_authority_of_the_settings() {
    let authority = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/api/tls/authority.pem");
    let named = [("trace.tls_ca", authority)];
    assert_eq!(join(trusts_collector(&named), trusts_collector(&[])).await, (true, false));
}
