//! Assembles, starts and stops the server.

mod start;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use svc_core::config::{self, Config};
use svc_core::data_dir;
use svc_core::tasks::{flush, node};
use svc_store::clock::Clock;
use svc_store::db::{DatabaseUrl, Db, Settings};
use svc_store::error::{Error, Result};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use self::start::{Prepared, Serving, warn_of_new_log};
use crate::app::ServerApp;
use crate::demo::World;

/// How long a start that has failed waits until the node's number is given back.
const GIVE_BACK_TIME: Duration = Duration::from_secs(2);

/// A server that is running.
#[derive(Debug)]
pub struct Server {
    /// Where the API listens.
    pub address: SocketAddr,
    /// Where its MQTT broker listens, if it has one.
    pub mqtt: Option<SocketAddr>,
    /// The shared state, for commands and tests.
    pub app: Arc<ServerApp>,
    /// Stops the tasks, also when the server is dropped.
    stop: DropGuard,
    tasks: Vec<JoinHandle<()>>,
    /// Gives the node's number back, after the last task.
    leave: DropGuard,
    node: JoinHandle<()>,
    /// Follows other nodes, and sends them hints until the last commit.
    bus: JoinHandle<()>,
    /// Sends spans, until the last task has ended.
    traces: JoinHandle<()>,
}

impl Server {
    /// Opens the database, removes what expired while down, and listens.
    pub async fn start(config: Config, clock: Clock) -> Result<Self> {
        Self::start_in(config, clock, None).await
    }

    /// The same with sample data, whose services answer orders.
    pub async fn start_in(config: Config, clock: Clock, world: Option<World>) -> Result<Self> {
        let prepared = Box::pin(Prepared::open(config, clock)).await?;
        let (app, address) = (Arc::clone(&prepared.app), prepared.address);
        if app.erasures.prepare().await? && world.is_none() {
            warn_of_new_log(&app).await?;
        }
        node::join(&app).await?;
        // What follows may take longer than the lease of its number.
        let leave = CancellationToken::new();
        let node = app.loops.run("node", node::run(app.core(), leave.clone()));
        let leaving = leave.clone().drop_guard();
        match Box::pin(prepared.begin(world, leave)).await {
            Ok(Serving { mqtt, stop, tasks, bus, traces }) => {
                Ok(Self { address, mqtt, app, stop, tasks, leave: leaving, node, bus, traces })
            }
            Err(error) => {
                // The process ends next, and the number would stay taken until the lease ends.
                drop(leaving);
                _ = timeout(GIVE_BACK_TIME, node).await;
                Err(error)
            }
        }
    }

    /// The addresses, as the one line of `--print-addresses`.
    pub fn addresses(&self) -> String {
        let mqtt = self.mqtt.map(|address| format!(",\"mqtt\":\"{address}\"")).unwrap_or_default();
        format!("{{\"http\":\"{}\"{mqtt}}}", self.address)
    }

    /// How to sign in to the sample data in a browser, for the start-up message.
    pub fn invitation(&self) -> String {
        format!("open {}/ in a browser", self.app.public_url)
    }

    /// Says for `stop.delay` that it is not ready, while it answers requests as before, so that load
    /// balancers send it no more; then stops.
    pub async fn stop_after_delay(self) {
        self.app.refuse_readiness();
        if let Ok(delay) = self.app.config.stop_delay() {
            tokio::time::sleep(delay).await;
        }
        self.stop().await;
    }

    /// Stops accepting connections, waits for running requests and webhook calls, flushes view
    /// counts, and commits queued writes.
    pub async fn stop(self) {
        self.app.stop();
        drop(self.stop);
        for task in self.tasks {
            if let Err(error) = task.await {
                tracing::error!(%error, "a task of the server failed");
            }
        }
        flush::once_or_warn(&self.app).await;
        drop(self.leave);
        if let Err(error) = self.bus.await {
            tracing::error!(%error, "the bus failed");
        }
        if let Err(error) = self.node.await {
            tracing::error!(%error, "the node's number could not be given back");
        }
        if let Err(error) = self.traces.await {
            tracing::error!(%error, "the last spans could not be sent");
        }
        let db = self.app.db.clone();
        if let Err(error) = tokio::task::spawn_blocking(move || db.close()).await {
            tracing::error!(%error, "the database could not be closed");
        }
    }
}

