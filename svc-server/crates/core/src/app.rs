//! The shared state: everything that a handler uses besides its request.

mod ctx;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use svc_store::clock::Clock;
use svc_store::db::{Db, Freshness, Tx};
use svc_store::error::Result;
use svc_store::trace::{self, Tracer};
use svc_types::Timestamp;
use tokio_util::sync::CancellationToken;

pub use self::ctx::Ctx;
use crate::app_uses::AppUses;
use crate::background::{Background, Priority};
use crate::bus::Bus;
use crate::config::{BusKind, Config};
use crate::effects::{CommitEffects, PostCommit};
use crate::embeddings::{Embedder, Embeddings};
use crate::encryption::Encryption;
use crate::erasure_log::ErasureLog;
use crate::ids::Ids;
use crate::job::{Job, Outcome, erased, typed};
use crate::key_uses::KeyUses;
use crate::live::LiveSink;
use crate::node::Node;
use crate::passwords::Passwords;
use crate::pictures::Pictures;
use crate::services::discovery::Synonyms;
use crate::services::revocation;
use crate::services::schema::Schemas;
use crate::services::security;
use crate::views::Views;

/// The shared parts of one server.
#[derive(Debug)]
pub struct App {
    /// The database.
    pub db: Db,
    /// The only source of time.
    pub clock: Clock,
    /// The only source of ids.
    pub ids: Ids,
    /// The lease of the number in its ids.
    pub node: Node,
    /// Hints to other nodes.
    pub bus: Bus,
    /// Password hashing, on dedicated threads.
    pub passwords: Passwords,
    /// Re-encodes uploaded pictures of accounts.
    pub pictures: Pictures,
    /// The thread on which the code in posts is highlighted.
    pub highlighting: Background,
    /// Compiled schemas of services.
    pub schemas: Schemas,
    /// Words of the same meaning, in searches for services.
    pub synonyms: Synonyms,
    /// What terms and services mean.
    pub embeddings: Embeddings,
    /// Views that are not counted yet.
    pub views: Views,
    /// Uses of API keys that are not written yet.
    pub key_uses: KeyUses,
    /// Uses of developer apps that are not written yet.
    pub app_uses: AppUses,
    /// Passes the effects of commits on to the tasks that deliver them.
    pub post_commit: PostCommit,
    /// Where live events go.
    pub live: Arc<dyn LiveSink>,
    /// Begins the spans of requests.
    pub tracer: Tracer,
    /// Names erased accounts outside of the database.
    pub erasures: ErasureLog,
    /// Keys that encrypt secrets which must be read back.
    pub encrypt: Encryption,
    /// The settings in force.
    pub config: Config,
    /// Base URL of links, without a trailing slash.
    pub public_url: String,
    /// When the server started.
    pub started: Timestamp,
    /// Query plans, for tests.
    #[cfg(feature = "testing")]
    pub plans: svc_store::db::Plans,
    /// Whether the last audit found a broken invariant.
    pub audit_failed: AtomicBool,
    stopping: CancellationToken,
    /// Whether it is about to stop.
    is_unready: AtomicBool,
    /// Whether another node encrypts with a key that this one lacks.
    lacks_key: AtomicBool,
}

/// What other crates do for the rules.
#[derive(Debug)]
pub struct Ports {
    /// Where live events go.
    pub live: Arc<dyn LiveSink>,
    /// What finds services by meaning, if there is one.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Begins the spans of requests.
    pub tracer: Tracer,
}

impl App {
    /// Creates the state of a server that starts now.
    pub fn new(
        db: Db,
        clock: Clock,
        encrypt: Encryption,
        config: Config,
        public_url: String,
        ports: Ports,
    ) -> Arc<Self> {
        let Ports { live, embedder, tracer } = ports;
        let priority = Priority::by(&clock);
        Arc::new(Self {
            db,
            ids: Ids::default(),
            node: Node::new(live.is_on()),
            // `Config::load` has validated it.
            bus: Bus::new(config.bus().unwrap_or(BusKind::None)),
            passwords: Passwords::start(&config.passwords, priority),
            pictures: Pictures::start(priority),
            // The task that highlights code waits for each text.
            highlighting: Background::start("code", 1, 8, "too much code at once", priority),
            schemas: Schemas::start(priority),
            // `Config::load` has checked them.
            synonyms: Synonyms::new(&config.search.synonyms).unwrap_or_default(),
            embeddings: Embeddings::new(embedder),
            views: Views::default(),
            key_uses: KeyUses::default(),
            app_uses: AppUses::default(),
            post_commit: PostCommit::default(),
            live,
            tracer,
            erasures: ErasureLog::new(config.erasures()),
            encrypt,
            public_url,
            started: clock.now(),
            clock,
            config,
            #[cfg(feature = "testing")]
            plans: svc_store::db::Plans::default(),
            audit_failed: AtomicBool::new(false),
            stopping: CancellationToken::new(),
            is_unready: AtomicBool::new(false),
            lacks_key: AtomicBool::new(false),
        })
    }

