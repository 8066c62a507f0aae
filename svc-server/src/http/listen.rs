//! Connections: accept, limit, serve, stop.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use svc_core::config::Limits;
use svc_core::network::{Crowd, Network};
use svc_store::error::{Error, Result};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::body;
use super::socket::{Socket, Streaming};

/// Time that running requests get to finish when the server stops.
pub const DRAIN: Duration = Duration::from_secs(10);

/// Pause after a failed accept, such as without a free file descriptor.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Time between two lines of the log about connections that are not served: there may be thousands in a second.
const LOGGED_EVERY: Duration = Duration::from_mins(1);

/// The media type of server-sent events.
const EVENT_STREAM: &[u8] = b"text/event-stream";

/// Connections that may wait to be accepted.
const BACKLOG: u32 = 1024;

/// An address that no other program can listen on any more. Nothing listens there yet, so that
/// connections are refused until the server is ready.
#[derive(Debug)]
pub struct Taken {
    socket: TcpSocket,
    address: SocketAddr,
    purpose: &'static str,
}

impl Taken {
    /// Takes the address; `purpose` ends the message of an error, such as ` for metrics`.
    pub fn at(address: SocketAddr, purpose: &'static str) -> Result<Self> {
        let socket = bound(address).map_err(|error| unavailable(address, purpose, &error))?;
        Ok(Self { socket, address, purpose })
    }

    /// The address, with the port that was chosen for port 0.
    pub fn address(&self) -> Result<SocketAddr> {
        self.socket.local_addr().map_err(Error::internal)
    }

    /// Listens there.
    pub fn listen(self) -> Result<TcpListener> {
        let Self { socket, address, purpose } = self;
        socket.listen(BACKLOG).map_err(|error| unavailable(address, purpose, &error))
    }
}

