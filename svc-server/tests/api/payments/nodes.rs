//! Several nodes on one database, and the mode of the key.

use std::fs;
use std::ops::Range;
use std::os::unix::fs::PermissionsExt;

use http::StatusCode;
use svc_fake_stripe::Delivery;
use svc_server::billing;
use svc_server::testing::{Engine, TestServer};

use super::{begin, books, page, purchases, purse, purse_of, send, work};
use crate::app::{TestApp, database};
use crate::market::is_consistent;
use crate::stripe::{SELLING, another_node};

/// Webhooks that one of two nodes gets.
fn half(deliveries: &[Delivery], range: Range<usize>) -> impl Iterator<Item = &Delivery> {
    range.map(|number| &deliveries[number % deliveries.len()])
}

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_notified_at_once_add_the_credits_once() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let app = TestApp::on(Engine::Postgres, &database, SELLING).await;
    let other = another_node(&app, &database, SELLING).await;
    let ada = app.agent("ada").await;
    let (_, session) = page(&app, &ada, 500).await;
    app.stripe().pay(&session);
    let deliveries = app.stripe().deliveries();
    let node = async |server: &TestServer, range| {
        for delivery in half(&deliveries, range) {
            let sent = send(server, &delivery.body, &delivery.signature).await;
            assert_eq!(sent.0, StatusCode::OK);
            billing::once(server.app()).await.unwrap();
        }
    };
    tokio::join!(node(&app.server, 0..25), node(&other, 25..50));
    work(&app).await;
    assert_eq!((purse(&ada).await, purchases(&app).await), (purse_of("500", "0"), 1));
    assert_eq!(books(&app).await, [0, 455, 45, 0, 0]);
    is_consistent(&app).await;
    other.stop().await;
    drop(app);
    Engine::Postgres.remove(database);
}

/// The error of a server that is started with one setting changed.
async fn refused(app: &TestApp, database: &str, changed: (&'static str, &str)) -> String {
    let own = app.selling.iter().flat_map(|selling| selling.settings());
    let settings: Vec<_> = own.chain([changed]).collect();
    let error = TestServer::try_start_with(database, &settings).await.unwrap_err();
    assert!(error.is_setup(), "{error}");
    error.to_string()
}

#[tokio::test]
async fn a_key_of_the_other_mode_or_no_key_ends_the_start() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let setting = "billing.stripe.key_file";
    let app = TestApp::on(Engine::Postgres, &database, &[(setting, "its own")]).await;
    let ada = app.agent("ada").await;
    begin(&app, &ada, 500).await;
    let selling = app.selling.as_ref().unwrap();
    let live = selling.file("live.key", "rk_live_fakefakefakefake");
    let none = selling.file("none.key", "a password");
    for (changed, part) in [
        ((setting, live.to_str().unwrap()), "this database has test payments"),
        ((setting, none.to_str().unwrap()), "must be a key of Stripe"),
        ((setting, "/nowhere"), "No such file"),
        (("billing.allow_test", "false"), "needs billing.allow_test"),
    ] {
        let why = refused(&app, &database, changed).await;
        assert!(why.contains(setting) && why.contains(part), "{why}");
    }
    fs::set_permissions(&live, fs::Permissions::from_mode(0o644)).unwrap();
    let why = refused(&app, &database, (setting, live.to_str().unwrap())).await;
    for part in ["billing.stripe.key_file: others may read or write", "live.key", "chmod 600"] {
        assert!(why.contains(part), "{part}: {why}");
    }
    drop(app);
    Engine::Postgres.remove(database);
}

#[tokio::test]
async fn another_currency_than_that_of_earlier_payments_ends_the_start() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let settings = [("billing.stripe.key_file", "its own")];
    let app = TestApp::on(Engine::Postgres, &database, &settings).await;
    let ada = app.agent("ada").await;
    begin(&app, &ada, 500).await;
    let why = refused(&app, &database, ("billing.currency", "eur")).await;
    let said = "billing.currency is eur, but this database has amounts in usd";
    assert!(why.contains(said), "{why}");
    drop(app);
    Engine::Postgres.remove(database);
}
