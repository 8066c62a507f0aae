//! From an endpoint and its options to the request of each attempt.

use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, COOKIE, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use reqwest::Url;
use svc_types::api::channels::PostChannelMessage;
use svc_types::api::messages::SendMessage;
use svc_types::api::orders::WAIT_MAX;
use svc_types::api::posts::CreatePost;
use svc_types::wire::Encoded;
use svc_types::{Declaration, Endpoint, Who};
use uuid::Uuid;

use crate::client::Client;
use crate::clock::{Clock, random};
use crate::error::{Error, Result, Target};
use crate::retry::{Repeat, lost_hint};

/// The header that makes a POST safe to repeat.
pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Options of one call.
#[derive(Clone, Default)]
pub(crate) struct Options {
    pub(crate) idempotency_key: Option<String>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) max_retry_wait: Option<Duration>,
    pub(crate) no_retry: bool,
    pub(crate) when_allowed: bool,
    pub(crate) max_items: Option<usize>,
    pub(crate) headers: HeaderMap,
}

/// A request, before the client's settings are added.
pub(crate) struct Draft<'a> {
    pub(crate) method: Method,
    /// Percent-encoded, with a leading `/`.
    pub(crate) path: &'a str,
    /// Without `?`.
    pub(crate) query: &'a str,
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) who: Who,
    pub(crate) repeat: Repeat,
    /// What to check if the answer was lost and the call may not be repeated.
    pub(crate) lost_hint: &'static str,
    pub(crate) takes_post_slot: bool,
    pub(crate) is_message: bool,
}

/// A prepared call: everything that is the same for all attempts.
pub(crate) struct Plan {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Bytes>,
    pub(crate) repeat: Repeat,
    pub(crate) lost_hint: &'static str,
    pub(crate) takes_post_slot: bool,
    /// Whether it sends a message.
    pub(crate) is_message: bool,
    /// How long the server may wait on purpose before it answers.
    pub(crate) patience: Duration,
    pub(crate) options: Options,
}

impl Plan {
    /// A call of an endpoint.
    pub(crate) fn declared(
        client: &Client,
        declared: &Declaration,
        encoded: Encoded,
        options: &Options,
    ) -> Result<Self> {
        let draft = Draft {
            method: declared.method.clone(),
            path: &encoded.path,
            query: &encoded.query,
            body: encoded.body,
            who: declared.who,
            repeat: Repeat::of(declared),
            lost_hint: lost_hint(declared.name),
            takes_post_slot: declared.name == CreatePost::NAME,
            is_message: [SendMessage::NAME, PostChannelMessage::NAME].contains(&declared.name),
        };
        let plan = Self::new(client, draft, options)?;
        // The server honours its key although the caller is anonymous.
        Ok(if declared.repeatable { Self { repeat: Repeat::Same, ..plan } } else { plan })
    }

    pub(crate) fn new(client: &Client, draft: Draft<'_>, options: &Options) -> Result<Self> {
        let url = url(client.base(), draft.path, draft.query)?;
        let mut headers = headers(client, draft.who)?;
        if draft.body.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        headers.extend(options.headers.clone());
        let own = client.account_headers(draft.who).is_some_and(|own| !own.is_empty());
        let known = own || headers.contains_key(AUTHORIZATION) || headers.contains_key(COOKIE);
        let is_post = draft.method == Method::POST;
        if is_post {
            let key = idempotency_key(options.idempotency_key.as_deref(), client.clock())?;
            headers.insert(IDEMPOTENCY_KEY, key);
        }
        Ok(Self {
            // The server ignores keys of anonymous callers.
            repeat: if is_post && !known { Repeat::Never } else { draft.repeat },
            method: draft.method,
            patience: patience(&url),
            url,
            headers,
            body: draft.body.map(Bytes::from),
            lost_hint: draft.lost_hint,
            takes_post_slot: draft.takes_post_slot,
            is_message: draft.is_message,
            options: options.clone(),
        })
    }

