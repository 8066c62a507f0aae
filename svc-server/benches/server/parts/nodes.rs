//! Nodes on one PostgreSQL: what an act costs it, rows that many acts change, one node and three, and live
//! events from node to node.
//!
//! PostgreSQL and the load generator run on the same machine. Its processors are shared, so ratios of rates
//! compare what all of them take together; the notes say who took how much.

mod costs;
mod live;
mod nats;
mod rates;
mod scene;

use std::time::Instant;

use svc_store::testing::postgres;
use tokio::task::block_in_place;

use self::nats::Nats;
use self::scene::Scene;
use crate::table::Table;

/// Timed commits.
const COMMITS: usize = 200;

/// Commits something, and no more than that.
const COMMIT: &str = "select pg_logical_emit_message(true, 'bench', 'a commit')";

/// The settings on which the time of a commit depends.
const SETTINGS: &str = "
    select 'PostgreSQL ' || current_setting('server_version') || ': '
        || string_agg(name || ' ' || setting, ', ' order by name)
    from pg_settings
    where name in ('autovacuum', 'fsync', 'full_page_writes', 'synchronous_commit')";

pub(crate) async fn run(table: &mut Table) {
    let cluster = block_in_place(postgres::postgres);
    let Some((cluster, id)) = cluster.and_then(|cluster| Some((cluster, cluster.process()?)))
    else {
        eprintln!("  skipped: there is no PostgreSQL that this program could start");
        return;
    };
    commit_time(table, cluster);
    let scene = |nodes, bus: &str| block_in_place(|| Scene::start(cluster, id, nodes, bus));
    let alone = scene(1, "postgres").with_world().await;
    costs::run(table, &alone).await;
    rates::hot(table, &alone).await;
    let three = scene(3, "postgres").with_world().await;
    rates::one_and_three(table, &alone, &three).await;
    drop(alone);
    live::run(table, &three, "postgres").await;
    drop(three);
    if let Some(nats) = Nats::start().await {
        live::run(table, &scene(3, &nats.url()), "nats").await;
    }
}

/// What a commit takes here, to interpret the other figures.
fn commit_time(table: &mut Table, cluster: &'static postgres::Cluster) {
    let (times, settings): (Vec<f64>, String) = block_in_place(|| {
        let times = (0..COMMITS).map(|_| {
            let began = Instant::now();
            cluster.execute(COMMIT);
            began.elapsed().as_secs_f64() * 1000.0
        });
        (times.collect(), cluster.value(SETTINGS))
    });
    table.add("nodes: a commit, ms", "", times, settings);
}
