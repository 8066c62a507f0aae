//! A success on its way out.

use axum::body::Body;
use axum::response::Response;
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use serde::Serialize;

use crate::error::{Error, Result, Window};

/// A handler's answer: the body, and headers that go along.
#[derive(Debug)]
pub struct Answer<T> {
    /// The body.
    pub value: T,
    /// Headers beside the usual ones.
    pub headers: Headers,
}

/// Room for most answers from the start, a page of twenty posts among them.
const BODY_BYTES: usize = 16 * 1024;

/// A few headers.
pub type Headers = Vec<(HeaderName, HeaderValue)>;

impl<T> From<T> for Answer<T> {
    fn from(value: T) -> Self {
        Self { value, headers: Headers::new() }
    }
}

impl<T> Answer<T> {
    /// Adds the post-limit headers of spec §8.
    #[must_use]
    pub fn window(mut self, window: Window) -> Self {
        self.headers.extend(window_headers(window));
        self
    }

    /// Adds a cookie.
    #[must_use]
    pub fn cookie(mut self, cookie: HeaderValue) -> Self {
        self.headers.push((http::header::SET_COOKIE, cookie));
        self
    }
}

impl<T: Serialize> Answer<T> {
    /// The answer as bytes.
    pub(super) fn reply(&self, status: StatusCode) -> Result<Reply> {
        let mut body = Vec::with_capacity(BODY_BYTES);
        serde_json::to_writer(&mut body, &self.value).map_err(Error::internal)?;
        Ok(Reply { status, headers: self.headers.clone(), body })
    }
}

/// Limit, remaining and reset as headers.
pub(super) fn window_headers(window: Window) -> [(HeaderName, HeaderValue); 3] {
    [
        (HeaderName::from_static("x-ratelimit-limit"), window.limit.into()),
        (HeaderName::from_static("x-ratelimit-remaining"), window.remaining.into()),
        (HeaderName::from_static("x-ratelimit-reset"), window.reset.as_seconds_ceil().into()),
    ]
}

/// A successful answer as it is sent, and as it is kept for its Idempotency-Key.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Status of the endpoint.
    pub status: StatusCode,
    /// Headers beside the usual ones.
    pub headers: Headers,
    /// JSON.
    pub body: Vec<u8>,
}

impl From<Reply> for Response {
    fn from(reply: Reply) -> Self {
        let mut response = Self::new(Body::from(reply.body));
        *response.status_mut() = reply.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.extend(reply.headers.into_iter().map(|(name, value)| (Some(name), value)));
        response
    }
}
