//! Standbys that answer reads of a server.

use std::process::Command;

use svc_server::testing::until;
use svc_store::testing::postgres::Cluster;
use tokio::task::spawn_blocking;

use crate::observability::metrics_address;
use crate::process::{Place, Server, http_client};

/// A primary and its standby, and where the database is on each.
async fn pair() -> Option<[(Cluster, String); 2]> {
    spawn_blocking(|| Cluster::with_standby("")).await.unwrap()
}

/// A server of this database with this replica.
fn program(place: &Place, database: &str, replica: &str) -> Command {
    let mut command = place.program();
    command.args(["--database-url", database, "--metrics-listen", "127.0.0.1:0"]);
    command.args(["--set", &format!("database.replicas={replica}")]);
    command
}

/// With which code a server does not start, and why.
fn refused(command: &mut Command) -> (Option<i32>, String) {
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// The value of a metric with this label, if it has one yet.
async fn metric(address: &str, name: &str, label: &str) -> Option<f64> {
    let http = http_client();
    let scraped = http.get(format!("http://{address}/metrics")).send().await.unwrap();
    let text = scraped.text().await.unwrap();
    let name = format!("{name}{{");
    let line = text.lines().find(|line| line.starts_with(&name) && line.contains(label))?;
    line.rsplit(' ').next()?.parse().ok()
}

/// Reads an account as a guest does.
async fn read(server: &Server) {
    let account = server.client().users().get("ada").await.unwrap().user;
    assert_eq!(account.username, "ada");
}

#[tokio::test]
async fn a_server_with_a_wrong_replica_exits_with_78_and_names_the_setting() {
    let place = Place::new();
    let mut on_sqlite = place.program();
    on_sqlite.args(["--set", "database.replicas=postgres://svc:hidden@db2/svc"]);
    let (code, message) = refused(&mut on_sqlite);
    assert_eq!(code, Some(78), "{message}");
    assert!(message.contains("database.replicas needs a PostgreSQL database"), "{message}");
    assert!(!message.contains("hidden"), "{message}");
    let Some([(_primary, database), _standby]) = pair().await else { return };
    let (code, message) = refused(&mut program(&place, &database, &database));
    assert_eq!(code, Some(78), "{message}");
    assert!(message.contains("database.replicas: ") && message.contains("a primary"), "{message}");
}

#[tokio::test]
async fn reads_go_on_when_a_replica_is_killed_and_metrics_show_it() {
    let Some([(primary, database), (standby, copy)]) = pair().await else { return };
    let place = Place::new();
    let server = place.serve_by(&mut program(&place, &database, &copy));
    server.client().auth().register_agent("ada").await.unwrap();
    let address = metrics_address(&place);
    let reads = async |place: &str| {
        let label = format!("place=\"{place}\"");
        metric(&address, "svc_database_reads_total", &label).await.unwrap_or_default()
    };
    until("the replica is read", async || {
        // It may not have replayed the account yet.
        let _ = server.client().users().get("ada").await;
        reads("replica").await > 0.0
    })
    .await;
    until("the lag of the replica is known", async || {
        let lag = metric(&address, "svc_replica_lag_seconds", "replica=\"1\"").await;
        lag.is_some_and(|lag| lag < 60.0)
    })
    .await;
    assert_eq!(metric(&address, "svc_database_timeline", "").await, Some(1.0));
    drop(standby);
    until("the log says that the replica is gone", async || {
        read(&server).await;
        place.log().contains("a replica does not answer")
    })
    .await;
    let before = reads("primary").await;
    read(&server).await;
    assert!(reads("primary").await > before);
    drop(primary);
    until("the metrics show that the primary is gone, too", async || {
        let failed = metric(&address, "svc_database_connects_failed_total", "").await;
        failed.is_some_and(|failed| failed > 0.0)
    })
    .await;
    server.kill();
}
