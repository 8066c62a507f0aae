//! The real server as a test fixture: port 0, a temporary database, a manual clock.

mod waiting;

use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use svc_core::config::Config;
use svc_core::passwords::Cost;
use svc_core::tasks::{embed, erase, flush, highlight, index, rankings, recover, sweep};
use svc_store::clock::Clock;
use svc_store::error::Result;
pub use svc_store::testing::START;
use svc_store::testing::pooler::pooler;
use tempfile::TempDir;

pub use self::waiting::{PATIENCE, found, found_by_thread, in_time, until};
use crate::Server;
use crate::admin::{self, Command, Line};
use crate::app::ServerApp;
use crate::mail::{self, Recorder};
use crate::{blobs, export};

/// The key file of tests that sell credits and need no Stripe.
const STRIPE_KEY: &str = "stripe.key";

/// The sealing key of all servers, so that those of one database share it.
pub const SEALING_KEY: &str = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=";

/// An address at which nobody listens.
const NOBODY: &str = "http://127.0.0.1:9";

/// A database engine to test on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A temporary SQLite file.
    Sqlite,
    /// A new database in a temporary PostgreSQL cluster.
    Postgres,
}

impl Engine {
    /// The URL of a new database; `None`, with a message on stderr, without PostgreSQL.
    pub fn database(self) -> Option<String> {
        match self {
            Self::Sqlite => Some("sqlite::memory:".to_owned()),
            Self::Postgres => svc_store::testing::postgres::postgres()
                .map(svc_store::testing::postgres::Cluster::database),
        }
    }

    /// Ends a database that no test asks again, on a thread of its own: PostgreSQL first waits for what
    /// is still connected to it.
    pub fn remove(self, database: String) {
        // A cluster that no test has asked for is not started to remove something.
        if self == Self::Postgres
            && let Some(cluster) = svc_store::testing::postgres::postgres()
        {
            thread::spawn(move || cluster.remove(&database));
        }
    }
}

/// The settings of a server that reaches a database through a pooler in transaction mode, which knows no
/// prepared statements.
pub const fn through<'a>(pooler: &'a str, database: &'a str) -> [(&'static str, &'a str); 3] {
    [
        ("database_url", pooler),
        ("database.direct_url", database),
        ("database.statements", "unnamed"),
    ]
}

/// The URL by which all tests go through a pooler, if `SVC_TEST_POOLER` asks for that.
fn through_pooler(database: &str) -> Option<String> {
    let is_asked = std::env::var_os("SVC_TEST_POOLER").is_some();
    let is_postgres = is_asked && database.starts_with("postgres");
    is_postgres.then(|| pooler(database).map(|pooler| pooler.url(database))).flatten()
}

/// The files that a test names by [`STRIPE_KEY`], and settings by which no call leaves the machine.
fn stripe_settings(folder: &Path, settings: &[(&str, &str)]) -> Vec<(String, String)> {
    const URL: &str = "billing.stripe.api_url";
    if !settings.contains(&("billing.stripe.key_file", STRIPE_KEY)) {
        return Vec::new();
    }
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        let written = fs::write(&path, text)
            .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(0o600)));
        written.expect("a test can write in its folder");
        path.display().to_string()
    };
    let url = settings.iter().find(|(name, _)| *name == URL).map_or(NOBODY, |(_, url)| *url);
    let own = [
        ("billing.stripe.key_file", file(STRIPE_KEY, "rk_test_0123456789")),
        ("billing.stripe.webhook_secret_files", file("stripe.secret", "whsec_0123456789")),
        (URL, url.to_owned()),
        ("billing.allow_test", "true".to_owned()),
    ];
    own.map(|(name, text)| (name.to_owned(), text)).to_vec()
}

/// A server of one test.
#[derive(Debug)]
pub struct TestServer {
    server: Server,
    /// The folder of its files.
    _folder: TempDir,
}

impl TestServer {
    /// A server on SQLite.
    pub async fn start() -> Self {
        Self::start_with("sqlite::memory:", &[]).await
    }

    /// A server on this database with these settings, such as `("limits.sign_up.count", "2")`.
    ///
    /// # Panics
    /// If it can't start.
    pub async fn start_with(database_url: &str, settings: &[(&str, &str)]) -> Self {
        let server = Self::try_start_with(database_url, settings).await;
        server.expect("a server can start on a fresh database")
    }

