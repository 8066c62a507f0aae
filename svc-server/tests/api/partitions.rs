//! Keys and attempts on both sides of a boundary between partitions, which PostgreSQL has.

use serde_json::json;
use svc_core::tasks::sweep;
use svc_server::testing::{Engine, until};
use svc_store::sql;
use tokio::task::JoinHandle;

use crate::app::{Member, TestApp, database};
use crate::held::{Held, waits_for_locks};
use crate::idempotency::post;
use crate::on_both_engines;
use crate::raw::{Raw, answer};

const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;

/// Seconds from the start of a test until noon.
const UNTIL_NOON: u64 = 9_000;

/// Sends a message to bob under one key.
fn sending(app: &TestApp, from: &Member) -> JoinHandle<Raw> {
    let members = json!({ "recipientUsername": "bob", "content": "psst" });
    tokio::spawn(answer(post(app, &from.key, "one", "/messages", &members)))
}

async fn send(app: &TestApp, from: &Member) -> Raw {
    sending(app, from).await.unwrap()
}

fn is_replay(answer: &Raw) -> bool {
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.header("idempotent-replayed").is_some()
}

async fn messages(app: &TestApp) -> i64 {
    app.count(sql!("select count(*) from message where content = 'psst'")).await
}

/// The partitions of stored answers, by day and hour.
async fn partitions(app: &TestApp) -> Vec<String> {
    let names = sql!(
        "select replace(cast(c.relname as text), 'idempotency_', '')
         from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = cast('idempotency' as regclass) order by c.relname"
    );
    app.server.app().read(move |ctx| ctx.tx.all(names, &[])).await.unwrap()
}

on_both_engines! {
    async fn a_key_is_replayed_across_a_boundary(app: TestApp) {
        let [ada, _] = app.agents(["ada", "bob"]).await;
        app.advance(UNTIL_NOON - 1);
        let first = send(&app, &ada).await;
        app.advance(2);
        let again = send(&app, &ada).await;
        assert_eq!((is_replay(&first), is_replay(&again)), (false, true));
        assert_eq!((again.text, messages(&app).await), (first.text, 1));
        app.advance(11 * HOUR);
        app.sweep_expired().await;
        app.advance(12 * HOUR);
        app.sweep_expired().await;
        assert!(is_replay(&send(&app, &ada).await), "a day is not over");
    }

    async fn attempts_are_shown_across_a_boundary(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        bob.write(&ada, "before Thursday").await;
        app.advance(6 * DAY);
        bob.write(&ada, "after it").await;
        for (delivery, took) in ada.deliveries(&id).await.iter().zip([20, 10]) {
            app.end_delivery(&delivery.id, "delivered").await;
            app.attempt(&delivery.id, took, 200).await;
        }
        app.sweep_expired().await;
        let listed = ada.deliveries(&id).await;
        let mut took = Vec::new();
        for delivery in &listed {
            let read = ada.client.webhooks().delivery(&id, &delivery.id).await.unwrap().delivery;
            took.extend(read.attempts.unwrap().iter().map(|attempt| attempt.duration_ms));
        }
        assert_eq!(took, [20, 10]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_requests_at_once_on_both_sides_of_a_boundary_are_one() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let app = TestApp::on(Engine::Postgres, &database, &[("database.connections", "6")]).await;
    let [ada, bob] = app.friends(["ada", "bob"]).await;
    let conversation = ada.write(&bob, "first").await.conversation_id;
    app.advance(UNTIL_NOON - 1);
    let held = Held::conversation(&app, conversation).await;
    let before = sending(&app, &ada);
    until("the first waits for the conversation", async || waits_for_locks(&app).await > 0).await;
    app.advance(2);
    let after = sending(&app, &ada);
    until("the second waits for the key", async || waits_for_locks(&app).await > 1).await;
    held.release().await;
    let (before, after) = (before.await.unwrap(), after.await.unwrap());
    assert_ne!(is_replay(&before), is_replay(&after));
    assert_eq!((after.text, messages(&app).await), (before.text, 1));
    drop(app);
    Engine::Postgres.remove(database);
}

#[tokio::test]
async fn two_nodes_make_and_drop_each_partition_once() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let one = TestApp::on(Engine::Postgres, &database, &[]).await;
    let two = TestApp::on(Engine::Postgres, &database, &[]).await;
    let [ada, _] = one.agents(["ada", "bob"]).await;
    send(&one, &ada).await;
    for app in [&one, &two] {
        app.advance(3 * DAY);
    }
    let removed = tokio::join!(sweep::once(one.server.app()), sweep::once(two.server.app()));
    removed.0.and(removed.1).unwrap();
    let ahead = ["2026020300", "2026020312", "2026020400", "2026020412", "default"];
    assert_eq!(partitions(&one).await, ahead);
    assert_eq!(one.count(sql!("select count(*) from idempotency")).await, 0);
    drop((one, two));
    Engine::Postgres.remove(database);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_starts_while_a_partition_that_has_expired_is_held() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let app = TestApp::on(Engine::Postgres, &database, &[]).await;
    app.agent("ada").await;
    let create = sql!(
        "create table idempotency_2026010100 partition of idempotency
         for values from (1767225600000) to (1767268800000)"
    );
    app.server.app().write(move |ctx| ctx.tx.execute(create, &[])).await.unwrap();
    // As `pg_dump` does.
    let read = sql!("select count(*) from idempotency_2026010100");
    let held = Held::by(&app, move |ctx| ctx.tx.one::<i64>(read, &[]).map(|_| 1)).await;
    let other = TestApp::on(Engine::Postgres, &database, &[]).await;
    let old = "2026010100".to_owned();
    assert!(partitions(&app).await.contains(&old));
    held.release().await;
    other.sweep_expired().await;
    assert!(!partitions(&app).await.contains(&old), "a later sweep drops it");
    drop((app, other));
    Engine::Postgres.remove(database);
}

#[tokio::test]
async fn answers_whose_partition_is_missing_are_replayed_and_swept() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let app = TestApp::on(Engine::Postgres, &database, &[]).await;
    let [ada, _] = app.agents(["ada", "bob"]).await;
    let drop_present = sql!("drop table idempotency_2026013100");
    app.server.app().write(move |ctx| ctx.tx.execute(drop_present, &[])).await.unwrap();
    let first = send(&app, &ada).await;
    app.sweep_expired().await;
    let by_itself = sql!("select count(*) from idempotency_default");
    assert_eq!(app.count(by_itself).await, 1);
    assert!(!partitions(&app).await.contains(&"2026013100".to_owned()), "rows would have to move");
    app.advance(UNTIL_NOON + 1);
    let again = send(&app, &ada).await;
    assert_eq!((is_replay(&again), again.text), (true, first.text));
    app.advance(DAY);
    app.sweep_expired().await;
    assert_eq!(app.count(sql!("select count(*) from idempotency")).await, 0);
    drop(app);
    Engine::Postgres.remove(database);
}
