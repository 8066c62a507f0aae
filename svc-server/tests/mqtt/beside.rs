//! A real broker of others beside the server ([`Aedes`]), and what it lets its clients do.

use std::collections::BTreeSet;

use serde_json::json;
use svc_client::types::api::health::HealthStatus;
use svc_server::sql;
use svc_server::testing::Engine;
use tokio::time::timeout;

use crate::aedes::Aedes;
use crate::app::{Member, TestApp};
use crate::wire::{Login, PATIENCE, Wire, dm, notifications};

/// A server with aedes beside it.
async fn beside() -> Option<(TestApp, Aedes)> {
    let mut aedes = Aedes::start(0).await?;
    let url = aedes.url();
    let settings = [
        ("broker.url", &*url),
        ("broker.internal_listen", "127.0.0.1:0"),
        ("broker.internal_secret", "hush"),
    ];
    let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
    aedes.asks(app.server.app().broker.internal().unwrap()).await;
    is_reached(&app).await;
    Some((app, aedes))
}

async fn connect(aedes: &Aedes, login: &Login) -> (Wire, (u8, u8)) {
    Wire::try_connect_at(aedes.address, login).await
}

async fn listen(aedes: &Aedes, login: &Login, topics: &[&str]) -> Wire {
    let (mut wire, (_, code)) = connect(aedes, login).await;
    assert_eq!(code, 0, "it may connect");
    assert_eq!(wire.subscribe(topics).await, vec![1; topics.len()], "{topics:?}");
    wire
}

/// Hears a message; before it may come what begins like this, and may have come already.
async fn hears(wire: &mut Wire, news: &str, before: &str) {
    loop {
        let (_, envelope) = wire.envelope().await;
        let content = envelope["data"]["content"].as_str().unwrap();
        if content == news {
            return;
        }
        assert!(content.starts_with(before), "{content}");
    }
}

/// Waits until the server is let in.
async fn is_reached(app: &TestApp) {
    let reaching = async {
        while app.anonymous.health().read().await.unwrap().checks["broker"] != HealthStatus::Ok {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, reaching).await.expect("the server is let in");
}

#[tokio::test]
async fn a_broker_of_others_lets_in_whom_the_server_lets_in() {
    let Some((app, mut aedes)) = beside().await else { return };
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    let login = Login::of(&ada, 4);
    let (wire, answer) = connect(&aedes, &login.clone().named("phone")).await;
    assert_eq!(answer, (0, 0));
    wire.leave().await;
    let with = |password: &str| Login { password: Some(password.to_owned()), ..login.clone() };
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
        let (mut wire, answer) = connect(&aedes, &login).await;
        assert_eq!(answer, (0, 4), "{:?} {}", login.username, login.client_id);
        assert_eq!(wire.packet().await, None);
    }
    app.suspend("bob").await;
    assert_eq!(connect(&aedes, &Login::of(&bob, 4)).await.1, (0, 4));
    ada.client.auth().regenerate_api_key().await.unwrap();
    assert_eq!(connect(&aedes, &login).await.1, (0, 4), "the key is another by now");
    app.unsuspend("bob").await;
    // Where nobody answers, nobody is let in.
    aedes.asks(([127, 0, 0, 1], 1).into()).await;
    let refusing = async { while connect(&aedes, &Login::of(&bob, 4)).await.1 != (0, 4) {} };
    timeout(PATIENCE, refusing).await.expect("it asks elsewhere soon");
}

