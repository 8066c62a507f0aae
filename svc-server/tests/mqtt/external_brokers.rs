//! Real external brokers ([`crate::server_and_broker`]), and what they let their clients
//! do. Clients connect to another node than the server does, where there is more than one.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use svc_server::testing::until;
use tokio::time::timeout;

use crate::app::Member;
use crate::on_external_brokers;
use crate::server_and_broker::Deployment;
use crate::wire::{Login, Will, Wire, dm, notifications};

/// All but ten seconds of the hour for which a verdict about a login holds: time for two clients to
/// connect.
const NEARLY_AN_HOUR: Duration = Duration::from_secs(3_590);

/// Receives a message; messages with one of these prefixes may arrive before it.
async fn receives(wire: &mut Wire, news: &str, before: &[&str]) {
    loop {
        let (_, envelope) = wire.envelope().await;
        let content = envelope["data"]["content"].as_str().unwrap();
        if content == news {
            return;
        }
        assert!(before.iter().any(|begin| content.starts_with(begin)), "{content}");
    }
}

/// Receives what is sent to it. When a session moves to another node, rmqtt loses messages of the
/// first instants, before all nodes know where it is.
async fn receives_again(wire: &mut Wire, ada: &Member, bob: &Member, before: &[&str]) {
    let mut receiving = std::pin::pin!(receives(wire, AGAIN, before));
    while timeout(Duration::from_millis(100), &mut receiving).await.is_err() {
        ada.write(bob, AGAIN).await;
    }
}

/// Checks that nothing else was sent to bob: what ada writes now arrives next, by the path of all events.
async fn receives_nothing(wire: &mut Wire, ada: &Member, bob: &Member) {
    ada.write(bob, LAST).await;
    assert_eq!(wire.envelope().await.1["data"]["content"], LAST, "nothing was to arrive");
}

/// Code of a refused login in 3.1.1 and in 5.
fn refusal(level: u8) -> u8 {
    if level == 5 { 0x86 } else { 4 }
}

/// Payload of messages that test a subscription.
const AGAIN: &str = "again";

/// Payload of messages after which nothing is to arrive.
const LAST: &str = "last";

/// Payload of messages that no client may publish.
const FORGED: &str = r#"{"content":"forged"}"#;

async fn newest(member: &Member) -> Value {
    let events = member.client.events().list().await.unwrap().events;
    serde_json::to_value(events.last().unwrap()).unwrap()
}

