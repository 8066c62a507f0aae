//! Connections: accepted, bounded, ended.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout};

use super::connect::welcome;
use super::hub::Hub;
use super::{recheck, session};
use crate::app::App;
use crate::config::Config;
use crate::error::{Error, Result};

/// Time from the first byte of a connection to its whole CONNECT.
const CONNECT_TIME: Duration = Duration::from_secs(5);

/// Time that connections get to end when the server stops.
const DRAIN: Duration = Duration::from_secs(2);

/// How long to wait when the system has no file descriptor left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Time between two looks for sessions that are over.
const SWEEP_EVERY: Duration = Duration::from_secs(30);

/// Within this time an address may have so many refused CONNECTs as the limits say.
const REFUSALS_WINDOW: Duration = Duration::from_mins(5);

/// Addresses whose refusals are counted; when there are more, all begin anew.
const REFUSED_MAX: usize = 10_000;

/// The port of the broker.
#[derive(Debug)]
pub(crate) struct Gateway {
    listener: TcpListener,
}

impl Gateway {
    /// Opens the port, if there is to be one.
    pub(crate) async fn bind(config: &Config) -> Result<Option<Self>> {
        let is_own = config.broker.external().is_ok_and(|external| external.is_none());
        let Some(address) = config.mqtt_listen.filter(|_| is_own) else { return Ok(None) };
        let listener = TcpListener::bind(address).await.map_err(|error| {
            Error::internal(format!("can't listen on {address} for MQTT: {error}"))
        })?;
        Ok(Some(Self { listener }))
    }

    /// Where it is.
    pub(crate) fn address(&self) -> Result<SocketAddr> {
        self.listener.local_addr().map_err(Error::internal)
    }

    /// Serves clients until `stop` turns true, then tells them to go.
    pub(crate) async fn serve(self, app: Arc<App>, mut stop: watch::Receiver<bool>) {
        let Some(hub) = app.broker.hub().cloned() else { return };
        let refusals = Arc::new(Refusals::new(app.config.limits.mqtt.refused_per_address));
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
            let is_full = clients.len() >= app.config.limits.mqtt.connections;
            if !is_full && !refusals.is_over(peer.ip()) {
                let (app, hub) = (Arc::clone(&app), Arc::clone(&hub));
                clients.spawn(serve(stream, peer.ip(), app, hub, Arc::clone(&refusals)));
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
async fn serve(
    stream: TcpStream,
    address: IpAddr,
    app: Arc<App>,
    hub: Arc<Hub>,
    refusals: Arc<Refusals>,
) {
    // Small packets must not wait for the client's acknowledgement; a failure only slows them.
    let _ = stream.set_nodelay(true);
    talk(stream, address, app, hub, &refusals).await;
}

async fn talk<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    address: IpAddr,
    app: Arc<App>,
    hub: Arc<Hub>,
    refusals: &Refusals,
) {
    let mut buffer = BytesMut::new();
    let welcomed = timeout(CONNECT_TIME, welcome(&mut stream, &mut buffer, &app, &hub)).await;
    match welcomed {
        Ok(Ok(client)) => session::run(stream, buffer, client, app, hub).await,
        Ok(Err(refused)) => {
            if refused {
                refusals.note(address);
            }
        }
        // It was silent, or slow.
        Err(_) => {}
    }
}

/// How many CONNECTs of each address were refused lately. Loopback is not counted: behind a proxy
/// on this machine all clients have its address.
struct Refusals {
    most: u32,
    counts: Mutex<HashMap<IpAddr, (u32, Instant)>>,
}

impl Refusals {
    fn new(most: u32) -> Self {
        Self { most, counts: Mutex::default() }
    }

    fn note(&self, address: IpAddr) {
        metrics::counter!("svc_mqtt_refused_total").increment(1);
        if address.is_loopback() {
            return;
        }
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= REFUSED_MAX {
            counts.clear();
        }
        let now = Instant::now();
        let (count, since) = counts.entry(address).or_insert((0, now));
        if now.duration_since(*since) >= REFUSALS_WINDOW {
            (*count, *since) = (0, now);
        }
        *count += 1;
    }

    fn is_over(&self, address: IpAddr) -> bool {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts
            .get(&address)
            .is_some_and(|(count, since)| *count >= self.most && since.elapsed() < REFUSALS_WINDOW)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_address_that_was_refused_too_often_waits() {
        let refusals = Refusals::new(2);
        let [one, other] = [1, 2].map(|last| IpAddr::from([192, 0, 2, last]));
        refusals.note(one);
        assert!(!refusals.is_over(one));
        refusals.note(one);
        assert!(refusals.is_over(one) && !refusals.is_over(other));
        tokio::time::advance(REFUSALS_WINDOW).await;
        assert!(!refusals.is_over(one));
    }
}
