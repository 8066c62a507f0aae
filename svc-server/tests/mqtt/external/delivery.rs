//! What the server sends to an external broker, and how it connects to one.

mod nodes;

use std::time::Duration;

use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::{Value, json};
use svc_client::types::api::health::HealthStatus;
use svc_server::testing::{Engine, in_time, until};
use svc_store::sql;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use crate::app::TestApp;
use crate::tls;
use crate::traces::{TRACE, write};
use crate::wire::{dm, text, user_property};

/// The next connection of the server.
async fn accept(listener: &TcpListener) -> TcpStream {
    in_time("the server connects to its broker", listener.accept()).await.unwrap().0
}

/// Waits until the server is connected to its broker.
async fn is_let_in(app: &TestApp) {
    until("the server is let in", async || {
        app.anonymous.health().read().await.unwrap().checks["broker"] == HealthStatus::Ok
    })
    .await;
}

/// Waits until every event is marked as relayed.
async fn all_marked(app: &TestApp) {
    let waiting = sql!("select count(*) from event where relayed_at is null");
    until("the server marks what was acknowledged", async || app.count(waiting).await == 0).await;
}

/// Greets the server in version 5; it says its password.
async fn greet<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S) {
    let (first, login) = packet(stream).await.unwrap();
    assert_eq!((first, &login[..7]), (0x10, &b"\0\x04MQTT\x05"[..]));
    assert!(String::from_utf8_lossy(&login).contains("service"), "it says its password");
    stream.write_all(&[0x20, 3, 0, 0, 0]).await.unwrap();
}

/// The next message: its topic, packet id and payload. It has no properties.
async fn message<S: AsyncRead + Unpin>(stream: &mut S) -> (String, [u8; 2], Value) {
    let (topic, id, properties, payload) = traced_message(stream).await;
    assert_eq!(properties, b"");
    (topic, id, payload)
}

/// The next message: its topic, packet id, properties and payload.
async fn traced_message<S: AsyncRead + Unpin>(stream: &mut S) -> (String, [u8; 2], Vec<u8>, Value) {
    let (first, body) = packet(stream).await.unwrap();
    assert_eq!(first & 0xF7, 0x32, "at QoS 1");
    let length = usize::from(u16::from_be_bytes([body[0], body[1]]));
    let topic = String::from_utf8(body[2..2 + length].to_vec()).unwrap();
    let (id, rest) = ([body[2 + length], body[3 + length]], &body[4 + length..]);
    let (properties, payload) = rest[1..].split_at(usize::from(rest[0]));
    (topic, id, properties.to_vec(), serde_json::from_slice(payload).unwrap())
}

/// The next packet; none when the server closed the connection.
async fn packet<S: AsyncRead + Unpin>(stream: &mut S) -> Option<(u8, Vec<u8>)> {
    in_time("the server sends a packet to its broker, or closes", read(stream)).await
}

async fn read<S: AsyncRead + Unpin>(stream: &mut S) -> Option<(u8, Vec<u8>)> {
    let first = stream.read_u8().await.ok()?;
    let (mut length, mut place) = (0_usize, 0);
    loop {
        let byte = stream.read_u8().await.ok()?;
        length |= usize::from(byte & 0x7F) << (7 * place);
        place += 1;
        if byte & 0x80 == 0 {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some((first, body))
}

/// Tells the server that the broker has a message.
async fn acknowledge(stream: &mut TcpStream, id: [u8; 2]) {
    stream.write_all(&[0x40, 2, id[0], id[1]]).await.unwrap();
}

/// Nothing is sent to the broker for a moment.
async fn assert_quiet(stream: &mut TcpStream, why: &str) {
    let sent = timeout(Duration::from_millis(100), packet(stream)).await;
    assert!(sent.is_err(), "{why}: {sent:?}");
}

/// A server, and where it looks for its broker, which the test plays; none without the engine.
async fn beside_a_broker(engine: Engine) -> Option<(TestApp, TcpListener)> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("mqtt://svc:service@{}", listener.local_addr().unwrap());
    Some((TestApp::start_with(engine, &[("broker.url", &url)]).await?, listener))
}

/// Advances the clock until the sweeper has had an effect.
async fn sweeping<T>(app: &TestApp, happens: impl Future<Output = T>) -> T {
    let mut happens = std::pin::pin!(happens);
    for _ in 0..140 {
        app.advance(6);
        if let Ok(done) = timeout(Duration::from_millis(100), &mut happens).await {
            return done;
        }
    }
    panic!("it does not happen while it is news");
}

#[tokio::test]
async fn events_reach_an_external_broker_once_connected() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some((app, listener)) = beside_a_broker(engine).await else { continue };
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        ada.write(&bob, "hello").await;
        // Events sent while no broker was connected are left to the sweeper.
        let (topic, _, envelope) = sweeping(&app, async {
            let mut stream = accept(&listener).await;
            greet(&mut stream).await;
            message(&mut stream).await
        })
        .await;
        assert_eq!((topic, &envelope["data"]["content"]), (dm(&bob), &json!("hello")));
    }
}

