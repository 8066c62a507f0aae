//! The only shared state: everything a handler may use beside its request.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use svc_store::clock::Clock;
use svc_store::db::{Db, Tx};
use svc_store::error::{Error, Refusal, Result};
use svc_types::{Id, Timestamp};
use tokio::sync::watch;

use crate::config::Config;
use crate::effects::{CommitEffects, PostCommit};
use crate::encryption::Encryption;
use crate::ids::Ids;
use crate::live::LiveSink;
use crate::network::Network;
use crate::passwords::Passwords;
use crate::pictures::Pictures;
use crate::services::budget::Spent;
use crate::services::schema::Schemas;
use crate::views::Views;

/// Database, clock, ids and settings of one server.
#[derive(Debug)]
pub struct App {
    /// The database.
    pub db: Db,
    /// The one source of time.
    pub clock: Clock,
    /// The one source of ids.
    pub ids: Ids,
    /// Hashing of passwords, on threads of its own.
    pub passwords: Passwords,
    /// Pictures of accounts, written anew.
    pub pictures: Pictures,
    /// Schemas of services, compiled.
    pub schemas: Schemas,
    /// Reads that wait to be counted.
    pub views: Views,
    /// Where transactions tell what they have for the tasks that tell the world.
    pub post_commit: PostCommit,
    /// Where live events go.
    pub live: Arc<dyn LiveSink>,
    /// Keys that seal what must be read again.
    pub encrypt: Encryption,
    /// The settings in force.
    pub config: Config,
    /// Base of links, without a slash at the end.
    pub public_url: String,
    /// When the server started.
    pub started: Timestamp,
    /// The plans of statements, for tests that watch them.
    #[cfg(feature = "testing")]
    pub plans: svc_store::db::Plans,
    /// Whether the last audit found something wrong.
    pub audit_failed: AtomicBool,
    stopping: watch::Sender<bool>,
}

impl App {
    /// Puts the parts together.
    pub fn new(
        db: Db,
        clock: Clock,
        encrypt: Encryption,
        config: Config,
        public_url: String,
        live: Arc<dyn LiveSink>,
    ) -> Arc<Self> {
        Arc::new(Self {
            db,
            ids: Ids::default(),
            passwords: Passwords::start(),
            pictures: Pictures::default(),
            schemas: Schemas::default(),
            views: Views::default(),
            post_commit: PostCommit::default(),
            live,
            encrypt,
            public_url,
            started: clock.now(),
            clock,
            config,
            #[cfg(feature = "testing")]
            plans: svc_store::db::Plans::default(),
            audit_failed: AtomicBool::new(false),
            stopping: watch::Sender::new(false),
        })
    }

    /// Runs a job that only reads.
    pub async fn read<T, F>(self: &Arc<Self>, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Ctx<'_, '_>) -> Result<T> + Send + 'static,
    {
        let app = Arc::clone(self);
        self.db.read(move |tx| job(&mut Ctx::new(tx, &app))).await
    }

    /// Runs a job in a transaction of its own.
    pub async fn write<T, F>(self: &Arc<Self>, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Ctx<'_, '_>) -> Result<T> + Send + 'static,
    {
        let (app, shared) = (Arc::clone(self), Arc::clone(self));
        let job = move |tx: &mut Tx<'_>| {
            let mut ctx = Ctx::new(tx, &app);
            let done = job(&mut ctx)?;
            Ok((done, ctx.effects))
        };
        // Before the caller is answered, so that an account that left a channel receives nothing
        // more of it.
        let after_commit = move |(_, effects): &mut (T, CommitEffects)| {
            shared.live.revoke(effects);
            shared.post_commit.announce(effects);
        };
        let (done, _) = self.db.write_then(job, after_commit).await?;
        Ok(done)
    }

    /// Runs a job that looks at the whole database, as it is at one instant.
    pub async fn snapshot<T, F>(self: &Arc<Self>, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Ctx<'_, '_>) -> Result<T> + Send + 'static,
    {
        let app = Arc::clone(self);
        self.db.snapshot(move |tx| job(&mut Ctx::new(tx, &app))).await
    }

    /// Says that no new request is wanted.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Whether the server is on its way down.
    pub fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Waits until the server is on its way down.
    pub async fn stopped(&self) {
        // The sender lives in `self`, so the wait can only end by the server being stopped.
        let _ = self.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }
}

/// What a script works with: a transaction, and the app it belongs to.
pub struct Ctx<'a, 'tx> {
    /// The transaction.
    pub tx: &'a mut Tx<'tx>,
    /// Ids and settings.
    pub app: &'a App,
    /// The id of the request that is served; empty when there is none.
    pub request_id: Arc<str>,
    /// What is told once the transaction is kept.
    pub effects: CommitEffects,
    /// Bytes of what the account asked for, for its budget.
    pub request_bytes: u64,
    /// What was paid from its budgets.
    pub spent: Vec<Spent>,
    due_by: Option<Timestamp>,
    address: Option<IpAddr>,
}

impl<'a, 'tx> Ctx<'a, 'tx> {
    fn new(tx: &'a mut Tx<'tx>, app: &'a App) -> Self {
        #[cfg(feature = "testing")]
        tx.note_plans(&app.plans);
        Self {
            tx,
            app,
            request_id: Arc::default(),
            effects: CommitEffects::default(),
            request_bytes: 0,
            spent: Vec::new(),
            due_by: None,
            address: None,
        }
    }

    /// The instant of the transaction.
    pub const fn now(&self) -> Timestamp {
        self.tx.now()
    }

    /// Says where the request comes from.
    pub const fn come_from(&mut self, address: IpAddr) {
        self.address = Some(address);
    }

    /// Where the request comes from; all whose address nobody knows count as one.
    pub fn network(&self) -> Network {
        Network::of(self.address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)))
    }

    /// Lets lists and balances wait only for what falls due by then.
    pub const fn due_by(&mut self, instant: Option<Timestamp>) -> &mut Self {
        self.due_by = instant;
        self
    }

    /// The instant up to which lists and balances wait for what falls due.
    pub fn due_by_now(&self) -> Timestamp {
        self.due_by.map_or(self.now(), |due_by| due_by.min(self.now()))
    }

    /// Runs a part of a script whose refusal leaves nothing behind and is not the end: what it did
    /// is undone, and the script goes on. Anything but a refusal ends the transaction as ever.
    pub fn attempt<T>(
        &mut self,
        part: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Result<T, Box<Refusal>>> {
        self.tx.set_savepoint()?;
        let mark = self.effects.mark();
        match part(self) {
            Ok(done) => {
                self.tx.release_savepoint()?;
                Ok(Ok(done))
            }
            Err(Error::Refused(refusal)) if !self.tx.is_lost() => {
                self.tx.roll_back_to_savepoint()?;
                self.effects.forget_since(mark);
                Ok(Err(refusal))
            }
            Err(error) => Err(error),
        }
    }

    /// A new id.
    pub fn id<I: Id>(&self) -> I {
        self.app.ids.next(self.now())
    }
}
