//! Nodes on one PostgreSQL that differ: one has no broker, or a wrong clock.

use svc_core::tasks::node;
use svc_server::testing::{Engine, until};
use svc_store::sql;

use crate::app::{self, TestApp};
use crate::wire::{FEED, Login, Wire, dm};

const WITH_BROKER: [(&str, &str); 1] = [("mqtt_listen", "127.0.0.1:0")];

#[tokio::test]
async fn what_is_done_at_a_node_without_a_broker_reaches_that_of_another() {
    let Some(database) = app::database(Engine::Postgres).await else { return };
    let without = TestApp::on(Engine::Postgres, &database, &[]).await;
    let with = TestApp::on(Engine::Postgres, &database, &WITH_BROKER).await;
    // By itself it learns of the other within two seconds.
    node::renew(without.server.app()).await.unwrap();
    let [ada, bob] = without.agents(["ada", "bob"]).await;
    let mut wire = Wire::listen(&with, &Login::of(&bob, 5), &[&dm(&bob), FEED]).await;
    ada.write(&bob, "hello").await;
    assert_eq!(wire.envelope().await.1["data"]["content"], "hello");
    let post = ada.post("to all").await.id.to_string();
    assert_eq!(wire.envelope().await.1["data"]["id"], post);
}

#[tokio::test]
async fn posts_of_other_nodes_are_heard_at_one_whose_clock_is_ahead() {
    let Some(database) = app::database(Engine::Postgres).await else { return };
    let right = TestApp::on(Engine::Postgres, &database, &WITH_BROKER).await;
    let ahead = TestApp::on(Engine::Postgres, &database, &WITH_BROKER).await;
    let [ada, bob] = right.agents(["ada", "bob"]).await;
    let mut wire = Wire::listen(&ahead, &Login::of(&bob, 5), &[FEED]).await;
    ada.write(&bob, "psst").await;
    ahead.advance(600);
    let live = sql!("select count(*) from event where relayed_at is null");
    until("what seems old there is marked", async || ahead.count(live).await == 0).await;
    let post = ada.post("to all").await.id.to_string();
    assert_eq!(wire.envelope().await.1["data"]["id"], post);
}
