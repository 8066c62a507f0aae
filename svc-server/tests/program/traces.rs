//! One trace through all that a request or a message of a client causes, and what an operator sees of a
//! collector that is down.

use std::net::SocketAddr;

use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use rumqttc::v5::mqttbytes::QoS;
use rumqttc::v5::mqttbytes::v5::Packet;
use rumqttc::v5::{AsyncClient, Event, MqttOptions};
use serde_json::Value;
use svc_client::types::api::auth::Registered;
use svc_core::keys::hex;
use svc_server::testing::{in_time, until};

use crate::collector::{Collector, attribute, only};
use crate::observability::{lines, metrics_address, scrape};
use crate::process::Place;
use crate::receiver::{Mode, Receiver};

/// What the log says of a collector that does not take spans.
const WARNING: &str = "the collector of traces does not take spans";

/// The user properties of the first message of a topic to which an account subscribes by MQTT 5, and then
/// causes it.
async fn hears(
    broker: SocketAddr,
    account: &Registered,
    topic: &str,
    cause: impl AsyncFn(&AsyncClient),
) -> Vec<(String, String)> {
    let id = account.user.id.as_str();
    let mut options = MqttOptions::new(id, broker.ip().to_string(), broker.port());
    options.set_credentials(id, account.api_key.expose());
    let (client, mut events) = AsyncClient::new(options, 10);
    client.subscribe(topic, QoS::AtLeastOnce).await.unwrap();
    let listening = async {
        loop {
            match events.poll().await.unwrap() {
                Event::Incoming(Packet::SubAck(_)) => cause(&client).await,
                Event::Incoming(Packet::Publish(message)) => {
                    return message.properties.unwrap_or_default().user_properties;
                }
                _ => {}
            }
        }
    };
    in_time("the message arrives", listening).await
}

#[tokio::test]
async fn one_trace_leads_from_a_request_to_its_log_line_webhook_and_mqtt_message() {
    let (place, collector) = (Place::new(), Collector::start().await);
    let set = format!("trace.endpoint={}", collector.endpoint());
    let server = place.serve_by(place.program().args(["--allow-loopback-webhooks", "--set", &set]));
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    let bob = server.client().auth().register_agent("bob").await.unwrap();
    let receiver = Receiver::start(Mode::ok()).await;
    let webhooks = server.client_of(&ada.api_key);
    webhooks.webhooks().create(receiver.url()).await.unwrap();
    let bob = server.client_of(&bob.api_key);
    let write = async |_: &AsyncClient| _ = bob.messages().send("ada", "hello").await.unwrap();
    let topic = format!("svc/dm/{}", ada.user.id);
    let properties = hears(server.mqtt(), &ada, &topic, write).await;
    let hit = receiver.reaches(1).await.remove(0);
    server.stop().await;

    let header = hit.header("traceparent");
    let id = &header[3..35];
    let names = ["POST /api/messages", "database write", "publish svc/dm", "POST webhook"];
    let spans = collector.trace(id, &names).await;
    let [request, _, publish, call] = names.map(|name| only(&spans, name));
    assert_eq!(request.parent_span_id, b"");
    for below in [publish, call] {
        assert_eq!(below.parent_span_id, request.span_id);
    }
    let trace = |span: &[u8]| format!("00-{id}-{}-01", hex(span));
    assert_eq!(header, trace(&call.span_id));
    assert_eq!(properties, [("traceparent".to_owned(), trace(&publish.span_id))]);
    let lines = lines(&place.log());
    let line = lines.iter().find(|line| line["route"] == "/api/messages").unwrap();
    assert_eq!(line["trace_id"], id);
}

#[tokio::test]
async fn a_message_that_a_client_publishes_is_a_trace_of_its_own() {
    let (place, collector) = (Place::new(), Collector::start().await);
    let set = format!("trace.endpoint={}", collector.endpoint());
    let server = place.serve_by(place.program().args(["--set", &set]));
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    let creating = server.client_of(&ada.api_key).channels().create("open").await;
    let topic = creating.unwrap().channel.topic;
    let publish = async |client: &AsyncClient| {
        let says = r#"{"content":"hello"}"#;
        client.publish(&*topic, QoS::AtLeastOnce, false, says).await.unwrap();
    };
    let properties = hears(server.mqtt(), &ada, &topic, publish).await;
    server.stop().await;

    let id = &properties[0].1[3..35];
    let names = ["process svc/channels", "database write", "publish svc/channels"];
    let spans = collector.trace(id, &names).await;
    let [message, job, publish] = names.map(|name| only(&spans, name));
    assert_eq!((message.kind(), &*message.parent_span_id), (SpanKind::Consumer, &b""[..]));
    assert_eq!(attribute(&message.attributes, "messaging.system"), "mqtt");
    assert_eq!(attribute(&message.attributes, "svc.caller"), ada.user.id.as_str());
    for below in [job, publish] {
        assert_eq!(below.parent_span_id, message.span_id);
    }
}

#[tokio::test]
async fn a_collector_that_is_down_is_one_warning_and_a_metric() {
    let place = Place::new();
    let mut program = place.program();
    program.args(["--metrics-listen", "127.0.0.1:0", "--set", "trace.endpoint=http://127.0.0.1:9"]);
    let server = place.serve_by(&mut program);
    let metrics = format!("http://{}/metrics", metrics_address(&place));
    let dropped = async || {
        let text = scrape(&metrics).await;
        let is_ours = |line: &&str| {
            line.starts_with("svc_trace_spans_dropped_total{") && line.contains("\"collector\"")
        };
        let line = text.lines().find(is_ours).and_then(|line| line.rsplit(' ').next());
        line.map_or(0, |count| count.parse::<u64>().unwrap())
    };
    let mut before = 0;
    for name in ["ada", "bob"] {
        server.client().auth().register_agent(name).await.unwrap();
        until("spans are dropped", async || dropped().await > before).await;
        before = dropped().await;
    }
    server.stop().await;
    let log = lines(&place.log());
    let warnings: Vec<&Value> = log.iter().filter(|line| line["message"] == WARNING).collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0]["level"], "WARN");
}
