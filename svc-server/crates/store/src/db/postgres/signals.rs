//! LISTEN and NOTIFY: short texts from one node to all others, on connections of their own.
//!
//! A text may be lost. NOTIFY is never part of a transaction that writes: PostgreSQL would make all
//! such commits wait for each other, and for the standby.

use std::future::poll_fn;
use std::mem;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_postgres::{AsyncMessage, Client};
use tokio_util::task::AbortOnDropHandle;

use super::target::Target;
use crate::error::{Error, Result};

/// Most bytes of a text: PostgreSQL allows fewer than 8,000.
pub const TEXT_BYTES_MAX: usize = 7_900;

/// How long connecting, sending and each check of a connection may take.
const ANSWER: Duration = Duration::from_secs(4);

/// How often the listening connection is checked: a frozen server is silent.
const CHECK_EVERY: Duration = Duration::from_secs(5);

/// Pause before it connects again.
const PAUSE: Duration = Duration::from_millis(500);

const LISTEN: &str = "set application_name = 'svc-server bus'; listen svc_bus";

/// A notification is a hint, so its commit waits for no disk and no standby.
const QUICKLY: &str = "set application_name = 'svc-server bus'; set synchronous_commit = off";

const NOTIFY: &str = "select pg_notify('svc_bus', text) from unnest(cast($1 as text[])) text";

/// What the listening connection received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signal {
    /// It listens from now on; what was sent earlier is lost.
    Connected,
    /// A text from any node, this one included.
    Text(String),
}

/// The connections of this node for signals.
pub struct Signals {
    target: Target,
    sending: Option<(Client, AbortOnDropHandle<()>)>,
}

impl Signals {
    /// Prepares connections to this database.
    pub(in crate::db) const fn to(target: Target) -> Self {
        Self { target, sending: None }
    }

    /// Sends texts to all nodes, over a connection that is kept.
    pub async fn send(&mut self, texts: &[String]) -> Result<()> {
        let Ok(sent) = timeout(ANSWER, self.try_send(texts)).await else {
            self.sending = None;
            return Err(Error::internal("the database did not take a notification in time"));
        };
        sent.inspect_err(|_| self.sending = None).map_err(Error::internal)
    }

    async fn try_send(&mut self, texts: &[String]) -> Result<(), tokio_postgres::Error> {
        if self.sending.as_ref().is_none_or(|(client, _)| client.is_closed()) {
            let (client, connection) = self.target.connect().await?;
            let driver = tokio::spawn(async move { _ = connection.await });
            client.batch_execute(QUICKLY).await?;
            self.sending = Some((client, AbortOnDropHandle::new(driver)));
        }
        let Some((client, _)) = &self.sending else { return Ok(()) };
        client.query(NOTIFY, &[&texts]).await.map(|_| ())
    }

    /// Passes on what the nodes send, until `out` is closed. It connects again whenever the
    /// connection is lost.
    pub async fn listen(&self, out: mpsc::Sender<Signal>) {
        // Whether the log has said so since it listened.
        let mut is_logged = false;
        while !out.is_closed() {
            let listened = self.listen_once(&out, &mut is_logged).await;
            if let Err(error) = listened
                && !mem::replace(&mut is_logged, true)
            {
                tracing::warn!(error, "the bus has no connection to the database");
            }
            tokio::select! {
                () = sleep(PAUSE) => {}
                () = out.closed() => return,
            }
        }
    }

    /// Listens until the connection is lost.
    async fn listen_once(
        &self,
        out: &mpsc::Sender<Signal>,
        is_logged: &mut bool,
    ) -> Result<(), String> {
        let connecting = timeout(ANSWER, self.target.connect()).await;
        let connected = connecting.map_err(|_| "no answer in time".to_owned())?;
        let (client, mut connection) = connected.map_err(|error| super::describe(&error))?;
        let texts = out.clone();
        let mut driver = AbortOnDropHandle::new(tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await
            {
                if let AsyncMessage::Notification(notification) = message
                    && texts.send(Signal::Text(notification.payload().to_owned())).await.is_err()
                {
                    return;
                }
            }
        }));
        ask(&client, LISTEN).await?;
        if out.send(Signal::Connected).await.is_err() {
            return Ok(());
        }
        *is_logged = false;
        loop {
            tokio::select! {
                _ = &mut driver => return Err("the connection ended".to_owned()),
                () = out.closed() => return Ok(()),
                () = sleep(CHECK_EVERY) => ask(&client, "select 1").await?,
            }
        }
    }
}

async fn ask(client: &Client, sql: &str) -> Result<(), String> {
    let asked = timeout(ANSWER, client.batch_execute(sql)).await;
    asked.map_err(|_| "no answer in time".to_owned())?.map_err(|error| super::describe(&error))
}
