//! Nodes that share a database: the numbers in their ids, and what only one of them does.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use futures_util::future::BoxFuture;
use metrics_exporter_prometheus::PrometheusBuilder;
use svc_client::Client;
use svc_client::types::id;
use svc_core::bus::Carrier;
use svc_core::services::search;
use svc_core::tasks::bus::Follower;
use svc_core::tasks::{node, sealing};
use svc_server::testing::{Engine, TestServer, until};
use svc_store::db::{Signal, Sql};
use svc_store::error::Result;
use svc_store::{sql, values};
use tokio::sync::mpsc::Sender;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::app::{TestApp, lasting_database};
use crate::held::Held;

/// The number of the node that made an id.
fn node_of(id: &str) -> u64 {
    id::number(id).unwrap() >> 15 & 63
}

/// Why a server is not ready, if it isn't.
async fn unready(server: &TestServer) -> Option<String> {
    let client = Client::builder(server.url()).build().unwrap();
    let error = client.health().ready().no_retry().await.err()?;
    Some(error.to_string())
}

async fn registered(server: &TestServer, name: &str) -> u64 {
    let client = Client::builder(server.url()).build().unwrap();
    let account = client.auth().register_agent(name).await.unwrap().user.id;
    node_of(account.as_str())
}

#[tokio::test]
async fn each_node_makes_ids_of_its_own() {
    let Some(database) = Engine::Postgres.database() else { return };
    let one = TestServer::start_with(&database, &[]).await;
    let two = TestServer::start_with(&database, &[]).await;
    assert_eq!((registered(&one, "ada").await, registered(&two, "bob").await), (0, 1));
    one.stop().await;
    let three = TestServer::start_with(&database, &[]).await;
    assert_eq!(registered(&three, "cyd").await, 0, "a number that was given back is free");
}

#[tokio::test]
async fn a_node_whose_number_was_taken_gets_another() {
    let Some(database) = Engine::Postgres.database() else { return };
    let server = TestServer::start_with(&database, &[]).await;
    let take = sql!("update node set holder = 'another' where number = 0");
    server.app().write(move |ctx| ctx.tx.execute(take, values![])).await.unwrap();
    node::renew(server.app()).await.unwrap();
    assert_eq!(registered(&server, "ada").await, 1);
    let forget = sql!("update node set seen_at = clock_timestamp() - interval '11 s'");
    server.app().write(move |ctx| ctx.tx.execute(forget, values![])).await.unwrap();
    node::renew(server.app()).await.unwrap();
    assert_eq!(registered(&server, "bob").await, 1, "nobody took it meanwhile");
}

/// A carrier whose library panics when it first listens.
struct Fragile(Arc<AtomicUsize>);

impl Carrier for Fragile {
    fn send<'a>(&'a self, _: &'a [String]) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    fn listen(&self, out: Sender<Signal>) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if self.0.fetch_add(1, Ordering::Relaxed) == 0 {
                resume_unwind(Box::new("the library goes"));
            }
            let _ = out.send(Signal::Connected).await;
            out.closed().await;
        })
    }
}

#[tokio::test]
async fn a_node_listens_again_after_a_panic_in_what_carries_hints() {
    let server = TestServer::start().await;
    let (listened, stop) = (Arc::new(AtomicUsize::new(0)), CancellationToken::new());
    let carrier = Box::new(Fragile(Arc::clone(&listened)));
    let follower = Follower::start(&server.app().core(), Some(carrier)).await.unwrap();
    let following = tokio::spawn(follower.run(stop.clone()));
    until("it listens again", async || listened.load(Ordering::Relaxed) == 2).await;
    assert!(!following.is_finished(), "and it goes on to look which rights ended");
    stop.cancel();
    following.await.unwrap();
}

