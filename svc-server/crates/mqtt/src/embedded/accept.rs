//! Accepts connections, limits them and ends them.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use svc_core::app::App;
use svc_core::config::Config;
use svc_store::error::Result;
use svc_store::panics::caught_now;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout, timeout_at};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use super::connect::{handshake, turn_away};
use super::hub::Hub;
use super::pre_auth_limiter::{PreAuthLimiter, PreAuthSlot};
use super::tls::Tls;
use super::{recheck, session};
use crate::Broker;

/// Time from accepting a connection to its complete CONNECT.
const CONNECT_TIME: Duration = Duration::from_secs(5);

/// Time for the server to authorize a CONNECT and reply.
const ANSWER_TIME: Duration = Duration::from_secs(10);

/// Time for connections to end when the server stops.
const DRAIN: Duration = Duration::from_secs(2);

/// Connections beyond `limits.mqtt.connections` that get a CONNACK at the same time; further ones are closed.
const TURNED_AWAY_MAX: usize = 100;

/// Time between two warnings of one kind: there may be many connections that are not served in a second.
const WARN_EVERY: Duration = Duration::from_mins(10);

/// Pause after a failed accept, such as when no file descriptor is left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Time between two sweeps of expired sessions.
const SWEEP_EVERY: Duration = Duration::from_secs(30);

/// How the embedded broker accepts connections.
pub struct Gateway {
    tls: Option<Tls>,
}

impl Gateway {
    /// Where the settings want the embedded broker, if it is on.
    pub fn wanted(config: &Config) -> Option<SocketAddr> {
        let is_embedded = config.broker.external().is_ok_and(|external| external.is_none());
        config.mqtt_listen.filter(|_| is_embedded)
    }

    /// Reads the certificate and the key of the settings, if there are some.
    pub fn open(config: &Config) -> Result<Self> {
        Ok(Self { tls: Tls::open(config)? })
    }

    /// Serves clients until `stop` is cancelled, then disconnects them.
    pub async fn serve(
        self,
        listener: TcpListener,
        app: Arc<App>,
        broker: Arc<Broker>,
        stop: CancellationToken,
    ) {
        let Some(hub) = broker.hub().cloned() else { return };
        let proxies = app.config.trusted_proxies.clone();
        let limiter = PreAuthLimiter::new(&app.config.limits.mqtt, proxies);
        tokio::spawn(recheck::run(Arc::clone(&app), Arc::clone(&hub), stop.clone()));
        let (mut clients, mut overflow) = (JoinSet::new(), Overflow::default());
        let (mut sweep, mut failed_at) = (interval(SWEEP_EVERY), None);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                Some(_) = clients.join_next() => continue,
                _ = sweep.tick() => {
                    self.sweep(&hub, &app);
                    continue;
                }
                () = stop.cancelled() => break,
            };
            let (stream, peer) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    if is_time_to_warn(&mut failed_at) {
                        tracing::warn!(%error, "failed to accept an MQTT connection");
                    }
                    sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            let is_full = clients.len() >= app.config.limits.mqtt.connections;
            if is_full && !overflow.has_room() {
                continue;
            }
            if let Some(slot) = limiter.enter(peer.ip()) {
                let (app, hub) = (Arc::clone(&app), Arc::clone(&hub));
                let tls = self.tls.as_ref().map(Tls::acceptor);
                let connection = Connection { app, hub, slot, address: peer.ip(), is_full };
                let into = if is_full { &mut overflow.clients } else { &mut clients };
                into.spawn(connection.serve(stream, tls));
            }
        }
        drop(listener);
        hub.close();
        drain(clients).await;
    }

    /// Ends expired sessions, and looks for a new certificate. A panic there disconnects nobody.
    fn sweep(&self, hub: &Hub, app: &App) {
        let swept = caught_now(|| {
            hub.sweep();
            if let Some(tls) = &self.tls {
                tls.watch(app.clock.now());
            }
        });
        if let Err(error) = swept {
            tracing::warn!(%error, "failed to end expired sessions, or to watch the certificate");
        }
    }
}

/// Waits a while until the connections that the hub closes have ended.
async fn drain(mut clients: JoinSet<()>) {
    let drained = timeout(DRAIN, async { while clients.join_next().await.is_some() {} });
    if drained.await.is_err() {
        tracing::warn!("some MQTT connections did not end in time");
    }
}

/// Connections beyond the limit, which are refused once they have sent a CONNECT.
#[derive(Default)]
struct Overflow {
    clients: JoinSet<()>,
    warned_at: Option<Instant>,
}

impl Overflow {
    /// Whether another one can be refused by a CONNACK. The log says that there are too many.
    fn has_room(&mut self) -> bool {
        if is_time_to_warn(&mut self.warned_at) {
            tracing::warn!("MQTT clients are refused: there are limits.mqtt.connections already");
        }
        while self.clients.try_join_next().is_some() {}
        self.clients.len() < TURNED_AWAY_MAX
    }
}

/// Whether a warning is due again, which was last given then. If so, it is noted as given now.
pub(super) fn is_time_to_warn(warned_at: &mut Option<Instant>) -> bool {
    let is_time = warned_at.is_none_or(|warned| warned.elapsed() >= WARN_EVERY);
    if is_time {
        *warned_at = Some(Instant::now());
    }
    is_time
}

/// An accepted connection, without a session yet.
struct Connection {
    app: Arc<App>,
    hub: Arc<Hub>,
    slot: PreAuthSlot,
    address: IpAddr,
    /// Whether the broker has as many connections as it may.
    is_full: bool,
}

impl Connection {
    async fn serve(self, stream: TcpStream, tls: Option<TlsAcceptor>) {
        // Small packets must not wait for TCP acknowledgements; a failure only delays them.
        let _ = stream.set_nodelay(true);
        let deadline = Instant::now() + CONNECT_TIME;
        let Some(tls) = tls else { return self.run(stream, deadline).await };
        match timeout_at(deadline, tls.accept(stream)).await {
            Ok(Ok(stream)) => self.run(stream, deadline).await,
            // The client does not speak TLS: a mistake or a port scan.
            Ok(Err(_)) => {}
            Err(_) => self.slot.refuse(),
        }
    }

    async fn run<S: AsyncRead + AsyncWrite + Unpin>(self, mut stream: S, deadline: Instant) {
        let Self { app, hub, slot, address, is_full } = self;
        let mut buffer = BytesMut::new();
        if is_full {
            let turned_away = turn_away(&mut stream, &mut buffer, deadline);
            if let Ok(error) = timeout_at(deadline + ANSWER_TIME, turned_away).await
                && error.is_clients_fault()
            {
                slot.refuse();
            }
            return;
        }
        let handshake = handshake(&mut stream, &mut buffer, deadline, address, &app, &hub);
        match timeout_at(deadline + ANSWER_TIME, handshake).await {
            Ok(Ok(client)) => {
                drop(slot);
                // The bytes after the CONNECT, without the buffer that held it.
                let rest = BytesMut::from(&*buffer);
                drop(buffer);
                session::run(stream, rest, client, app, hub).await;
            }
            Ok(Err(error)) if error.is_clients_fault() => slot.refuse(),
            Ok(Err(_)) | Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_warning_is_repeated_only_after_some_minutes() {
        let mut warned_at = None;
        assert!(is_time_to_warn(&mut warned_at));
        assert!((0..1_000).all(|_| !is_time_to_warn(&mut warned_at)));
        tokio::time::advance(WARN_EVERY).await;
        assert!(is_time_to_warn(&mut warned_at) && !is_time_to_warn(&mut warned_at));
    }
}
