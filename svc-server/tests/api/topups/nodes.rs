//! Several nodes on one database, and settings.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use svc_server::testing::{Engine, TestServer};
use tempfile::NamedTempFile;

use super::{ask_at, purchases, purse, purse_of, sign, work};
use crate::app::chain::PAYER;
use crate::app::{TestApp, database};
use crate::market::is_consistent;

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_that_get_a_payment_at_once_add_its_credits_once() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let settings = [
        ("x402.facilitator", "its own"),
        ("x402.confirmations", "1"),
        ("exchange.signup_grant", "0"),
    ];
    let app = TestApp::on(Engine::Postgres, &database, &settings).await;
    let own = app.chain().settings();
    let own = own.iter().map(|(name, text)| (*name, text.as_str()));
    let own: Vec<_> = own.chain(settings.into_iter().skip(1)).collect();
    let other = TestServer::start_with(&database, &own).await;
    let ada = app.agent("ada").await;
    for nonce in 1..=5 {
        let payment = sign(&app, &ada, "500", nonce).await;
        let answers = tokio::join!(
            ask_at(&app.server, &ada, "500", Some(&payment)),
            ask_at(&other, &ada, "500", Some(&payment)),
        );
        for answer in [answers.0, answers.1] {
            assert!([200, 202].contains(&answer.status), "{answer:?}");
        }
    }
    work(&app).await;
    assert_eq!((purse(&ada).await, purchases(&app).await), (purse_of("2500", "0"), 5));
    is_consistent(&app).await;
    other.stop().await;
    drop(app);
    Engine::Postgres.remove(database);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_is_sent_again_after_the_token_changed_is_answered_as_before() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let settings = [
        ("x402.facilitator", "its own"),
        ("x402.confirmations", "1"),
        ("exchange.signup_grant", "0"),
    ];
    let app = TestApp::on(Engine::Postgres, &database, &settings).await;
    let ada = app.agent("ada").await;
    let payment = sign(&app, &ada, "500", 1).await;
    ask_at(&app.server, &ada, "500", Some(&payment)).await;
    work(&app).await;
    let first = ask_at(&app.server, &ada, "500", Some(&payment)).await;
    assert_eq!(first.short(), (200, "paid"));
    let own = app.chain().settings();
    let own = own.iter().map(|(name, text)| (*name, text.as_str()));
    let own = own.filter(|(name, _)| *name != "x402.asset").chain([("x402.asset", PAYER)]);
    let own: Vec<_> = own.chain(settings.into_iter().skip(1)).collect();
    let changed = TestServer::start_with(&database, &own).await;
    let again = ask_at(&changed, &ada, "500", Some(&payment)).await;
    assert_eq!((again.status, &again.body), (200, &first.body));
    assert_eq!(again.header("payment-response"), first.header("payment-response"));
    changed.stop().await;
    drop(app);
    Engine::Postgres.remove(database);
}

#[tokio::test]
async fn a_token_that_is_not_there_or_a_network_of_the_other_mode_ends_the_start() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let settings = [("x402.facilitator", "its own")];
    let app = TestApp::on(Engine::Postgres, &database, &settings).await;
    let ada = app.agent("ada").await;
    let payment = sign(&app, &ada, "500", 1).await;
    ask_at(&app.server, &ada, "500", Some(&payment)).await;
    let own = app.chain().settings();
    drop(app);
    let open = NamedTempFile::new().unwrap();
    fs::set_permissions(open.path(), fs::Permissions::from_mode(0o644)).unwrap();
    for (name, text, why) in [
        ("x402.token_file", "/nowhere", "x402.token_file: /nowhere"),
        ("x402.token_file", open.path().to_str().unwrap(), "x402.token_file: others may read"),
        ("x402.network", "eip155:8453", "live network, but this database has test payments"),
    ] {
        let own = own.iter().map(|(name, text)| (*name, text.as_str()));
        let changed: Vec<_> = own.filter(|it| it.0 != name).chain([(name, text)]).collect();
        let error = TestServer::try_start_with(&database, &changed).await.err();
        let error = error.expect("the start is refused");
        assert!(error.is_setup() && error.to_string().contains(why), "{name} = {text}: {error}");
    }
    Engine::Postgres.remove(database);
}
