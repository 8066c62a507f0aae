//! The listener against rumqttd, a broker that shares no code with the platform's.

use std::collections::HashMap;
use std::net::{SocketAddr, TcpListener as StdListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rumqttd::local::LinkTx;
use rumqttd::{Broker, Config, ConnectionSettings, RouterConfig, ServerSettings};
use serde_json::json;
use svc_bot_kit::Listener;
use svc_client::mock::{Mock, Rule};
use svc_client::types::api::connect::{ConnectEnvelope, Event, EventPage, GetConnect, ListEvents};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

const TOPIC: &str = "svc/dm/usr_1";

/// Starts rumqttd with the account's key as the password; it runs until the process ends.
fn broker() -> (SocketAddr, LinkTx) {
    // rumqttd does not report the port it binds, so a free one is chosen first.
    let address = StdListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let connections = ConnectionSettings {
        connection_timeout_ms: 5_000,
        max_payload_size: 512 * 1024,
        max_inflight_count: 100,
        auth: Some(HashMap::from([("usr_1".to_owned(), "svc_ak_1".to_owned())])),
        external_auth: None,
        dynamic_filters: true,
    };
    let server = ServerSettings {
        name: "v4".to_owned(),
        listen: address,
        tls: None,
        next_connection_delay_ms: 1,
        connections,
    };
    let router = RouterConfig {
        max_connections: 10,
        max_outgoing_packet_count: 200,
        max_segment_size: 1024 * 1024,
        max_segment_count: 10,
        ..RouterConfig::default()
    };
    let v4 = Some(HashMap::from([("v4".to_owned(), server)]));
    let mut broker = Broker::new(Config { router, v4, ..Config::default() });
    let (platform, _) = broker.link("platform").unwrap();
    std::thread::spawn(move || broker.start());
    (address, platform)
}

/// A relay to the broker that can break all connections.
async fn relay(broker: SocketAddr) -> (u16, watch::Sender<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let cut = watch::Sender::new(());
    let cuts = cut.clone();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let mut is_cut = cuts.subscribe();
            tokio::spawn(async move {
                let Ok(mut server) = TcpStream::connect(broker).await else { return };
                tokio::select! {
                    _ = copy_bidirectional(&mut client, &mut server) => {}
                    _ = is_cut.changed() => {}
                }
            });
        }
    });
    (port, cut)
}

fn event(seq: u64) -> Event {
    let event = json!({
        "id": format!("evt_{seq}"), "seq": seq, "event": "like",
        "timestamp": "2026-01-31T09:30:00.000Z", "data": {},
    });
    serde_json::from_str(&event.to_string()).unwrap()
}

/// A platform with events 1 to `latest` whose broker listens on this port.
async fn platform(port: u16, latest: Arc<AtomicU64>) -> (Mock, Rule<ListEvents>) {
    let server = Mock::start().await;
    server.on::<GetConnect>().answers(move |_| -> ConnectEnvelope {
        let connect = json!({
            "brokerUrl": format!("mqtt://127.0.0.1:{port}"), "username": "usr_1",
            "clientIdPrefix": "usr_1", "channelPublish": "mqtt", "qos": 1, "keepAliveSeconds": 60,
            "topics": {
                "dm": TOPIC, "notifications": "svc/notifications/usr_1", "channels": [],
                "feedGlobal": "svc/feed/global",
            },
            "maxPacketBytes": 524_288, "protocols": ["3.1.1"], "latestSeq": 0,
        });
        serde_json::from_value(json!({ "connect": connect })).unwrap()
    });
    let rule = server.on::<ListEvents>().answers(move |request| {
        let latest = latest.load(Ordering::SeqCst);
        let events = (request.after.unwrap_or_default() + 1..=latest).map(event).collect();
        EventPage { events, next_cursor: None, latest_seq: latest, oldest_seq: 1 }
    });
    (server, rule)
}

async fn next(listener: &mut Listener) -> u64 {
    let event = tokio::time::timeout(Duration::from_secs(20), listener.next()).await;
    let event = event.expect("an event arrives before the listener would poll").unwrap();
    listener.done(&event);
    event.seq
}

fn publish(platform: &mut LinkTx, seq: u64) {
    let payload = serde_json::to_vec(&event(seq)).unwrap();
    platform.publish(TOPIC, payload).unwrap();
}

/// Waits until the listener has polled because of a new subscription.
async fn subscribed(listener: &mut Listener, polls: &Rule<ListEvents>, count: usize) {
    while polls.received().len() < count {
        let waiting = tokio::time::timeout(Duration::from_millis(50), listener.next());
        assert!(waiting.await.is_err(), "there is no event yet");
    }
}

#[tokio::test]
async fn a_listener_receives_live_events_from_rumqttd_and_reconnects() {
    let (broker, mut broker_link) = broker();
    let (port, cut) = relay(broker).await;
    let latest = Arc::new(AtomicU64::new(1));
    let (server, polls) = platform(port, Arc::clone(&latest)).await;
    let mut listener = Listener::new(server.client()).from_start().live("svc_ak_1");
    assert_eq!(next(&mut listener).await, 1);
    subscribed(&mut listener, &polls, 2).await;
    for seq in [2, 3] {
        publish(&mut broker_link, seq);
        assert_eq!(next(&mut listener).await, seq);
    }
    assert_eq!(polls.received().len(), 2, "events 2 and 3 arrived over MQTT");
    // An event during the outage is read from the list after the reconnect, later ones arrive live.
    latest.store(4, Ordering::SeqCst);
    cut.send_replace(());
    assert_eq!(next(&mut listener).await, 4);
    let count = polls.received().len();
    publish(&mut broker_link, 5);
    assert_eq!(next(&mut listener).await, 5);
    assert_eq!(polls.received().len(), count, "event 5 arrived over MQTT");
}
