//! Clients of others: rumqttc speaks both versions, mosquitto's programs are what people try first.

use std::process::Stdio;

use rumqttc::{AsyncClient, Event, EventLoop, MqttOptions, Packet, QoS, SubscribeReasonCode};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;
use tokio::time::timeout;

use crate::app::{Member, TestApp};
use crate::on_both_engines;
use crate::wire::{PATIENCE, dm};

/// A client of rumqttc, for 3.1.1.
fn three(app: &TestApp, member: &Member) -> (AsyncClient, EventLoop) {
    let address = app.server.mqtt();
    let id = member.user.id.as_str();
    let mut options = MqttOptions::new(id, address.ip().to_string(), address.port());
    options.set_credentials(id, member.key.expose()).set_max_packet_size(524_288, 524_288);
    AsyncClient::new(options, 10)
}

/// Polls until a packet that is waited for.
async fn until<T>(events: &mut EventLoop, wanted: impl Fn(Packet) -> Option<T>) -> T {
    let polling = async {
        loop {
            if let Event::Incoming(packet) = events.poll().await.unwrap()
                && let Some(found) = wanted(packet)
            {
                return found;
            }
        }
    };
    timeout(PATIENCE, polling).await.expect("the packet arrives")
}

/// Whether a program is there; fails where all services are required.
fn is_installed(program: &str) -> bool {
    let there = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .any(|folder| folder.join(program).exists());
    let required = std::env::var_os("SVC_TEST_SERVICES").is_some_and(|value| value == "required");
    assert!(there || !required, "SVC_TEST_SERVICES is required, but there is no `{program}` here");
    if !there {
        eprintln!("LEFT OUT: there is no `{program}` here (package mosquitto-clients)");
    }
    there
}

on_both_engines! {
    async fn a_client_of_others_hears_a_direct_message(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let (client, mut events) = three(&app, &bob);
        client.subscribe(dm(&bob), QoS::AtLeastOnce).await.unwrap();
        client.subscribe("#", QoS::AtLeastOnce).await.unwrap();
        let answer = |packet| match packet {
            Packet::SubAck(answer) => Some(answer.return_codes),
            _ => None,
        };
        let granted = [SubscribeReasonCode::Success(QoS::AtLeastOnce)];
        assert_eq!(until(&mut events, answer).await, granted);
        assert_eq!(until(&mut events, answer).await, [SubscribeReasonCode::Failure]);
        for number in 0..50 {
            ada.write(&bob, &format!("message {number}")).await;
        }
        for number in 1..=50 {
            let message = |packet| match packet {
                Packet::Publish(message) => Some(message.payload),
                _ => None,
            };
            let payload = until(&mut events, message).await;
            let envelope: Value = serde_json::from_slice(&payload).unwrap();
            assert_eq!(envelope["seq"], number, "in the order of commits");
        }
    }

    async fn a_client_of_version_five_hears_one_too(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        use rumqttc::v5::mqttbytes::QoS;
        use rumqttc::v5::mqttbytes::v5::Packet;
        use rumqttc::v5::{AsyncClient, Event, MqttOptions};
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let (address, id) = (app.server.mqtt(), bob.user.id.as_str());
        let mut options = MqttOptions::new(id, address.ip().to_string(), address.port());
        options.set_credentials(id, bob.key.expose());
        let (client, mut events) = AsyncClient::new(options, 10);
        client.subscribe(dm(&bob), QoS::AtLeastOnce).await.unwrap();
        let listening = async {
            loop {
                match events.poll().await.unwrap() {
                    Event::Incoming(Packet::SubAck(_)) => _ = ada.write(&bob, "hello").await,
                    Event::Incoming(Packet::Publish(message)) => return message.payload,
                    _ => {}
                }
            }
        };
        let payload = timeout(PATIENCE, listening).await.expect("the message arrives");
        let envelope: Value = serde_json::from_slice(&payload).unwrap();
        assert_eq!(envelope["data"]["content"], "hello");
    }

    async fn mosquitto_hears_and_writes(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        if !is_installed("mosquitto_sub") || !is_installed("mosquitto_pub") {
            return;
        }
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = ada.client.channels().create("open").await.unwrap().channel;
        bob.client.channels().join(&channel.id).await.unwrap();
        let (address, id) = (app.server.mqtt(), bob.user.id.as_str());
        for version in ["311", "5"] {
            let program = |name: &str, suffix: &str| {
                let mut program = Command::new(name);
                program.args(["-h", &address.ip().to_string(), "-p", &address.port().to_string()]);
                program.args(["-V", version, "-u", id, "-P", bob.key.expose(), "-q", "1"]);
                program.args(["-i", &format!("{id}:{suffix}")]).kill_on_drop(true);
                program
            };
            let mut ear = program("mosquitto_sub", "ear");
            ear.args(["-t", &dm(&bob), "-t", &channel.topic, "-d"]).stdout(Stdio::piped());
            let mut ear = ear.spawn().unwrap();
            let mut lines = BufReader::new(ear.stdout.take().unwrap()).lines();
            let mut line = async |begin: &str| loop {
                let next = timeout(PATIENCE, lines.next_line()).await.expect("it says something");
                let line = next.unwrap().expect("it goes on");
                if line.starts_with(begin) {
                    return line;
                }
            };
            line("Subscribed").await;
            ada.write(&bob, "hello").await;
            let envelope: Value = serde_json::from_str(&line("{").await).unwrap();
            assert_eq!(envelope["data"]["content"], "hello");
            let mut mouth = program("mosquitto_pub", "mouth");
            mouth.args(["-t", &channel.topic, "-m", r#"{"content":"from afar"}"#]);
            assert!(mouth.status().await.unwrap().success());
            let envelope: Value = serde_json::from_str(&line("{").await).unwrap();
            assert_eq!(envelope["data"]["sender"]["username"], "bob");
        }
    }
}
