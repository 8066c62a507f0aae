//! One webhook call and its result.

use std::collections::BTreeMap;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, Method};
use svc_store::trace;
use svc_types::Timestamp;
use svc_types::api::webhooks::DeliveryErrorClass;
use svc_types::webhook::{SIGNATURE, STANDARD_SIGNATURE};
use tokio::time::Instant;
use url::Url;

use super::request::OutboundRequest;
use crate::app::ServerApp;
use crate::outbound::{Answer, CallSpan};

/// Shown to the owner in place of a signature.
const REDACTED: &str = "[redacted]";

/// Most bytes of response headers that are stored.
const HEADERS_MAX: usize = 4_096;

/// A finished call.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) request: OutboundRequest,
    pub(super) started_at: Timestamp,
    pub(super) duration: Duration,
    headers: HeaderMap,
    pub(super) result: Result<Answer, DeliveryErrorClass>,
}

/// Calls a webhook once. The status line decides its success.
pub(super) async fn make(app: &ServerApp, request: OutboundRequest) -> Attempt {
    let (started_at, began) = (app.clock.now(), Instant::now());
    let span = begin(app, &request);
    let trace = span.trace().or(request.trace.as_ref());
    let (headers, result) = match request.headers(started_at, trace) {
        Ok(headers) => {
            let call = app.outbound.post(&request.url, headers.clone(), request.body.clone());
            let result = call.await;
            (headers, result)
        }
        Err(error) => {
            tracing::error!(
                %error,
                delivery = %request.delivery,
                "failed to build the headers of a webhook call"
            );
            (HeaderMap::new(), Err(DeliveryErrorClass::Protocol))
        }
    };
    span.end(result.as_ref().map(|answer| answer.status));
    Attempt { request, started_at, duration: began.elapsed(), headers, result }
}

/// Begins the span of a call, in the trace of the request that caused the event, or of that which makes a
/// test.
fn begin(app: &ServerApp, request: &OutboundRequest) -> CallSpan {
    let context = match &request.trace {
        Some(trace) => app.tracer.resume(trace),
        None => trace::current(),
    };
    let Some(context) = context else { return CallSpan::none() };
    let url = Url::parse(&request.url).ok();
    let host = url.as_ref().and_then(Url::host_str);
    CallSpan::begin(&context, "POST webhook", &Method::POST, host)
}

impl Attempt {
    /// The status, if there was a response.
    pub(super) fn status(&self) -> Option<u16> {
        self.result.as_ref().ok().map(|answer| answer.status)
    }

    /// Why it failed; `None` after a success.
    pub(super) fn failure(&self) -> Option<DeliveryErrorClass> {
        match &self.result {
            Ok(answer) if (200..300).contains(&answer.status) => None,
            Ok(_) => Some(DeliveryErrorClass::HttpStatus),
            Err(class) => Some(class.clone()),
        }
    }

    /// The request headers as JSON, with redacted signatures.
    pub(super) fn request_headers(&self) -> String {
        let mut headers = named(self.headers.iter());
        for name in [SIGNATURE, STANDARD_SIGNATURE] {
            headers.entry(name).and_modify(|value| REDACTED.clone_into(value));
        }
        serde_json::to_string(&headers).unwrap_or_default()
    }

    /// The first response headers, as JSON.
    pub(super) fn response_headers(&self) -> Option<String> {
        let answer = self.result.as_ref().ok()?;
        let mut left = HEADERS_MAX;
        let first = answer.headers.iter().take_while(|(name, value)| {
            let size = name.as_str().len() + value.len();
            left.checked_sub(size).inspect(|rest| left = *rest).is_some()
        });
        serde_json::to_string(&named(first)).ok().map(without_nul)
    }

    /// The beginning of the response body.
    pub(super) fn response_body(&self) -> Option<String> {
        let answer = self.result.as_ref().ok()?;
        Some(without_nul(String::from_utf8_lossy(&answer.body).into_owned()))
    }
}

/// PostgreSQL can't store this character.
fn without_nul(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text }
}

/// Headers by name; values of a repeated header are joined by commas.
fn named<'a>(
    headers: impl Iterator<Item = (&'a HeaderName, &'a HeaderValue)>,
) -> BTreeMap<&'a str, String> {
    let mut named: BTreeMap<&str, String> = BTreeMap::new();
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        let text = named.entry(name.as_str()).or_default();
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&value);
    }
    named
}
