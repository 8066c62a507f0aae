//! Many requests at once, from one server and from three.

use http::Method;
use serde_json::json;
use svc_core::tasks::trust;
use svc_server::testing::Engine::{self, Postgres, Sqlite};
use svc_server::testing::in_time;
use svc_store::sql;

use super::{admitted, ask, like, write_to};
use crate::app::{self, TestApp};
use crate::held::Held;

/// Three servers on PostgreSQL, one on SQLite; forty changes at once.
async fn exactly_as_many_as_allowed(engine: Engine) {
    let database = app::database(engine).await;
    let Some(database) = database else { return };
    let settings = [("limits.budgets", "true"), ("limits.new.writes", "11/1h")];
    let mut nodes = Vec::new();
    for _ in 0..if engine == Postgres { 3 } else { 1 } {
        nodes.push(TestApp::on(engine, &database, &settings).await);
    }
    let [ada, bob] = nodes[0].agents(["ada", "bob"]).await;
    let post = bob.post("first").await.id;
    let mut bodies = Vec::new();
    for number in 0..40 {
        bodies.push((&nodes[number % nodes.len()], json!({ "name": format!("list {number}") })));
    }
    let making =
        bodies.into_iter().map(|(node, body)| ask(node, &ada, Method::POST, "/lists", body));
    assert_eq!(admitted(making, 201).await, 11);
    assert_eq!(nodes[0].count(sql!("select count(*) from list")).await, 11);
    for node in &nodes {
        assert_eq!(like(node, &ada, &post).await.status, 429);
    }
}

#[tokio::test]
async fn exactly_as_many_as_allowed_pass_sqlite() {
    exactly_as_many_as_allowed(Sqlite).await;
}

#[tokio::test]
async fn exactly_as_many_as_allowed_pass_postgres() {
    exactly_as_many_as_allowed(Postgres).await;
}

/// Requests lock budgets in various orders.
#[tokio::test]
async fn budgets_that_a_request_takes_from_are_left_to_a_later_round() {
    let Some(app) = TestApp::start_with(Postgres, &[]).await else { return };
    app.execute(|ctx| {
        let sql = sql!(
            "insert into budget (subject, class, paid_off_at)
             values ('usr_1', 'writes', 0), ('usr_2', 'writes', 0)"
        );
        ctx.tx.execute(sql, &[])
    })
    .await;
    let held = Held::budgets(&app, "usr_1").await;
    in_time("others are forgotten", trust::once(app.server.app())).await.unwrap();
    let left = sql!("select count(*) from budget where subject = 'usr_1'");
    let all = sql!("select count(*) from budget");
    assert_eq!((app.count(left).await, app.count(all).await), (1, 1));
    held.release().await;
    trust::once(app.server.app()).await.unwrap();
    assert_eq!(app.count(all).await, 0);
}

#[tokio::test]
async fn batches_and_single_requests_do_not_deadlock() {
    let settings = [("limits.budgets", "true")];
    let Some(app) = TestApp::start_with(Postgres, &settings).await else { return };
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    // Of new accounts that nobody follows, three messages are taken.
    app.follow(&bob, &ada).await;
    let post = bob.post("first").await.id;
    let operations = json!([
        { "op": "send_message", "recipientUsername": "bob", "content": "hello" },
        { "op": "create_reply", "replyToId": post, "content": "hello" },
        { "op": "like", "postId": post },
    ]);
    let batches = (0..10)
        .map(|_| ask(&app, &ada, Method::POST, "/batch", json!({ "operations": operations })));
    let singles = (0..10).map(|_| write_to(&app, &ada, "bob"));
    let (batches, singles) = tokio::join!(
        futures_util::future::join_all(batches),
        futures_util::future::join_all(singles)
    );
    assert!(batches.iter().all(|ran| ran.status == 200));
    assert!(singles.iter().all(|sent| sent.status == 201));
}
