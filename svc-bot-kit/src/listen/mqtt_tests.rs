//! Tests against a scripted broker that writes raw bytes.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use serde_json::json;
use svc_client::mock::Mock;
use svc_client::types::api::connect::{ConnectEnvelope, EventPage, GetConnect, ListEvents};
use svc_server::testing::in_time;

use super::super::hints::Hints;
use super::*;
use crate::Listener;

const GRANTED: [u8; 4] = [0x20, 2, 0, 0];

fn event(seq: u64) -> String {
    format!(
        r#"{{"id":"evt_{seq}","seq":{seq},"event":"like","timestamp":"2026-01-31T09:30:00.000Z","data":{{}}}}"#
    )
}

/// Reads a packet: its first byte and its content.
fn read(stream: &mut TcpStream) -> (u8, Vec<u8>) {
    let mut head = [0; 2];
    stream.read_exact(&mut head).unwrap();
    // Packets in these tests have a length of one or two bytes.
    let mut length = usize::from(head[1] & 127);
    if head[1] > 127 {
        let mut more = [0];
        stream.read_exact(&mut more).unwrap();
        length += usize::from(more[0]) << 7;
    }
    let mut content = vec![0; length];
    stream.read_exact(&mut content).unwrap();
    (head[0], content)
}

fn publish(stream: &mut TcpStream, topic: &str, payload: &str) {
    let (mut packet, mut length) = (vec![0x30], 2 + topic.len() + payload.len());
    while length > 127 {
        packet.push(u8::try_from(length & 127).unwrap() | 128);
        length >>= 7;
    }
    packet.push(u8::try_from(length).unwrap());
    packet.extend(u16::try_from(topic.len()).unwrap().to_be_bytes());
    packet.extend(topic.as_bytes());
    packet.extend(payload.as_bytes());
    stream.write_all(&packet).unwrap();
}

/// Accepts a connection up to SUBACK. Returns the text of CONNECT and SUBSCRIBE.
fn welcome(stream: &mut TcpStream, codes: [u8; 2]) -> String {
    let (kind, connect) = read(stream);
    assert_eq!(kind, 0x10);
    stream.write_all(&GRANTED).unwrap();
    let (kind, subscribe) = read(stream);
    assert_eq!(kind, 0x82);
    stream.write_all(&[0x90, 4, subscribe[0], subscribe[1], codes[0], codes[1]]).unwrap();
    String::from_utf8_lossy(&connect).into_owned() + &String::from_utf8_lossy(&subscribe)
}

/// A platform with `latest` events whose broker listens on this port.
async fn platform(port: u16, latest: u64) -> (Mock, svc_client::mock::Rule<ListEvents>) {
    let server = Mock::start().await;
    server.on::<GetConnect>().answers(move |_| -> ConnectEnvelope {
        let connect = json!({
            "brokerUrl": format!("mqtt://127.0.0.1:{port}"), "username": "usr_1",
            "clientIdPrefix": "usr_1", "channelPublish": "mqtt", "qos": 1, "keepAliveSeconds": 60,
            "topics": { "dm": "svc/dm/usr_1", "notifications": "svc/notifications/usr_1", "channels": [], "feedGlobal": "svc/feed/global" },
            "maxPacketBytes": 524_288, "protocols": ["3.1.1", "5"], "latestSeq": latest,
        });
        serde_json::from_value(json!({ "connect": connect })).unwrap()
    });
    let rule = server.on::<ListEvents>().answers(move |request| {
        let after = request.after.unwrap_or_default();
        let events = (after + 1..=latest).map(|seq| serde_json::from_str(&event(seq)).unwrap());
        EventPage { events: events.collect(), next_cursor: None, latest_seq: latest, oldest_seq: 1 }
    });
    (server, rule)
}

async fn next(listener: &mut Listener) -> u64 {
    let event = listener.next().await.unwrap();
    listener.done(&event);
    event.seq
}