#[tokio::test]
async fn ids_are_larger_than_those_of_every_table() {
    let server = TestServer::start().await;
    // The entry of a session in the security log has a later id; that of a family is random, and figures
    // have the ids of what they are about. Disputes and other objects of a provider have its ids.
    let tables = sql!(
        "select m.name from sqlite_master m join pragma_table_info(m.name) c
         where m.type = 'table' and c.name = 'id' and c.type = 'TEXT'
            and m.name not in ('ledger_account', 'sealing_key', 'search_queue', 'search_doc',
                'service_request', 'session', 'oauth_family', 'figure', 'money_account',
                'payment_dispute', 'invoice_dispute', 'provider_object', 'subscription_invoice')"
    );
    let tables = server.app().read(move |ctx| ctx.tx.all::<String>(tables, values![]));
    for table in tables.await.unwrap() {
        let text = node::LATEST.text();
        let largest = format!("select max(id) from {table}");
        assert!(text.lines().any(|line| line.ends_with(&largest)), "{table}");
    }
}

/// A repost exists only as an entry of timelines, where a restarted server must find the latest id, too.
async fn goes_on_behind_a_repost(engine: Engine) {
    let folder = tempfile::tempdir().unwrap();
    let Some(database) = lasting_database(engine, folder.path()).await else { return };
    let app = TestApp::on(engine, &database, &[]).await;
    let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
    app.follow(&bob, &ada).await;
    app.follow(&bob, &eve).await;
    let post = ada.post("first").await;
    app.advance(3600);
    ada.client.reactions().repost(&post.id).await.unwrap();
    app.server.stop().await;
    // Its clock is an hour behind.
    let app = TestApp::on(engine, &database, &[]).await;
    app.client(eve.key).posts().create("last").await.unwrap();
    let shown = app.client(bob.key).feed().home().await.unwrap().posts;
    let shown: Vec<&str> = shown.iter().map(|post| &*post.content).collect();
    assert_eq!(shown, ["last", "first"]);
}

#[tokio::test]
async fn a_post_after_a_restart_is_newer_than_a_repost_before_it_on_sqlite() {
    Box::pin(goes_on_behind_a_repost(Engine::Sqlite)).await;
}

#[tokio::test]
async fn a_post_after_a_restart_is_newer_than_a_repost_before_it_on_postgres() {
    Box::pin(goes_on_behind_a_repost(Engine::Postgres)).await;
}

#[tokio::test]
async fn the_last_use_of_a_key_is_the_latest_on_any_node() {
    let Some(database) = Engine::Postgres.database() else { return };
    let one = TestApp::on(Engine::Postgres, &database, &[]).await;
    let two = TestApp::on(Engine::Postgres, &database, &[]).await;
    let ada = one.agent("ada").await;
    ada.client.users().me().await.unwrap();
    two.advance(120);
    let latest = two.server.clock().now().as_millis();
    two.client(ada.key).users().me().await.unwrap();
    two.server.flush().await;
    one.server.flush().await;
    assert_eq!(one.count(sql!("select last_used_at from api_key")).await, latest);
}

#[tokio::test]
async fn a_server_on_sqlite_is_node_0() {
    let server = TestServer::start().await;
    assert_eq!(registered(&server, "ada").await, 0);
}

#[tokio::test]
async fn a_node_without_a_bus_is_alone() {
    let Some(database) = Engine::Postgres.database() else { return };
    let alone = [("bus.url", "none")];
    let one = TestServer::start_with(&database, &alone).await;
    for settings in [&alone[..], &[]] {
        let refused = TestServer::try_start_with(&database, settings).await.unwrap_err();
        assert!(refused.is_setup(), "service managers do not start it again");
        assert!(refused.to_string().contains("bus.url"), "{refused}");
    }
    assert_eq!(registered(&one, "ada").await, 0, "the first one goes on");
    one.stop().await;
    let one = TestServer::start_with(&database, &[]).await;
    let two = TestServer::start_with(&database, &[]).await;
    let refused = TestServer::try_start_with(&database, &alone).await.unwrap_err();
    assert!(refused.is_setup() && refused.to_string().contains("postgres"), "{refused}");
    assert_eq!((registered(&one, "bob").await, registered(&two, "cyd").await), (0, 1));
}

