//! An external broker: the server publishes there as a service account, and the broker asks the
//! server over HTTP for authorization (`http/internal.rs`).

mod dialect;
mod link;
mod suspects;
mod tls;

pub use dialect::{Ask, Dialect, Verdict, judge};

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use percent_encoding::percent_decode_str;
use svc_core::keys;
use svc_store::error::Error;
use svc_store::panics::caught;
use svc_store::trace::Trace;
use svc_types::EventId;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use url::Url;

use self::link::{Link, Stream, Unopened};
use self::suspects::Suspects;
use super::wire::Version;
use super::wire::service::Login;
use crate::Outgoing;

/// Queued messages and their bytes; further ones are left to the sweeper.
const WAITING_MAX: usize = 1_024;
const WAITING_BYTES_MAX: usize = 16 * 1_024 * 1_024;

/// Pause before the next connection attempt.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Time for a connection, its TLS and its login.
const CONNECT_TIME: Duration = Duration::from_secs(10);

/// Default ports, for a URL without one.
const PORT: u16 = 1_883;
const PORT_OF_TLS: u16 = 8_883;

/// Called once the broker has acknowledged a message.
pub(crate) type Delivered = Box<dyn FnOnce() + Send>;

/// A message queued for the broker.
struct Message {
    event: EventId,
    topic: String,
    envelope: Bytes,
    trace: Option<Trace>,
    delivered: Delivered,
    /// When it was queued.
    since: Instant,
    /// Its share of `WAITING_BYTES_MAX`.
    _room: OwnedSemaphorePermit,
}

/// The connection to an external broker.
pub struct External {
    url: Url,
    /// File with the trusted CA certificates; empty for those of the system.
    ca: PathBuf,
    queue: mpsc::Sender<Message>,
    /// Bytes left in the queue.
    room: Arc<Semaphore>,
    waiting: Mutex<Option<mpsc::Receiver<Message>>>,
    is_connected: AtomicBool,
}

impl std::fmt::Debug for External {
    /// Without the password in the URL.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("External").field("url", &self.public_url()).finish_non_exhaustive()
    }
}

impl External {
    /// The broker at this URL; `ca` is a file with trusted certificates, or empty.
    pub(crate) fn new(url: Url, ca: PathBuf) -> Self {
        let (queue, waiting) = mpsc::channel(WAITING_MAX);
        let room = Arc::new(Semaphore::new(WAITING_BYTES_MAX));
        let (waiting, is_connected) = (Mutex::new(Some(waiting)), AtomicBool::new(false));
        Self { url, ca, queue, room, waiting, is_connected }
    }

    /// Refuses a file of trusted certificates with which the broker is never reached.
    pub(crate) async fn check(&self) -> svc_store::error::Result<()> {
        if !self.has_tls() || self.ca.as_os_str().is_empty() {
            return Ok(());
        }
        let trusted = tls::trusted(&self.ca).await;
        trusted.map(drop).map_err(|error| Error::setup(error.to_string()))
    }

    /// The URL for clients, without credentials.
    pub(crate) fn public_url(&self) -> String {
        format!("{}://{}:{}", self.url.scheme(), self.host(), self.port())
    }

    fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    fn port(&self) -> u16 {
        self.url.port().unwrap_or(if self.has_tls() { PORT_OF_TLS } else { PORT })
    }

    fn has_tls(&self) -> bool {
        self.url.scheme() == "mqtts"
    }

    /// Whether the server is connected to it.
    pub(crate) fn is_connected(&self) -> bool {
        self.is_connected.load(Ordering::Relaxed)
    }

    /// Whether it is connected and the queue is empty.
    pub(crate) fn is_idle(&self) -> bool {
        self.is_connected() && self.queue.capacity() == WAITING_MAX
    }

    /// The server's user name and password, decoded from the URL.
    fn credentials(&self) -> Option<(Cow<'_, str>, Cow<'_, str>)> {
        let decoded = |text| percent_decode_str(text).decode_utf8_lossy();
        let password = self.url.password()?;
        Some((decoded(self.url.username()), decoded(password)))
    }

    /// Whether this is the service account of the server.
    fn is_service(&self, username: &str) -> bool {
        self.credentials().is_some_and(|(own, _)| !own.is_empty() && own == username)
    }

    /// Whether this is the password of the service account.
    fn is_password(&self, password: &str) -> bool {
        let is_own = |own: &str| keys::same(&keys::hash(own), &keys::hash(password));
        self.credentials().is_some_and(|(_, own)| is_own(&own))
    }

    /// Queues a message; `delivered` is dropped when it can't be sent now. Never blocks.
    pub(crate) fn publish(&self, event: &EventId, message: Outgoing<'_>, delivered: Delivered) {
        if !self.is_connected() {
            return;
        }
        let Outgoing { topic, envelope, trace } = message;
        // If the queue is full, the sweeper publishes it later.
        let Ok(bytes) = u32::try_from(envelope.len()) else { return };
        let Ok(room) = Arc::clone(&self.room).try_acquire_many_owned(bytes) else { return };
        let (event, topic, since) = (event.clone(), topic.to_owned(), Instant::now());
        let message = Message { event, topic, envelope, trace, delivered, since, _room: room };
        let _ = self.queue.try_send(message);
    }

