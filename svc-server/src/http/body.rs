//! Drains the rest of a request that was answered before its body was read, and knows who waits for one.
//!
//! Closing a connection while the client still sends resets it, and most clients then never read the
//! answer. So the rest of the body is read and discarded, up to a size and a time.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use http::header::EXPECT;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};

/// Most bytes that are drained.
const BYTES_MAX: usize = 16 * 1024 * 1024;

/// Longest time of draining.
const TIME_MAX: Duration = Duration::from_secs(10);

/// A body with two successive readers.
#[derive(Clone)]
struct Shared(Arc<Mutex<Incoming>>);

/// The part of a body that the handler has not read.
pub(super) struct Rest(Shared);

/// The body for the handler, and its rest for draining. A client that waits for `100 Continue` never
/// sends its body, so there is no rest.
pub(super) fn share(headers: &HeaderMap, body: Incoming) -> (axum::body::Body, Option<Rest>) {
    if body.is_end_stream() || headers.contains_key(EXPECT) {
        return (axum::body::Body::new(body), None);
    }
    let shared = Shared(Arc::new(Mutex::new(body)));
    (axum::body::Body::new(shared.clone()), Some(Rest(shared)))
}

impl Rest {
    /// Drains the rest while the answer is sent.
    pub(super) fn drain(self) {
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

/// Whether the handler of a request waits for more of its body.
#[derive(Clone, Debug, Default)]
pub(super) struct Awaited(Arc<AtomicBool>);

impl Awaited {
    pub(super) fn is_awaited(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A body that notes whether its reader waits for more of it. It waits no longer once it has dropped the body.
struct Watched {
    body: axum::body::Body,
    awaited: Awaited,
}

/// The body for the handler, and whether that waits for more of it.
pub(super) fn watch(body: axum::body::Body) -> (axum::body::Body, Awaited) {
    let awaited = Awaited::default();
    if body.is_end_stream() {
        return (body, awaited);
    }
    let watched = Watched { body, awaited: awaited.clone() };
    (axum::body::Body::new(watched), awaited)
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.awaited.0.store(false, Ordering::Relaxed);
    }
}

impl Body for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        self.awaited.0.store(polled.is_pending(), Ordering::Relaxed);
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