#[tokio::test]
async fn texts_that_were_deleted_during_an_outage_never_reach_an_external_broker() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some((app, listener)) = beside_a_broker(engine).await else { continue };
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channels = ada.client.channels();
        let channel = channels.create("open").await.unwrap().channel.id;
        let secret = channels.post(&channel, "a secret").await.unwrap().message.message_id;
        channels.post(&channel, "hello").await.unwrap();
        channels.delete_message(&channel, &secret).await.unwrap();
        let [gone, hidden] = [ada.post("a secret").await, bob.post("a secret, too").await];
        ada.client.posts().delete(&gone.id).await.unwrap();
        app.hide(&hidden).await;
        let envelopes = sweeping(&app, async {
            let mut stream = accept(&listener).await;
            greet(&mut stream).await;
            let mut envelopes = Vec::new();
            while envelopes.len() < 7 {
                let (_, id, envelope) = message(&mut stream).await;
                stream.write_all(&[0x40, 2, id[0], id[1]]).await.unwrap();
                envelopes.push(envelope);
            }
            envelopes
        })
        .await;
        for (kind, texts) in [("channel_message", vec!["", "hello"]), ("post", vec!["", ""])] {
            let those = envelopes.iter().filter(|envelope| envelope["event"] == kind);
            let found: Vec<&Value> = those.map(|envelope| &envelope["data"]["content"]).collect();
            assert_eq!(found, texts, "{kind}");
        }
    }
}

#[tokio::test]
async fn a_metric_shows_for_how_long_an_external_broker_that_is_down_lacks_an_event() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _measuring = metrics::set_default_local_recorder(&recorder);
    let nowhere = [("broker.url", "mqtt://svc:service@127.0.0.1:1")];
    let app = TestApp::start_with(Engine::Sqlite, &nowhere).await.unwrap();
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    ada.write(&bob, "hello").await;
    let is_shown = async || {
        let text = recorder.handle().render();
        let mut lines = text.lines();
        let age = lines.find_map(|line| line.strip_prefix("svc_event_unpublished_seconds "));
        age.is_some_and(|age| age.parse::<f64>().unwrap() > 60.0)
    };
    sweeping(&app, until("the age of the event is shown", is_shown)).await;
}

#[tokio::test]
async fn an_event_that_waited_carries_its_trace_to_an_external_broker() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("mqtt://svc:service@{}", listener.local_addr().unwrap());
    let settings = [("broker.url", &*url), ("trusted_proxies", "127.0.0.1")];
    let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    write(&app, &ada, &bob, TRACE).await;
    let (topic, _, properties, _) = sweeping(&app, async {
        let mut stream = accept(&listener).await;
        greet(&mut stream).await;
        traced_message(&mut stream).await
    })
    .await;
    assert_eq!((topic, properties), (dm(&bob), user_property(TRACE)));
}