    /// The same, for a server that may refuse to start.
    ///
    /// # Panics
    /// If a setting is wrong.
    pub async fn try_start_with(database_url: &str, settings: &[(&str, &str)]) -> Result<Self> {
        // Each connection to PostgreSQL prepares every statement again; tests that race ask for more.
        let small = [("database.connections", "2"), ("database.readers", "2")];
        let pooled = through_pooler(database_url);
        let pooled = pooled.as_deref().map(|url| through(url, database_url));
        let direct = [("database_url", database_url)];
        let database = pooled.as_ref().map_or(&direct[..], |pooled| &pooled[..]);
        let own = [&[("listen", "127.0.0.1:0")], database].concat();
        // By default: no broker, no budgets, some credits, and time on a busy machine.
        let usual = [
            ("mqtt_listen", "off"),
            ("limits.request_timeout", "60s"),
            ("database.read_time_ms", "60000"),
            ("limits.budgets", "false"),
            ("exchange.signup_grant", "100"),
            ("exchange.grant_requires", "nothing"),
            ("exchange.sealing_keys", SEALING_KEY),
        ];
        let folder = TempDir::with_prefix("svc-server-").expect("there is a folder for tests");
        let log = folder.path().join("erasures.log");
        let log = [("backup.erasures", log.to_str().expect("its name is UTF-8"))];
        let own = [&own[..], &usual, &log].concat();
        let all = own.iter().chain(&small).chain(settings);
        let given = all.map(|(key, text)| ((*key).to_owned(), (*text).to_owned()));
        let overrides = given.chain(stripe_settings(folder.path(), settings)).collect();
        let mut config = Config::load(None, &overrides).expect("the settings of a test are valid");
        folder.path().clone_into(&mut config.data_dir);
        config.passwords.cost = Cost::TESTING;
        // On the heap, so that the futures of tests stay small.
        let server = Box::pin(Server::start(config, Clock::manual(START))).await?;
        Ok(Self { server, _folder: folder })
    }

    /// Base URL of the API.
    pub fn url(&self) -> String {
        format!("http://{}/api", self.server.address)
    }

    /// The address of the MQTT broker.
    ///
    /// # Panics
    /// If it has none.
    pub fn mqtt(&self) -> SocketAddr {
        self.server.mqtt.expect("the settings say where the broker listens")
    }

    /// The manual clock.
    pub fn clock(&self) -> &Clock {
        &self.server.app.clock
    }

    /// The server's state.
    pub fn app(&self) -> &Arc<ServerApp> {
        &self.server.app
    }

    /// Indexes pending writes for search and hashtags.
    ///
    /// # Panics
    /// If the database fails.
    pub async fn index(&self) {
        index::once(&self.server.app).await.expect("what waits to be indexed can be");
    }

    /// Highlights the code in posts that waits.
    ///
    /// # Panics
    /// If the database fails.
    pub async fn highlight(&self) {
        highlight::once(&self.server.app).await.expect("what waits can be highlighted");
    }

    /// Asks the embedder for the vectors of services that wait.
    ///
    /// # Panics
    /// If the database or the embedder fails.
    pub async fn embed(&self) {
        embed::once(&self.server.app).await.expect("services that wait can be embedded");
    }

    /// Deletes what has expired, such as stored answers to repeated requests.
    ///
    /// # Panics
    /// If the database fails.
    pub async fn sweep(&self) {
        sweep::once(&self.server.app).await.expect("what has expired can be deleted");
    }

    /// Flushes the collected view counts.
    ///
    /// # Panics
    /// If the database fails.
    pub async fn flush(&self) {
        flush::once(&self.server.app).await.expect("collected reads can be counted");
    }

    /// Recomputes the leaderboards.
    ///
    /// # Panics
    /// If the database fails.
    pub async fn rank(&self) {
        rankings::once(&self.server.app).await.expect("the leaderboards can be recomputed");
    }

    /// Records mails from now on instead of sending them.
    pub fn record_mails(&self) -> Recorder {
        self.server.app.mailer.record()
    }

    /// Sends all mails that are due.
    ///
    /// # Panics
    /// If the database fails.
    pub async fn send_mails(&self) {
        mail::once(&self.server.app).await.expect("waiting mails can be read");
    }

    /// Runs the recoveries of webhooks to their end.
    ///
    /// # Panics
    /// If the database fails.
    pub async fn recover(&self) {
        recover::once(&self.server.app).await.expect("recoveries can go on");
    }

    /// Erases deleted accounts that are due.
    ///
    /// # Panics
    /// If the database fails.
    pub async fn erase(&self) {
        erase::once(&self.server.app).await.expect("deleted accounts can be erased");
    }

    /// Makes the exports that wait.
    ///
    /// # Panics
    /// If the database fails.
    pub async fn export(&self) {
        export::once(&self.server.app).await.expect("exports can be made");
    }

    /// Deletes the objects of files that are due.
    ///
    /// # Panics
    /// If the database fails.
    pub async fn delete_objects(&self) {
        blobs::once(&self.server.app).await.expect("objects that are due can be deleted");
    }

    /// Runs an operator command.
    ///
    /// # Panics
    /// If it is refused.
    pub async fn admin(&self, command: Command) -> Vec<Line> {
        self.try_admin(&command).await.expect("the operator command succeeds")
    }

    /// Runs an operator command, which may be refused.
    pub async fn try_admin(&self, command: &Command) -> Result<Vec<Line>> {
        admin::run(&self.server.app, command).await
    }

    /// Stops the server as SIGTERM does.
    pub async fn stop(self) {
        self.server.stop().await;
    }
}
