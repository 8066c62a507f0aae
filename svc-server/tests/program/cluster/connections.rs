//! Others that take all connections of PostgreSQL.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use postgres::{Client, Config, NoTls};
use svc_server::testing::until;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::sleep;

use super::row::address;

/// What these connections are called.
const NAME: &str = "greedy";

const END_OTHERS: &str = "select pg_terminate_backend(pid) from pg_stat_activity
    where usename = 'svc' and application_name <> 'greedy'";

/// All connections that ordinary users may have.
pub(super) struct Connections {
    end: Arc<AtomicBool>,
    are_all: Arc<AtomicBool>,
    task: JoinHandle<()>,
}

impl Connections {
    /// Takes all that there are at this member, also those that the nodes have.
    pub(super) async fn exhaust(member: &str) -> Self {
        let (end, are_all) = <(Arc<AtomicBool>, Arc<AtomicBool>)>::default();
        let host = address(member);
        let (stop, full) = (Arc::clone(&end), Arc::clone(&are_all));
        let task = spawn_blocking(move || take(&host, &stop, &full));
        let connections = Self { end, are_all, task };
        until("all connections are taken", async || {
            sleep(Duration::from_millis(10)).await;
            connections.are_all.load(Ordering::Relaxed)
        })
        .await;
        connections
    }

    /// Gives them back.
    pub(super) async fn free(self) {
        self.end.store(true, Ordering::Relaxed);
        self.task.await.unwrap();
    }
}

/// Takes connections until all are its own, and those that come free.
fn take(host: &str, end: &AtomicBool, are_all: &AtomicBool) {
    let of = |user: &str, database: &str| {
        let mut config = Config::new();
        config.host(host).user(user).dbname(database).application_name(NAME);
        config.connect(NoTls)
    };
    let mut superuser = of("postgres", "postgres").unwrap();
    let mut taken: Vec<Client> = Vec::new();
    while !end.load(Ordering::Relaxed) {
        while let Ok(client) = of("svc", "svc") {
            taken.push(client);
        }
        let ended = superuser.query(END_OTHERS, &[]).unwrap().len();
        are_all.fetch_or(ended == 0, Ordering::Relaxed);
    }
}