    /// Runs a read-only job.
    pub async fn read<T, F>(self: &Arc<Self>, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Ctx<'_, '_>) -> Result<T> + Send + 'static,
    {
        self.read_erased(Box::new(erased(job))).await.map(typed)
    }

    pub(crate) async fn read_erased(self: &Arc<Self>, job: Job) -> Result<Outcome> {
        let app = Arc::clone(self);
        self.db.read(move |tx| job(&mut Ctx::new(tx, &app))).await
    }

    /// Runs a read-only job that a caller waits for, within a limit of time. What it sees is as fresh as
    /// this.
    pub async fn read_in_time<T, F>(self: &Arc<Self>, freshness: Freshness, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Ctx<'_, '_>) -> Result<T> + Send + 'static,
    {
        self.read_in_time_erased(freshness, Box::new(erased(job))).await.map(typed)
    }

    pub(crate) async fn read_in_time_erased(
        self: &Arc<Self>,
        freshness: Freshness,
        job: Job,
    ) -> Result<Outcome> {
        let app = Arc::clone(self);
        self.db.read_in_time(freshness, move |tx| job(&mut Ctx::new(tx, &app))).await
    }

    /// Runs a job in a write transaction.
    pub async fn write<T, F>(self: &Arc<Self>, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Ctx<'_, '_>) -> Result<T> + Send + 'static,
    {
        self.write_erased(Box::new(erased(job))).await.map(typed)
    }

    pub(crate) async fn write_erased(self: &Arc<Self>, job: Job) -> Result<Outcome> {
        self.node.check()?;
        let (app, shared) = (Arc::clone(self), Arc::clone(self));
        let trace = trace::current().map(|context| context.trace().clone());
        let job = move |tx: &mut Tx<'_>| {
            // The lease may have run out while the job waited.
            app.node.check()?;
            let mut ctx = Ctx::new(tx, &app);
            ctx.trace.clone_from(&trace);
            let done = job(&mut ctx)?;
            security::send_alerts(&mut ctx)?;
            revocation::note(&mut ctx)?;
            Ok((done, ctx.effects))
        };
        // Before the caller gets its response, so that an account that left a channel receives no
        // further message of it.
        let after_commit = move |(_, effects): &mut (Outcome, CommitEffects)| {
            shared.live.revoke(effects);
            shared.bus.note(effects);
            shared.post_commit.announce(effects);
            shared.app_uses.note_verified(&effects.verified);
        };
        let (done, _) = self.db.write_then(job, after_commit).await?;
        Ok(done)
    }

    /// Runs a read-only job on a consistent snapshot of the whole database.
    pub async fn snapshot<T, F>(self: &Arc<Self>, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Ctx<'_, '_>) -> Result<T> + Send + 'static,
    {
        let app = Arc::clone(self);
        self.db.snapshot(move |tx| job(&mut Ctx::new(tx, &app))).await
    }

    /// Fails the readiness check from now on; everything else goes on.
    pub fn refuse_readiness(&self) {
        self.is_unready.store(true, Ordering::Relaxed);
    }

    /// Whether the server is about to stop, or does.
    pub fn is_leaving(&self) -> bool {
        self.is_unready.load(Ordering::Relaxed) || self.is_stopping()
    }

    /// Notes whether this node lacks a key; returns whether that is new.
    pub(crate) fn note_lack(&self, lacks_key: bool) -> bool {
        self.lacks_key.swap(lacks_key, Ordering::Relaxed) != lacks_key
    }

    /// Why the readiness check fails, if it does.
    pub fn why_unready(&self) -> Option<&'static str> {
        if self.is_leaving() {
            return Some("the server is stopping");
        }
        let lacks_key = self.lacks_key.load(Ordering::Relaxed);
        lacks_key.then_some("exchange.sealing_keys lacks the newest key of the other nodes")
    }

    /// Marks the server as shutting down: it fails its health check and ends event streams.
    pub fn stop(&self) {
        self.stopping.cancel();
    }

    /// Whether the server is shutting down.
    pub fn is_stopping(&self) -> bool {
        self.stopping.is_cancelled()
    }

    /// Waits until the server shuts down.
    pub async fn stopped(&self) {
        self.stopping.cancelled().await;
    }
}
