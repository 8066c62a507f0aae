//! One request to Stripe and its answer.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use http::{HeaderMap, HeaderName, Method};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use svc_types::api::webhooks::DeliveryErrorClass;
use thiserror::Error;

use super::VERSION;
use super::credentials::{ApiKey, Mode};
use super::form::Form;
use crate::outbound::resolve::SystemNames;
use crate::outbound::{Answer, Limits, Outbound, Rules};

/// Where Stripe's API is.
const STRIPE_URL: &str = "https://api.stripe.com";

/// Time for a connection, and for a whole call. Stripe itself gives up after a minute or so; what is
/// later than this is looked up.
const CONNECT: Duration = Duration::from_secs(5);
const TOTAL: Duration = Duration::from_secs(30);

/// Most bytes of an answer: a page of a hundred events with their objects.
const BYTES_MAX: usize = 4 * 1024 * 1024;

/// Longest text of Stripe that is repeated in logs.
const MESSAGE_MAX: usize = 200;

const STRIPE_VERSION: HeaderName = HeaderName::from_static("stripe-version");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Why a call has no result.
#[derive(Clone, Debug, Error)]
pub enum CallError {
    /// No answer came, so whether the call had an effect is unknown.
    #[error("Stripe does not answer: {}", .0.as_str())]
    Unreachable(DeliveryErrorClass),
    /// Stripe asks to call less often (429); the call had no effect.
    #[error("Stripe limits the rate of calls")]
    RateLimited {
        /// Seconds to wait, if Stripe names them.
        retry_after: Option<u64>,
    },
    /// Stripe refuses the call (4xx); it had no effect.
    #[error("Stripe refuses the call: {0}")]
    Refused(Refused),
    /// Stripe failed (5xx), so whether the call had an effect is unknown.
    #[error("Stripe answers with status {0}")]
    Failed(u16),
    /// The answer can't be read, so what the call did is unknown.
    #[error("an answer of Stripe is malformed: {0}")]
    Malformed(String),
}

impl CallError {
    /// Whether the call may have had its effect: it must be repeated with the same idempotency key, or
    /// its object looked up.
    pub const fn is_unknown(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::Failed(_) | Self::Malformed(_))
    }

    /// Whether the object does not exist.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Refused(refused) if refused.status == 404)
    }

    /// Whether this parameter names an object that does not exist.
    pub fn lacks(&self, param: &str) -> bool {
        let is_it = |refused: &Refused| refused.param.as_deref() == Some(param);
        let is_missing = self.code() == Some("resource_missing");
        is_missing && matches!(self, Self::Refused(refused) if is_it(refused))
    }

    /// Stripe's code for a refused call, such as `charge_already_refunded`.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Refused(refused) => refused.code.as_deref(),
            _ => None,
        }
    }
}

/// Why Stripe refuses a call.
#[derive(Clone, Debug)]
pub struct Refused {
    /// The HTTP status.
    pub status: u16,
    /// The kind of error, such as `invalid_request_error`.
    pub kind: String,
    /// The code, for errors that a program handles.
    pub code: Option<String>,
    /// The parameter that is wrong.
    pub param: Option<String>,
    /// What Stripe says to developers, shortened.
    pub message: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { status, kind, code, message, .. } = self;
        write!(f, "{status} {kind} {}: {message}", code.as_deref().unwrap_or("without a code"))
    }
}

/// A client of Stripe for one account.
#[derive(Debug)]
pub struct Stripe {
    key: ApiKey,
    url: String,
    outbound: Outbound,
}

impl Stripe {
    /// A client of Stripe, or of a stand-in on loopback. `proxy` is the egress proxy of the settings.
    pub fn new(key: ApiKey, api_url: Option<&str>, proxy: Option<String>) -> Self {
        let limits = Limits { connect: CONNECT, total: TOTAL, proxy };
        Self::with_limits(key, api_url, limits)
    }

    /// The same with other timeouts.
    pub fn with_limits(key: ApiKey, api_url: Option<&str>, limits: Limits) -> Self {
        // Only a stand-in is on loopback. Plain http is refused elsewhere, so the key stays secret.
        let rules = Rules { loopback: api_url.is_some(), networks: Vec::new() };
        let url = api_url.unwrap_or(STRIPE_URL).trim_end_matches('/').to_owned();
        Self { key, url, outbound: Outbound::new(rules, limits, Arc::new(SystemNames)) }
    }

