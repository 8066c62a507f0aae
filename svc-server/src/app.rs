//! The server's shared state: the platform's state, outbound requests and the broker.

use std::ops::Deref;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use svc_core::app::Ports;
use svc_core::config::Config;
use svc_core::encryption::Encryption;
use svc_core::live::LiveSink;
use svc_mqtt::Broker;
use svc_store::clock::Clock;
use svc_store::db::Db;

use crate::billing::Billing;
use crate::blobs::Store;
use crate::http::{Documents, InTransit, LargeBodies, LargeWrites, Turns};
use crate::loops::Loops;
use crate::mail::Mailer;
use crate::outbound::Outbound;
use crate::outbound::embedder::HttpEmbedder;
use crate::providers::Providers;
use crate::traces::Traces;
use crate::x402::X402;

/// The platform's state, outbound requests and the broker. It dereferences to the platform's state,
/// so that functions which need only the rules take `&Arc<svc_core::app::App>`.
#[derive(Debug)]
pub struct ServerApp {
    core: Arc<svc_core::app::App>,
    /// Requests to user-supplied addresses.
    pub outbound: Outbound,
    /// Services that prove who somebody is elsewhere.
    pub(crate) providers: Providers,
    /// The connection to the provider of payments, once it is open.
    billing: OnceLock<Billing>,
    x402: OnceLock<X402>,
    /// The bucket that has files, once it is open.
    store: OnceLock<Store>,
    /// Hands mails to the mail server.
    pub mailer: Mailer,
    /// Live events over MQTT.
    pub broker: Arc<Broker>,
    /// Spans that have ended.
    pub(crate) traces: Traces,
    /// What runs until the server stops.
    pub(crate) loops: Loops,
    /// Large requests that are being received.
    pub(crate) arriving: Arc<InTransit>,
    /// Large answers that their clients have not read yet.
    pub(crate) leaving: Arc<InTransit>,
    /// Room for the bodies of uploads.
    pub(crate) large_bodies: LargeBodies,
    /// Admits large writes, so that small ones pass them.
    pub(crate) large_writes: LargeWrites,
    /// Callers that have slow work under way.
    pub(crate) turns: Turns,
    /// Documents that are the same for every caller.
    pub(crate) documents: Arc<Documents>,
    /// Whether the warning about an ignored X-Forwarded-For was logged.
    pub(crate) forwarded_warned: AtomicBool,
}

impl ServerApp {
    /// Assembles the state.
    pub fn new(
        db: Db,
        clock: Clock,
        encrypt: Encryption,
        config: Config,
        public_url: String,
    ) -> Arc<Self> {
        let mailer = Mailer::of(&config, &public_url);
        let (outbound, broker) = (Outbound::of(&config), Arc::new(Broker::new(&config)));
        let live: Arc<dyn LiveSink> = Arc::clone(&broker) as _;
        let embedder = HttpEmbedder::of(&config);
        let traces = Traces::of(&config);
        let ports = Ports { live, embedder, tracer: traces.tracer() };
        let core = svc_core::app::App::new(db, clock, encrypt, config, public_url, ports);
        Arc::new(Self {
            core,
            outbound,
            providers: Providers::default(),
            billing: OnceLock::new(),
            x402: OnceLock::new(),
            store: OnceLock::new(),
            mailer,
            broker,
            traces,
            loops: Loops::default(),
            arriving: Arc::default(),
            leaving: Arc::default(),
            large_bodies: LargeBodies::default(),
            large_writes: LargeWrites::default(),
            turns: Turns::default(),
            documents: Arc::default(),
            forwarded_warned: AtomicBool::new(false),
        })
    }

    /// The connection to the provider of payments; none where nothing is sold.
    pub fn billing(&self) -> Option<&Billing> {
        self.billing.get()
    }

    /// Connects the provider of payments; later connections are ignored.
    pub(crate) fn connect_billing(&self, billing: Billing) {
        let _ = self.billing.set(billing);
    }

    /// The connections for payments with tokens; none where none are taken.
    pub fn x402(&self) -> Option<&X402> {
        self.x402.get()
    }

    /// Connects them; later connections are ignored.
    pub(crate) fn connect_x402(&self, x402: X402) {
        let _ = self.x402.set(x402);
    }

    /// The bucket that has files; none where all are in the database.
    pub(crate) fn store(&self) -> Option<&Store> {
        self.store.get()
    }

    /// Connects it; later ones are ignored.
    pub(crate) fn connect_store(&self, store: Store) {
        let _ = self.store.set(store);
    }

    /// The platform's state, for work that outlives a request.
    pub fn core(&self) -> Arc<svc_core::app::App> {
        Arc::clone(&self.core)
    }
}

impl Deref for ServerApp {
    type Target = Arc<svc_core::app::App>;

    fn deref(&self) -> &Self::Target {
        &self.core
    }
}