#[tokio::test]
async fn a_broker_of_others_lets_nobody_hear_or_say_what_is_not_theirs() {
    let Some((app, aedes)) = beside().await else { return };
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    let channel = ada.client.channels().create("open").await.unwrap().channel;
    let (own, theirs) = (dm(&bob), dm(&ada));
    let odd = format!("$share/g/{theirs}");
    let topics = [
        &*own,
        &theirs,
        "#",
        "svc/#",
        "svc/dm/+",
        "$SYS/#",
        &odd,
        &channel.topic,
        "svc/feed/global",
    ];
    let (mut wire, _) = connect(&aedes, &Login::of(&bob, 4).lasting()).await;
    let refused = 0x80;
    let expected = [1, refused, refused, refused, refused, refused, refused, refused, 1];
    assert_eq!(wire.subscribe(&topics).await, expected);
    bob.write(&ada, "not for bob").await;
    ada.client.channels().post(&channel.id, "for members").await.unwrap();
    ada.write(&bob, "for bob").await;
    assert_eq!(wire.envelope().await.1["data"]["content"], "for bob");
    wire.hears_nothing().await;
    wire.leave().await;
    // Nor is it kept for who asked for it with a lasting session.
    bob.write(&ada, "not for bob").await;
    ada.write(&bob, "for bob again").await;
    all_told(&app).await;
    let (mut wire, answer) = connect(&aedes, &Login::of(&bob, 4).lasting()).await;
    assert_eq!(answer, (1, 0));
    hears(&mut wire, "for bob again", "for bob").await;
    wire.hears_nothing().await;
    // Nor what was said while it was away, when it is no member any more.
    bob.client.channels().join(&channel.id).await.unwrap();
    assert_eq!(wire.subscribe(&[&channel.topic]).await, [1]);
    wire.leave().await;
    bob.client.channels().leave(&channel.id).await.unwrap();
    ada.client.channels().post(&channel.id, "for members").await.unwrap();
    all_told(&app).await;
    let (mut wire, _) = connect(&aedes, &Login::of(&bob, 4).lasting()).await;
    ada.write(&bob, "the last").await;
    hears(&mut wire, "the last", "for bob").await;
    // Clients say nothing here, not even where they may by the API.
    bob.client.channels().join(&channel.id).await.unwrap();
    for topic in [&*own, &theirs, &channel.topic, "svc/feed/global"] {
        let (mut wire, _) = connect(&aedes, &Login::of(&bob, 4).named("mouth")).await;
        assert_eq!(wire.published(topic, r#"{"content":"forged"}"#).await, None, "{topic}");
    }
    wire.hears_nothing().await;
}

#[tokio::test]
async fn a_broker_of_others_tells_what_the_cursor_tells() {
    let Some((app, aedes)) = beside().await else { return };
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    let channel = ada.client.channels().create("open").await.unwrap().channel;
    bob.client.channels().join(&channel.id).await.unwrap();
    let topics = [dm(&bob), notifications(&bob), channel.topic.clone()];
    let topics = topics.each_ref().map(|topic| &**topic);
    let login = Login::of(&bob, 4).lasting();
    let mut wire = listen(&aedes, &login, &topics).await;
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
    wire.leave().await;
    for number in 0..50 {
        ada.write(&bob, &format!("missed {number}")).await;
    }
    all_told(&app).await;
    let (mut wire, answer) = connect(&aedes, &login).await;
    assert_eq!(answer, (1, 0), "the session is there");
    let mut missed = BTreeSet::new();
    while missed.len() < 50 {
        let (_, envelope) = wire.envelope().await;
        let content = envelope["data"]["content"].as_str().unwrap();
        assert!(content.starts_with("missed"), "{content}");
        missed.insert(content.to_owned());
    }
    wire.hears_nothing().await;
    // The newer of two connections wins.
    let (mut newer, _) = connect(&aedes, &login).await;
    assert_eq!(wire.packet().await, None);
    ada.write(&bob, "to the newer").await;
    hears(&mut newer, "to the newer", "missed").await;
}

#[tokio::test]
async fn a_broker_of_others_that_starts_again_is_told_what_it_missed() {
    let Some((app, aedes)) = beside().await else { return };
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    let address = aedes.address;
    aedes.kill().await;
    let unreached = async {
        while app.anonymous.health().read().await.unwrap().checks["broker"] == HealthStatus::Ok {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, unreached).await.expect("the server notices");
    ada.write(&bob, "missed").await;
    let mut aedes = Aedes::start(address.port()).await.unwrap();
    aedes.asks(app.server.app().broker.internal().unwrap()).await;
    is_reached(&app).await;
    let mut wire = listen(&aedes, &Login::of(&bob, 4), &[&dm(&bob)]).await;
    app.advance(10);
    assert_eq!(wire.envelope().await.1["data"]["content"], "missed");
}

/// Waits until the broker has all events.
async fn all_told(app: &TestApp) {
    let waiting = sql!("select count(*) from event where relayed_at is null");
    while app.count(waiting).await > 0 {
        tokio::task::yield_now().await;
    }
}

async fn newest(member: &Member) -> serde_json::Value {
    let events = member.client.events().list().await.unwrap().events;
    serde_json::to_value(events.last().unwrap()).unwrap()
}
