//! Connections: accept, bound, serve, stop.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tower::ServiceExt;

use crate::config::Limits;

/// Time that running requests get to finish when the server stops.
pub const DRAIN: Duration = Duration::from_secs(10);

/// How long to wait when the system has no file descriptor left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The address at the other end of the socket.
#[derive(Clone, Copy, Debug)]
pub struct Socket(pub IpAddr);

/// Serves connections until `stop` turns true, then lets running requests finish.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    mut stop: watch::Receiver<bool>,
) {
    let open = Arc::new(Open::new(&limits));
    let graceful = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.head_timeout).pipeline_flush(true);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Some(place) = Open::enter(&open, peer.ip()) else {
            tracing::debug!("a connection over the limit was closed");
            continue;
        };
        let connection = http.serve_connection(io(stream), service(router.clone(), peer.ip()));
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that breaks off is its own business.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish in time");
    }
}

fn io(stream: TcpStream) -> TokioIo<TcpStream> {
    // Small answers must not wait for the client's acknowledgement; a failure only slows them.
    let _ = stream.set_nodelay(true);
    TokioIo::new(stream)
}

/// The router for one connection, told where it comes from.
fn service(
    router: Router,
    address: IpAddr,
) -> impl hyper::service::Service<
    http::Request<Incoming>,
    Response = axum::response::Response,
    Error = std::convert::Infallible,
    Future: Send,
> {
    service_fn(move |request: http::Request<Incoming>| {
        let mut request: Request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(Socket(address));
        router.clone().oneshot(request)
    })
}

/// Counts open connections, in all and by address.
struct Open {
    in_all_max: usize,
    by_address_max: usize,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    in_all: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// A connection's place, given back when it ends.
struct Place {
    open: Arc<Open>,
    address: IpAddr,
}

impl Open {
    fn new(limits: &Limits) -> Self {
        let (in_all_max, by_address_max) = (limits.connections, limits.connections_per_address);
        Self { in_all_max, by_address_max, counts: Mutex::default() }
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(open: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let mut counts = open.counts();
        let from_there = counts.by_address.get(&address).copied().unwrap_or(0);
        if counts.in_all >= open.in_all_max || from_there >= open.by_address_max {
            return None;
        }
        counts.in_all += 1;
        counts.by_address.insert(address, from_there + 1);
        Some(Place { open: Arc::clone(open), address })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.open.counts();
        counts.in_all -= 1;
        let from_there = counts.by_address.get(&self.address).copied().unwrap_or(1);
        if from_there > 1 {
            counts.by_address.insert(self.address, from_there - 1);
        } else {
            counts.by_address.remove(&self.address);
        }
    }
}
