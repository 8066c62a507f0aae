//! The log of erased accounts: what it names is erased again after a restore.

use std::path::Path;

use http::Method;
use serde_json::{Map, json};
use svc_client::types::ServiceRequest;
use svc_client::types::api::escrow::Deliverable;
use svc_client::types::api::orders::OrderStatus;
use svc_core::tasks::erase;
use svc_server::admin::Command;
use svc_server::testing::Engine;
use svc_store::sql;

use super::traces::{columns, traces};
use super::{assert_consistent, delete, life};
use crate::app::{Member, TestApp, database, lasting_database};
use crate::market;
use crate::raw::answer;

/// The settings of a server whose log of erased accounts is this file.
fn with_log(log: &Path) -> [(&'static str, &str); 1] {
    [("backup.erasures", log.to_str().unwrap())]
}

/// A server whose database was restored from a backup, in which ada lives and deals, erases her again
/// before it serves anybody.
async fn erases_again(engine: Engine) {
    let folder = tempfile::tempdir().unwrap();
    let Some(database) = lasting_database(engine, folder.path()).await else { return };
    let log = folder.path().join("erasures.log");
    let app = TestApp::on(engine, &database, &with_log(&log)).await;
    let [bob, cyd] = app.agents(["bob", "cyd"]).await;
    let ada = life(&app, &bob).await;
    let work = ada.client.services().create("more", "counts", 5).await.unwrap().service.id;
    let offer = bob.client.services().create("sums", "adds", 5).await.unwrap().service.id;
    let funded = bob.client.escrow().create("ada", &work, 10, "funded").await.unwrap().escrow.id;
    let paid = ServiceRequest { escrow_id: Some(funded), ..market::order(&work, 10) };
    let paid = bob.client.messages().request_service("ada", paid).await.unwrap();
    let paid = paid.message.message_id;
    let delivered = ada.client.escrow().create("bob", &offer, 20, "delivered").await.unwrap();
    let delivered = delivered.escrow.id;
    bob.client.escrow().deliver(&delivered, Deliverable::new("done")).await.unwrap();
    let order = json!({ "recipientUsername": "bob", "content": json!({
        "schema": "service.request", "payload": { "serviceId": offer, "serviceName": "sums",
            "input": {}, "offeredCredits": 5 } }).to_string() });
    let bought = answer(ada.raw(&app, Method::POST, "/messages").json(&order)).await.json();
    let bought = bought["message"]["messageId"].as_str().unwrap();
    let selling = bob.client.orders().create("ada", &work, Map::new()).max_credits(5);
    let sold = selling.await.unwrap().order.id;
    app.index().await;
    app.suspend("cyd").await;
    app.server.stop().await;
    let line =
        |who: &Member| json!({ "account": who.user.id, "erasedAt": "2026-01-31T09:30:00.000Z" });
    let gone = json!({ "account": "usr_nobody", "erasedAt": "2026-01-31T09:30:00.000Z" });
    std::fs::write(&log, format!("{}\n{}\n{gone}\n", line(&ada), line(&cyd))).unwrap();

    let app = TestApp::on(engine, &database, &with_log(&log)).await;
    let erased = sql!("select count(*) from account where erased_at is not null");
    assert_eq!(app.count(erased).await, 2);
    assert_eq!(traces(&app).await, [""; 0]);
    assert_eq!(columns(&app).await.unwrap_or_default(), [""; 0]);
    assert_consistent(&app).await;
    let bob = app.client(bob.key);
    let bought = bob.orders().get(bought).await.unwrap().order.status;
    let sold = bob.orders().get(&sold).await.unwrap().order.status;
    let paid = bob.orders().get(&paid).await.unwrap().order.status;
    let ended = [OrderStatus::Cancelled, OrderStatus::Rejected, OrderStatus::Rejected];
    assert_eq!([bought, sold, paid], ended, "ada ended them");
    let balance = bob.credits().balance().await.unwrap().credits;
    assert_eq!(
        (balance.available.to_string(), balance.held.to_string()),
        ("130".into(), "0".into())
    );
    app.server.stop().await;
    let again = TestApp::on(engine, &database, &with_log(&log)).await;
    let repeated = sql!("select count(*) from audit_log where action = 'account_erased'");
    assert_eq!(again.count(repeated).await, 2, "once each");
}

#[tokio::test]
async fn a_restored_database_is_erased_again_before_it_is_served_on_sqlite() {
    Box::pin(erases_again(Engine::Sqlite)).await;
}

#[tokio::test]
async fn a_restored_database_is_erased_again_before_it_is_served_on_postgres() {
    Box::pin(erases_again(Engine::Postgres)).await;
}

/// Every node names in its log what another one erased.
#[tokio::test]
async fn each_node_logs_what_any_node_erased() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one.log", "two.log"].map(|name| folder.path().join(name));
    let first = TestApp::on(Engine::Postgres, &database, &with_log(&one)).await;
    let second = TestApp::on(Engine::Postgres, &database, &with_log(&two)).await;
    let ada = first.agent("ada").await;
    delete(&first, &ada).await;
    first.server.admin(Command::Erase { username: "ada".to_owned() }).await;
    first.server.erase().await;
    let named =
        |log: &Path| std::fs::read_to_string(log).unwrap().matches(ada.user.id.as_str()).count();
    assert_eq!((named(&one), named(&two)), (1, 0));
    second.server.erase().await;
    second.server.erase().await;
    assert_eq!((named(&one), named(&two)), (1, 1));
}

#[tokio::test]
async fn a_log_without_its_line_stops_the_erasure() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("erasures.log");
    let app = TestApp::start_with(Engine::Sqlite, &with_log(&log)).await.unwrap();
    let bob = app.agent("bob").await;
    let ada = life(&app, &bob).await;
    delete(&app, &ada).await;
    app.advance(14 * 24 * 3600);
    std::fs::remove_file(&log).unwrap();
    std::fs::create_dir(&log).unwrap();
    erase::once(app.server.app()).await.unwrap_err();
    assert!(traces(&app).await.contains(&"post"), "nothing is emptied that no log names");
    std::fs::remove_dir(&log).unwrap();
    app.server.erase().await;
    assert_eq!(traces(&app).await, [""; 0]);
    assert!(std::fs::read_to_string(&log).unwrap().contains(ada.user.id.as_str()));
}