    /// Whether its key moves real money.
    pub const fn mode(&self) -> Mode {
        self.key.mode()
    }

    /// Reads an object or a list; `path` begins with a slash.
    pub(super) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &Form,
    ) -> Result<T, CallError> {
        let url = if query.is_empty() {
            format!("{}{path}", self.url)
        } else {
            format!("{}{path}?{}", self.url, query.encode())
        };
        let sent = self.outbound.send(Method::GET, &url, self.headers(), None, BYTES_MAX);
        read(&sent.await.map_err(CallError::Unreachable)?)
    }

    /// Creates or changes an object, once per idempotency key.
    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        form: &Form,
        idempotency_key: &str,
    ) -> Result<T, CallError> {
        let mut headers = self.headers();
        let form_type = HeaderValue::from_static("application/x-www-form-urlencoded");
        headers.insert(CONTENT_TYPE, form_type);
        let key = HeaderValue::try_from(idempotency_key).map_err(|_| malformed(&"our own key"))?;
        headers.insert(IDEMPOTENCY_KEY, key);
        let (url, body) = (format!("{}{path}", self.url), Some(form.encode()));
        let sent = self.outbound.send(Method::POST, &url, headers, body, BYTES_MAX);
        read(&sent.await.map_err(CallError::Unreachable)?)
    }

    /// Ends an object. Repeated, it is refused, so it needs no idempotency key.
    pub(super) async fn delete<T: DeserializeOwned>(&self, path: &str) -> Result<T, CallError> {
        let url = format!("{}{path}", self.url);
        let sent = self.outbound.send(Method::DELETE, &url, self.headers(), None, BYTES_MAX);
        read(&sent.await.map_err(CallError::Unreachable)?)
    }

    fn headers(&self) -> HeaderMap {
        let version = HeaderValue::from_static(VERSION);
        HeaderMap::from_iter([(AUTHORIZATION, self.key.bearer()), (STRIPE_VERSION, version)])
    }
}

/// The object in an answer, or the error that it reports.
fn read<T: DeserializeOwned>(answer: &Answer) -> Result<T, CallError> {
    match answer.status {
        200..=299 if answer.body.len() > BYTES_MAX => Err(malformed(&"longer than 4 MiB")),
        200..=299 => serde_json::from_slice(&answer.body).map_err(|error| malformed(&error)),
        429 => Err(CallError::RateLimited { retry_after: retry_after(&answer.headers) }),
        status @ 400..=499 => Err(CallError::Refused(refused(status, &answer.body))),
        // Stripe redirects nowhere, so another status is a failure on the way.
        status => Err(CallError::Failed(status)),
    }
}

fn malformed(why: &dyn fmt::Display) -> CallError {
    CallError::Malformed(why.to_string())
}

fn retry_after(headers: &HeaderMap) -> Option<u64> {
    headers.get(RETRY_AFTER)?.to_str().ok()?.parse().ok()
}

fn refused(status: u16, body: &[u8]) -> Refused {
    #[derive(Default, Deserialize)]
    struct Inner {
        #[serde(default)]
        r#type: String,
        code: Option<String>,
        param: Option<String>,
        #[serde(default)]
        message: String,
    }
    #[derive(Default, Deserialize)]
    struct Outer {
        error: Inner,
    }
    let Outer { error } = serde_json::from_slice(body).unwrap_or_default();
    let message = error.message.chars().take(MESSAGE_MAX).collect();
    Refused { status, kind: error.r#type, code: error.code, param: error.param, message }
}

/// A path with an id in it, which may hold nothing that would change the path.
pub(super) fn path(collection: &str, id: &str) -> Result<String, CallError> {
    let is_id = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if id.is_empty() || !id.bytes().all(is_id) {
        return Err(malformed(&"an id has other characters than letters, digits and _"));
    }
    Ok(format!("{collection}/{id}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_never_changes_the_path() {
        assert_eq!(path("/v1/refunds", "re_1Ab").unwrap(), "/v1/refunds/re_1Ab");
        for wrong in ["", "..", "a/b", "re_1?expand", "re%2f", "ré"] {
            assert!(path("/v1/refunds", wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_refusal_needs_no_body() {
        let refused = refused(404, b"<html>");
        assert_eq!((refused.status, refused.code), (404, None));
    }
}