#[tokio::test]
async fn an_external_broker_that_speaks_only_3_1_1_is_greeted_again() {
    let (app, listener) = beside_a_broker(Engine::Sqlite).await.unwrap();
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    for (level, greeting) in [(5, [0x20, 2, 0, 1]), (4, [0x20, 2, 0, 0])] {
        let mut stream = accept(&listener).await;
        let (_, login) = packet(&mut stream).await.unwrap();
        assert_eq!(login[..7], [&b"\0\x04MQTT"[..], &[level]].concat());
        stream.write_all(&greeting).await.unwrap();
        if level == 4 {
            is_let_in(&app).await;
            ada.write(&bob, "hello").await;
            let (first, body) = packet(&mut stream).await.unwrap();
            let topic = text(&dm(&bob));
            assert_eq!((first, &body[..topic.len()]), (0x32, &topic[..]));
            assert_eq!(body[topic.len() + 2], b'{', "it has no properties");
        }
    }
}

#[tokio::test]
async fn unacknowledged_events_are_sent_to_an_external_broker_again() {
    let (app, listener) = beside_a_broker(Engine::Sqlite).await.unwrap();
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    let mut stream = accept(&listener).await;
    greet(&mut stream).await;
    for content in ["taken", "lost"] {
        ada.write(&bob, content).await;
        let (_, id, envelope) = message(&mut stream).await;
        assert_eq!(envelope["data"]["content"], content);
        if content == "taken" {
            acknowledge(&mut stream, id).await;
            all_marked(&app).await;
        }
    }
    drop(stream);
    let mut stream = sweeping(&app, async {
        let mut stream = accept(&listener).await;
        greet(&mut stream).await;
        let (_, id, envelope) = message(&mut stream).await;
        assert_eq!(envelope["data"]["content"], "lost", "what was taken is not sent again");
        acknowledge(&mut stream, id).await;
        stream
    })
    .await;
    all_marked(&app).await;
    app.server.stop().await;
    assert_eq!(packet(&mut stream).await, Some((0xE0, Vec::new())), "it says goodbye");
}

#[tokio::test]
async fn an_event_is_sent_once_to_an_external_broker_that_is_slow_to_acknowledge_it() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some((app, listener)) = beside_a_broker(engine).await else { continue };
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut stream = accept(&listener).await;
        greet(&mut stream).await;
        is_let_in(&app).await;
        ada.write(&bob, "first").await;
        let (_, first, _) = message(&mut stream).await;
        for _ in 0..3 {
            app.advance(6);
            assert_quiet(&mut stream, "it is under way").await;
        }
        ada.write(&bob, "next").await;
        let (_, next, envelope) = message(&mut stream).await;
        assert_eq!(envelope["data"]["content"], "next");
        for id in [first, next] {
            acknowledge(&mut stream, id).await;
        }
        all_marked(&app).await;
    }
}

#[tokio::test]
async fn an_external_broker_is_reached_with_tls() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("mqtts://svc:service@localhost:{}", listener.local_addr().unwrap().port());
    let certificate = tls::file("certificate.pem");
    let settings = [("broker.url", &*url), ("broker.tls_ca", certificate.to_str().unwrap())];
    let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    let accepting = tls::acceptor().accept(accept(&listener).await);
    let mut stream = in_time("the server speaks TLS", accepting).await.unwrap();
    greet(&mut stream).await;
    is_let_in(&app).await;
    ada.write(&bob, "in secret").await;
    let (topic, _, envelope) = message(&mut stream).await;
    assert_eq!((topic, &envelope["data"]["content"]), (dm(&bob), &json!("in secret")));
    let connect = ada.client.events().connect().await.unwrap().connect;
    assert_eq!(connect.broker_url, url.replace("svc:service@", ""));
}

#[tokio::test]
async fn a_broker_with_an_untrusted_certificate_receives_no_password() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("mqtts://svc:service@localhost:{}", listener.local_addr().unwrap().port());
    let app = TestApp::start_with(Engine::Sqlite, &[("broker.url", &url)]).await.unwrap();
    let accepting = tls::acceptor().accept(accept(&listener).await);
    in_time("the server refuses the certificate", accepting).await.unwrap_err();
    let health = app.anonymous.health().read().await.unwrap();
    assert_eq!(health.checks["broker"], HealthStatus::Degraded);
}