/// The filter of the log. Three libraries are left out unless the setting names them: that under `/mcp` logs
/// each request again, with names that hosts choose, that of NATS each failure to connect, and that of S3 each
/// request that it repeats.
pub fn log_filter(config: &Config) -> Result<EnvFilter> {
    refuse_unknown_level(&config.log)?;
    let filter: EnvFilter =
        config.log.parse().map_err(|error| Error::setup(format!("log: {error}")))?;
    let quiet = [
        ("rmcp", "rmcp=error"),
        ("async_nats", "async_nats=off"),
        ("object_store", "object_store=off"),
    ];
    quiet.iter().filter(|(library, _)| !config.log.contains(library)).try_fold(
        filter,
        |filter, (_, directive)| {
            Ok(filter.add_directive(directive.parse().map_err(Error::internal)?))
        },
    )
}

/// Files of a process besides connections of its clients, such as those of its database and its calls of webhooks.
const OTHER_FILES: u64 = 1_000;

/// Has the system allow as many open files as the limits of connections need. Most allow 1,024 at first, which one
/// visitor could use up.
pub fn allow_files(config: &Config) {
    let clients = config.limits.connections.saturating_add(config.limits.mqtt.connections);
    let wanted = u64::try_from(clients).unwrap_or(u64::MAX).saturating_add(OTHER_FILES);
    let limit = getrlimit(Resource::Nofile);
    let allowed = limit.maximum.map_or(wanted, |most| most.min(wanted));
    if limit.current.is_some_and(|current| current < allowed) {
        // Where it is refused, further connections wait until others end, and the log says so.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(allowed), ..limit });
    }
}

/// Warns of secrets that every user of the machine can read. It refuses nothing, because servers have run like this.
pub fn warn_of_open_settings(file: &Path) -> Result<()> {
    // In this order: a pipe can be read only once.
    if data_dir::is_open_to_all(file) && config::holds_secret(file).map_err(Error::internal)? {
        let file = file.display();
        tracing::warn!("others may read or write {file}, which holds a secret: chmod o= {file}");
    }
    Ok(())
}

/// A word that is not a level would count as the name of a library: nothing else would be logged. An empty setting,
/// such as a variable without a value, would leave only errors.
fn refuse_unknown_level(filter: &str) -> Result<()> {
    let mut words = filter.split(',').map(str::trim).filter(|part| !part.contains(['=', '[']));
    let is_known = |word: &str| word.starts_with("svc") || word.parse::<LevelFilter>().is_ok();
    let why = match words.find(|&word| !is_known(word)) {
        _ if filter.trim().is_empty() => "it is empty".to_owned(),
        Some(word) => format!("{word} is not a level"),
        None => return Ok(()),
    };
    Err(Error::setup(format!(
        "log: {why}; it must be off, error, warn, info, debug or trace, or a part of the program with its level, such \
         as svc_server=debug"
    )))
}

/// Makes sure that there is a database for a command. An empty database in a wrong folder would pass for the server's,
/// and a backup of it for a backup.
pub fn find(config: &Config) -> Result<()> {
    if let DatabaseUrl::Sqlite(file) = config.database_url().map_err(Error::internal)? {
        let place = file.display();
        let is_there = file.try_exists().map_err(|error| {
            Error::setup(format!("can't open {place}: {error}; run this as the server's user"))
        })?;
        if !is_there {
            return Err(Error::setup(format!(
                "there is no database at {place}: name the server's by --config, --data-dir or --database-url"
            )));
        }
    }
    data_dir::make(config)
}

/// Opens the database of these settings, whose tables it creates or updates, on a thread that may block.
pub async fn open(config: &Config, clock: &Clock) -> Result<Db> {
    data_dir::make_folder(&config.data_dir)?;
    open_by(config.database().map_err(Error::internal)?, clock).await
}

/// Opens it with its replicas.
async fn open_to_serve(config: &Config, clock: &Clock) -> Result<Db> {
    data_dir::make_folder(&config.data_dir)?;
    let mut settings = config.database().map_err(Error::internal)?;
    settings.replicas = config.replicas().map_err(Error::internal)?;
    open_by(settings, clock).await
}

/// Opens an existing database for a command. It creates and migrates nothing, because a server of an earlier version
/// may run on it; it refuses the tables of such a server.
pub async fn open_as_it_is(config: &Config, clock: &Clock) -> Result<Db> {
    let mut settings = config.database().map_err(Error::internal)?;
    settings.migrate = false;
    open_by(settings, clock).await
}

async fn open_by(settings: Settings, clock: &Clock) -> Result<Db> {
    let clock = clock.clone();
    let opened = tokio::task::spawn_blocking(move || Db::open(&settings, &clock));
    opened.await.map_err(Error::internal)?
}
