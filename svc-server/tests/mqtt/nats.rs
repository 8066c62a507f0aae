//! Several nodes that give each other hints by NATS.
//!
//! The clock stands still unless a test moves it, so what arrives without that was named by a hint.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use async_nats::Client;
use svc_core::tasks::node;
use svc_server::testing::{Engine, TestServer, through, until};
use svc_store::sql;
use svc_store::testing::pooler::pooler;
use tempfile::NamedTempFile;

use crate::app::{self, Member, TestApp};
use crate::nats_server::NatsServer;
use crate::nodes::{Stream, all_events_arrive, at, ended};
use crate::tls::file;
use crate::wire::{Login, Wire, dm};

/// How long a hint may take before a test writes again.
const PROMPTLY: Duration = Duration::from_secs(1);

/// Nodes on one new database and this bus; none without PostgreSQL.
async fn nodes<const N: usize>(bus: &str) -> Option<[TestApp; N]> {
    let database = app::database(Engine::Postgres).await?;
    let mut nodes = Vec::new();
    for _ in 0..N {
        let settings = [("mqtt_listen", "127.0.0.1:0"), ("bus.url", bus)];
        nodes.push(TestApp::on(Engine::Postgres, &database, &settings).await);
    }
    nodes.try_into().ok()
}

/// Why a node with these settings does not start.
async fn refused(settings: &[(&str, &str)]) -> String {
    let database = app::database(Engine::Postgres).await.expect("other tests had one");
    let error = TestServer::try_start_with(&database, settings).await.unwrap_err();
    assert!(error.is_setup(), "service managers do not start it again: {error}");
    error.to_string()
}

/// Writes until two messages in a row are heard without a look, which none but a hint can name: there
/// is one look when a node is on the bus again.
async fn hears_again(wire: &mut Wire, ada: &Member, bob: &Member, mut seq: u64) {
    let (mut heard, mut in_a_row) = (seq, 0);
    until("hints are heard again", async || {
        seq += 1;
        ada.write(bob, &format!("message {seq}")).await;
        while heard < seq && wire.has_more(PROMPTLY).await {
            heard += 1;
            assert_eq!(wire.envelope().await.1["seq"], heard);
        }
        in_a_row = if heard == seq { in_a_row + 1 } else { 0 };
        in_a_row == 2
    })
    .await;
}

/// Somebody else who uses the same NATS.
async fn stranger(nats: &NatsServer) -> Client {
    async_nats::connect(nats.url()).await.unwrap()
}

/// The subject of the nodes of a database.
async fn subject(app: &TestApp) -> String {
    format!("svc.bus.{}", node::database_id(&app.server.app().core()).await.unwrap())
}

#[tokio::test]
async fn by_nats_events_of_all_nodes_are_heard_on_each_once_and_in_order() {
    let Some(nats) = NatsServer::start(&[]).await else { return };
    let Some([one, two]) = nodes(&nats.url()).await else { return };
    all_events_arrive(&[&one, &two]).await;
    let listening = sql!(
        "select count(*) from pg_stat_activity
         where application_name = 'svc-server bus' and datname = current_database()"
    );
    assert_eq!(one.count(listening).await, 0, "nobody listens to the database");
}

