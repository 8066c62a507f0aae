//! Webhook receivers over raw TCP, well-behaved and misbehaving.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use svc_server::testing::PATIENCE;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// What a receiver does with a request.
#[derive(Clone, Debug)]
pub(crate) enum Mode {
    /// Responds with this head and body.
    Says(String),
    /// Responds with this status when the test allows it.
    Waits(u16),
    /// Reads and never answers.
    Hangs,
    /// Sends the head of an answer byte by byte, without an end.
    DripsHead,
    /// Answers 200 at once, and the body byte by byte.
    DripsBody,
    /// Answers 200 with a body that never ends.
    Endless,
    /// Answers 200, and ends in the middle of the body.
    Truncates,
    /// Resets the connection once it has read the request.
    Resets,
    /// Closes the connection without reading the request.
    ClosesEarly,
    /// Responds with bytes that are not HTTP.
    Garbage,
    /// Speaks TLS with an untrusted certificate.
    UnknownCertificate,
}

impl Mode {
    /// An answer with this status and these headers.
    pub(crate) fn status(status: u16, headers: &str) -> Self {
        Self::Says(format!("HTTP/1.1 {status} Status\r\n{headers}content-length: 2\r\n\r\nok"))
    }

    /// 200.
    pub(crate) fn ok() -> Self {
        Self::status(200, "")
    }
}

/// A request as received.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Hit {
    /// The value of a header that occurs exactly once.
    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> &str {
        let mut found = self.head.split("\r\n").skip(1).filter_map(|line| {
            let (known, value) = line.split_once(": ")?;
            known.eq_ignore_ascii_case(name).then_some(value)
        });
        let value = found.next().unwrap_or_else(|| panic!("no {name} in {}", self.head));
        assert_eq!(found.next(), None, "{name} occurs twice");
        value
    }
}

/// A receiver that runs until it is dropped.
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    mode: Arc<watch::Sender<Mode>>,
    shared: Arc<Shared>,
    task: tokio::task::JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    hits: watch::Sender<Vec<Hit>>,
    connections: AtomicUsize,
    running: AtomicUsize,
    most: AtomicUsize,
    turns: Turns,
}

/// Permits to respond.
struct Turns(Semaphore);

impl Default for Turns {
    fn default() -> Self {
        Self(Semaphore::new(0))
    }
}

impl Receiver {
    pub(crate) async fn start(mode: Mode) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (mode, shared) = (Arc::new(watch::Sender::new(mode)), Arc::<Shared>::default());
        let (of_task, kept) = (Arc::clone(&mode), Arc::clone(&shared));
        let task = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                kept.connections.fetch_add(1, Ordering::SeqCst);
                connections.spawn(serve(stream, Arc::clone(&of_task), Arc::clone(&kept)));
            }
        });
        Self { address, mode, shared, task }
    }

    /// Its URL without TLS.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// Changes the behaviour from the next request on.
    pub(crate) fn set(&self, mode: Mode) {
        self.mode.send_replace(mode);
    }

    /// Allows this many waiting requests to be answered.
    pub(crate) fn answer(&self, count: usize) {
        self.shared.turns.0.add_permits(count);
    }

    /// All requests so far.
    pub(crate) fn hits(&self) -> Vec<Hit> {
        self.shared.hits.borrow().clone()
    }

    /// All connections so far.
    pub(crate) fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// The largest number of requests that ran at once.
    pub(crate) fn most_at_once(&self) -> usize {
        self.shared.most.load(Ordering::SeqCst)
    }

    /// Waits for this many requests.
    pub(crate) async fn reaches(&self, count: usize) -> Vec<Hit> {
        let reached = self.comes_to(|hits| hits.len() >= count).await;
        assert!(reached, "{} of {count} requests came", self.hits().len());
        self.hits()
    }

    /// Waits until the requests satisfy a condition; false on a timeout.
    pub(crate) async fn comes_to(&self, is: impl Fn(&[Hit]) -> bool) -> bool {
        let mut hits = self.shared.hits.subscribe();
        let waiting = hits.wait_for(|hits| is(hits));
        tokio::time::timeout(PATIENCE, waiting).await.is_ok()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(stream: TcpStream, mode: Arc<watch::Sender<Mode>>, shared: Arc<Shared>) {
    let current = mode.borrow().clone();
    match current {
        Mode::ClosesEarly => {}
        Mode::UnknownCertificate => {
            let accepted = acceptor().accept(stream).await;
            if let Ok(mut stream) = accepted {
                answer_all(&mut stream, &mode, &shared).await;
            }
        }
        _ => {
            let mut stream = stream;
            let end = answer_all(&mut stream, &mode, &shared).await;
            if matches!(end, Some(Mode::Resets)) {
                stream.set_zero_linger().unwrap();
            }
        }
    }
}

/// Answers the requests of a connection until one ends it; returns the mode that did.
async fn answer_all<S>(stream: &mut S, mode: &watch::Sender<Mode>, shared: &Shared) -> Option<Mode>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut read = Vec::new();
    loop {
        let hit = request(stream, &mut read).await?;
        let running = shared.running.fetch_add(1, Ordering::SeqCst) + 1;
        shared.most.fetch_max(running, Ordering::SeqCst);
        let current = mode.borrow().clone();
        shared.hits.send_modify(|hits| hits.push(hit));
        let stays_open = answer(stream, &current, shared).await;
        shared.running.fetch_sub(1, Ordering::SeqCst);
        if !stays_open {
            return Some(current);
        }
    }
}

