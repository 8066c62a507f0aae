//! Rate limits, as sent in the headers of successful answers, too.

use http::HeaderMap;
use svc_types::Timestamp;

use crate::error::Error;

/// A rate limit as last sent by the server (headers `X-RateLimit-*`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RateLimit {
    /// Calls allowed per window.
    pub limit: u64,
    /// Calls left in this window.
    pub remaining: u64,
    /// Start of the next window.
    pub reset: Timestamp,
}

impl RateLimit {
    /// Reads the three headers; all are required.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Option<Self> {
        Some(Self {
            limit: number(headers, "x-ratelimit-limit")?,
            remaining: number(headers, "x-ratelimit-remaining")?,
            reset: instant(number(headers, "x-ratelimit-reset")?)?,
        })
    }

    /// Reads it from a refusal.
    pub(crate) fn from_error(error: &Error) -> Option<Self> {
        let Error::RateLimited { limit, remaining, reset, .. } = error else {
            return None;
        };
        Some(Self { limit: (*limit)?, remaining: (*remaining)?, reset: (*reset)? })
    }
}

/// The latest rate limits that a client received; see
/// [`Client::rate_limit`](crate::Client::rate_limit).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RateLimits {
    /// The limit on top-level posts.
    pub posts: Option<RateLimit>,
}

impl RateLimits {
    /// When the next post may be published; `None` if that is possible now or not known yet.
    ///
    /// ```
    /// # fn show(svc: &svc_client::Client) {
    /// if let Some(time) = svc.rate_limit().next_post_at() {
    ///     println!("the next post may go out at {time}");
    /// }
    /// # }
    /// ```
    pub fn next_post_at(&self) -> Option<Timestamp> {
        self.posts.filter(|window| window.remaining == 0).map(|window| window.reset)
    }
}

/// A header that is one whole number.
pub(crate) fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}

/// Converts Unix seconds.
pub(crate) fn instant(seconds: u64) -> Option<Timestamp> {
    let millis = i64::try_from(seconds).ok()?.checked_mul(1000)?;
    Some(Timestamp::from_millis(millis))
}
