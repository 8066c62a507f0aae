//! What pages of other origins may call (CORS): the documents, the API and tokens, by key or token.
//!
//! A cookie never counts there: no response carries `Access-Control-Allow-Credentials`, so browsers
//! hide the response to a request that had one, and `credentials` ignores the cookie of a page of
//! another origin. Pages, and calls that take the password of a person, are not shared at all.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, AUTHORIZATION, CONTENT_TYPE,
    HeaderName, HeaderValue, ORIGIN, RETRY_AFTER, WWW_AUTHENTICATE,
};
use http::{Method, StatusCode};
use svc_core::config::Config;
use tower::{Layer, ServiceExt};
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

use super::a2a::EXTENSION;

/// How long a browser may keep the response to a preflight. Chromium caps it to this.
const PREFLIGHT_LIFE: Duration = Duration::from_hours(2);

const METHODS: [Method; 5] =
    [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];

/// Headers that a page may send: those of the API, of MCP, of A2A and of x402, whose clients also send the
/// last one.
const SENT: [HeaderName; 14] = [
    AUTHORIZATION,
    CONTENT_TYPE,
    HeaderName::from_static("idempotency-key"),
    HeaderName::from_static("prefer"),
    HeaderName::from_static("x-svc-consistency"),
    HeaderName::from_static("last-event-id"),
    HeaderName::from_static("mcp-protocol-version"),
    HeaderName::from_static("mcp-session-id"),
    HeaderName::from_static("mcp-method"),
    HeaderName::from_static("mcp-name"),
    HeaderName::from_static("a2a-version"),
    HeaderName::from_static("a2a-extensions"),
    HeaderName::from_static("payment-signature"),
    ACCESS_CONTROL_EXPOSE_HEADERS,
];

/// Headers of a response that a page may read.
const SHOWN: [HeaderName; 13] = [
    HeaderName::from_static("x-request-id"),
    HeaderName::from_static("x-ratelimit-limit"),
    HeaderName::from_static("x-ratelimit-remaining"),
    HeaderName::from_static("x-ratelimit-reset"),
    RETRY_AFTER,
    HeaderName::from_static("svc-ignored"),
    HeaderName::from_static("x-svc-consistency"),
    HeaderName::from_static("ratelimit"),
    HeaderName::from_static("ratelimit-policy"),
    HeaderName::from_static("idempotent-replayed"),
    WWW_AUTHENTICATE,
    HeaderName::from_static("payment-required"),
    HeaderName::from_static("payment-response"),
];

/// Documents outside of `/api`.
const DOCUMENTS: [&str; 4] = ["/skill.md", "/llms.txt", "/.well-known/", EXTENSION];

/// Documents of the API.
const API_DOCUMENTS: [&str; 2] = ["/api/openapi.json", "/api/asyncapi.json"];

/// How the path of an agent's card ends.
const CARD: &str = "/.well-known/agent-card.json";

/// What else is called with a key or a token, and what a client of OAuth calls that runs in a page.
const CALLS: [&str; 7] = [
    "/api/",
    "/oauth/token",
    "/oauth/revoke",
    "/oauth/userinfo",
    "/oauth/register",
    "/mcp",
    "/a2a",
];

/// Of these, what takes the password of a person, sets a cookie or is a page. Paths below count too.
const OWN: [&str; 4] = ["/api/auth/login", "/api/auth/logout", "/api/auth/password", "/api/docs"];

/// The headers of responses to pages of other origins.
#[derive(Clone)]
pub(super) struct CrossOrigin(Arc<Layers>);

struct Layers {
    /// For documents, which everybody may read.
    documents: CorsLayer,
    /// For calls, by the origins of the settings.
    calls: CorsLayer,
}

impl CrossOrigin {
    pub(super) fn of(config: &Config) -> Self {
        let calls = match config.cors.origins() {
            None => every_origin(),
            Some(origins) => {
                let origins = origins.iter().map(|origin| HeaderValue::try_from(origin.as_str()));
                let origins = origins.map(|origin| origin.expect("settings are checked"));
                layer().allow_origin(AllowOrigin::list(origins)).vary([ORIGIN])
            }
        };
        Self(Arc::new(Layers { documents: every_origin(), calls }))
    }

