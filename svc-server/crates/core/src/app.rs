//! The shared state: everything that a handler uses besides its request.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use svc_store::clock::Clock;
use svc_store::db::{Db, Freshness, Tx};
use svc_store::error::{Budget, Error, Refusal, Result};
use svc_store::trace::{self, Trace, Tracer};
use svc_types::{Id, Timestamp};
use tokio_util::sync::CancellationToken;

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
use crate::network::Network;
use crate::node::Node;
use crate::passwords::Passwords;
use crate::pictures::Pictures;
use crate::services::discovery::Synonyms;
use crate::services::post::code::CodeOfPosts;
use crate::services::revocation;
use crate::services::schema::Schemas;
use crate::services::security::{self, Alert};
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
            node: Node::default(),
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

/// The context of a service function: a transaction, and the app it belongs to.
pub struct Ctx<'a, 'tx> {
    /// The transaction.
    pub tx: &'a mut Tx<'tx>,
    /// Ids and settings.
    pub app: &'a App,
    /// The id of the current request; empty when there is none.
    pub request_id: Arc<str>,
    /// The trace of the request that writes, which its events keep.
    pub trace: Option<Trace>,
    /// Effects to deliver after the commit.
    pub effects: CommitEffects,
    /// New entries of security logs. Their accounts are notified just before the commit.
    pub alerts: Vec<Alert>,
    /// Size of the request body, for the budget of the account.
    pub request_bytes: u64,
    /// What this transaction spent of the account's budgets.
    pub spent: Vec<Budget>,
    /// Bytes of the events that this transaction has written or emptied.
    pub event_bytes: usize,
    /// Bytes of HTML that the posts of the answer may still have; 0 if the request asks for none.
    pub html_bytes: usize,
    /// The marks of the code in posts that were read, where a page shows them.
    pub code: Option<CodeOfPosts>,
    due_by: Option<Timestamp>,
    address: Option<IpAddr>,
    by_operator: bool,
}

impl<'a, 'tx> Ctx<'a, 'tx> {
    fn new(tx: &'a mut Tx<'tx>, app: &'a App) -> Self {
        #[cfg(feature = "testing")]
        tx.note_plans(&app.plans);
        Self {
            tx,
            app,
            request_id: Arc::default(),
            trace: None,
            effects: CommitEffects::default(),
            alerts: Vec::new(),
            request_bytes: 0,
            spent: Vec::new(),
            event_bytes: 0,
            html_bytes: 0,
            code: None,
            due_by: None,
            address: None,
            by_operator: false,
        }
    }

    /// The time of the transaction.
    pub const fn now(&self) -> Timestamp {
        self.tx.now()
    }

    /// Notes in security logs that the operator acts, rather than the account.
    pub const fn act_as_operator(&mut self) {
        self.by_operator = true;
    }

    /// Whether the operator acts.
    pub const fn is_by_operator(&self) -> bool {
        self.by_operator
    }

    /// Sets the address the request comes from.
    pub const fn come_from(&mut self, address: IpAddr) {
        self.address = Some(address);
    }

    /// The address the request comes from, if it is known.
    pub const fn address(&self) -> Option<IpAddr> {
        self.address
    }

    /// The network the request comes from. Requests without an address share one.
    pub fn network(&self) -> Network {
        Network::of(self.address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)))
    }

    /// Limits what lists and balances treat as overdue to what falls due by `instant`.
    pub const fn due_by(&mut self, instant: Option<Timestamp>) -> &mut Self {
        self.due_by = instant;
        self
    }

    /// The instant up to which lists and balances consider items overdue.
    pub fn due_by_now(&self) -> Timestamp {
        self.due_by.map_or(self.now(), |due_by| due_by.min(self.now()))
    }

    /// Runs `part` in a savepoint. A refusal rolls it back and is returned, and the transaction
    /// continues; any other error ends the transaction as usual.
    pub fn attempt<T>(
        &mut self,
        part: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Result<T, Box<Refusal>>> {
        self.tx.set_savepoint()?;
        let (mark, alerts) = (self.effects.mark(), self.alerts.len());
        match part(self) {
            Ok(done) => {
                self.tx.release_savepoint()?;
                Ok(Ok(done))
            }
            Err(Error::Refused(refusal)) if !self.tx.is_lost() => {
                self.tx.roll_back_to_savepoint()?;
                self.effects.forget_since(mark);
                self.alerts.truncate(alerts);
                Ok(Err(refusal))
            }
            Err(error) => Err(error),
        }
    }

    /// A new id.
    pub fn id<I: Id>(&self) -> I {
        self.app.ids.next(self.now())
    }

    /// A new id that is larger than the newest of a list, whose lock this transaction holds.
    pub fn id_after<I: Id + AsRef<str>>(&self, newest: Option<&I>) -> I {
        match newest {
            Some(newest) => self.app.ids.next_after(self.now(), newest),
            None => self.id(),
        }
    }
}
