//! Failures that each test run tries: of nodes, of the primary and its standby, of etcd, and cut links.

use std::time::Duration;

use svc_server::testing::until;
use tokio::time::sleep;

use super::mqtt_listener::MqttListener;
use super::row::{Row, address, slack};
use super::{AT_ONCE, NO_PAUSE, WATCHED};

rows! {
    events_of_all_nodes_are_heard_at_once => nothing;
    the_other_nodes_do_not_notice_when_a_node_is_killed => kill_node;
    no_request_fails_while_all_nodes_are_restarted => restart_nodes;
    writes_go_on_15_s_after_the_primary_was_killed => kill_primary;
    writes_go_on_35_s_after_the_primary_froze => freeze_primary;
    writes_go_on_20_s_after_the_synchronous_standby_froze => freeze_standby;
    writes_go_on_while_one_etcd_is_down => kill_one_etcd;
    writes_go_on_while_etcd_is_down => kill_etcd;
    writes_go_on_35_s_after_the_primary_was_cut_off => cut_primary;
    a_node_cut_off_from_postgres_is_replaced_by_others => cut_node;
    clients_of_a_broker_hear_again_5_s_after_its_node_was_killed => kill_broker;
}

pub(super) async fn nothing(mut row: Row) {
    row.begin_fault();
    row.flows_within(NO_PAUSE).await;
    row.events_are_heard(50, Duration::from_millis(20));
    row.events_are_heard(99, Duration::from_millis(200));
    row.ends().await;
}

async fn kill_node(mut row: Row) {
    row.write_at("node2").await;
    for _ in 0..5 {
        row.run(&["kill", "node1"]);
        assert_eq!(row.cluster.state("node1"), "down");
        row.run(&["start", "node1"]);
        row.cluster.waits_for("node1", "ready").await;
    }
    row.ends_without_failures().await;
}

async fn restart_nodes(mut row: Row) {
    for node in ["node1", "node2", "node3"] {
        row.run(&["stop", node]);
        row.cluster.waits_for(node, "down").await;
        row.run(&["start", node]);
        row.cluster.waits_for(node, "ready").await;
    }
    row.ends_without_failures().await;
}

async fn kill_primary(mut row: Row) {
    let primary = row.cluster.member("primary");
    row.run(&["kill", &primary]);
    row.flows_within(Duration::from_secs(15)).await;
    row.ends().await;
}

/// The machine hangs. When it goes on, it does not know that it is not the primary any more. Its watchdog has
/// ended Patroni: one that goes on in the middle of a renewal may take its place back (see the guide).
async fn freeze_primary(mut row: Row) {
    let [primary, patroni] = row.cluster.machine("primary");
    row.run(&["freeze", &primary, &patroni]);
    row.flows_within(Duration::from_secs(35)).await;
    row.failures_are_fast_after(Duration::from_secs(8), AT_ONCE);
    row.run(&["kill", &patroni]);
    row.run(&["thaw", &primary]);
    row.flows_within(NO_PAUSE).await;
    row.run(&["start", &patroni]);
    row.flows_within(NO_PAUSE).await;
    row.ends().await;
}

async fn freeze_standby(mut row: Row) {
    let [standby, patroni] = row.cluster.machine("synchronous");
    row.run(&["freeze", &standby, &patroni]);
    row.flows_within(Duration::from_secs(20)).await;
    row.ends().await;
}

async fn kill_one_etcd(mut row: Row) {
    row.run(&["kill", "etcd1"]);
    row.flows_within(NO_PAUSE).await;
    row.ends().await;
}

/// For longer than a primary keeps its place without etcd.
async fn kill_etcd(mut row: Row) {
    row.run(&["kill", "etcd1", "etcd2", "etcd3"]);
    for _ in 0..3 {
        row.flows_within(NO_PAUSE).await;
    }
    row.run(&["start", "etcd1", "etcd2", "etcd3"]);
    row.flows_within(NO_PAUSE).await;
    row.ends().await;
}

async fn cut_primary(mut row: Row) {
    let primary = row.cluster.member("primary");
    row.run(&["cut", &format!("{primary}-etcd"), "postgres-postgres"]);
    row.flows_within(Duration::from_secs(35)).await;
    row.run(&["heal"]);
    row.flows_within(Duration::from_secs(20)).await;
    row.ends().await;
}

async fn cut_node(mut row: Row) {
    row.run(&["cut", "node1-postgres"]);
    row.flows_within(Duration::from_secs(8)).await;
    assert_eq!(row.cluster.state("node1"), "up");
    row.run(&["heal"]);
    row.cluster.waits_for("node1", "ready").await;
    row.ends().await;
}

/// Each of three clients is at another node, as the balancer spreads them.
async fn kill_broker(mut row: Row) {
    let (bob, host) = (row.world.bob(&row.cluster), address("haproxy"));
    let mut listeners = Vec::new();
    for name in ["one", "two", "three"] {
        let key = row.world.bob_key();
        let listener = MqttListener::start(&host, name, &bob, key).await;
        until("it hears", async || listener.has_heard()).await;
        listeners.push(listener);
    }
    row.run(&["kill", "node1"]);
    sleep(WATCHED).await;
    let moved = listeners.iter().filter(|listener| listener.connections() > 1).count();
    assert_ne!(moved, 0, "one was at that node");
    let silence = listeners.iter().map(|listener| listener.silence_since(row.injected)).max();
    row.report(&format!("{:.1} s without an event at most", silence.unwrap().as_secs_f32()));
    assert!(silence <= Some(Duration::from_secs(5) * slack()), "{silence:?}");
    row.ends().await;
}
