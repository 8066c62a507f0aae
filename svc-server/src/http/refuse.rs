//! Errors as bodies and headers.
//!
//! A handler's error travels in the response's extensions to `observe`, which knows the request id
//! and alone turns it into a body.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use http::StatusCode;
use http::header::{
    ACCEPT, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER,
};
use svc_core::app::App;
use svc_core::services::oauth::Resource;
use svc_core::services::oauth::scopes::SUPPORTED;
use svc_store::error::{Error, Refusal};
use svc_types::{Code, ErrorBody, Scope, Scopes};

use super::answer::{budget_headers, window_headers};
use super::mcp;
use super::pages::{Kept, dress, language_of};
use crate::language::Language;
use crate::pages::{Frame, refused};

/// The pages that other websites show in iframes.
const EMBEDS: &str = "/api/embed/posts/";

/// What a browser shows the answer in.
const SEC_FETCH_DEST: &str = "sec-fetch-dest";

/// Filters that a refusal names at most.
const FILTERS_NAMED: usize = 8;

/// An error for `observe`.
#[derive(Clone)]
struct Carried(Arc<Error>);

/// A response that carries an error.
pub fn carry(error: Error) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = error.code().status();
    response.extensions_mut().insert(Carried(Arc::new(error)));
    response
}

/// A response that carries an error of an endpoint that needs one of these scopes.
pub(super) fn carry_from(error: Error, scopes: Scopes) -> Response {
    let mut response = carry(error);
    response.extensions_mut().insert(scopes);
    response
}

/// A response that carries an error of this part of the server.
pub(super) fn carry_at(error: Error, resource: Resource) -> Response {
    let mut response = carry(error);
    response.extensions_mut().insert(resource);
    response
}

/// Whether a refusal asks for another credential: 401, or a lack of scope.
pub(super) fn is_denial(refusal: &Refusal) -> bool {
    refusal.code == Code::InsufficientScope || refusal.code.status() == StatusCode::UNAUTHORIZED
}

/// What the caller sees of an error: a fault is logged and hidden.
pub(super) fn visible(error: &Error, request_id: &str) -> Refusal {
    match error {
        Error::Refused(refusal) => refusal.as_ref().clone(),
        Error::TooLong => too_long(None),
        Error::Internal(_) | Error::Overdue(_) => hide(error, request_id),
    }
}

/// The error of a read, which names the filters of the query when it took too long: they find too few
/// of too many rows.
pub(super) fn name_filters(error: Error, query: Option<&str>) -> Error {
    if matches!(error, Error::TooLong) { too_long(query).into() } else { error }
}

/// The refusal has no Retry-After, since the same request would take as long again.
fn too_long(query: Option<&str>) -> Refusal {
    let pairs = query.unwrap_or_default().split('&');
    let names = pairs.map(|pair| pair.split('=').next().unwrap_or_default());
    // A page is found by its place, whatever its length.
    let filters = names.filter(|name| !["", "cursor", "limit"].contains(name));
    let filters = filters.take(FILTERS_NAMED).collect::<Vec<_>>();
    let Some(first) = filters.first() else {
        return Refusal::new(Code::Overloaded, "reading this takes too long");
    };
    let message = format!("reading with {} takes too long", filters.join(", "));
    Refusal::new(Code::Overloaded, message)
        .field(first)
        .hint("leave a filter out, or ask for what is less rare")
}

/// How a program gets a token that would do, for a response that carries 401 or a lack of scope
/// (RFC 6750, RFC 9728). Programs refresh a token that is called invalid, and sign in without one.
pub(super) fn challenge(response: &Response, app: &App, has_token: bool) -> Option<HeaderValue> {
    let Carried(error) = response.extensions().get::<Carried>()?;
    let Error::Refused(refusal) = error.as_ref() else { return None };
    let own = response.extensions().get::<Scopes>().copied().unwrap_or_default();
    let (problem, scope) = match &refusal.code {
        Code::InsufficientScope => ("error=\"insufficient_scope\", ", refusal.scope.clone()?),
        code if code.status() == StatusCode::UNAUTHORIZED => {
            let is_invalid = has_token && *code == Code::Unauthorized;
            let problem = if is_invalid { "error=\"invalid_token\", " } else { "" };
            let first = own.iter().next().filter(|_| own != Scopes::ALL);
            let usual = || first.unwrap_or(Scope::Read).to_string();
            (problem, refusal.scope.clone().unwrap_or_else(usual))
        }
        _ => return None,
    };
    let resource = response.extensions().get::<Resource>().copied().unwrap_or(Resource::Api);
    let (root, part) = (&app.public_url, resource.as_str());
    let metadata = format!("{root}/.well-known/oauth-protected-resource/{part}");
    // No program gets the others, so it need not ask for them.
    let is_given = scope.split(' ').all(|one| SUPPORTED.contains(&one));
    let scope = if is_given { format!(", scope=\"{scope}\"") } else { String::new() };
    let text = format!("Bearer {problem}resource_metadata=\"{metadata}\"{scope}");
    HeaderValue::try_from(text).ok()
}

