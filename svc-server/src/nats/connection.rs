//! A connection to one of the servers of NATS, until it is lost.

use std::error::Error as StdError;
use std::io;

use async_nats::{
    Client, ConnectError, ConnectErrorKind, ConnectOptions, Event, ServerAddr, Subscriber,
};
use futures_util::StreamExt;
use svc_store::db::Signal;
use tokio::sync::mpsc;
use tokio_rustls::rustls::Error as TlsError;

use super::signer::Signer;

/// What the library reports and nobody has read yet. The latest may be lost if there are more.
const EVENTS_MAX: usize = 64;

/// What a node sends once it is connected, to know that it receives. Some of its hints before that may be lost, so
/// others look when they receive it.
const GREETING: &str = "hello";

/// Why there is no connection.
pub(super) enum Failure {
    /// The settings are wrong.
    Refused(String),
    /// Trying again may help.
    Passing(String),
}

/// A connection that receives what is sent to the subject.
pub(super) struct Connection {
    client: Client,
    messages: Subscriber,
    events: mpsc::Receiver<Event>,
}

impl Failure {
    pub(super) fn why(self) -> String {
        let (Self::Refused(why) | Self::Passing(why)) = self;
        why
    }

    fn ended() -> Self {
        Self::Passing("the connection ended".to_owned())
    }
}

impl From<ConnectError> for Failure {
    fn from(error: ConnectError) -> Self {
        match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                let why = "NATS refuses the user and password, or the credentials file";
                Self::Refused(why.to_owned())
            }
            _ => match tls_error(&error) {
                Some(TlsError::InvalidCertificate(why)) => {
                    Self::Refused(format!("the certificate of NATS is refused: {why}"))
                }
                _ => Self::Passing(error.to_string()),
            },
        }
    }
}

/// The fault of TLS behind an error, if it is one.
fn tls_error(error: &ConnectError) -> Option<&TlsError> {
    let mut cause = error.source();
    while let Some(inner) = cause {
        let of_io = inner.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if let Some(fault) = of_io.and_then(|error| error.downcast_ref::<TlsError>()) {
            return Some(fault);
        }
        cause = inner.source();
    }
    None
}

impl Connection {
    /// Connects, and subscribes to the subject.
    pub(super) async fn open(
        servers: &[ServerAddr],
        options: &ConnectOptions,
        subject: &str,
        signer: &Signer,
    ) -> Result<Self, Failure> {
        let (note, events) = mpsc::channel(EVENTS_MAX);
        let options = options.clone().event_callback(move |event| {
            let note = note.clone();
            async move { _ = note.try_send(event) }
        });
        let client = options.connect(servers).await?;
        let passing = |error: &dyn StdError| Failure::Passing(error.to_string());
        let messages =
            client.subscribe(subject.to_owned()).await.map_err(|error| passing(&error))?;
        let greeted = client.publish(subject.to_owned(), signer.sign(GREETING)).await;
        greeted.map_err(|error| passing(&error))?;
        let mut connection = Self { client, messages, events };
        connection.receive_first().await?;
        Ok(connection)
    }

    /// What sends over it.
    pub(super) fn client(&self) -> Client {
        self.client.clone()
    }

    /// Waits until something is received, the greeting if nothing else: from then on, everything is.
    async fn receive_first(&mut self) -> Result<(), Failure> {
        loop {
            tokio::select! {
                message = self.messages.next() => {
                    return message.map(drop).ok_or_else(Failure::ended);
                }
                event = self.events.recv() => judge(event)?,
            }
        }
    }

    /// Passes on what nodes send, until the connection is lost or `out` is closed.
    pub(super) async fn pass_on(
        &mut self,
        signer: &Signer,
        out: &mpsc::Sender<Signal>,
    ) -> Result<(), Failure> {
        if out.send(Signal::Connected).await.is_err() {
            return Ok(());
        }
        loop {
            tokio::select! {
                message = self.messages.next() => {
                    let message = message.ok_or_else(Failure::ended)?;
                    let Some(text) = signer.verify(&message.payload) else { continue };
                    if out.send(signal(text)).await.is_err() {
                        return Ok(());
                    }
                }
                event = self.events.recv() => judge(event)?,
                () = out.closed() => return Ok(()),
            }
        }
    }
}

/// What a text of a node means. After a greeting it is as if this node had just connected.
fn signal(text: &str) -> Signal {
    if text == GREETING { Signal::Connected } else { Signal::Text(text.to_owned()) }
}

/// Fails when an event says that the connection is of no more use.
fn judge(event: Option<Event>) -> Result<(), Failure> {
    match event {
        None | Some(Event::Disconnected | Event::Closed) => Err(Failure::ended()),
        Some(Event::ServerError(error)) => {
            let why = format!("NATS refuses the bus: {error}");
            let is_forbidden = error.to_string().to_lowercase().contains("permissions violation");
            Err(if is_forbidden { Failure::Refused(why) } else { Failure::Passing(why) })
        }
        Some(_) => Ok(()),
    }
}
