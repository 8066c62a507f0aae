//! Hints between nodes by NATS: publish and subscribe on one subject for all nodes of a database.
//!
//! NATS may be down, also when a node starts: what no hint names is found by looking. Nothing is stored
//! there, and what no node of this database signed is ignored.

mod connection;
mod options;
mod signer;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::{Client, ConnectOptions, ServerAddr};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use svc_core::bus::Carrier;
use svc_core::config::BusKind;
use svc_core::tasks::node;
use svc_store::db::Signal;
use svc_store::error::{Error, Result};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until, timeout};

use self::connection::{Connection, Failure};
use self::signer::Signer;
use crate::app::ServerApp;

/// How long connecting and sending may take.
const ANSWER: Duration = Duration::from_secs(4);

/// How often it connects at most. A connection that worked for longer is replaced at once.
const CONNECTS_EVERY: Duration = Duration::from_millis(500);

/// How long hints wait for a connection. Meanwhile later ones join them.
const CONNECTED: Duration = Duration::from_secs(1);

/// How often the log repeats why there is no connection.
const LOGGED_EVERY: Duration = Duration::from_mins(1);

/// The bus of a node.
struct Nats {
    servers: Vec<ServerAddr>,
    options: ConnectOptions,
    subject: String,
    signer: Signer,
    /// The connection that was made at the start, until somebody listens.
    first: Mutex<Option<Connection>>,
    /// What sends, while there is a connection.
    client: watch::Sender<Option<Client>>,
}

/// The bus of the settings, if it is NATS. Refused if it can never work; a NATS that does not answer is
/// tried again later.
pub(crate) async fn open(app: &Arc<ServerApp>) -> Result<Option<Box<dyn Carrier>>> {
    if app.config.bus().map_err(Error::internal)? != BusKind::Nats {
        return Ok(None);
    }
    let (servers, options) = options::read(&app.config.bus).await?;
    let subject = format!("svc.bus.{}", node::database_id(&app.core()).await?);
    let signer = Signer::of(&app.encrypt, &subject);
    let (first, client) = (Mutex::default(), watch::Sender::default());
    let nats = Nats { servers, options, subject, signer, first, client };
    match Box::pin(nats.connect()).await {
        Ok(connection) => {
            tracing::info!(subject = nats.subject, "nodes give each other hints by NATS");
            *nats.first.lock().unwrap_or_else(PoisonError::into_inner) = Some(connection);
        }
        Err(Failure::Refused(why)) => return Err(Error::setup(format!("bus.url: {why}"))),
        Err(Failure::Passing(why)) => {
            tracing::warn!(error = why, "the bus has no connection to NATS, and tries again");
        }
    }
    Ok(Some(Box::new(nats)))
}

impl Carrier for Nats {
    fn send<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<()>> {
        self.send(texts).boxed()
    }

    fn listen(&self, out: mpsc::Sender<Signal>) -> BoxFuture<'_, ()> {
        self.listen(out).boxed()
    }
}

impl Nats {
    async fn connect(&self) -> Result<Connection, Failure> {
        let connecting =
            Connection::open(&self.servers, &self.options, &self.subject, &self.signer);
        let in_time = timeout(ANSWER, connecting).await;
        in_time.unwrap_or_else(|_| Err(Failure::Passing("no answer in time".to_owned())))
    }

    async fn send(&self, texts: &[String]) -> Result<()> {
        // The library would keep hints until there is a connection again, when they are of no use.
        let client = self.client().await?;
        let sending = async {
            for text in texts {
                client.publish(self.subject.clone(), self.signer.sign(text)).await?;
            }
            Ok::<(), async_nats::PublishError>(())
        };
        let sent = timeout(ANSWER, sending).await;
        sent.map_err(|_| Error::internal("NATS did not take hints in time"))?
            .map_err(Error::internal)
    }

    async fn listen(&self, out: mpsc::Sender<Signal>) {
        let mut logged: Option<(String, Instant)> = None;
        while !out.is_closed() {
            let begun = Instant::now();
            if let Err(failure) = self.listen_once(&out).await {
                let why = failure.why();
                let is_known = logged
                    .as_ref()
                    .is_some_and(|(known, at)| *known == why && at.elapsed() < LOGGED_EVERY);
                if !is_known {
                    tracing::warn!(error = why, "the bus has no connection to NATS");
                    logged = Some((why, Instant::now()));
                }
            }
            tokio::select! {
                () = sleep_until(begun + CONNECTS_EVERY) => {}
                () = out.closed() => return,
            }
        }
    }

    /// Listens until the connection is lost.
    async fn listen_once(&self, out: &mpsc::Sender<Signal>) -> Result<(), Failure> {
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut connection = match first {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        self.client.send_replace(Some(connection.client()));
        let end = connection.pass_on(&self.signer, out).await;
        self.client.send_replace(None);
        end
    }

    /// What sends. It waits a moment for a connection that is made just now.
    async fn client(&self) -> Result<Client> {
        let mut client = self.client.subscribe();
        let connected = timeout(CONNECTED, client.wait_for(Option::is_some)).await;
        let client = connected.ok().and_then(|client| client.ok()?.clone());
        client.ok_or_else(|| Error::internal("the bus has no connection to NATS"))
    }
}
