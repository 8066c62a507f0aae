//! Prometheus metrics on a separate address.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;
use svc_store::clock::Clock;
use svc_store::db::Db;
use svc_store::error::{Error, Result};
use svc_store::panics::caught_now;
use svc_types::Timestamp;
use tokio_util::sync::CancellationToken;

use super::listen::Taken;
use super::{help, listen};
use crate::app::ServerApp;
use crate::backup::due;

/// Upper bounds of the latency histogram's buckets, in seconds.
const LATENCY_BUCKETS: &[f64] =
    &[0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0];

/// Interval at which the lag of the event loop is measured and histograms are compacted.
const UPKEEP: Duration = Duration::from_secs(1);

/// Serves `/metrics` until `stop` is cancelled; the answer is the address. Each metric is labelled with
/// the number of the node.
pub(crate) fn start(taken: Taken, app: &ServerApp, stop: CancellationToken) -> Result<SocketAddr> {
    let latency = Matcher::Suffix("_seconds".to_owned());
    let recorder = PrometheusBuilder::new()
        .add_global_label("node", app.node.number().to_string())
        .set_buckets_for_metric(latency, LATENCY_BUCKETS)
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(Error::internal)?;
    let bound = taken.address()?;
    let listener = taken.listen()?;
    help::describe();
    metrics::gauge!("svc_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    let (handle, process) = (recorder.clone(), Collector::default());
    process.describe();
    let (data_dir, clock, db) = (app.config.data_dir.clone(), app.clock.clone(), app.db.clone());
    let render = move || async move {
        process.collect();
        note_time(&clock);
        note_room(&data_dir);
        note_connections(&db);
        let Some(due) = due::read(&data_dir) else { return without_due(&handle.render()) };
        metrics::gauge!("svc_backup_due_timestamp_seconds").set(due);
        handle.render()
    };
    let router = Router::new().route("/metrics", get(render));
    app.loops.run("metrics", listen::serve(listener, router, app.config.limits.clone(), stop));
    app.loops.run("metrics_upkeep", upkeep(recorder));
    Ok(bound)
}

/// Sets the time of this node, which Prometheus compares with its own. On SQLite it stands still after the clock of the
/// machine was set back.
fn note_time(clock: &Clock) {
    let since = clock.now().since(Timestamp::from_millis(0));
    metrics::gauge!("svc_clock_timestamp_seconds").set(since.as_secs_f64());
}

/// Sets how many connections to PostgreSQL there are.
fn note_connections(db: &Db) {
    let Some([busy, idle]) = db.connections() else { return };
    for (state, count) in [("busy", busy), ("idle", idle)] {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        metrics::gauge!("svc_database_connections", "state" => state).set(f64::from(count));
    }
}

/// Sets how much room there is where the data is.
fn note_room(data_dir: &Path) {
    let Ok(disk) = rustix::fs::statvfs(data_dir) else { return };
    metrics::gauge!("svc_disk_free_bytes").set(bytes(disk.f_bavail, disk.f_frsize));
    metrics::gauge!("svc_disk_size_bytes").set(bytes(disk.f_blocks, disk.f_frsize));
}

#[expect(clippy::cast_precision_loss, reason = "a few bytes of a large disk do not matter")]
const fn bytes(blocks: u64, each: u64) -> f64 {
    blocks.saturating_mul(each) as f64
}

/// The metrics without the time of a backup, once the schedule has ended: a gauge keeps its last value.
fn without_due(text: &str) -> String {
    let is_other = |line: &&str| !line.contains("svc_backup_due_timestamp_seconds");
    text.split_inclusive('\n').filter(is_other).collect()
}

/// Measures the lag of the event loop by how late a timer fires.
async fn upkeep(recorder: PrometheusHandle) {
    loop {
        let due = tokio::time::Instant::now() + UPKEEP;
        tokio::time::sleep_until(due).await;
        metrics::gauge!("svc_event_loop_lag_seconds").set(due.elapsed().as_secs_f64());
        if let Err(error) = caught_now(|| recorder.run_upkeep()) {
            tracing::error!(%error, "failed to compact the metrics");
        }
    }
}
