//! Many clients at once, one that does not read, and a server that has too much to do.

use std::sync::Arc;

use svc_client::types::Code;
use svc_core::app::Ctx;
use svc_server::testing::{Engine, until};
use svc_store::{sql, values};
use tokio::task::JoinSet;

use crate::app::{Member, TestApp};
use crate::held::Held;
use crate::on_both_engines;
use crate::wire::{FEED, Login, VERSIONS, Wire, dm, mark};

/// Accounts, and connections of each.
const ACCOUNTS: usize = 100;
const OF_ONE: usize = 10;

on_both_engines! {
    async fn a_thousand_clients_receive_only_their_own_events(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0"
    ) {
        let mut members: Vec<Member> = Vec::new();
        for number in 0..ACCOUNTS {
            members.push(app.agent(&format!("agent_{number}")).await);
        }
        let mut wires = Vec::new();
        for member in &members {
            for number in 0..OF_ONE {
                let login = Login::of(member, VERSIONS[number % 2]).named(&number.to_string());
                let topics = [&*dm(member), FEED];
                wires.push(Wire::listen(&app, &login, &topics).await);
            }
        }
        for (number, to) in members.iter().enumerate() {
            members[(number + 1) % ACCOUNTS].write(to, &format!("for {number}")).await;
        }
        members[0].post("for all").await;
        let marker = mark(&app).await;
        let mut hearing = JoinSet::new();
        for (number, mut wire) in wires.into_iter().enumerate() {
            let marker = marker.clone();
            hearing.spawn(async move {
                let (_, envelope) = wire.envelope().await;
                let expected = format!("for {}", number / OF_ONE);
                assert_eq!(envelope["data"]["content"], *expected);
                assert_eq!(wire.envelope().await.1["data"]["content"], "for all");
                wire.receives_next(&marker).await;
            });
        }
        hearing.join_all().await;
    }

    async fn a_client_that_does_not_read_blocks_no_other(app: TestApp, "mqtt_listen" = "127.0.0.1:0") {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = ada.client.channels().create("open").await.unwrap().channel;
        bob.client.channels().join(&channel.id).await.unwrap();
        // It asks, and reads nothing more.
        let _deaf = Wire::listen(&app, &Login::of(&bob, 5), &[&channel.topic]).await;
        let mut subscriber = Wire::listen(&app, &Login::of(&ada, 5), &[&channel.topic]).await;
        let long = "x".repeat(20_000);
        for number in 1..=500 {
            ada.client.channels().post(&channel.id, &*long).await.unwrap();
            assert_eq!(subscriber.envelope().await.1["seq"], number);
        }
    }

    async fn a_client_that_missed_thirty_thousand_messages_resumes_by_number(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "bus.url" = "none"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut deaf = Wire::listen(&app, &Login::of(&bob, 5), &[&dm(&bob)]).await;
        let mut subscriber = Wire::listen(&app, &Login::of(&ada, 5), &[&dm(&ada)]).await;
        write_events(&app, &bob).await;
        app.advance(10);
        let waiting = sql!("select count(*) from event where relayed_at is null");
        let mut number = 0;
        until("all events are published", async || {
            // Other clients receive their events meanwhile.
            bob.write(&ada, &format!("message {number}")).await;
            let content = format!("message {number}");
            assert_eq!(subscriber.envelope().await.1["data"]["content"], content);
            number += 1;
            app.count(waiting).await == 0
        }).await;
        // It holds what it takes unacknowledged, and the newest of the rest.
        let mut received: Vec<u64> = Vec::new();
        while received.last() != Some(&PENDING) {
            received.push(deaf.envelope().await.1["seq"].as_u64().unwrap());
        }
        deaf.receives_nothing(&app).await;
        let kept = received.len() - KEPT;
        assert!(kept <= WINDOW, "{kept}");
        let newest = PENDING - u64::try_from(KEPT).unwrap() + 1..=PENDING;
        assert!(received[kept..].iter().copied().eq(newest));
        // The gap shows, and the list closes it.
        let before = received[..kept].windows(2).find(|pair| pair[1] > pair[0] + 1);
        let mut last = before.map_or(received[kept - 1], |pair| pair[0]);
        while last < received[kept] {
            let page = bob.client.events().after(last).limit(100).await.unwrap();
            assert!(!page.events.is_empty(), "the list ends at {last}");
            for event in page.events {
                assert_eq!(event.seq, last + 1, "without a gap");
                last = event.seq;
            }
        }
    }
}

/// Events that an account did not read.
const PENDING: u64 = 30_000;

/// Messages that a session sends unacknowledged, and that wait behind them.
const WINDOW: usize = 100;
const KEPT: usize = 1_000;

/// Writes this many events as a crash between commit and relay leaves them.
async fn write_events(app: &TestApp, member: &Member) {
    let stream = member.user.id.clone();
    app.execute(move |ctx| {
        let head = sql!("insert into event_head (stream, last_seq) values ($1, $2)");
        let last = i64::try_from(PENDING).unwrap();
        ctx.tx.execute(head, values![stream, last])?;
        let sql = sql!(
            "insert into event (id, stream, seq, kind, body, created_at)
             with recursive numbers (n) as (
                 select cast(1 as bigint) union all select n + 1 from numbers where n < $1
             )
             select 'evt_' || (100000 + n), cast($2 as text), n, 'direct_message',
                 '{\"event\":\"direct_message\",\"timestamp\":\"2026-01-31T09:30:00.000Z\",\"data\":{}}',
                 cast($3 as bigint)
             from numbers"
        );
        ctx.tx.execute(sql, values![last, stream, ctx.now()])?;
        let sql = sql!(
            "insert into account_event (account, seq, event, type, listed, read, created_at)
             select stream, seq, id, kind, false, false, created_at from event where stream = $1"
        );
        ctx.tx.execute(sql, values![stream])
    })
    .await;
}

#[tokio::test]
async fn a_message_that_an_overloaded_server_refuses_is_not_acknowledged_as_if_it_were_stored() {
    let settings = [("mqtt_listen", "127.0.0.1:0"), ("database.queue_max", "64")];
    let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
    let ada = app.agent("ada").await;
    let channel = ada.client.channels().create("open").await.unwrap().channel;
    let mut five = Wire::connect(&app, &Login::of(&ada, 5).named("five")).await;
    let mut three = Wire::connect(&app, &Login::of(&ada, 4).named("three")).await;
    // One write goes on, and as many wait as may.
    let held = Held::by(&app, |_| Ok(0)).await;
    let mut writes = JoinSet::new();
    for _ in 0..1_000 {
        let server = Arc::clone(app.server.app());
        writes.spawn(async move { server.write(|_: &mut Ctx<'_, '_>| Ok(())).await });
    }
    let first = writes.join_next().await.unwrap().unwrap();
    assert_eq!(first.unwrap_err().code(), Code::Overloaded, "those that wait have not ended");
    let says = r#"{"content":"hello"}"#;
    assert_eq!(five.published(&channel.topic, says).await, Some(0x80));
    assert_eq!(three.published(&channel.topic, says).await, None, "it connects and sends again");
    held.release().await;
    let stored = ada.client.channels().messages(&channel.id).await.unwrap().messages;
    assert_eq!(stored, []);
}