/// The next request of a connection.
async fn request(stream: &mut (impl AsyncRead + Unpin), read: &mut Vec<u8>) -> Option<Hit> {
    const TLS: u8 = 0x16;
    loop {
        if read.first() == Some(&TLS) {
            return None;
        }
        if let Some(end) = read.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&read[..end]).into_owned();
            let mut hit = Hit { head, body: Vec::new() };
            let has_body = !hit.head.starts_with("GET ");
            let length = if has_body { hit.header("content-length").parse().ok()? } else { 0 };
            let whole: usize = end + 4 + length;
            if read.len() >= whole {
                hit.body = read[end + 4..whole].to_vec();
                read.drain(..whole);
                return Some(hit);
            }
        }
        if stream.read_buf(read).await.ok()? == 0 {
            return None;
        }
    }
}

/// Answers a request; returns whether the connection stays open.
async fn answer(stream: &mut (impl AsyncWrite + Unpin), mode: &Mode, shared: &Shared) -> bool {
    const OK: &str = "HTTP/1.1 200 OK\r\n";
    match mode {
        Mode::Says(text) => stream.write_all(text.as_bytes()).await.is_ok(),
        Mode::Waits(status) => {
            shared.turns.0.acquire().await.unwrap().forget();
            let text = format!("HTTP/1.1 {status} Status\r\ncontent-length: 0\r\n\r\n");
            stream.write_all(text.as_bytes()).await.is_ok()
        }
        Mode::Hangs => std::future::pending().await,
        Mode::DripsHead => drip(stream, &format!("{OK}x-drip: ")).await,
        Mode::DripsBody => drip(stream, &format!("{OK}content-length: 100000\r\n\r\n")).await,
        Mode::Endless => {
            let mut text = format!("{OK}transfer-encoding: chunked\r\n\r\n");
            while stream.write_all(text.as_bytes()).await.is_ok() {
                text = format!("400\r\n{}\r\n", "x".repeat(1024));
            }
            false
        }
        Mode::Truncates => {
            let text = format!("{OK}content-length: 100\r\n\r\nten bytes.");
            let _ = stream.write_all(text.as_bytes()).await;
            false
        }
        Mode::Garbage => {
            let _ = stream.write_all(b"\x15\x03\x01\0\x02 what is this?\r\n\r\n").await;
            false
        }
        Mode::Resets | Mode::ClosesEarly | Mode::UnknownCertificate => false,
    }
}

/// Sends a text at once and then a byte at a time until the connection closes.
async fn drip(stream: &mut (impl AsyncWrite + Unpin), text: &str) -> bool {
    let mut sent = stream.write_all(text.as_bytes()).await;
    while sent.is_ok() {
        tokio::time::sleep(Duration::from_millis(100)).await;
        sent = stream.write_all(b"x").await;
    }
    false
}

/// TLS with a self-signed certificate.
fn acceptor() -> TlsAcceptor {
    let certificate = CertificateDer::from_pem_slice(include_bytes!("receiver/cert.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("receiver/key.pem")).unwrap();
    let config = ServerConfig::builder().with_no_client_auth();
    let config = config.with_single_cert(vec![certificate], key).unwrap();
    TlsAcceptor::from(Arc::new(config))
}
