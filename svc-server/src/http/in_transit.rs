//! Bounds the memory of bodies that are on their way.
//!
//! A request is in memory from its head on, and an answer until its client has read it: thousands of connections that
//! send or read nothing more would fill the memory. So the large bodies of a network have a limit together, in each
//! direction, and those of the network around it have four times as much.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::{Body, HttpBody, to_bytes};
use axum::response::Response;
use bytes::Bytes;
use http::Method;
use http::request::Parts;
use svc_core::network::{AROUND, Network};
use svc_store::error::{Error, Refusal, Result};
use svc_types::Code;

use super::observe::Peer;
use super::refuse::carry;

/// Bytes of the largest body that is not counted.
const SMALL: usize = 64 * 1024;

/// Bytes of larger bodies of a network. A body that has more is let through if it is the only one.
const BYTES_MAX: usize = 128 * 1024 * 1024;

/// Seconds after which a refused caller may try again.
const RETRY_AFTER: u64 = 1;

/// Bodies on their way in one direction.
#[derive(Debug)]
pub(crate) struct InTransit {
    bytes_max: usize,
    counts: Mutex<HashMap<Network, usize>>,
}

impl Default for InTransit {
    fn default() -> Self {
        Self { bytes_max: BYTES_MAX, counts: Mutex::default() }
    }
}

/// A body on its way, which counts until this is dropped.
#[derive(Debug)]
pub(super) struct Counted {
    all: Arc<InTransit>,
    network: Network,
    bytes: usize,
}

impl InTransit {
    /// Counts a body, unless its network has too many.
    fn enter(self: &Arc<Self>, network: Network, bytes: usize) -> Option<Counted> {
        let mut counts = self.counts();
        let count = |network: Network| counts.get(&network).copied().unwrap_or(0);
        let (own, around) = (count(network), count(network.around()));
        let around_max = self.bytes_max.saturating_mul(AROUND as usize);
        let is_first = own == 0 && around < around_max;
        if !is_first && (own + bytes > self.bytes_max || around + bytes > around_max) {
            return None;
        }
        for counted in [network, network.around()] {
            *counts.entry(counted).or_insert(0) += bytes;
        }
        Some(Counted { all: Arc::clone(self), network, bytes })
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<Network, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an answer until its client has read it; 503 in its place if too many are on their way to its network.
    pub(super) async fn count(
        self: &Arc<Self>,
        peer: Option<Peer>,
        method: &Method,
        answer: Response,
    ) -> Response {
        // Those without a known size are made as they are read.
        let known = answer.body().size_hint().exact();
        let bytes = known.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(0);
        let Some(peer) = peer.filter(|_| bytes > SMALL) else { return answer };
        let Some(counted) = self.enter(Network::of(peer.address), bytes) else {
            return carry(unread(method));
        };
        let (head, body) = answer.into_parts();
        match to_bytes(body, bytes).await {
            Ok(bytes) => {
                let bytes = Bytes::from_owner(Sending { bytes, _counted: counted });
                Response::from_parts(head, Body::from(bytes))
            }
            Err(error) => carry(Error::internal(error)),
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.all.counts();
        for counted in [self.network, self.network.around()] {
            let left = counts.get(&counted).copied().unwrap_or(0).saturating_sub(self.bytes);
            if left == 0 {
                counts.remove(&counted);
            } else {
                counts.insert(counted, left);
            }
        }
    }
}

/// The bytes of an answer, which the connection drops once they are sent.
struct Sending {
    bytes: Bytes,
    _counted: Counted,
}

impl AsRef<[u8]> for Sending {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Counts the body of a request as long as there are its other parts (503).
pub(super) fn count_request(parts: &mut Parts, bytes: usize) -> Result<()> {
    let all = parts.extensions.get::<Arc<InTransit>>().filter(|_| bytes > SMALL);
    let (Some(all), Some(peer)) = (all, parts.extensions.get::<Peer>()) else { return Ok(()) };
    let counted = all.enter(Network::of(peer.address), bytes).ok_or_else(|| {
        let message = "too many large requests of this network are still being received";
        too_many(message, "send fewer at once")
    })?;
    parts.extensions.insert(Arc::new(counted));
    Ok(())
}

/// The refusal of an answer that is made already, and with it the change.
fn unread(method: &Method) -> Error {
    let hint = "read the answers, or ask for smaller pages";
    if method.is_safe() {
        return too_many("too many large answers to this network are still being read", hint);
    }
    let message = "too many large answers to this network are still being read, so the change may \
                   have been made";
    let refusal = Refusal::new(Code::OutcomeUnknown, message);
    refusal.hint(hint).retry_after(RETRY_AFTER).into()
}

fn too_many(message: &str, hint: &str) -> Error {
    Refusal::new(Code::Overloaded, message).hint(hint).retry_after(RETRY_AFTER).into()
}

#[cfg(test)]
mod tests {
    use http::StatusCode;

    use super::*;

    const KIB: usize = 1024;

    fn network(text: &str) -> Network {
        Network::of(text.parse().unwrap())
    }

    #[test]
    fn bodies_of_one_network_leave_room_for_those_of_others() {
        let all = Arc::new(InTransit { bytes_max: 10, ..InTransit::default() });
        let own = network("192.0.2.1");
        let mut held = vec![all.enter(own, 6), all.enter(own, 4)];
        assert!(held.iter().all(Option::is_some) && all.enter(own, 1).is_none());
        for other in 2..5 {
            held.push(all.enter(network(&format!("192.0.2.{other}")), 10));
        }
        assert!(held.iter().all(Option::is_some));
        assert!(all.enter(network("192.0.2.9"), 1).is_none(), "the /24 is full");
        let large = all.enter(network("198.51.100.1"), 25);
        assert!(
            large.is_some() && all.enter(network("198.51.100.1"), 1).is_none(),
            "it is the only one"
        );
        held.remove(0);
        assert!(all.enter(own, 6).is_some() && all.enter(own, 7).is_none());
        drop((held, large));
        assert!(all.counts().is_empty(), "those without a body are forgotten");
    }

    #[tokio::test]
    async fn an_answer_counts_until_it_is_sent() {
        let all = Arc::new(InTransit { bytes_max: 300 * KIB, ..InTransit::default() });
        let peer = |text: &str| Some(Peer { address: text.parse().unwrap(), by_proxy: false });
        let (own, get) = (peer("192.0.2.1"), &Method::GET);
        let answer = |bytes: usize| Response::new(Body::from(vec![7; bytes]));
        let one = all.count(own, get, answer(200 * KIB)).await;
        assert_eq!(all.count(own, get, answer(SMALL)).await.status(), StatusCode::OK);
        for peer in [peer("198.51.100.1"), None] {
            assert_eq!(all.count(peer, get, answer(200 * KIB)).await.status(), StatusCode::OK);
        }
        let refused = all.count(own, get, answer(200 * KIB)).await;
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        let sending = to_bytes(one.into_body(), usize::MAX).await.unwrap();
        assert_eq!(sending, vec![7; 200 * KIB]);
        let refused = all.count(own, get, answer(200 * KIB)).await;
        assert_eq!(
            refused.status(),
            StatusCode::SERVICE_UNAVAILABLE,
            "the connection still has it"
        );
        drop(sending);
        assert_eq!(all.count(own, get, answer(200 * KIB)).await.status(), StatusCode::OK);
    }
}
