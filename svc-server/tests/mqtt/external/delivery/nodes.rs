//! What several nodes send to an external broker.

use std::time::Duration;

use svc_client::types::api::health::HealthStatus;
use svc_client::types::{EventId, Id, Timestamp};
use svc_server::testing::{Engine, until};
use svc_store::{sql, values};
use tokio::net::{TcpListener, TcpStream};

use super::{accept, acknowledge, all_marked, assert_quiet, greet, is_let_in, message, sweeping};
use crate::app::{self, Member, TestApp};
use crate::nodes::at;

/// A node on this database, and its connection to a broker of its own.
async fn node(database: &str) -> (TestApp, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("mqtt://svc:service@{}", listener.local_addr().unwrap());
    let app = TestApp::on(Engine::Postgres, database, &[("broker.url", &url)]).await;
    let mut stream = accept(&listener).await;
    greet(&mut stream).await;
    is_let_in(&app).await;
    (app, stream)
}

/// Waits until the server has lost its broker.
async fn is_cut_off(app: &TestApp) {
    until("the server has lost its broker", async || {
        app.anonymous.health().read().await.unwrap().checks["broker"] == HealthStatus::Degraded
    })
    .await;
}

/// Writes the first events of a member, with these ids, as a crash between commit and relay leaves them.
async fn leave(app: &TestApp, member: &Member, ids: Vec<EventId>) {
    let to = member.user.id.clone();
    app.execute(move |ctx| {
        let (now, last) = (ctx.now(), i64::try_from(ids.len()).unwrap());
        let head = sql!("insert into event_head (stream, last_seq) values ($1, $2)");
        ctx.tx.execute(head, values![to, last])?;
        for (id, seq) in ids.iter().zip(1_i64..) {
            let event = sql!(
                "insert into event (id, stream, seq, kind, body, created_at)
                 values ($1, $2, $3, 'direct_message', '{\"data\":{}}', $4)"
            );
            ctx.tx.execute(event, values![id, to, seq, now])?;
        }
        Ok(1)
    })
    .await;
}

/// An event of a node that runs no longer.
fn of_a_node_that_is_gone() -> EventId {
    EventId::from_number(63 << 15)
}

#[tokio::test]
async fn of_two_nodes_one_sends_what_waited_for_an_external_broker() {
    let Some(database) = app::database(Engine::Postgres).await else { return };
    let (one, mut from_one) = node(&database).await;
    let (two, mut from_two) = node(&database).await;
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    leave(&one, &bob, vec![of_a_node_that_is_gone()]).await;
    let (_, lost, envelope) = sweeping(&one, message(&mut from_one)).await;
    assert_eq!(envelope["seq"], 1);
    // The broker has not acknowledged it yet, so the other node finds it, too.
    let ends = sql!("select cast(value as bigint) from provider_state where name = 'relay'");
    // The clock of the first node may have gone on by more than the turn lasts.
    let amid = Timestamp::from_millis(one.count(ends).await).minus(Duration::from_secs(19));
    let behind = two.server.clock();
    behind.advance(amid.since(behind.now()));
    assert_quiet(&mut from_two, "the first node has the turn").await;
    at(&two, &ada).write(&bob, "next").await;
    let (_, next, envelope) = message(&mut from_two).await;
    assert_eq!(envelope["data"]["content"], "next");
    acknowledge(&mut from_two, next).await;
    acknowledge(&mut from_one, lost).await;
    all_marked(&one).await;
    let given_back =
        sql!("select count(*) from provider_state where name = 'relay' and value = '0'");
    until("the turn is given back", async || one.count(given_back).await == 1).await;
}

#[tokio::test]
async fn what_a_node_has_sent_to_an_external_broker_no_other_sends() {
    let Some(database) = app::database(Engine::Postgres).await else { return };
    let (one, mut from_one) = node(&database).await;
    let (two, mut from_two) = node(&database).await;
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    ada.write(&bob, "hello").await;
    let (_, sent, _) = message(&mut from_one).await;
    for _ in 0..3 {
        two.advance(6);
        assert_quiet(&mut from_two, "the broker may yet acknowledge it").await;
    }
    acknowledge(&mut from_one, sent).await;
    all_marked(&one).await;
    drop(from_one);
    is_cut_off(&one).await;
    ada.write(&bob, "alone").await;
    let (_, sent, envelope) = sweeping(&two, message(&mut from_two)).await;
    assert_eq!(envelope["data"]["content"], "alone", "it never gets there from the first node");
    acknowledge(&mut from_two, sent).await;
    all_marked(&one).await;
}

#[tokio::test]
async fn what_is_left_to_a_node_holds_up_no_events_of_others() {
    let Some(database) = app::database(Engine::Postgres).await else { return };
    let (one, from_one) = node(&database).await;
    let (two, mut from_two) = node(&database).await;
    let bob = one.agent("bob").await;
    drop(from_one);
    is_cut_off(&one).await;
    // More than are read at once, which the first node may have under way: its number is 0.
    let mut ids: Vec<EventId> = (1..=150).map(EventId::from_number).collect();
    ids.push(of_a_node_that_is_gone());
    leave(&one, &bob, ids).await;
    two.advance(6);
    let (_, _, envelope) = message(&mut from_two).await;
    assert_eq!(envelope["seq"], 151);
}
