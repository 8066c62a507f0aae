//! How a server starts: in two steps, before and after it has the number of its node.

use std::net::SocketAddr;
use std::sync::Arc;

use svc_core::bus::Carrier;
use svc_core::config::Config;
use svc_core::encryption::Encryption;
use svc_core::tasks::bus::Follower;
use svc_core::tasks::{
    self, counts, embed, erase, flush, highlight, index, rankings, recover, sealing, sweep,
    tallies, trust, waits,
};
use svc_core::{audit, due};
use svc_mqtt::{embedded, relay};
use svc_store::clock::Clock;
use svc_store::db::DatabaseUrl;
use svc_store::error::{Error, Result};
use svc_store::sql;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::open_to_serve;
use crate::app::ServerApp;
use crate::demo::World;
use crate::http::listen::{self, Taken};
use crate::traces::{self, Collector};
use crate::{billing, blobs, demo, export, http, mail, nats, webhooks, x402};

/// The addresses of the settings. They are taken before the tables are changed: a server that could not
/// listen leaves them to the servers that run.
struct Addresses {
    api: Taken,
    mqtt: Option<Taken>,
    metrics: Option<Taken>,
    /// For an external broker that asks.
    internal: Option<Taken>,
}

impl Addresses {
    fn take(config: &Config) -> Result<Self> {
        let take = |address: Option<SocketAddr>, purpose| {
            address.map(|address| Taken::at(address, purpose)).transpose()
        };
        Ok(Self {
            api: Taken::at(config.listen, "")?,
            mqtt: take(embedded::Gateway::wanted(config), " for MQTT")?,
            metrics: take(config.metrics_listen, " for metrics")?,
            internal: take(config.broker.internal_listen, " for the broker")?,
        })
    }
}

/// What a server has before it joins the others: its addresses are taken, and what the settings name is checked.
pub(super) struct Prepared {
    pub(super) app: Arc<ServerApp>,
    /// Where the API will listen.
    pub(super) address: SocketAddr,
    api: Taken,
    metrics: Option<Taken>,
    internal: Option<Taken>,
    gateway: Option<(embedded::Gateway, Taken)>,
    carrier: Option<Box<dyn Carrier>>,
    collector: Option<Collector>,
}

/// What runs once a server serves.
pub(super) struct Serving {
    /// Where the embedded broker listens.
    pub(super) mqtt: Option<SocketAddr>,
    pub(super) stop: DropGuard,
    pub(super) tasks: Vec<JoinHandle<()>>,
    pub(super) bus: JoinHandle<()>,
    pub(super) traces: JoinHandle<()>,
}

impl Prepared {
    pub(super) async fn open(config: Config, clock: Clock) -> Result<Self> {
        let Addresses { api, mqtt, metrics, internal } = Addresses::take(&config)?;
        let db = open_to_serve(&config, &clock).await?;
        let address = api.address()?;
        let public_url = config.public_url(address);
        let encrypt = Encryption::open(&config, &db).await?;
        let gateway = match mqtt {
            Some(taken) => Some((embedded::Gateway::open(&config)?, taken)),
            None => None,
        };
        let app = ServerApp::new(db, clock, encrypt, config, public_url);
        check_settings(&app).await?;
        let carrier = nats::open(&app).await?;
        let collector = Collector::of(&app.config)?;
        Ok(Self { app, address, api, metrics, internal, gateway, carrier, collector })
    }

    /// Catches up with what happened while the server was down, and serves.
    pub(super) async fn begin(
        self,
        world: Option<World>,
        leave: CancellationToken,
    ) -> Result<Serving> {
        let Self { app, api, metrics, internal, gateway, carrier, collector, .. } = self;
        // Before anybody is served: the database may come from a backup.
        erase::repeat(&app).await?;
        erase::complete_log(&app).await?;
        tasks::catch_up(&app).await?;
        let stop = CancellationToken::new();
        let router = http::router(Arc::clone(&app));
        let (limits, proxies) = (app.config.limits.clone(), app.config.trusted_proxies.clone());
        serve_metrics(&app, metrics, &stop)?;
        let loops = &app.loops;
        let follower = Follower::start(&app.core(), carrier).await?;
        let bus = loops.run("bus", follower.run(leave.clone()));
        let traces = loops.run("traces", traces::run(Arc::clone(&app), collector, leave));
        let listener = api.listen()?;
        let serving = listen::serve_behind(proxies, listener, router, limits, stop.clone());
        let mut running = vec![loops.run("http", serving)];
        running.extend(run_tasks(&app, &stop));
        if let Some(world) = world {
            let answering = demo::run(Arc::clone(&app), world, stop.clone());
            running.push(loops.run("demo", answering));
        }
        let mqtt = run_broker(&app, gateway, internal, &mut running, &stop)?;
        Ok(Serving { mqtt, stop: stop.drop_guard(), tasks: running, bus, traces })
    }
}