#[tokio::test]
async fn events_come_live_with_the_key_as_the_password() {
    let broker = TcpListener::bind("127.0.0.1:0").unwrap();
    let (server, rule) = platform(broker.local_addr().unwrap().port(), 2).await;
    let talk = std::thread::spawn(move || {
        let (mut stream, _) = broker.accept().unwrap();
        let sent = welcome(&mut stream, [1, 1]);
        for seq in [2, 3] {
            publish(&mut stream, "svc/dm/usr_1", &event(seq));
        }
        // As long as the longest text of a message.
        let long = format!(r#"{{"content":"{}"}}"#, "x".repeat(40_000));
        publish(&mut stream, "svc/dm/usr_1", &event(4).replace("{}", &long));
        (stream, sent)
    });
    let mut listener = Listener::new(server.client()).from_start().live("svc_ak_1");
    for expected in 1..=4 {
        assert_eq!(in_time("an event comes", next(&mut listener)).await, expected);
    }
    let (_stream, sent) = talk.join().unwrap();
    for part in ["usr_1:kit-", "svc_ak_1", "svc/dm/usr_1", "svc/notifications/usr_1"] {
        assert!(sent.contains(part), "{part}");
    }
    assert!(rule.received().len() <= 2, "one poll at first, one after the subscription");
}

#[tokio::test]
async fn after_the_broker_rejects_the_key_the_listener_polls() {
    let broker = TcpListener::bind("127.0.0.1:0").unwrap();
    let (server, _) = platform(broker.local_addr().unwrap().port(), 0).await;
    let mut live = live(server.client(), "svc_ak_1".into(), false, ChannelHints::default());
    let talk = std::thread::spawn(move || {
        let (mut stream, _) = broker.accept().unwrap();
        read(&mut stream);
        stream.write_all(&[0x20, 2, 0, 4]).unwrap();
        stream
    });
    live.start();
    let mut hints = live.hints.take().unwrap();
    assert!(hints.recv().await.is_none(), "it is not tried again");
    assert!(!live.is_live());
    talk.join().unwrap();
}

#[tokio::test]
async fn a_broker_is_asked_again_later_when_the_account_may_not_connect_now() {
    let broker = TcpListener::bind("127.0.0.1:0").unwrap();
    let (server, _) = platform(broker.local_addr().unwrap().port(), 0).await;
    let connect = server.client().events().connect().await.unwrap().connect;
    let (client, key) = (server.client(), "svc_ak_1".into());
    let setup =
        Setup { client, key, allows_plain: false, name: name(), channels: ChannelHints::default() };
    let talk = std::thread::spawn(move || {
        let (mut stream, _) = broker.accept().unwrap();
        read(&mut stream);
        stream.write_all(&[0x20, 2, 0, 5]).unwrap();
        stream
    });
    let (_, mut events) = AsyncClient::new(setup.options(&connect).unwrap(), 1);
    assert!(matches!(next_packet(&mut events).await, Err(End::NotNow)));
    talk.join().unwrap();
}

/// The client id in a CONNECT of 3.1.1.
fn client_id(connect: &str) -> String {
    let id = connect.split("usr_1:").nth(1).unwrap();
    id.split('\0').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_refused_topic_is_subscribed_again_under_the_same_client_id() {
    let broker = TcpListener::bind("127.0.0.1:0").unwrap();
    let (server, _) = platform(broker.local_addr().unwrap().port(), 0).await;
    let mut live = live(server.client(), "svc_ak_1".into(), false, ChannelHints::default());
    let talk = std::thread::spawn(move || {
        let (mut refused, _) = broker.accept().unwrap();
        let first = welcome(&mut refused, [1, 0x80]);
        let (mut granted, _) = broker.accept().unwrap();
        let second = welcome(&mut granted, [1, 1]);
        (granted, client_id(&first), client_id(&second))
    });
    live.start();
    let mut hints = live.hints.take().unwrap();
    assert!(matches!(hints.recv().await, Some(Hint::Poll)), "the second time it is live");
    assert!(live.is_live());
    let (_granted, first, second) = talk.join().unwrap();
    assert!(first.starts_with("kit-"), "{first}");
    assert_eq!(first, second, "the first connection is replaced");
    assert_ne!(name(), name(), "listeners do not replace each other");
}

#[tokio::test]
async fn no_more_channels_are_watched_than_the_broker_grants() {
    let (server, _) = platform(1, 0).await;
    let mut connect = server.client().events().connect().await.unwrap().connect;
    let joined: Vec<ChannelId> = (0..300).map(|number| format!("chan_{number}").into()).collect();
    connect.topics.channels = joined.iter().map(|id| format!("svc/channels/{id}")).collect();
    let topics = Topics::of(&connect, &joined);
    assert_eq!(topics.filters().len(), 200, "with both of the account");
    assert_eq!(topics.channel("svc/channels/chan_0"), Some(&joined[0]));
    assert_eq!(topics.channel("svc/channels/chan_299"), None, "it is polled");
}

#[tokio::test]
async fn without_a_broker_the_listener_polls() {
    let server = Mock::start().await;
    server.on::<GetConnect>().fails(Code::FeatureNotConfigured);
    let mut live = live(server.client(), "svc_ak_1".into(), false, ChannelHints::default());
    live.start();
    assert!(live.hints.take().unwrap().recv().await.is_none());
}

#[tokio::test]
async fn the_key_is_not_sent_in_plain_text_to_another_machine() {
    let (server, _) = platform(1, 0).await;
    let connect = server.client().events().connect().await.unwrap().connect;
    let far = Connect { broker_url: "mqtt://broker.example.org:1883".to_owned(), ..connect };
    let setup = |allows_plain| {
        let (client, key) = (server.client(), "k".into());
        Setup { client, key, allows_plain, name: name(), channels: ChannelHints::default() }
    };
    assert!(setup(false).options(&far).is_none());
    assert!(setup(true).options(&far).is_some());
}

#[cfg(feature = "mqtt-tls")]
#[tokio::test]
async fn a_broker_with_tls_is_greeted_by_its_name() {
    let broker = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = broker.local_addr().unwrap().port();
    let (server, _) = platform(port, 0).await;
    let connect = server.client().events().connect().await.unwrap().connect;
    let connect = Connect { broker_url: format!("mqtts://localhost:{port}"), ..connect };
    let (client, key) = (server.client(), "k".into());
    let setup =
        Setup { client, key, allows_plain: false, name: name(), channels: ChannelHints::default() };
    let hello = std::thread::spawn(move || {
        let (mut stream, _) = broker.accept().unwrap();
        let mut head = [0; 5];
        stream.read_exact(&mut head).unwrap();
        let mut hello = vec![0; usize::from(u16::from_be_bytes([head[3], head[4]]))];
        stream.read_exact(&mut hello).unwrap();
        (head[0], hello)
    });
    let options = setup.options(&connect).unwrap();
    let (_, mut events) = AsyncClient::new(options, 1);
    assert!(matches!(next_packet(&mut events).await, Err(End::Broken)));
    let (kind, hello) = hello.join().unwrap();
    assert_eq!(kind, 22, "a TLS handshake");
    assert!(String::from_utf8_lossy(&hello).contains("localhost"));
}

#[test]
fn a_broker_has_a_scheme_a_host_and_a_port() {
    assert_eq!(address("mqtt://localhost:1883"), Some((false, "localhost", 1883)));
    assert_eq!(address("mqtts://[::1]:8883/"), Some((true, "::1", 8883)));
    for wrong in ["http://x:1", "localhost:1883", "mqtt://x", "mqtt://x:y"] {
        assert_eq!(address(wrong), None, "{wrong}");
    }
    assert!(is_loopback("127.0.0.1") && is_loopback("::1") && !is_loopback("example.org"));
}