on_external_brokers! {
    async fn an_external_broker_accepts_the_logins_the_server_accepts(deployment: Deployment) {
        let [ada, bob] = deployment.app.agents(["ada", "bob"]).await;
        for &level in deployment.versions() {
            let login = Login::of(&ada, level);
            let (wire, answer) = deployment.connect(2, &login.clone().named("phone")).await;
            assert_eq!(answer, (0, 0));
            wire.close().await;
            let with = |password: &str| {
                Login { password: Some(password.to_owned()), ..login.clone() }
            };
            let (ada_id, bob_id) = (ada.user.id.to_string(), bob.user.id.to_string());
            let refused = [
                with("wrong"),
                with(bob.key.expose()),
                Login { username: None, password: None, ..login.clone() },
                Login { username: Some(bob_id.clone()), ..login.clone() },
                Login { username: Some("svc".to_owned()), ..login.clone() },
                Login { client_id: bob_id, ..login.clone() },
                Login { client_id: format!("{ada_id}:#"), ..login.clone() },
                Login { client_id: String::new(), ..login.clone() },
            ];
            for login in refused {
                let (mut wire, answer) = deployment.connect(2, &login).await;
                assert_eq!(answer, (0, refusal(level)), "{:?} {}", login.username, login.client_id);
                assert_eq!(wire.packet().await, None);
            }
            deployment.app.suspend("bob").await;
            let (_, answer) = deployment.connect(2, &Login::of(&bob, level)).await;
            assert_eq!(answer, (0, refusal(level)));
            deployment.app.unsuspend("bob").await;
        }
        ada.client.auth().regenerate_api_key().await.unwrap();
        for &level in deployment.versions() {
            let (_, answer) = deployment.connect(2, &Login::of(&ada, level)).await;
            assert_eq!(answer, (0, refusal(level)), "the key is another by now");
        }
        // If the server does not answer, no client may connect.
        let (levels, node) = (deployment.versions(), deployment.address(2));
        let _broker = deployment.without_server().await;
        for &level in levels {
            let (_, answer) = Wire::try_connect_at(node, &Login::of(&bob, level)).await;
            assert_eq!(answer, (0, refusal(level)));
        }
    }

    async fn an_external_broker_delivers_only_permitted_topics(deployment: Deployment) {
        let [ada, bob] = deployment.app.agents(["ada", "bob"]).await;
        let channel = ada.client.channels().create("open").await.unwrap().channel;
        let (own, theirs) = (dm(&bob), dm(&ada));
        let odd = format!("$share/g/{theirs}");
        let refused = [&*theirs, "#", "svc/#", "svc/dm/+", "$SYS/#", &odd, &channel.topic];
        for &level in deployment.versions() {
            let login = Login::of(&bob, level).lasting().named(&level.to_string());
            let (mut wire, _) = deployment.connect(2, &login).await;
            for topic in refused {
                let [code] = wire.subscribe(&[topic]).await[..] else { panic!("one answer") };
                assert!(code >= 0x80, "{topic}: {code}");
            }
            let answers = wire.subscribe(&[&own, &theirs, "svc/feed/global"]).await;
            assert!(matches!(answers[..], [1, 0x80..=0xFF, 1]), "{answers:?}");
            bob.write(&ada, "not for bob").await;
            ada.client.channels().post(&channel.id, "for members").await.unwrap();
            ada.write(&bob, "for bob").await;
            assert_eq!(wire.envelope().await.1["data"]["content"], "for bob");
            receives_nothing(&mut wire, &ada, &bob).await;
            wire.close().await;
            // Nor is it stored for a persistent session that subscribed to it.
            bob.write(&ada, "not for bob").await;
            ada.write(&bob, "for bob again").await;
            deployment.all_relayed().await;
            let (mut wire, answer) = deployment.connect(3, &login).await;
            assert_eq!(answer, (1, 0));
            receives(&mut wire, "for bob again", &["for bob", LAST]).await;
            receives_nothing(&mut wire, &ada, &bob).await;
            wire.close().await;
        }
    }

    async fn a_former_member_receives_nothing_of_a_channel_on_reconnect(deployment: Deployment) {
        let [ada, bob] = deployment.app.agents(["ada", "bob"]).await;
        let channel = ada.client.channels().create("open").await.unwrap().channel;
        for &level in deployment.versions() {
            let login = Login::of(&bob, level).lasting().named(&level.to_string());
            bob.client.channels().join(&channel.id).await.unwrap();
            let mut wire = deployment.listen(2, &login, &[&channel.topic, &dm(&bob)]).await;
            ada.client.channels().post(&channel.id, "for members").await.unwrap();
            assert_eq!(wire.envelope().await.1["data"]["content"], "for members");
            wire.close().await;
            bob.client.channels().leave(&channel.id).await.unwrap();
            ada.client.channels().post(&channel.id, "among members").await.unwrap();
            deployment.all_relayed().await;
            let (mut wire, answer) = deployment.connect(3, &login).await;
            assert_eq!(answer, (1, 0));
            receives_again(&mut wire, &ada, &bob, &["for members"]).await;
            ada.client.channels().post(&channel.id, "among members").await.unwrap();
            ada.write(&bob, "for bob").await;
            receives(&mut wire, "for bob", &[AGAIN]).await;
            receives_nothing(&mut wire, &ada, &bob).await;
        }
    }

    async fn clients_of_an_external_broker_cannot_publish(deployment: Deployment) {
        let [ada, bob] = deployment.app.agents(["ada", "bob"]).await;
        let channel = ada.client.channels().create("open").await.unwrap().channel;
        bob.client.channels().join(&channel.id).await.unwrap();
        let topics = [dm(&ada), notifications(&ada), channel.topic, "svc/feed/global".to_owned()];
        let received = topics.each_ref().map(|topic| &**topic);
        for &level in deployment.versions() {
            let mut subscriber = deployment.listen(3, &Login::of(&ada, level), &received).await;
            for topic in [&*dm(&bob)].iter().chain(&received) {
                let login = Login::of(&bob, level).named("mouth");
                let (mut wire, _) = deployment.connect(2, &login).await;
                wire.publish(topic, 9, FORGED).await;
                wire.ended().await;
                // Nor by its will message, which may be refused only when it is published.
                let (topic, payload) = ((*topic).to_owned(), FORGED.to_owned());
                let will = Some(Will { topic, payload, qos: 0, retain: false, delay: 0 });
                let (_, (_, code)) = deployment.connect(2, &Login { will, ..login }).await;
                assert_eq!(code != 0, deployment.refuses_wills());
            }
            bob.write(&ada, "true").await;
            assert_eq!(subscriber.envelope().await.1["data"]["content"], "true", "and nothing before");
            receives_nothing(&mut subscriber, &bob, &ada).await;
        }
    }

    async fn an_external_broker_delivers_the_listed_events(deployment: Deployment) {
        let ada = deployment.app.agent("ada").await;
        let channel = ada.client.channels().create("open").await.unwrap().channel;
        for &level in deployment.versions() {
            let bob = deployment.app.agent(&format!("bob_{level}")).await;
            bob.client.channels().join(&channel.id).await.unwrap();
            let topics = [dm(&bob), notifications(&bob), channel.topic.clone()];
            let topics = topics.each_ref().map(|topic| &**topic);
            let login = Login::of(&bob, level).lasting();
            let mut wire = deployment.listen(2, &login, &topics).await;
            ada.write(&bob, "hello \u{1f600}").await;
            let (topic, envelope) = wire.envelope().await;
            assert_eq!((&*topic, &envelope), (topics[0], &newest(&bob).await));
            let post = bob.post("mine").await;
            ada.reply(&post, "yours").await;
            let (topic, envelope) = wire.envelope().await;
            assert_eq!((&*topic, &envelope), (topics[1], &newest(&bob).await));
            ada.client.channels().post(&channel.id, "to all").await.unwrap();
            let (topic, envelope) = wire.envelope().await;
            assert_eq!((&*topic, &envelope["data"]["content"]), (topics[2], &json!("to all")));
            ada.write(&bob, &"\u{1f600}".repeat(40_000)).await;
            assert_eq!(wire.envelope().await.1, newest(&bob).await, "the largest one, too");
            wire.close().await;
            for number in 0..50 {
                ada.write(&bob, &format!("missed {number}")).await;
            }
            deployment.all_relayed().await;
            let (mut wire, answer) = deployment.connect(3, &login).await;
            assert_eq!(answer, (1, 0), "the session is there, whatever the node");
            let mut missed = BTreeSet::new();
            while missed.len() < 50 {
                let (_, envelope) = wire.envelope().await;
                let content = envelope["data"]["content"].as_str().unwrap();
                assert!(content.starts_with("missed"), "{content}");
                missed.insert(content.to_owned());
            }
            receives_nothing(&mut wire, &ada, &bob).await;
            // The newer of two connections wins.
            let (mut newer, _) = deployment.connect(1, &login).await;
            wire.ended().await;
            receives_again(&mut newer, &ada, &bob, &["missed", LAST]).await;
        }
    }

    async fn a_restarted_external_broker_receives_missed_events(deployment: Deployment) {
        let mut deployment = deployment;
        let [ada, bob] = deployment.app.agents(["ada", "bob"]).await;
        let address = deployment.address(1);
        deployment.lose().await;
        ada.write(&bob, "missed").await;
        deployment.revive(address).await;
        let (level, topic) = (deployment.versions()[0], dm(&bob));
        let mut wire = deployment.listen(1, &Login::of(&bob, level), &[&topic]).await;
        deployment.app.advance(10);
        assert_eq!(wire.envelope().await.1["data"]["content"], "missed");
    }
}

#[tokio::test]
#[ignore = "a cluster takes minutes to build: `.ci/run brokers`"]
async fn a_replaced_key_is_valid_for_at_most_an_hour() {
    // Only this broker respects how long a verdict is valid.
    let Some(deployment) = Deployment::rmqtt().await else { return };
    let ada = deployment.app.agent("ada").await;
    // For the broker, an hour after the login has almost passed.
    deployment.catches_up(NEARLY_AN_HOUR);
    let mut wires = Vec::new();
    for &level in deployment.versions() {
        let login = Login::of(&ada, level).named(&level.to_string());
        let (wire, (_, code)) = deployment.connect(2, &login).await;
        assert_eq!(code, 0);
        wires.push(wire);
    }
    for mut wire in wires {
        until("the broker ends it", async || !wire.is_answered().await).await;
    }
}
