//! Third-party clients: rumqttc speaks both versions, mosquitto's programs are widely used.
//! They subscribe at the embedded broker and at external ones.

use std::net::SocketAddr;
use std::process::Stdio;

use rumqttc::{AsyncClient, Event, EventLoop, MqttOptions, Packet, QoS, SubscribeReasonCode};
use serde_json::Value;
use svc_server::testing::in_time;
use svc_store::testing::left_out;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use crate::app::Member;
use crate::wire::dm;
use crate::{on_both_engines, on_external_brokers};

/// A client of rumqttc, for 3.1.1.
fn three(broker: SocketAddr, member: &Member) -> (AsyncClient, EventLoop) {
    let id = member.user.id.as_str();
    let mut options = MqttOptions::new(id, broker.ip().to_string(), broker.port());
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
    in_time("the packet arrives", polling).await
}

/// Whether a program is installed. If not, prints where to get it, or fails if all services are
/// required.
pub(crate) fn is_installed(program: &str, source: &str) -> bool {
    let there = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .any(|folder| folder.join(program).exists());
    if !there {
        left_out(&format!("`{program}` ({source})"));
    }
    there
}

/// Bob receives, with rumqttc and 3.1.1, what ada writes, and nothing else.
async fn receives_by_version_3(broker: SocketAddr, ada: &Member, bob: &Member) {
    let (client, mut events) = three(broker, bob);
    let answer = |packet| match packet {
        Packet::SubAck(answer) => Some(answer.return_codes),
        _ => None,
    };
    // One at a time: a broker may answer two subscriptions in either order.
    client.subscribe("#", QoS::AtLeastOnce).await.unwrap();
    assert_eq!(until(&mut events, answer).await, [SubscribeReasonCode::Failure]);
    client.subscribe(dm(bob), QoS::AtLeastOnce).await.unwrap();
    let granted = [SubscribeReasonCode::Success(QoS::AtLeastOnce)];
    assert_eq!(until(&mut events, answer).await, granted);
    for number in 0..50 {
        ada.write(bob, &format!("message {number}")).await;
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

/// The same with 5.
async fn receives_by_version_5(broker: SocketAddr, ada: &Member, bob: &Member) {
    use rumqttc::v5::mqttbytes::QoS;
    use rumqttc::v5::mqttbytes::v5::{Packet, SubscribeReasonCode};
    use rumqttc::v5::{AsyncClient, Event, MqttOptions};
    let id = bob.user.id.as_str();
    let mut options = MqttOptions::new(id, broker.ip().to_string(), broker.port());
    options.set_credentials(id, bob.key.expose());
    let (client, mut events) = AsyncClient::new(options, 10);
    client.subscribe("#", QoS::AtLeastOnce).await.unwrap();
    let listening = async {
        let mut answers = Vec::new();
        loop {
            match events.poll().await.unwrap() {
                Event::Incoming(Packet::SubAck(answer)) => {
                    answers.extend(answer.return_codes);
                    if answers.len() == 2 {
                        ada.write(bob, "hello").await;
                    } else {
                        client.subscribe(dm(bob), QoS::AtLeastOnce).await.unwrap();
                    }
                }
                Event::Incoming(Packet::Publish(message)) => return (answers, message.payload),
                _ => {}
            }
        }
    };
    let (answers, payload) = in_time("the message arrives", listening).await;
    let granted = SubscribeReasonCode::Success(QoS::AtLeastOnce);
    assert_eq!(answers, [SubscribeReasonCode::NotAuthorized, granted]);
    let envelope: Value = serde_json::from_slice(&payload).unwrap();
    assert_eq!(envelope["data"]["content"], "hello");
}

/// Whether mosquitto's programs are installed.
fn has_mosquitto() -> bool {
    ["mosquitto_sub", "mosquitto_pub"]
        .iter()
        .all(|program| is_installed(program, "package mosquitto-clients"))
}

/// A program of mosquitto's for a version, 311 or 5, which writes line by line.
fn mosquitto(name: &str, broker: SocketAddr, version: &str, member: &Member) -> Command {
    let id = member.user.id.as_str();
    let (host, port) = (broker.ip().to_string(), broker.port().to_string());
    let mut program = Command::new("stdbuf");
    program.args(["-oL", name, "-h", &host, "-p", &port, "-V", version, "-q", "1"]);
    program.args(["-u", id, "-P", member.key.expose(), "-i", &format!("{id}:{name}")]);
    program.kill_on_drop(true);
    program
}

/// `mosquitto_sub`, which runs until it is dropped.
struct Ear {
    _program: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Ear {
    /// Waits until it has subscribed to these.
    async fn open(broker: SocketAddr, version: &str, member: &Member, topics: &[&str]) -> Self {
        let mut program = mosquitto("mosquitto_sub", broker, version, member);
        program.arg("-d").args(topics.iter().flat_map(|topic| ["-t", topic]));
        let mut program = program.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(program.stdout.take().unwrap()).lines();
        let mut subscriber = Self { _program: program, lines };
        subscriber.line("Subscribed").await;
        subscriber
    }

    async fn line(&mut self, begin: &str) -> String {
        loop {
            let next = in_time("mosquitto_sub says something", self.lines.next_line()).await;
            let line = next.unwrap().expect("it goes on");
            if line.starts_with(begin) {
                return line;
            }
        }
    }

    async fn envelope(&mut self) -> Value {
        serde_json::from_str(&self.line("{").await).unwrap()
    }
}

on_both_engines! {
    async fn a_third_party_client_receives_a_direct_message(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        receives_by_version_3(app.server.mqtt(), &ada, &bob).await;
    }

    async fn a_version_5_client_receives_a_direct_message(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        receives_by_version_5(app.server.mqtt(), &ada, &bob).await;
    }

    async fn mosquitto_receives_and_publishes(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        if !has_mosquitto() {
            return;
        }
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = ada.client.channels().create("open").await.unwrap().channel;
        bob.client.channels().join(&channel.id).await.unwrap();
        let broker = app.server.mqtt();
        for version in ["311", "5"] {
            let mut subscriber = Ear::open(broker, version, &bob, &[&dm(&bob), &channel.topic]).await;
            ada.write(&bob, "hello").await;
            assert_eq!(subscriber.envelope().await["data"]["content"], "hello");
            let mut mouth = mosquitto("mosquitto_pub", broker, version, &bob);
            mouth.args(["-t", &channel.topic, "-m", r#"{"content":"from afar"}"#]);
            assert!(mouth.status().await.unwrap().success());
            assert_eq!(subscriber.envelope().await["data"]["sender"]["username"], "bob");
        }
    }
}

on_external_brokers! {
    async fn third_party_clients_receive_on_any_node(deployment: Deployment) {
        let [ada, bob, carol] = deployment.app.agents(["ada", "bob", "carol"]).await;
        receives_by_version_3(deployment.address(2), &ada, &bob).await;
        if deployment.versions().contains(&5) {
            receives_by_version_5(deployment.address(3), &ada, &carol).await;
        }
    }

    async fn mosquitto_receives_on_any_node_and_cannot_publish(deployment: Deployment) {
        if !has_mosquitto() {
            return;
        }
        let [ada, bob] = deployment.app.agents(["ada", "bob"]).await;
        let channel = ada.client.channels().create("open").await.unwrap().channel;
        bob.client.channels().join(&channel.id).await.unwrap();
        for (node, version) in [(2, "311"), (3, "5")].into_iter().take(deployment.versions().len()) {
            let broker = deployment.address(node);
            let mut subscriber = Ear::open(broker, version, &bob, &[&dm(&bob), &channel.topic]).await;
            ada.write(&bob, "hello").await;
            assert_eq!(subscriber.envelope().await["data"]["content"], "hello");
            let mut mouth = mosquitto("mosquitto_pub", broker, version, &bob);
            mouth.args(["-t", &channel.topic, "-m", r#"{"content":"from afar"}"#]);
            assert!(!mouth.stderr(Stdio::null()).status().await.unwrap().success());
            ada.client.channels().post(&channel.id, "to all").await.unwrap();
            assert_eq!(subscriber.envelope().await["data"]["content"], "to all");
        }
    }
}
