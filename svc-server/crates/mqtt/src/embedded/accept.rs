//! Connections: accepted, bounded, ended.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use svc_core::app::App;
use svc_core::config::Config;
use svc_store::error::{Error, Result};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout, timeout_at};
use tokio_rustls::TlsAcceptor;

use super::connect::welcome;
use super::hub::Hub;
use super::pre_auth_limiter::{PreAuthLimiter, PreAuthSlot};
use super::tls::Tls;
use super::{recheck, session};
use crate::Broker;

/// Time from the first byte of a connection to its whole CONNECT.
const CONNECT_TIME: Duration = Duration::from_secs(5);

/// Time for the server to judge a CONNECT and answer it.
const ANSWER_TIME: Duration = Duration::from_secs(10);

/// Time that connections get to end when the server stops.
const DRAIN: Duration = Duration::from_secs(2);

/// How long to wait when the system has no file descriptor left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Time between two looks for sessions that are over.
const SWEEP_EVERY: Duration = Duration::from_secs(30);

/// The port of the broker.
pub struct Gateway {
    listener: TcpListener,
    tls: Option<Tls>,
}

impl Gateway {
    /// Opens the port, if there is to be one.
    pub async fn bind(config: &Config) -> Result<Option<Self>> {
        let is_own = config.broker.external().is_ok_and(|external| external.is_none());
        let Some(address) = config.mqtt_listen.filter(|_| is_own) else { return Ok(None) };
        let listener = TcpListener::bind(address).await.map_err(|error| {
            Error::internal(format!("can't listen on {address} for MQTT: {error}"))
        })?;
        Ok(Some(Self { listener, tls: Tls::open(config)? }))
    }

    /// Where it is.
    pub fn address(&self) -> Result<SocketAddr> {
        self.listener.local_addr().map_err(Error::internal)
    }

    /// Serves clients until `stop` turns true, then tells them to go.
    pub async fn serve(self, app: Arc<App>, broker: Arc<Broker>, mut stop: watch::Receiver<bool>) {
        let Some(hub) = broker.hub().cloned() else { return };
        let limiter = PreAuthLimiter::new(&app.config.limits.mqtt);
        let rechecking = recheck::run(Arc::clone(&app), Arc::clone(&hub), stop.clone());
        tokio::spawn(rechecking);
        let mut clients = JoinSet::new();
        let mut sweep = interval(SWEEP_EVERY);
        loop {
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                Some(_) = clients.join_next() => continue,
                _ = sweep.tick() => {
                    hub.sweep();
                    continue;
                }
                _ = stop.wait_for(|stop| *stop) => break,
            };
            let (stream, peer) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "an MQTT connection could not be accepted");
                    sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            if clients.len() >= app.config.limits.mqtt.connections {
                continue;
            }
            if let Some(stranger) = limiter.greet(peer.ip()) {
                let (app, hub) = (Arc::clone(&app), Arc::clone(&hub));
                let tls = self.tls.as_ref().map(Tls::acceptor);
                clients.spawn(Greeter { app, hub, stranger }.serve(stream, tls));
            }
        }
        drop(self.listener);
        hub.close();
        let drained = timeout(DRAIN, async { while clients.join_next().await.is_some() {} });
        if drained.await.is_err() {
            tracing::warn!("some MQTT connections did not end in time");
        }
    }
}

/// Serves one connection from begin to end.
struct Greeter {
    app: Arc<App>,
    hub: Arc<Hub>,
    stranger: PreAuthSlot,
}

impl Greeter {
    async fn serve(self, stream: TcpStream, tls: Option<TlsAcceptor>) {
        // Small packets must not wait for the client's acknowledgement; a failure only slows them.
        let _ = stream.set_nodelay(true);
        let until = Instant::now() + CONNECT_TIME;
        let Some(tls) = tls else { return self.talk(stream, until).await };
        match timeout_at(until, tls.accept(stream)).await {
            Ok(Ok(stream)) => self.talk(stream, until).await,
            // It speaks no TLS: a mistake, or somebody who looks around.
            Ok(Err(_)) => {}
            Err(_) => self.stranger.refuse(),
        }
    }

    async fn talk<S: AsyncRead + AsyncWrite + Unpin>(self, mut stream: S, until: Instant) {
        let Self { app, hub, stranger } = self;
        let mut buffer = BytesMut::new();
        let welcoming = welcome(&mut stream, &mut buffer, until, &app, &hub);
        match timeout_at(until + ANSWER_TIME, welcoming).await {
            Ok(Ok(client)) => {
                drop(stranger);
                // What came behind the CONNECT, without the room that it took.
                let rest = BytesMut::from(&*buffer);
                drop(buffer);
                session::run(stream, rest, client, app, hub).await;
            }
            Ok(Err(true)) => stranger.refuse(),
            Ok(Err(false)) | Err(_) => {}
        }
    }
}
