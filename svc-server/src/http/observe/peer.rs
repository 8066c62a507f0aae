//! Who sends a request, as far as the socket and trusted proxies say.

use std::borrow::Cow;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::Ordering;

use axum::extract::Request;
use http::header::HeaderName;

use crate::app::ServerApp;
use crate::http::listen::RemoteAddress;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The client of a request.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// The client's address, from the socket or a trusted proxy.
    pub address: IpAddr,
    /// Whether the request came through a trusted proxy.
    pub by_proxy: bool,
}

/// The client's address: the last one in X-Forwarded-For that is not a trusted proxy.
pub(super) fn peer(app: &ServerApp, request: &Request) -> Option<Peer> {
    // A listener on `::` sees IPv4 addresses mapped to IPv6.
    let socket = request.extensions().get::<RemoteAddress>()?.0.to_canonical();
    let proxies = &app.config.trusted_proxies;
    if !proxies.contains(&socket) {
        if request.headers().contains_key(FORWARDED_FOR) {
            warn_untrusted_proxy(app, socket);
        }
        return Some(Peer { address: socket, by_proxy: false });
    }
    let forwarded = request.headers().get_all(FORWARDED_FOR).into_iter();
    // A proxy adds the address to what the client sent: other bytes there must not hide it.
    let texts: Vec<Cow<'_, str>> =
        forwarded.map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
    let hops = texts.iter().rev().flat_map(|text| text.rsplit(','));
    let client = hops.map_while(|hop| address(hop.trim())).find(|ip| !proxies.contains(ip));
    Some(Peer { address: client.unwrap_or(socket), by_proxy: true })
}

/// The address that a proxy names. Some add the port of the client.
fn address(hop: &str) -> Option<IpAddr> {
    let with_port = || hop.parse::<SocketAddr>().ok().map(|address| address.ip());
    hop.parse::<IpAddr>().ok().or_else(with_port).map(|ip| ip.to_canonical())
}

/// Warns once about an ignored X-Forwarded-For. Behind an unlisted proxy all clients share its
/// limits, which shows only when they run out.
fn warn_untrusted_proxy(app: &ServerApp, socket: IpAddr) {
    if !app.forwarded_warned.swap(true, Ordering::Relaxed) {
        tracing::warn!(
            %socket,
            "an X-Forwarded-For was ignored; if {socket} is your proxy, add it to the setting \
             trusted_proxies, or all clients behind it share their limits"
        );
    }
}
