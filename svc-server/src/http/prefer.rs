//! What callers prefer to happen to unknown members (`Prefer: handling`, RFC 7240), and what the
//! response says about it.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use axum::response::Response;
use http::header::{HeaderMap, HeaderName, HeaderValue};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use svc_store::error::{Error, Result};
use svc_types::api::messages::SendMessage;
use svc_types::wire::{Handling, PREFER_MAX};
use svc_types::{Endpoint, ServiceMessage};

use super::answer::Headers;

const PREFER: HeaderName = HeaderName::from_static("prefer");
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");
const SVC_IGNORED: HeaderName = HeaderName::from_static("svc-ignored");

/// Longer names are cut. The header has at most ten of them.
const NAME_CHARS_MAX: usize = 64;

/// Everything else in a name is escaped, so that a comma always separates two.
const ESCAPED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');

/// The preferred handling. The first one counts (RFC 7240 §2). 400 for a header that is too long.
pub(super) fn handling(headers: &HeaderMap) -> Result<Handling> {
    let length: usize = headers.get_all(PREFER).into_iter().map(HeaderValue::len).sum();
    if length > PREFER_MAX {
        let message = format!("Prefer must have at most {PREFER_MAX} characters");
        return Err(Error::invalid("Prefer", message));
    }
    let values = headers.get_all(PREFER).into_iter().filter_map(|value| value.to_str().ok());
    let mut preferences = values.flat_map(|value| value.split(',')).filter_map(|preference| {
        let (name, value) = preference.split(';').next()?.split_once('=')?;
        Some((name.trim(), value.trim().trim_matches('"')))
    });
    Ok(match preferences.find(|(name, _)| name.eq_ignore_ascii_case("handling")) {
        Some((_, value)) if value.eq_ignore_ascii_case("strict") => Handling::Strict,
        _ => Handling::Lenient,
    })
}

/// The unknown members of a service message, which is JSON inside a text of its request. Its form is the
/// specification's, so they are never refused.
pub(super) fn ignored_in_content<E: Endpoint>(request: &E) -> Vec<String> {
    let message = (request as &dyn Any).downcast_ref::<SendMessage>();
    message.map(|message| ServiceMessage::ignored(&message.content)).unwrap_or_default()
}

/// How the unknown members of a request were handled, for its response.
#[derive(Clone, Default)]
pub(super) struct HandlingReport(Arc<OnceLock<(Handling, Headers)>>);

impl HandlingReport {
    /// Sets how the request was handled, and which of its members were ignored.
    pub(super) fn set(&self, handling: Handling, ignored: &[String]) {
        let mut headers = Headers::new();
        let names: Vec<String> =
            ignored.iter().map(|name| escaped(name)).filter(|name| !name.is_empty()).collect();
        if !names.is_empty() {
            let names = HeaderValue::try_from(names.join(", "));
            headers.push((SVC_IGNORED, names.expect("escaped names are a header's value")));
        }
        // A request is decoded once.
        let _ = self.0.set((handling, headers));
    }

    /// Adds the headers to a response. A refusal ignored nothing.
    pub(super) fn add_to(&self, mut response: Response) -> Response {
        let Some((handling, ignored)) = self.0.get() else { return response };
        let is_success = response.status().is_success();
        let headers = response.headers_mut();
        if *handling == Handling::Strict {
            headers.insert(PREFERENCE_APPLIED, HeaderValue::from_static("handling=strict"));
        }
        if is_success {
            headers.extend(ignored.iter().map(|(name, value)| (Some(name.clone()), value.clone())));
        }
        response
    }
}

fn escaped(name: &str) -> String {
    let name: String = name.chars().take(NAME_CHARS_MAX).collect();
    utf8_percent_encode(&name, ESCAPED).to_string()
}