    /// The request of one attempt.
    pub(crate) fn request(&self) -> reqwest::Request {
        let mut request = reqwest::Request::new(self.method.clone(), self.url.clone());
        request.headers_mut().clone_from(&self.headers);
        *request.body_mut() = self.body.clone().map(Into::into);
        request
    }

    /// Method, server and path.
    pub(crate) fn target(&self) -> Target {
        Target {
            method: self.method.clone(),
            address: self.url.origin().ascii_serialization(),
            path: self.url.path().to_owned(),
        }
    }

    /// The idempotency key.
    pub(crate) fn key(&self) -> Option<&str> {
        self.headers.get(&IDEMPOTENCY_KEY)?.to_str().ok()
    }

    /// The idempotency key under which the call may be repeated.
    pub(crate) fn repeat_key(&self) -> Option<String> {
        self.key().filter(|_| self.repeat == Repeat::Same).map(str::to_owned)
    }

    /// Replaces the idempotency key for the next attempt.
    pub(crate) fn renew_key(&mut self, clock: &dyn Clock) {
        self.headers.insert(IDEMPOTENCY_KEY, new_key(clock));
    }
}

/// Joins base and path, and refuses a path that a URL parser would change.
fn url(base: &Url, path: &str, query: &str) -> Result<Url> {
    let wrong = || {
        let rule = "the path must begin with / and be percent-encoded, without . or .. segments, \
                    ? and #";
        Error::invalid(rule, None)
    };
    let whole = format!("{}{path}", base.path());
    if !path.starts_with('/') {
        return Err(wrong());
    }
    let mut url = base.clone();
    url.set_path(&whole);
    if url.path() != whole {
        return Err(wrong());
    }
    if !query.is_empty() {
        url.set_query(Some(query));
    }
    Ok(url)
}

/// How long a request lets the server wait before it answers: its `waitSeconds`.
fn patience(url: &Url) -> Duration {
    let asked = url.query_pairs().find(|(name, _)| name == "waitSeconds");
    let seconds = asked.and_then(|(_, text)| text.parse().ok()).unwrap_or(0);
    Duration::from_secs(seconds).min(WAIT_MAX)
}

/// The headers of every attempt.
fn headers(client: &Client, who: Who) -> Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    let agent = concat!("svc-client/", env!("CARGO_PKG_VERSION"));
    headers.insert(USER_AGENT, HeaderValue::from_static(agent));
    if let Some(key) = client.credential(who) {
        headers.insert(AUTHORIZATION, bearer(key)?);
    }
    if let Some(own) = client.account_headers(who) {
        headers.extend(own.clone());
    }
    Ok(headers)
}

/// `Bearer …`, hidden in `Debug`.
pub(crate) fn bearer(key: &str) -> Result<HeaderValue> {
    let mut value = HeaderValue::from_str(&format!("Bearer {key}"))
        .map_err(|_| Error::config("the key must be visible ASCII; look for a line break in it"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// The caller's idempotency key, or a new one.
fn idempotency_key(manual: Option<&str>, clock: &dyn Clock) -> Result<HeaderValue> {
    let Some(key) = manual else {
        return Ok(new_key(clock));
    };
    let valid = (1..=255).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    let value = HeaderValue::from_str(key).ok().filter(|_| valid);
    value.ok_or_else(|| {
        let rule = "an idempotency key must be 1 to 255 visible ASCII characters";
        Error::invalid(rule, Some("Idempotency-Key"))
    })
}

/// A new key: a UUID of version 7, so that the server's index of keys grows at one end.
fn new_key(clock: &dyn Clock) -> HeaderValue {
    let millis = u64::try_from(clock.now().as_millis()).unwrap_or_default();
    let key = uuid::Builder::from_unix_timestamp_millis(millis, &random()).into_uuid();
    let mut text = Uuid::encode_buffer();
    HeaderValue::from_str(key.hyphenated().encode_lower(&mut text))
        .expect("a UUID is visible ASCII")
}
