//! Nodes behind PgBouncer in transaction mode. `.ci/run pooler` runs all tests of the API like this.

use svc_client::types::api::messages::Message;
use svc_server::testing::{Engine, through};
use svc_store::testing::pooler::pooler;
use tokio::task::JoinSet;

use crate::app::{TestApp, all_items};

/// The URLs of a new database: through a pooler, and without it.
async fn pooled() -> Option<(String, String)> {
    let find = || {
        let database = Engine::Postgres.database()?;
        Some((pooler(&database)?.url(&database), database))
    };
    tokio::task::spawn_blocking(find).await.unwrap()
}

#[tokio::test]
async fn nodes_work_through_a_pooler_that_knows_no_prepared_statements() {
    let Some((pooler, database)) = pooled().await else { return };
    let settings = [&through(&pooler, &database)[..], &[("database.connections", "6")]].concat();
    let one = TestApp::on(Engine::Postgres, &pooler, &settings).await;
    let two = TestApp::on(Engine::Postgres, &pooler, &settings).await;
    let [ada, bob] = one.friends(["ada", "bob"]).await;
    let mut sending = JoinSet::new();
    for number in 0..12 {
        let (ada, bob) = (ada.clone(), bob.clone());
        sending.spawn(async move { ada.write(&bob, &format!("number {number}")).await });
    }
    let mut sent: Vec<Message> = sending.join_all().await;
    sent.sort_by(|a, b| a.message_id.cmp(&b.message_id));
    let found = all_items(two.client(bob.key.clone()).messages().list().limit(5)).await;
    let mut found: Vec<Message> = found;
    found.sort_by(|a, b| a.message_id.cmp(&b.message_id));
    assert_eq!(found.len(), sent.len());
    one.server.stop().await;
    let cyd = two.agent("cyd").await;
    assert_eq!(cyd.user.username, "cyd", "the other node goes on");
}
