//! Failures that `.ci/run cluster-long` tries besides those of each run: disks, clocks, connections.

use std::time::Duration;

use svc_client::Client;
use svc_client::types::Code;
use svc_client::types::api::scheduled::ScheduledStatus;
use svc_store::clock::Clock;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::connections::Connections;
use super::row::{Row, at};
use super::{AT_ONCE, NO_PAUSE, WATCHED};
use crate::load::Entrance;

/// How long connections are exhausted.
const EXHAUSTED: Duration = Duration::from_secs(10);

/// How far a correct clock may be from ours.
const CLOSE: Duration = Duration::from_secs(30);

/// When a scheduled post is due: after the post window, which is 30 minutes, and before a clock that is ahead.
const DUE: Duration = Duration::from_mins(50);

/// Wrong passwords that an account may get.
const WRONG_PASSWORDS: usize = 5;

rows! {
    a_full_disk_of_the_primary_is_told_and_writes_go_on_30_s_after_there_is_room => fill_primary;
    writes_go_on_2_s_after_connections_are_free_again => exhaust_connections;
    a_node_whose_clock_is_an_hour_off_moves_no_time => skew_node;
}

/// Writes that need room are refused at once, or the primary ends because its log needs some, and a standby takes its
/// place.
async fn fill_primary(mut row: Row) {
    let (settled, primary) = (Duration::from_secs(35), row.cluster.member("primary"));
    row.run(&["fill", &primary]);
    sleep(settled + WATCHED).await;
    row.failures_are_fast_after(settled, AT_ONCE);
    row.failures_say_after(settled, "503 storage_full");
    row.run(&["heal"]);
    row.flows_within(Duration::from_secs(30)).await;
    row.ends().await;
}

async fn exhaust_connections(mut row: Row) {
    let primary = row.cluster.member("primary");
    row.begin_fault();
    let connections = Connections::exhaust(&primary).await;
    sleep(EXHAUSTED).await;
    row.failures_are_fast_after(NO_PAUSE, AT_ONCE);
    row.failures_say_after(NO_PAUSE, "503 ");
    connections.free().await;
    row.begin_fault();
    row.flows_within(NO_PAUSE).await;
    row.ends().await;
}

async fn skew_node(mut row: Row) {
    for (offset, name) in [("+1h", "ahead"), ("-1h", "behind")] {
        row.run(&["skew", "node1", offset]);
        row.cluster.waits_for("node1", "ready").await;
        guesses_are_counted_in_one_window(&row.new_name(name)).await;
        challenges_end_at_the_same_time(&row.new_name(&format!("prover{name}"))).await;
        no_post_is_early(&row.world.ada(&at("node1"))).await;
    }
    row.ends().await;
}

/// The post of this row's beginning is minutes old, so neither may another follow, nor a scheduled one be published.
async fn no_post_is_early(ada: &Client) {
    let refusal = ada.posts().create("at once").await.unwrap_err();
    assert_eq!(refusal.code(), Some(&Code::RateLimited), "{refusal}");
    let now = Clock::system().now();
    let call = ada.scheduled_posts().create("later", now.plus(DUE));
    let post = call.await.unwrap().scheduled_post;
    assert!(post.created_at >= now.minus(CLOSE) && post.created_at <= now.plus(CLOSE), "{post:?}");
    // Nodes look for what is due every few seconds.
    sleep(WATCHED).await;
    let post = ada.scheduled_posts().get(post.id).await.unwrap().scheduled_post;
    assert_eq!(post.status, ScheduledStatus::Scheduled);
    ada.scheduled_posts().delete(post.id).await.unwrap();
}

/// All nodes count in the same window.
async fn guesses_are_counted_in_one_window(name: &str) {
    let (right, wrong) = (at("node2").client(), at("node1").client());
    let password = "correct horse battery";
    let mail = format!("{name}@example.org");
    right.auth().register_person(name, mail, password).await.unwrap();
    for _ in 0..WRONG_PASSWORDS {
        let refusal = right.auth().login(name, "a wrong one").await.unwrap_err();
        assert_eq!(refusal.code(), Some(&Code::InvalidCredentials), "{refusal}");
    }
    let refusal = wrong.auth().login(name, password).await.unwrap_err();
    assert_eq!(refusal.code(), Some(&Code::RateLimited), "{refusal}");
}

/// Each node judges a challenge of another by the time at which it was made.
async fn challenges_end_at_the_same_time(name: &str) {
    let (right, wrong) = (at("node2").client(), at("node1").client());
    let (mail, password) = (format!("{name}@example.org"), "correct horse battery");
    right.auth().register_person(name, mail, password).await.unwrap();
    for (asked, judging) in [(&right, &wrong), (&wrong, &right)] {
        let challenge = asked.auth().challenge().await.unwrap();
        let solving = spawn_blocking(move || svc_client::solve(&challenge));
        let proof = solving.await.unwrap().expect("it takes a few seconds");
        judging.auth().login(name, password).proof(proof).await.unwrap();
    }
}
