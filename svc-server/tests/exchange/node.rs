//! A server without its timers: nothing moves by itself, so that a test decides who finds what is
//! overdue, and when. Everything else is the server's own: database, router, listener.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use svc_core::app::Ctx;
use svc_core::config::Config;
use svc_core::encryption::Encryption;
use svc_core::{audit, due};
use svc_server::admin::{self, Command};
use svc_server::app::ServerApp;
use svc_server::testing::{Engine, SEALING_KEY, START};
use svc_server::{http, server};
use svc_store::clock::Clock;
use svc_store::{sql, values};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::calls::Caller;

/// One server.
pub(crate) struct Node {
    pub(crate) app: Arc<ServerApp>,
    pub(crate) url: String,
    pub(crate) http: reqwest::Client,
    /// What answers, without a connection.
    pub(crate) router: Router,
    /// The listener ends with it.
    _stop: DropGuard,
    /// The folder of its files.
    _folder: TempDir,
}

impl Node {
    /// A server on a fresh database; `None`, with a message, where the engine is missing.
    pub(crate) async fn on(engine: Engine) -> Option<Self> {
        Self::with(engine, &[]).await
    }

    /// The same with more settings.
    pub(crate) async fn with(engine: Engine, settings: &[(&str, &str)]) -> Option<Self> {
        let database = fresh(engine).await?;
        Some(Self::start_with(&database, &Clock::manual(START), settings).await)
    }

    /// This many servers on one fresh database of PostgreSQL, with one clock.
    pub(crate) async fn several<const N: usize>() -> Option<[Self; N]> {
        let (database, clock) = (fresh(Engine::Postgres).await?, Clock::manual(START));
        let mut nodes = Vec::new();
        for number in (0..).take(N) {
            let node = Self::start(&database, &clock).await;
            // As if it had leased it: two nodes of one number make the same ids.
            node.app.ids.start(number, 0);
            nodes.push(node);
        }
        nodes.try_into().ok()
    }

    /// A server on PostgreSQL whose own clock, the machine's, is this far ahead of the database's.
    pub(crate) async fn ahead(seconds: i64) -> Option<Self> {
        let database = fresh(Engine::Postgres).await?;
        let first = Self::start(&database, &Clock::system()).await;
        first.app.write(move |ctx| set_back(ctx, seconds)).await.unwrap();
        Some(Self::start(&database, &Clock::system()).await)
    }

    async fn start(database: &str, clock: &Clock) -> Self {
        Self::start_with(database, clock, &[]).await
    }

    async fn start_with(database: &str, clock: &Clock, settings: &[(&str, &str)]) -> Self {
        let own = [
            ("listen", "127.0.0.1:0"),
            ("database_url", database),
            ("database.connections", "8"),
            ("database.readers", "2"),
            ("limits.budgets", "false"),
            ("exchange.sealing_keys", SEALING_KEY),
        ];
        let folder = TempDir::with_prefix("svc-node-").unwrap();
        let all = own.iter().chain(settings);
        let owned = all.map(|(key, text)| ((*key).to_owned(), (*text).to_owned()));
        let mut config = Config::load(None, &owned.collect()).unwrap();
        folder.path().clone_into(&mut config.data_dir);
        let db = server::open(&config, clock).await.unwrap();
        let listener = TcpListener::bind(config.listen).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seal = Encryption::open(&config, &db).await.unwrap();
        let limits = config.limits.clone();
        let app = ServerApp::new(db, clock.clone(), seal, config, url.clone());
        let stop = CancellationToken::new();
        let router = http::router(Arc::clone(&app));
        tokio::spawn(http::listen::serve(listener, router.clone(), limits, stop.clone()));
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let url = format!("{url}/api");
        Self { app, url, http, router, _stop: stop.drop_guard(), _folder: folder }
    }

    /// Moves the clock.
    pub(crate) fn advance(&self, by: Duration) {
        self.app.clock.advance(by);
    }

    /// Advances overdue items, as every server does once a second.
    pub(crate) async fn sweep(&self) {
        due::sweep(&self.app).await.unwrap();
    }

    /// Gives an account a role.
    pub(crate) async fn appoint(&self, who: &Caller, role: &str) {
        let command = Command::GrantRole { username: who.name.clone(), role: role.to_owned() };
        admin::run(&self.app, &command).await.unwrap();
    }

    /// Whether the ledger and all deals are in order.
    pub(crate) async fn audit(&self) {
        let report = audit::now(&self.app).await.unwrap();
        assert!(report.holds(), "the audit found disorder\n{report}");
    }
}

/// Sets back the clock that this database shows to new connections.
fn set_back(ctx: &mut Ctx<'_, '_>, seconds: i64) -> svc_store::error::Result<()> {
    let statements = [
        sql!("create table behind (seconds bigint not null)"),
        sql!(
            "create function public.clock_timestamp() returns timestamptz language sql as
             'select pg_catalog.clock_timestamp() - seconds * interval ''1 second'' from behind'"
        ),
        sql!(
            "do language plpgsql 'begin
                execute format(
                    ''alter database %I set search_path = public, pg_catalog'',
                    current_database());
             end'"
        ),
    ];
    for statement in statements {
        ctx.tx.execute(statement, &[])?;
    }
    let insert = sql!("insert into behind (seconds) values ($1)");
    ctx.tx.execute(insert, values![seconds]).map(drop)
}

/// URL of a fresh database.
async fn fresh(engine: Engine) -> Option<String> {
    tokio::task::spawn_blocking(move || engine.database()).await.unwrap()
}