/// Checks what the settings name: files, a mail server, a broker, places of payments and of files.
async fn check_settings(app: &Arc<ServerApp>) -> Result<()> {
    for why in [app.config.unmet_grant(), app.config.useless_links()].into_iter().flatten() {
        tracing::warn!("{why}");
    }
    app.passwords.check().map_err(Error::internal)?;
    app.mailer.check().await?;
    app.broker.check().await?;
    billing::open(app).await?;
    x402::open(app).await?;
    blobs::open(app).await?;
    Ok(())
}

/// Warns of a log of erased accounts that was created beside an older file: a restored one may hold accounts that were
/// erased since. A node on PostgreSQL may begin with an empty log, and completes it by what the others erased.
pub(super) async fn warn_of_new_log(app: &Arc<ServerApp>) -> Result<()> {
    if !matches!(app.config.database_url(), Ok(DatabaseUrl::Sqlite(_))) {
        return Ok(());
    }
    let first = sql!("select 1 from account limit 1");
    if app.read(move |ctx| ctx.tx.optional::<i64>(first, &[])).await?.is_some() {
        let path = app.erasures.path().display();
        tracing::warn!(
            "there was no log of erased accounts, and {path} was made: if the database comes from a backup, accounts \
             that were erased since are back, so stop the server and put the log there"
        );
    }
    Ok(())
}

/// Starts the work in the background, each kind in its own task.
fn run_tasks(app: &Arc<ServerApp>, stop: &CancellationToken) -> Vec<JoinHandle<()>> {
    let loops = &app.loops;
    vec![
        loops.run("sweep", sweep::run(app.core(), stop.clone())),
        loops.run("due", due::run(app.core(), stop.clone())),
        loops.run("counts", counts::run(app.core(), stop.clone())),
        loops.run("index", index::run(app.core(), stop.clone())),
        loops.run("embed", embed::run(app.core(), stop.clone())),
        loops.run("highlight", highlight::run(app.core(), stop.clone())),
        loops.run("recover", recover::run(app.core(), stop.clone())),
        loops.run("waits", waits::run(app.core(), stop.clone())),
        loops.run("erase", erase::run(app.core(), stop.clone())),
        loops.run("flush", flush::run(app.core(), stop.clone())),
        loops.run("webhooks", webhooks::run(Arc::clone(app), stop.clone())),
        loops.run("mail", mail::run(Arc::clone(app), stop.clone())),
        loops.run("export", export::run(Arc::clone(app), stop.clone())),
        loops.run("blobs", blobs::run(Arc::clone(app), stop.clone())),
        loops.run("billing", billing::run(Arc::clone(app), stop.clone())),
        loops.run("x402", x402::run(Arc::clone(app), stop.clone())),
        loops.run("tallies", tallies::run(app.core(), stop.clone())),
        loops.run("rankings", rankings::run(app.core(), stop.clone())),
        loops.run("trust", trust::run(app.core(), stop.clone())),
        loops.run("sealing", sealing::run(app.core(), stop.clone())),
        loops.run("audit", audit::run(app.core(), stop.clone())),
    ]
}

/// Serves the metrics, if they are on.
fn serve_metrics(app: &ServerApp, taken: Option<Taken>, stop: &CancellationToken) -> Result<()> {
    let Some(taken) = taken else { return Ok(()) };
    let address = http::scrape::start(taken, app, stop.clone())?;
    tracing::info!(%address, "metrics are served");
    Ok(())
}

/// Runs the embedded broker, or the link to an external one. Returns where the embedded one listens.
fn run_broker(
    app: &Arc<ServerApp>,
    gateway: Option<(embedded::Gateway, Taken)>,
    internal: Option<Taken>,
    running: &mut Vec<JoinHandle<()>>,
    stop: &CancellationToken,
) -> Result<Option<SocketAddr>> {
    if let Some(external) = app.broker.external().cloned() {
        running.push(app.loops.run("broker", external.run(stop.clone())));
    }
    if let Some(taken) = internal {
        let address = http::internal::start(taken, Arc::clone(app), stop.clone())?;
        app.broker.is_answered_at(address);
        tracing::info!(%address, "a broker is answered");
    }
    if app.live.is_on() {
        let relaying = relay::run(app.core(), Arc::clone(&app.broker), stop.clone());
        running.push(app.loops.run("relay", relaying));
        let sweeping = relay::sweep(app.core(), Arc::clone(&app.broker), stop.clone());
        running.push(app.loops.run("relay_sweep", sweeping));
    } else {
        // Brokers of other nodes read events from the database; nobody takes them from the queue.
        drop(app.post_commit.events());
    }
    let Some((gateway, taken)) = gateway else { return Ok(None) };
    let address = taken.address()?;
    app.broker.listens_at(address);
    let serving = gateway.serve(taken.listen()?, app.core(), Arc::clone(&app.broker), stop.clone());
    running.push(app.loops.run("mqtt", serving));
    Ok(Some(address))
}