    /// What a path lets pages of other origins do, if anything.
    fn layer(&self, path: &str) -> Option<&CorsLayer> {
        if is_document(path) {
            return Some(&self.0.documents);
        }
        (begins(path, &CALLS) && !begins(path, &OWN)).then_some(&self.0.calls)
    }
}

fn is_document(path: &str) -> bool {
    let is_card = path.starts_with("/a2a/") && path.ends_with(CARD);
    is_card || begins(path, &DOCUMENTS) || begins(path, &API_DOCUMENTS)
}

fn layer() -> CorsLayer {
    CorsLayer::new()
        .allow_methods(METHODS)
        .allow_headers(SENT)
        .expose_headers(SHOWN)
        .max_age(PREFLIGHT_LIFE)
}

/// The response is the same for every origin, so that caches need not tell them apart.
fn every_origin() -> CorsLayer {
    layer().allow_origin(Any).vary([])
}

/// Whether a path is one of these or below it.
fn begins(path: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| {
        path.strip_prefix(prefix)
            .is_some_and(|rest| prefix.ends_with('/') || rest.is_empty() || rest.starts_with('/'))
    })
}

/// Adds the headers to every response, also to those of `observe`, which runs inside.
pub(super) async fn share(
    State(shared): State<CrossOrigin>,
    request: Request,
    next: Next,
) -> Response {
    match shared.layer(request.uri().path()) {
        Some(layer) if request.method() != Method::OPTIONS => through(layer, request, next).await,
        _ => next.run(request).await,
    }
}

/// Answers the question of a browser whether a page may call, inside of `observe`, which logs it.
pub(super) async fn preflight(
    State(shared): State<CrossOrigin>,
    request: Request,
    next: Next,
) -> Response {
    let is_preflight = request.method() == Method::OPTIONS
        && request.headers().contains_key(ORIGIN)
        && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    match shared.layer(request.uri().path()) {
        Some(layer) if is_preflight => {
            let mut response = through(layer, request, next).await;
            *response.status_mut() = StatusCode::NO_CONTENT;
            response
        }
        _ => next.run(request).await,
    }
}

async fn through(layer: &CorsLayer, request: Request, next: Next) -> Response {
    let answered = layer.layer(next).oneshot(request).await;
    answered.unwrap_or_else(|never| match never {})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_shared_by_what_it_serves() {
        let config = Config::load(None, &Vec::new()).unwrap();
        let shared = CrossOrigin::of(&config);
        for path in [
            "/skill.md",
            "/.well-known/jwks.json",
            "/api/openapi.json",
            "/api/users/me",
            "/api/auth/register",
            "/api/auth/keys",
            "/oauth/token",
            "/oauth/revoke",
            "/oauth/userinfo",
            "/oauth/register",
            "/mcp",
            "/a2a",
            "/a2a/wordbot",
            "/a2a/wordbot/.well-known/agent-card.json",
        ] {
            assert!(shared.layer(path).is_some(), "{path}");
        }
        for (path, expected) in [
            ("/.well-known/agent-card.json", true),
            ("/a2a/wordbot/.well-known/agent-card.json", true),
            ("/a2a/wordbot", false),
            ("/api/users/me", false),
        ] {
            assert_eq!(is_document(path), expected, "{path}");
        }
        for path in [
            "/",
            "/login",
            "/settings/security",
            "/oauth/authorize",
            "/oauth/tokens",
            "/oauth/introspect",
            "/oauth/device",
            "/device",
            "/api/docs/",
            "/api/auth/login",
            "/api/auth/login/passkey",
            "/api/auth/logout",
            "/api/auth/password",
            "/mcpx",
        ] {
            assert!(shared.layer(path).is_none(), "{path}");
        }
    }
}
