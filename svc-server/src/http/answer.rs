//! Successful responses.

use std::fmt::Write;
use std::time::Duration;

use axum::response::Response;
use http::StatusCode;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use serde::Serialize;
use svc_store::error::{Budget, Error, Result, Window};

use super::idempotency::REPLAYED;

/// A handler's answer: a body and additional headers.
#[derive(Debug)]
pub struct Answer<T> {
    body: Body<T>,
    /// Headers in addition to the usual ones.
    pub headers: Headers,
    /// Whether nothing has changed yet, because the change waits.
    is_pending: bool,
    /// Whether it is what an equal request created before.
    is_earlier: bool,
}

/// An object, or a page if the caller asked for one.
#[derive(Debug)]
enum Body<T> {
    Json(T),
    Html(String),
}

/// Initial capacity of a body, enough for most answers and for a page of twenty posts.
const BODY_BYTES: usize = 16 * 1024;

/// Header names and values.
pub type Headers = Vec<(HeaderName, HeaderValue)>;

impl<T> From<T> for Answer<T> {
    fn from(value: T) -> Self {
        let body = Body::Json(value);
        Self { body, headers: Headers::new(), is_pending: false, is_earlier: false }
    }
}

impl<T> Answer<T> {
    /// A page under this Content-Security-Policy, instead of the object.
    pub fn page(html: String, policy: HeaderValue) -> Self {
        let headers = vec![
            (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
            (CONTENT_SECURITY_POLICY, policy),
            (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        ];
        Self { body: Body::Html(html), headers, is_pending: false, is_earlier: false }
    }

    /// Allows caches to show it for this time, and not after it: not while they ask for a new one, and not when they
    /// get none.
    #[must_use]
    pub fn cached(mut self, time: Duration) -> Self {
        let value = format!("public, max-age={}, must-revalidate", time.as_secs());
        let value = HeaderValue::try_from(value).expect("digits are a header's value");
        self.headers.push((CACHE_CONTROL, value));
        self
    }

    /// Adds the post-limit headers of spec §8.
    #[must_use]
    pub fn window(mut self, window: Window) -> Self {
        self.headers.extend(window_headers(window));
        self
    }

    /// The same for a call that is not limited on every server.
    #[must_use]
    pub fn window_if(self, window: Option<Window>) -> Self {
        match window {
            Some(window) => self.window(window),
            None => self,
        }
    }

    /// Answers 202 while the change waits; the endpoint declares `as delayed`.
    #[must_use]
    pub const fn pending(mut self, is_pending: bool) -> Self {
        self.is_pending = is_pending;
        self
    }

    /// Answers 200 with `Idempotent-Replayed` for what an equal request created before; the endpoint
    /// declares `as resumable`.
    #[must_use]
    pub fn earlier(mut self, is_earlier: bool) -> Self {
        self.is_earlier = is_earlier;
        if is_earlier {
            self.headers.push((REPLAYED, HeaderValue::from_static("true")));
        }
        self
    }

    /// Adds a cookie.
    #[must_use]
    pub fn cookie(mut self, cookie: HeaderValue) -> Self {
        self.headers.push((http::header::SET_COOKIE, cookie));
        self
    }
}

impl<T> Answer<T> {
    /// The object, for callers inside the process; an error for a page.
    pub(super) fn object(self) -> Result<T> {
        match self.body {
            Body::Json(value) => Ok(value),
            Body::Html(_) => Err(Error::internal("the answer is a page, not an object")),
        }
    }
}

impl<T: Serialize> Answer<T> {
    /// Serializes the answer.
    pub(super) fn reply(self, status: StatusCode) -> Result<Reply> {
        let status = match (self.is_pending, self.is_earlier) {
            (true, _) => StatusCode::ACCEPTED,
            (_, true) => StatusCode::OK,
            _ => status,
        };
        let body = match self.body {
            Body::Html(page) => page.into_bytes(),
            Body::Json(value) => {
                let mut body = Vec::with_capacity(BODY_BYTES);
                serde_json::to_writer(&mut body, &value).map_err(Error::internal)?;
                body
            }
        };
        Ok(Reply { status, headers: self.headers, body })
    }
}

/// The post-limit headers: limit, remaining and reset.
pub(super) fn window_headers(window: Window) -> [(HeaderName, HeaderValue); 3] {
    [
        (HeaderName::from_static("x-ratelimit-limit"), window.limit.into()),
        (HeaderName::from_static("x-ratelimit-remaining"), window.remaining.into()),
        (HeaderName::from_static("x-ratelimit-reset"), window.reset.as_seconds_ceil().into()),
    ]
}

/// A serialized answer, as sent and as stored under its Idempotency-Key.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status of the endpoint.
    pub status: StatusCode,
    /// Headers in addition to the usual ones.
    pub headers: Headers,
    /// JSON, unless the headers name another type.
    pub body: Vec<u8>,
}

impl Reply {
    /// Adds the remaining budgets of the caller.
    pub(super) fn spending(mut self, spent: &[Budget]) -> Self {
        if !spent.is_empty() {
            self.headers.extend(budget_headers(spent));
        }
        self
    }
}

/// Budgets of an account (`RateLimit` headers for HTTP, draft 11).
pub(super) fn budget_headers(budgets: &[Budget]) -> [(HeaderName, HeaderValue); 2] {
    let [mut policy, mut left] = [String::new(), String::new()];
    for (index, budget) in budgets.iter().enumerate() {
        let Budget { name, unit, count, window, left: rest, full_in } = budget;
        let comma = if index == 0 { "" } else { ", " };
        let unit = unit.map(|unit| format!(";qu=\"{unit}\"")).unwrap_or_default();
        let (window, seconds) = (window.as_secs(), full_in.as_secs_f64().ceil());
        // Writing to a `String` can't fail.
        let _ = write!(policy, "{comma}\"{name}\";q={count};w={window}{unit}");
        let _ = write!(left, "{comma}\"{name}\";r={rest};t={seconds}");
    }
    [("ratelimit-policy", policy), ("ratelimit", left)].map(|(name, value)| {
        let value = HeaderValue::try_from(value).expect("names and digits are a header's value");
        (HeaderName::from_static(name), value)
    })
}

impl From<Reply> for Response {
    fn from(reply: Reply) -> Self {
        let mut response = Self::new(axum::body::Body::from(reply.body));
        *response.status_mut() = reply.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.extend(reply.headers.into_iter().map(|(name, value)| (Some(name), value)));
        response
    }
}