    /// Keeps connected and sends until `stop` is cancelled.
    pub async fn run(self: Arc<Self>, stop: CancellationToken) {
        let taken = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut waiting) = taken else { return };
        let client_id = format!("svc-server-{:016x}", u64::from_ne_bytes(svc_core::ids::random()));
        let mut suspects = Suspects::default();
        let mut is_known_to_fail = false;
        let mut version = Version::Five;
        loop {
            let connection =
                self.once(&client_id, &mut version, &mut waiting, &mut suspects, &stop);
            let ended = caught(async { Ok(connection.await) }).await;
            let ended = ended.unwrap_or_else(|error| Err(io::Error::other(error.to_string())));
            let was_connected = self.is_connected.swap(false, Ordering::Relaxed);
            // The sweeper publishes them later if they are still recent.
            while waiting.try_recv().is_ok() {}
            let Err(error) = ended else { return };
            version = next_version(version, &error, was_connected);
            if was_connected {
                tracing::warn!(%error, "lost the connection to the broker");
            } else if is_known_to_fail {
                tracing::debug!(%error, "failed to reach the broker");
            } else {
                tracing::warn!(%error, broker = %self.public_url(), "failed to reach the broker");
            }
            is_known_to_fail = !was_connected;
            if stop.run_until_cancelled(sleep(RETRY_DELAY)).await.is_none() {
                return;
            }
        }
    }

    /// One connection, until it breaks or `stop` is cancelled.
    async fn once(
        &self,
        client_id: &str,
        version: &mut Version,
        waiting: &mut mpsc::Receiver<Message>,
        suspects: &mut Suspects,
        stop: &CancellationToken,
    ) -> io::Result<()> {
        let connecting = timeout(CONNECT_TIME, self.connect(client_id, version));
        let Some(link) = stop.run_until_cancelled(connecting).await else { return Ok(()) };
        let mut link = link.map_err(io::Error::from)??;
        self.is_connected.store(true, Ordering::Relaxed);
        tracing::info!(broker = %self.public_url(), "connected to the broker");
        if let Some(error) = stop.run_until_cancelled(link.run(waiting, suspects)).await {
            return Err(error);
        }
        link.leave().await;
        Ok(())
    }

    /// Connects by version 5, which has a place for traces, or by 3.1.1 if the broker knows no other.
    async fn connect(&self, client_id: &str, version: &mut Version) -> io::Result<Link> {
        loop {
            match self.connect_by(*version, client_id).await {
                Ok(link) => return Ok(link),
                Err(Unopened::Version) if *version == Version::Five => *version = Version::Three,
                Err(Unopened::Version) => {
                    let refusal = "it speaks neither MQTT 5 nor 3.1.1 with acknowledgements";
                    return Err(io::Error::new(io::ErrorKind::Unsupported, refusal));
                }
                Err(Unopened::Failed(error)) => return Err(error),
            }
        }
    }

    async fn connect_by(&self, version: Version, client_id: &str) -> Result<Link, Unopened> {
        let host = self.host().trim_matches(['[', ']']);
        let plain = TcpStream::connect((host, self.port())).await?;
        plain.set_nodelay(true)?;
        let stream: Box<dyn Stream> = if self.has_tls() {
            Box::new(tls::connect(plain, host, &self.ca).await?)
        } else {
            Box::new(plain)
        };
        let credentials = self.credentials();
        let credentials = credentials.as_ref().map(|(name, password)| (&**name, &**password));
        let keep_alive = link::KEEP_ALIVE_SECONDS;
        Link::open(stream, &Login { version, client_id, credentials, keep_alive }).await
    }
}

/// The version to greet a broker with after a failure. Some hang up on one that they do not speak.
fn next_version(version: Version, error: &io::Error, was_connected: bool) -> Version {
    let hung_up = matches!(
        error.kind(),
        io::ErrorKind::UnexpectedEof
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
    );
    match version {
        _ if was_connected => Version::Five,
        Version::Five if hung_up => Version::Three,
        Version::Three if hung_up => Version::Five,
        version => version,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[tokio::test]
    async fn the_queue_is_bounded_by_bytes_and_messages() {
        let url = Url::parse("mqtt://127.0.0.1:1").unwrap();
        let external = External::new(url, PathBuf::new());
        external.is_connected.store(true, Ordering::Relaxed);
        let mut waiting = external.waiting.lock().unwrap().take().unwrap();
        let large = Bytes::from(vec![b'x'; 524_288]);
        let dropped = Arc::new(AtomicUsize::new(0));
        let hand_over = |envelope: &Bytes| {
            let handed_over = Dropped(Arc::clone(&dropped));
            let delivered = Box::new(move || drop(handed_over));
            let (topic, envelope) = ("svc/dm/usr_1", envelope.clone());
            let message = Outgoing { topic, envelope, trace: None };
            external.publish(&EventId::from("evt_1"), message, delivered);
        };
        for _ in 0..40 {
            hand_over(&large);
        }
        assert_eq!((waiting.len(), dropped.load(Ordering::Relaxed)), (32, 8));
        hand_over(&Bytes::from_static(b"{}"));
        assert_eq!(waiting.len(), 32, "not a byte more");
        drop(waiting.recv().await);
        hand_over(&large);
        assert_eq!(waiting.len(), 32, "there is room again for what was sent");
        for _ in 0..WAITING_MAX + 10 {
            drop(waiting.try_recv());
        }
        for _ in 0..WAITING_MAX + 10 {
            hand_over(&Bytes::new());
        }
        assert_eq!(waiting.len(), WAITING_MAX, "and by their number");
    }

    /// Counts when it is dropped.
    struct Dropped(Arc<AtomicUsize>);

    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
}