#[tokio::test]
async fn by_nats_a_new_key_ends_what_the_old_one_opened_on_every_node() {
    let Some(nats) = NatsServer::start(&[]).await else { return };
    let Some([one, two]) = nodes(&nats.url()).await else { return };
    let bob = one.agent("bob").await;
    let mut wire = Wire::listen(&one, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    let mut stream = Stream::open(&one, &bob).await;
    at(&two, &bob).client.auth().regenerate_api_key().await.unwrap();
    ended(&mut wire).await;
    stream.ends().await;
}

#[tokio::test]
async fn without_nats_nodes_write_as_before_and_find_by_looking_until_it_is_back() {
    let Some(mut nats) = NatsServer::start(&[]).await else { return };
    let Some([one, two]) = nodes(&nats.url()).await else { return };
    let [ada, bob, cyd] = one.agents(["ada", "bob", "cyd"]).await;
    let mut wire = Wire::listen(&one, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    let mut session = Wire::connect(&one, &Login::of(&cyd, 5)).await;
    let ada = at(&two, &ada);
    ada.write(&bob, "by a hint").await;
    assert_eq!(wire.envelope().await.1["seq"], 1);
    nats.kill().await;
    for number in 2..=20 {
        ada.write(&bob, &format!("message {number}")).await;
    }
    at(&two, &cyd).client.auth().regenerate_api_key().await.unwrap();
    wire.receives_nothing(&one).await;
    one.advance(1);
    for number in 2..=20 {
        assert_eq!(wire.envelope().await.1["seq"], number);
    }
    ended(&mut session).await;
    nats.restart().await;
    hears_again(&mut wire, &ada, &bob, 20).await;
}

#[tokio::test]
async fn a_frozen_nats_delays_nobody_and_what_it_kept_is_heard_once() {
    let Some(nats) = NatsServer::start(&[]).await else { return };
    let Some([one, two]) = nodes(&nats.url()).await else { return };
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    let mut wire = Wire::listen(&one, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    let ada = at(&two, &ada);
    nats.freeze();
    ada.write(&bob, "one").await;
    wire.receives_nothing(&one).await;
    one.advance(1);
    assert_eq!(wire.envelope().await.1["seq"], 1);
    nats.thaw();
    hears_again(&mut wire, &ada, &bob, 1).await;
}

#[tokio::test]
async fn nodes_start_while_nats_is_down() {
    let Some(mut nats) = NatsServer::start(&[]).await else { return };
    nats.kill().await;
    let Some([one, two]) = nodes(&nats.url()).await else { return };
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    let mut wire = Wire::listen(&one, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    nats.restart().await;
    hears_again(&mut wire, &at(&two, &ada), &bob, 0).await;
}

#[tokio::test]
async fn of_several_servers_one_is_enough() {
    let Some(nats) = NatsServer::start(&[]).await else { return };
    let bus = format!("nats://127.0.0.1:9,{}", nats.address());
    let Some([one, two]) = nodes(&bus).await else { return };
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    let mut wire = Wire::listen(&one, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    at(&two, &ada).write(&bob, "hello").await;
    assert_eq!(wire.envelope().await.1["seq"], 1);
}

#[tokio::test]
async fn two_installations_on_one_nats_do_not_hear_each_other() {
    let Some(nats) = NatsServer::start(&[]).await else { return };
    let Some([one]) = nodes(&nats.url()).await else { return };
    let Some([other, another]) = nodes(&nats.url()).await else { return };
    assert_eq!(subject(&other).await, subject(&another).await);
    assert_ne!(subject(&one).await, subject(&other).await);
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    let [its_ada, its_bob] = other.agents(["ada", "bob"]).await;
    let mut wire = Wire::listen(&other, &Login::of(&its_bob, 5), &[&dm(&its_bob)]).await;
    for number in 0..5 {
        ada.write(&bob, &format!("message {number}")).await;
    }
    wire.receives_nothing(&other).await;
    at(&another, &its_ada).write(&its_bob, "the first").await;
    let (_, envelope) = wire.envelope().await;
    assert_eq!((&envelope["seq"], &envelope["data"]["content"]), (&1.into(), &"the first".into()));
}

#[tokio::test]
async fn what_no_node_signed_is_ignored() {
    let Some(nats) = NatsServer::start(&[]).await else { return };
    let Some([one, two]) = nodes(&nats.url()).await else { return };
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    let mut wire = Wire::listen(&one, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    let (stranger, subject) = (stranger(&nats).await, subject(&one).await);
    let forged = format!("node 1\n{} 1000", bob.user.id);
    let signed_by_nobody = [&[0; 32][..], forged.as_bytes()].concat();
    let garbage = [vec![], vec![0xFF; 1_000_000], forged.into_bytes(), signed_by_nobody];
    for message in garbage.iter().cycle().take(400) {
        stranger.publish(subject.clone(), message.clone().into()).await.unwrap();
    }
    stranger.flush().await.unwrap();
    hears_again(&mut wire, &at(&two, &ada), &bob, 0).await;
}

#[tokio::test]
async fn wrong_credentials_are_refused_at_the_start_and_right_ones_work() {
    let options = ["--user", "svc", "--pass", "right,one"];
    let Some(nats) = NatsServer::start(&options).await else { return };
    let Some([one, two]) = nodes(&format!("nats://svc:right%2Cone@{}", nats.address())).await
    else {
        return;
    };
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    let mut wire = Wire::listen(&one, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    at(&two, &ada).write(&bob, "hello").await;
    assert_eq!(wire.envelope().await.1["seq"], 1);
    for login in ["svc:wrong@", ""] {
        let error = refused(&[("bus.url", &format!("nats://{login}{}", nats.address()))]).await;
        assert!(error.contains("bus.url") && !error.contains("wrong"), "{error}");
    }
}

#[tokio::test]
async fn who_may_not_use_the_subject_is_refused_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("nats.conf");
    let text = r#"authorization { users: [
        { user: reader, password: one, permissions: { publish: "other", subscribe: "svc.bus.>" } }
        { user: writer, password: one, permissions: { publish: "svc.bus.>", subscribe: "other" } }
    ] }"#;
    fs::write(&config, text).unwrap();
    let Some(nats) = NatsServer::start(&["-c", config.to_str().unwrap()]).await else { return };
    if app::database(Engine::Postgres).await.is_none() {
        return;
    }
    for user in ["reader", "writer"] {
        let error = refused(&[("bus.url", &format!("nats://{user}:one@{}", nats.address()))]).await;
        assert!(error.contains("bus.url") && error.contains("svc.bus."), "{error}");
    }
}

#[tokio::test]
async fn nats_over_tls_is_verified() {
    let (certificate, key) = (file("certificate.pem"), file("key.pem"));
    let [certificate, key] = [&certificate, &key].map(|file| file.to_str().unwrap());
    let options = ["--tls", "--tlscert", certificate, "--tlskey", key];
    let Some(nats) = NatsServer::start(&options).await else { return };
    let Some(database) = app::database(Engine::Postgres).await else { return };
    let url = format!("tls://localhost:{}", nats.address().rsplit(':').next().unwrap());
    let trusting =
        [("mqtt_listen", "127.0.0.1:0"), ("bus.url", &*url), ("bus.tls_ca", certificate)];
    let one = TestApp::on(Engine::Postgres, &database, &trusting).await;
    let two = TestApp::on(Engine::Postgres, &database, &trusting).await;
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    let mut wire = Wire::listen(&one, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    at(&two, &ada).write(&bob, "hello").await;
    assert_eq!(wire.envelope().await.1["seq"], 1);
    let error = refused(&[("bus.url", &url)]).await;
    assert!(error.contains("bus.url") && error.contains("certificate"), "{error}");
    let error = refused(&[("bus.url", &url), ("bus.tls_ca", key)]).await;
    assert!(error.contains("bus.tls_ca"), "{error}");
}

#[tokio::test]
async fn a_credentials_file_opens_nats() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mqtt/foreign");
    let config = folder.join("nats.conf");
    let Some(nats) = NatsServer::start(&["-c", config.to_str().unwrap()]).await else { return };
    let Some(database) = app::database(Engine::Postgres).await else { return };
    let secret = NamedTempFile::new().unwrap();
    fs::write(secret.path(), fs::read(folder.join("nats.creds")).unwrap()).unwrap();
    let settings = [
        ("mqtt_listen", "127.0.0.1:0"),
        ("bus.url", &*nats.url()),
        ("bus.credentials_file", secret.path().to_str().unwrap()),
    ];
    let one = TestApp::on(Engine::Postgres, &database, &settings).await;
    let two = TestApp::on(Engine::Postgres, &database, &settings).await;
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    let mut wire = Wire::listen(&one, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    at(&two, &ada).write(&bob, "hello").await;
    assert_eq!(wire.envelope().await.1["seq"], 1);
    let error = refused(&settings[..2]).await;
    assert!(error.contains("bus.url"), "{error}");
}

#[tokio::test]
async fn a_credentials_file_that_cannot_be_used_is_named() {
    if app::database(Engine::Postgres).await.is_none() {
        return;
    }
    let file = NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    let settings = [("bus.url", "nats://127.0.0.1:9"), ("bus.credentials_file", path)];
    let error = refused(&settings).await;
    assert!(error.contains("bus.credentials_file"), "it holds no credentials: {error}");
    fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
    let error = refused(&settings).await;
    assert!(error.contains("bus.credentials_file") && error.contains("chmod"), "{error}");
}

#[tokio::test]
async fn nodes_behind_a_pooler_need_no_way_past_it() {
    let Some(nats) = NatsServer::start(&[]).await else { return };
    let Some(database) = app::database(Engine::Postgres).await else { return };
    // A first start migrates.
    TestApp::on(Engine::Postgres, &database, &[]).await.server.stop().await;
    let url = database.clone();
    let pooled = tokio::task::spawn_blocking(move || Some(pooler(&url)?.url(&url)));
    let Some(pooled) = pooled.await.unwrap() else { return };
    let bus = nats.url();
    let mut settings = through(&pooled, &database).to_vec();
    settings.extend([("bus.url", &*bus), ("mqtt_listen", "127.0.0.1:0")]);
    settings.retain(|(name, _)| *name != "database.direct_url");
    let one = TestApp::on(Engine::Postgres, &pooled, &settings).await;
    let two = TestApp::on(Engine::Postgres, &pooled, &settings).await;
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    let mut wire = Wire::listen(&one, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    at(&two, &ada).write(&bob, "hello").await;
    assert_eq!(wire.envelope().await.1["seq"], 1);
}