fn bound(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Old connections of a server that has just stopped don't block the port.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

fn unavailable(address: SocketAddr, purpose: &str, error: &io::Error) -> Error {
    Error::internal(format!("can't listen on {address}{purpose}: {error}"))
}

/// The peer address of the socket.
#[derive(Clone, Copy, Debug)]
pub struct RemoteAddress(pub IpAddr);

/// Serves connections until `stop` is cancelled, then lets running requests finish.
pub async fn serve(listener: TcpListener, router: Router, limits: Limits, stop: CancellationToken) {
    serve_behind(Vec::new(), listener, router, limits, stop).await;
}

/// The same behind proxies: all clients of a proxy have its address, so its connections count only towards the total.
pub async fn serve_behind(
    proxies: Vec<IpAddr>,
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: CancellationToken,
) {
    let open = Arc::new(Open::new(&limits, proxies));
    let serving = Serving::new(router, &limits);
    let (mut not_accepted, mut over_limit) = (Seldom::default(), Seldom::default());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        match accepted {
            Ok((stream, peer)) => match Open::enter(&open, peer.ip()) {
                Some(permit) => serving.begin(stream, peer.ip(), permit),
                None => log_over_limit(&mut over_limit, peer.ip()),
            },
            Err(error) => {
                if not_accepted.is_time() {
                    tracing::warn!(%error, "failed to accept a connection");
                }
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    serving.end().await;
}

/// What serves the connections of a listener.
struct Serving {
    http: http1::Builder,
    router: Router,
    graceful: GracefulShutdown,
}

impl Serving {
    fn new(router: Router, limits: &Limits) -> Self {
        let mut http = http1::Builder::new();
        // Not with `pipeline_flush`, which delays the answer to an unreadable request.
        http.timer(TokioTimer::new()).header_read_timeout(limits.head_timeout);
        Self { http, router, graceful: GracefulShutdown::new() }
    }

    /// Begins to serve a connection, which holds its permit until it ends.
    fn begin(&self, stream: TcpStream, address: IpAddr, permit: Permit) {
        let streaming = Streaming::default();
        let io = io(stream, streaming.clone());
        let service = service(self.router.clone(), address, streaming);
        let connection = self.graceful.watch(self.http.serve_connection(io, service));
        tokio::spawn(async move {
            // A disconnected client is no error of the server.
            if let Err(error) = connection.await {
                log_unreadable(address, &error);
            }
            drop(permit);
        });
    }

    /// Lets running requests finish.
    async fn end(self) {
        if tokio::time::timeout(DRAIN, self.graceful.shutdown()).await.is_err() {
            tracing::warn!("some requests did not finish in time");
        }
    }
}

fn log_over_limit(seldom: &mut Seldom, address: IpAddr) {
    if seldom.is_time() {
        tracing::warn!(
            %address,
            "connections over limits.connections or limits.connections_per_address are closed"
        );
    }
}

/// Lets a line into the log from time to time.
#[derive(Default)]
struct Seldom(Option<Instant>);

impl Seldom {
    /// Whether it is time for the next one.
    fn is_time(&mut self) -> bool {
        let is_time = self.0.is_none_or(|last| last.elapsed() >= LOGGED_EVERY);
        if is_time {
            self.0 = Some(Instant::now());
        }
        is_time
    }
}

fn io(stream: TcpStream, streaming: Streaming) -> TokioIo<Socket> {
    // Small answers must not wait for an acknowledgement. A failure only makes them slower.
    let _ = stream.set_nodelay(true);
    TokioIo::new(Socket::new(stream, streaming))
}

/// Logs a request with an unreadable head, which hyper has already answered.
fn log_unreadable(address: IpAddr, error: &hyper::Error) {
    if !error.is_parse() {
        return;
    }
    let status = match error.to_string() {
        text if text.contains("URI too long") => StatusCode::URI_TOO_LONG,
        _ if error.is_parse_too_large() => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        _ => StatusCode::BAD_REQUEST,
    };
    tracing::info!(
        target: "svc_server::request",
        route = "none",
        status = status.as_u16(),
        %address,
        %error,
    );
}

/// Whether an answer is a stream of events: of an account, of a task, or of a call by MCP.
fn is_stream(answer: &axum::response::Response) -> bool {
    let kind = answer.headers().get(CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(EVENT_STREAM))
}

/// The router for one connection, with its peer address. It notes whether an answer is a stream.
fn service(
    router: Router,
    address: IpAddr,
    streaming: Streaming,
) -> impl hyper::service::Service<
    http::Request<Incoming>,
    Response = axum::response::Response,
    Error = std::convert::Infallible,
    Future: Send,
> {
    service_fn(move |request: http::Request<Incoming>| {
        let (parts, body) = request.into_parts();
        let (body, rest) = body::share(&parts.headers, body);
        let mut request = Request::from_parts(parts, body);
        request.extensions_mut().insert(RemoteAddress(address));
        let answer = router.clone().oneshot(request);
        let streaming = streaming.clone();
        async move {
            let answer = answer.await;
            if let Some(rest) = rest {
                rest.drain();
            }
            streaming.set(answer.as_ref().is_ok_and(is_stream));
            answer
        }
    })
}

/// Counts open connections, in total and by network.
struct Open {
    in_all_max: usize,
    by_network_max: u32,
    proxies: Vec<IpAddr>,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    in_all: usize,
    by_network: Crowd,
}

/// A counted connection, which is released on drop.
struct Permit {
    open: Arc<Open>,
    /// Its network; `None` for a proxy.
    network: Option<Network>,
}

impl Open {
    fn new(limits: &Limits, proxies: Vec<IpAddr>) -> Self {
        let (in_all_max, by_network_max) = (limits.connections, limits.connections_per_address);
        Self { in_all_max, by_network_max, proxies, counts: Mutex::default() }
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(open: &Arc<Self>, address: IpAddr) -> Option<Permit> {
        let address = address.to_canonical();
        let network = Some(Network::of(address)).filter(|_| !open.proxies.contains(&address));
        let mut counts = open.counts();
        if counts.in_all >= open.in_all_max
            || network.is_some_and(|network| !counts.by_network.enter(network, open.by_network_max))
        {
            return None;
        }
        counts.in_all += 1;
        Some(Permit { open: Arc::clone(open), network })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut counts = self.open.counts();
        counts.in_all -= 1;
        if let Some(network) = self.network {
            counts.by_network.leave(network);
        }
    }
}