/// The code of the error that a response carries.
pub(super) fn refusal_code(response: &Response) -> Option<Code> {
    response.extensions().get::<Carried>().map(|Carried(error)| error.code())
}

/// Whether a response carries an error instead of a body.
pub(super) fn is_carried(response: &Response) -> bool {
    response.extensions().get::<Carried>().is_some()
}

/// The reader of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A person, in a browser.
    Person(Language),
    /// A person who reads another website, which shows a post in an iframe.
    Elsewhere,
    /// A program.
    Program,
}

impl Reader {
    /// A person accepts HTML outside of `/api` and `/mcp`. Browsers name an iframe, whose page no program reads.
    pub fn of(path: &str, headers: &HeaderMap) -> Self {
        let is_framed = headers.get(SEC_FETCH_DEST).is_some_and(|to| to == "iframe");
        if is_framed && path.starts_with(EMBEDS) {
            return Self::Elsewhere;
        }
        let accepts = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
        let reads_html = accepts.into_iter().any(|accept| accept.contains("text/html"));
        let is_api = path == "/api" || path.starts_with("/api/") || path == mcp::PATH;
        if reads_html && !is_api { Self::Person(language_of(headers)) } else { Self::Program }
    }
}

/// Turns a carried error into a body; other responses pass unchanged.
pub fn finish(mut response: Response, request_id: &str, reader: Reader) -> Response {
    let Some(Carried(error)) = response.extensions_mut().remove::<Carried>() else {
        return response;
    };
    let refusal = visible(&error, request_id);
    let kept = response.extensions_mut().remove::<Kept>();
    let frame = response.extensions_mut().remove::<Frame>();
    match reader {
        Reader::Person(_) => dress(&mut response),
        Reader::Elsewhere => {
            dress(&mut response);
            let policy = HeaderValue::from_static(refused::POLICY_ELSEWHERE);
            response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
        }
        Reader::Program => {
            let json = HeaderValue::from_static("application/json");
            response.headers_mut().insert(CONTENT_TYPE, json);
        }
    }
    let headers = response.headers_mut();
    if let Some(seconds) = refusal.retry_after {
        headers.insert(RETRY_AFTER, seconds.into());
    }
    if let Some(window) = refusal.window {
        headers.extend(window_headers(window).map(|(name, value)| (Some(name), value)));
    }
    if let Some(budget) = refusal.budget {
        headers.extend(budget_headers(&[budget]).map(|(name, value)| (Some(name), value)));
    }
    *response.body_mut() = match reader {
        Reader::Person(language) => {
            let typed = kept.map(|Kept(typed)| typed).unwrap_or_default();
            let frame = frame.unwrap_or_else(|| Frame::unknown(language));
            Body::from(refused::page(&refusal, request_id, &typed, frame))
        }
        Reader::Elsewhere => Body::from(refused::elsewhere(&refusal)),
        Reader::Program => Body::from(body(refusal, request_id)),
    };
    response
}

/// Logs a fault and returns the refusal that hides it.
fn hide(error: &Error, request_id: &str) -> Refusal {
    tracing::error!(request_id, %error, "a request failed");
    Refusal::new(Code::Internal, "internal server error")
}

fn body(refusal: Refusal, request_id: &str) -> Vec<u8> {
    serde_json::to_vec(&error_body(refusal, request_id))
        .expect("an error body is plain text and numbers")
}

/// The body of a refusal.
pub fn error_body(refusal: Refusal, request_id: &str) -> ErrorBody {
    ErrorBody {
        error: refusal.message,
        code: refusal.code,
        field: refusal.field,
        hint: refusal.hint,
        request_id: request_id.to_owned(),
        retry_after: refusal.retry_after,
        // One is named by `field` already.
        errors: Some(refusal.errors).filter(|errors| errors.len() > 1).unwrap_or_default(),
    }
}
