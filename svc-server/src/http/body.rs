//! The rest of a request that was answered before it had come in whole.
//!
//! A client that still sends when the connection is closed is told of a reset, and most never read
//! the answer that came before it. So what it sends is taken in, and thrown away, for a while.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use http::header::EXPECT;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};

/// Most bytes of a refused request that are taken in.
const BYTES_MAX: usize = 16 * 1024 * 1024;

/// How long they are waited for.
const TIME_MAX: Duration = Duration::from_secs(10);

/// A body that two read, one after the other.
#[derive(Clone)]
struct Shared(Arc<Mutex<Incoming>>);

/// What nobody has read when the answer is there.
pub(super) struct Rest(Shared);

/// The body for who answers, and its rest for afterwards. Who waits for leave to send a body gets
/// none any more, and sends nothing.
pub(super) fn share(headers: &HeaderMap, body: Incoming) -> (axum::body::Body, Option<Rest>) {
    if body.is_end_stream() || headers.contains_key(EXPECT) {
        return (axum::body::Body::new(body), None);
    }
    let shared = Shared(Arc::new(Mutex::new(body)));
    (axum::body::Body::new(shared.clone()), Some(Rest(shared)))
}

impl Rest {
    /// Takes in what still comes, beside the answer.
    pub(super) fn take_in(self) {
        let Self(mut body) = self;
        if body.is_end_stream() {
            return;
        }
        tokio::spawn(tokio::time::timeout(TIME_MAX, async move {
            let mut left = BYTES_MAX;
            while let Some(Ok(frame)) = body.frame().await {
                let length = frame.data_ref().map_or(0, Bytes::len);
                let Some(rest) = left.checked_sub(length) else { return };
                left = rest;
            }
        }));
    }
}

impl Shared {
    fn body(&self) -> MutexGuard<'_, Incoming> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Body for Shared {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Pin::new(&mut *self.body()).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body().size_hint()
    }
}
