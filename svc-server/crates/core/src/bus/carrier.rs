//! What carries texts between the nodes of a database.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use svc_store::db::{Signal, Signals};
use svc_store::error::Result;
use tokio::sync::{Mutex, mpsc};

use crate::app::App;
use crate::config::BusKind;

/// Carries texts to all nodes, the sender included. It may lose them.
pub trait Carrier: Send + Sync {
    /// Sends texts.
    fn send<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<()>>;

    /// Passes on what nodes send, until `out` is closed. It connects again whenever the connection is
    /// lost, and says so each time.
    fn listen(&self, out: mpsc::Sender<Signal>) -> BoxFuture<'_, ()>;
}

/// LISTEN and NOTIFY of the database.
struct Notifications {
    sending: Mutex<Signals>,
    listening: Signals,
}

impl Carrier for Notifications {
    fn send<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<()>> {
        async move { self.sending.lock().await.send(texts).await }.boxed()
    }

    fn listen(&self, out: mpsc::Sender<Signal>) -> BoxFuture<'_, ()> {
        self.listening.listen(out).boxed()
    }
}

/// The carrier in the database, if that is the bus.
pub(crate) fn of_database(app: &App) -> Option<Box<dyn Carrier>> {
    if app.bus.kind() != BusKind::Postgres {
        return None;
    }
    let (sending, listening) = (app.db.signals()?, app.db.signals()?);
    Some(Box::new(Notifications { sending: Mutex::new(sending), listening }))
}
