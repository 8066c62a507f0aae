//! A broker of others beside the server: the server publishes there as a service account, and the
//! broker asks it over HTTP who may do what (`http/internal.rs`).

mod dialect;

pub(crate) use dialect::{Ask, Dialect, Verdict, judge};

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use rumqttc::{AsyncClient, Event, MqttOptions, Packet, QoS};
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;
use url::Url;

use super::PACKET_BYTES_MAX;
use crate::keys::{self, Hash};

/// Messages that wait for the broker; further ones are left to the sweeper.
const WAITING_MAX: usize = 1_024;

/// Messages that rumqttc holds at once.
const REQUESTS_MAX: usize = 64;

/// Time before the broker is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// Port of MQTT when the URL has none.
const PORT: u16 = 1_883;

/// The way to a broker of others.
pub(crate) struct External {
    url: Url,
    queue: mpsc::Sender<(String, Bytes)>,
    waiting: Mutex<Option<mpsc::Receiver<(String, Bytes)>>>,
    is_connected: AtomicBool,
}

impl std::fmt::Debug for External {
    /// Without the password in the URL.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("External").field("url", &self.public_url()).finish_non_exhaustive()
    }
}

impl External {
    /// The broker at this URL.
    pub(crate) fn new(url: Url) -> Self {
        let (queue, waiting) = mpsc::channel(WAITING_MAX);
        let waiting = Mutex::new(Some(waiting));
        Self { url, queue, waiting, is_connected: AtomicBool::new(false) }
    }

    /// Where clients find it.
    pub(crate) fn public_url(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        format!("{}://{host}:{}", self.url.scheme(), self.port())
    }

    fn port(&self) -> u16 {
        self.url.port().unwrap_or(PORT)
    }

    /// Whether the server is connected to it.
    pub(crate) fn is_connected(&self) -> bool {
        self.is_connected.load(Ordering::Relaxed)
    }

    /// Whether somebody is the server itself.
    fn is_service(&self, username: &str) -> bool {
        !self.url.username().is_empty() && self.url.username() == username
    }

    /// Whether this is the server's own password.
    fn is_password(&self, password: &str) -> bool {
        let own: Hash = keys::hash(self.url.password().unwrap_or_default());
        self.url.password().is_some() && keys::same(&own, &keys::hash(password))
    }

    /// Hands a message over; false when it can't be sent now. Never waits.
    pub(crate) fn publish(&self, topic: &str, envelope: Bytes) -> bool {
        self.is_connected() && self.queue.try_send((topic.to_owned(), envelope)).is_ok()
    }

    /// Keeps connected and sends until `stop` turns true.
    pub(crate) async fn run(self: Arc<Self>, mut stop: watch::Receiver<bool>) {
        let taken = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut waiting) = taken else { return };
        let host = self.url.host_str().unwrap_or_default();
        let id = format!("svc-server-{:016x}", u64::from_ne_bytes(crate::ids::random()));
        let mut options = MqttOptions::new(id, host, self.port());
        options.set_max_packet_size(PACKET_BYTES_MAX, PACKET_BYTES_MAX);
        if let Some(password) = self.url.password() {
            options.set_credentials(self.url.username(), password);
        }
        let (client, mut events) = AsyncClient::new(options, REQUESTS_MAX);
        // Publishing waits for the loop that polls, so that it has to be a task of its own.
        let sending = tokio::spawn(async move {
            while let Some((topic, envelope)) = waiting.recv().await {
                if client.publish(topic, QoS::AtLeastOnce, false, envelope).await.is_err() {
                    return;
                }
            }
        });
        loop {
            let event = tokio::select! {
                event = events.poll() => event,
                _ = stop.wait_for(|stop| *stop) => break,
            };
            match event {
                Ok(Event::Incoming(Packet::ConnAck(_))) => {
                    self.is_connected.store(true, Ordering::Relaxed);
                    tracing::info!(broker = %self.public_url(), "connected to the broker");
                }
                Ok(_) => {}
                Err(error) => {
                    if self.is_connected.swap(false, Ordering::Relaxed) {
                        tracing::warn!(%error, "the connection to the broker was lost");
                    }
                    sleep(AGAIN).await;
                }
            }
        }
        sending.abort();
    }
}