#[tokio::test]
async fn nodes_have_the_same_bus() {
    let Some(database) = Engine::Postgres.database() else { return };
    // Nobody answers there, which stops no node.
    let nats = [("bus.url", "nats://svc:hidden@127.0.0.1:9")];
    let one = TestServer::start_with(&database, &[]).await;
    let refused = TestServer::try_start_with(&database, &nats).await.unwrap_err();
    assert!(refused.is_setup() && refused.to_string().contains("bus is postgres"), "{refused}");
    one.stop().await;
    let one = TestServer::start_with(&database, &nats).await;
    let two = TestServer::start_with(&database, &nats).await;
    let refused = TestServer::try_start_with(&database, &[]).await.unwrap_err();
    assert!(refused.is_setup() && refused.to_string().contains("bus is nats"), "{refused}");
    assert!(!refused.to_string().contains("hidden"), "{refused}");
    assert_eq!((registered(&one, "ada").await, registered(&two, "bob").await), (0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_keeps_its_number_while_it_does_what_fell_due() {
    let Some(database) = Engine::Postgres.database() else { return };
    let app = TestApp::on(Engine::Postgres, &database, &[]).await;
    app.agent("ada").await;
    let expired = sql!("insert into login_failure (id, scope, at) values ('lgf_1', 'so', 1)");
    app.execute(move |ctx| ctx.tx.execute(expired, &[])).await;
    let lock = sql!("update login_failure set scope = 'held' where id = 'lgf_1'");
    let held = Held::by(&app, move |ctx| ctx.tx.execute(lock, &[])).await;
    let renewed = async {
        let renewals = sql!("select count(*) from node where number = 1 and seen_at > started_at");
        until("its lease is renewed", async || app.count(renewals).await > 0).await;
        held.release().await;
    };
    let (other, ()) = tokio::join!(TestServer::start_with(&database, &[]), renewed);
    assert_eq!(registered(&other, "bob").await, 1);
}

#[tokio::test]
async fn a_start_that_fails_gives_its_number_back_before_it_ends() {
    let Some(database) = Engine::Postgres.database() else { return };
    let app = TestApp::on(Engine::Postgres, &database, &[]).await;
    app.agent("ada").await;
    let change = async |sql: Sql| {
        app.server.app().write(move |ctx| ctx.tx.execute(sql, &[])).await.unwrap();
    };
    // The start looks for overdue items in this table.
    change(sql!("alter table service_request rename to away")).await;
    let failed = TestServer::try_start_with(&database, &[]).await.unwrap_err();
    let numbers = app.count(sql!("select count(*) from node")).await;
    change(sql!("alter table away rename to service_request")).await;
    assert!(failed.to_string().contains("service_request"), "{failed}");
    assert_eq!(numbers, 1, "its own");
}

#[tokio::test]
async fn a_node_that_lacks_the_newest_key_of_the_others_is_not_ready() {
    let Some(database) = Engine::Postgres.database() else { return };
    let recorder = PrometheusBuilder::new().build_recorder();
    let _measuring = metrics::set_default_local_recorder(&recorder);
    let lacking = || {
        let text = recorder.handle().render();
        text.lines().any(|line| line == "svc_sealing_key_lacking 1")
    };
    let old = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    let both = format!("HwECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=,{old}");
    let one = TestServer::start_with(&database, &[("exchange.sealing_keys", old)]).await;
    sealing::once(one.app()).await.unwrap();
    assert_eq!(unready(&one).await, None);
    let two = TestServer::start_with(&database, &[("exchange.sealing_keys", &both)]).await;
    let is_noticed = async || {
        one.clock().advance(Duration::from_secs(10));
        unready(&one).await.is_some()
    };
    until("the node notices it", is_noticed).await;
    for (node, lacks) in [(&one, true), (&two, false)] {
        sealing::once(node.app()).await.unwrap();
        assert_eq!(lacking(), lacks);
    }
    let reason = unready(&one).await.unwrap();
    assert!(reason.contains("exchange.sealing_keys lacks"), "{reason}");
    assert_eq!(unready(&two).await, None);
    assert_eq!(registered(&one, "ada").await, 0, "running requests are still answered");
    one.stop().await;
    let one = TestServer::start_with(&database, &[("exchange.sealing_keys", &both)]).await;
    sealing::once(one.app()).await.unwrap();
    assert_eq!(unready(&one).await, None);
}

#[tokio::test]
async fn a_key_with_which_a_node_goes_on_to_encrypt_can_not_be_removed() {
    let Some(database) = Engine::Postgres.database() else { return };
    let old = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    let new = "HwECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    let (before, after) = (format!("{old},{new}"), format!("{new},{old}"));
    let one = TestServer::start_with(&database, &[("exchange.sealing_keys", &before)]).await;
    let two = TestServer::start_with(&database, &[("exchange.sealing_keys", &after)]).await;
    // What `webhooks reseal` does at its end.
    two.app().encrypt.forget_older(&two.app().db).await.unwrap();
    sealing::once(one.app()).await.unwrap();
    assert_eq!(unready(&one).await, None);
    two.stop().await;
    let only = [("exchange.sealing_keys", new)];
    let refused = TestServer::try_start_with(&database, &only).await.unwrap_err();
    assert!(refused.is_setup() && refused.to_string().contains("did not seal"), "{refused}");
}

#[tokio::test]
async fn metrics_show_how_long_hints_take_and_when_they_fail() {
    let Some(database) = Engine::Postgres.database() else { return };
    let recorder = PrometheusBuilder::new().build_recorder();
    let _measuring = metrics::set_default_local_recorder(&recorder);
    let value = |name: &str| {
        let text = recorder.handle().render();
        let found =
            text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<f64>().ok());
        found.unwrap_or_default()
    };
    let begun = Instant::now();
    let one = TestApp::on(Engine::Postgres, &database, &[]).await;
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    until("the node receives its own hints", async || {
        // It may not listen yet when the first is sent.
        bob.write(&ada, "psst").await;
        value("svc_bus_lag_seconds_count") > 0.0
    })
    .await;
    let took = value("svc_bus_lag_seconds_sum");
    assert!(took > 0.0 && took < begun.elapsed().as_secs_f64(), "{took} s");
    assert!(value("svc_bus_failed_total") < 1.0);
    one.server.stop().await;
    // Nobody answers there.
    let nats = [("bus.url", "nats://127.0.0.1:9")];
    let one = TestApp::on(Engine::Postgres, &database, &nats).await;
    let [cyd, dan] = one.agents(["cyd", "dan"]).await;
    cyd.write(&dan, "psst").await;
    until("hints have failed", async || value("svc_bus_failed_total") > 0.0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_node_waits_for_what_another_indexes() {
    let Some(database) = Engine::Postgres.database() else { return };
    let one = TestServer::start_with(&database, &[]).await;
    let two = TestServer::start_with(&database, &[]).await;
    registered(&one, "ada").await;
    let (announce, announced) = mpsc::channel();
    let (end, ended) = mpsc::channel::<()>();
    let app = Arc::clone(one.app());
    let indexing = app.write(move |ctx| {
        let indexed = search::index(ctx)?;
        announce.send(()).unwrap();
        // Until `end` is dropped.
        ended.recv().unwrap_err();
        Ok(indexed)
    });
    let other = async {
        tokio::task::spawn_blocking(move || announced.recv().unwrap()).await.unwrap();
        two.index().await;
        drop(end);
    };
    assert_eq!(tokio::join!(indexing, other).0.unwrap(), 1);
    assert!(!two.app().read(search::is_waiting).await.unwrap());
}
