//! Nodes on a database of their own, and what they use.

use std::net::{SocketAddr, TcpListener};
use std::ops::Sub;
use std::time::Instant;

use svc_server::testing::SEALING_KEY;
use svc_store::testing::postgres::Cluster;
use tempfile::TempDir;
use tokio::task::block_in_place;

use crate::cpu;
use crate::parts::deals::RICH;
use crate::parts::world::World;
use crate::process::Process;

/// Replies before the load: more than a page to each post.
const REPLIES: usize = 2_000;

/// Where the log of PostgreSQL ends, in bytes.
const LOG_END: &str = "select (pg_current_wal_insert_lsn() - '0/0')::float8";

/// Nodes on one new database.
pub(super) struct Scene<W = ()> {
    pub(super) nodes: Vec<Process>,
    pub(super) world: W,
    /// Where the first node says what it has counted.
    metrics: SocketAddr,
    cluster: &'static Cluster,
    /// The process of PostgreSQL.
    postgres: u32,
    began: Instant,
    folders: Vec<TempDir>,
}

/// What was used up to an instant, or between two: seconds of processors, and bytes of the log.
#[derive(Clone, Copy)]
pub(super) struct Usage {
    /// Time that passed.
    pub(super) seconds: f64,
    pub(super) nodes: f64,
    pub(super) postgres: f64,
    pub(super) generator: f64,
    pub(super) log_bytes: f64,
}

impl Sub for Usage {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self {
            seconds: self.seconds - earlier.seconds,
            nodes: self.nodes - earlier.nodes,
            postgres: self.postgres - earlier.postgres,
            generator: self.generator - earlier.generator,
            log_bytes: self.log_bytes - earlier.log_bytes,
        }
    }
}

impl Usage {
    /// How many processors each of the three kept busy.
    pub(super) fn processors(self) -> String {
        let [nodes, postgres, generator] =
            [self.nodes, self.postgres, self.generator].map(|used| used / self.seconds);
        format!("processors: nodes {nodes:.2}, PostgreSQL {postgres:.2}, generator {generator:.2}")
    }
}

impl Scene {
    /// Starts this many nodes with this bus. Each account has credits, and may post once a second.
    pub(super) fn start(cluster: &'static Cluster, postgres: u32, nodes: usize, bus: &str) -> Self {
        let began = Instant::now();
        let (database, bus) =
            (format!("database_url={}", cluster.database()), format!("bus.url={bus}"));
        let key = format!("exchange.sealing_keys={SEALING_KEY}");
        let metrics = free_address();
        let counting = format!("metrics_listen={metrics}");
        let usual: [&str; 6] =
            [&database, &bus, &key, "limits.posts.free_window=1s", RICH[0], RICH[1]];
        let folders = (0..nodes).map(|_| tempfile::tempdir().expect("a folder can be made"));
        let folders: Vec<TempDir> = folders.collect();
        let nodes = folders.iter().enumerate().map(|(number, folder)| {
            let counts = (number == 0).then_some(&*counting);
            let settings: Vec<&str> = usual.into_iter().chain(counts).collect();
            Process::server(folder.path(), &settings)
        });
        let nodes = nodes.collect();
        Self { nodes, world: (), metrics, cluster, postgres, began, folders }
    }

    /// The same with accounts and posts.
    pub(super) async fn with_world(self) -> Scene<World> {
        let world = World::new(&self.nodes[0], REPLIES).await;
        let Self { nodes, world: (), metrics, cluster, postgres, began, folders } = self;
        Scene { nodes, world, metrics, cluster, postgres, began, folders }
    }
}

impl<W> Scene<W> {
    /// The addresses of all nodes.
    pub(super) fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.address).collect()
    }

    /// Runs a load; its result, and what was used meanwhile.
    pub(super) async fn measured<T>(&self, load: impl Future<Output = T>) -> (T, Usage) {
        let before = self.usage();
        let done = load.await;
        (done, self.usage() - before)
    }

    fn usage(&self) -> Usage {
        Usage {
            seconds: self.began.elapsed().as_secs_f64(),
            nodes: self.nodes.iter().map(Process::cpu_seconds).sum(),
            postgres: cpu::seconds_with_children(self.postgres),
            generator: cpu::seconds(std::process::id()),
            log_bytes: block_in_place(|| self.cluster.value(LOG_END)),
        }
    }

    /// Round trips to PostgreSQL that the first node has counted.
    pub(super) async fn round_trips(&self) -> f64 {
        let told = reqwest::get(format!("http://{}/metrics", self.metrics)).await;
        let told = told.expect("metrics are served").text().await.expect("they are text");
        let counts =
            told.lines().filter(|line| line.starts_with("svc_database_round_trips_total{"));
        counts.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum()
    }
}

/// An address at which nobody listens.
pub(super) fn free_address() -> SocketAddr {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    free.local_addr().expect("a bound socket has an address")
}
