//! A successful answer with its metadata.

use bytes::Bytes;
use http::header::HeaderMap;
use http::{HeaderName, StatusCode};
use serde::de::DeserializeOwned;

use crate::error::{Error, Result, Target};
use crate::rate_limit::RateLimit;

/// A successful answer with status, headers and request id; from [`Call::raw`](crate::Call::raw).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer<T> {
    /// The body.
    pub value: T,
    /// The status, always 2xx.
    pub status: StatusCode,
    /// All headers; cookies are marked sensitive, so that `Debug` hides them.
    pub headers: HeaderMap,
    /// The server's id of this request, useful in logs.
    pub request_id: Option<String>,
    /// The rate limit that applies to this call, if any.
    pub rate_limit: Option<RateLimit>,
    /// Whether this is the stored answer of an earlier call with the same idempotency key.
    pub replayed: bool,
    /// Number of attempts.
    pub attempts: u32,
}

impl<T> Answer<T> {
    /// The same answer with another body.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let me = svc.users().me().raw().await?.map(|me| me.user.username);
    /// println!("{} {:?}", me.value, me.request_id);
    /// # Ok(()) }
    /// ```
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Answer<U> {
        Answer {
            value: change(self.value),
            status: self.status,
            headers: self.headers,
            request_id: self.request_id,
            rate_limit: self.rate_limit,
            replayed: self.replayed,
            attempts: self.attempts,
        }
    }
}

/// A 2xx answer whose body is not decoded yet.
pub(crate) struct Received {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) attempts: u32,
    pub(crate) target: Target,
    /// The idempotency key of a call that may be repeated under it.
    pub(crate) key: Option<String>,
}

impl Received {
    /// Decodes the body as `T`.
    pub(crate) fn decode<T: DeserializeOwned>(self) -> Result<Answer<T>> {
        let mut json = serde_json::Deserializer::from_slice(&self.body);
        let value = match serde_path_to_error::deserialize(&mut json) {
            Ok(value) => value,
            Err(error) => return Err(Error::decode(&self, &error)),
        };
        Ok(Answer {
            value,
            status: self.status,
            request_id: self.request_id(),
            rate_limit: RateLimit::from_headers(&self.headers),
            replayed: text(&self.headers, &REPLAYED) == Some("true"),
            headers: self.headers,
            attempts: self.attempts,
        })
    }

    /// The body as text.
    pub(crate) fn text(self) -> Result<String> {
        String::from_utf8(self.body.into()).map_err(|error| {
            let rule = format!("the answer is not UTF-8: {error}");
            Error::unreadable(self.status, &self.headers, ".".to_owned(), rule).of(self.target)
        })
    }

    pub(crate) fn request_id(&self) -> Option<String> {
        text(&self.headers, &REQUEST_ID).map(str::to_owned)
    }
}

/// The server's id of a request.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Marks a stored answer that the server sends again.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// A header as text.
pub(crate) fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
