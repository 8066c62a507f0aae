//! `/mcp`: the tools of `svc-mcp` for agents' hosts, over streamable HTTP.
//!
//! Each request stands alone, so that any node answers it. Its credential, an API key or an access token
//! for this resource, is checked first; the tools then call the endpoints with the same credential
//! inside the process, so that checks, limits and budgets are those of the API.
//!
//! | module | what it holds |
//! |---|---|
//! | `server` | the protocol: tools, prompts, resources |
//! | `session` | one request: its caller, and how endpoints are called |
//! | `consent` | asking the person before credits are spent |
//! | `order` | the tool that orders |
//! | `hold` | the escrow that pays for its order |
//! | `escrow` | the tools that open and release escrows |
//! | `topup` | the tool that buys credits with tokens |

mod consent;
mod escrow;
mod hold;
mod order;
mod server;
mod session;
mod topup;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use axum::routing::post;
use bytes::Bytes;
use http::StatusCode;
use http::header::{CONTENT_TYPE, COOKIE, HOST, HeaderMap, ORIGIN};
use http::request::Parts;
use http_body_util::Full;
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use svc_core::app::Ctx;
use svc_core::services::oauth::Resource;
use svc_store::error::{Refusal, Result};
use svc_types::{Code, Scopes, Who, by};
use url::Url;

use self::server::Server;
use self::session::Visit;
use super::credentials;
use super::direct::DirectApi;
use super::incoming::{self, Accepts, Allows, Incoming, Rules};
use super::refuse::carry_at;
use crate::app::ServerApp;

/// Where the tools are.
pub(super) const PATH: &str = "/mcp";

/// The host names of a server that only this machine reaches.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The route of this module.
pub(super) fn router(app: &Arc<ServerApp>, direct: Arc<DirectApi>) -> Router<Arc<ServerApp>> {
    let transport = Arc::new(Transport::of(app, direct));
    let serve = move |request: Request| {
        let transport = Arc::clone(&transport);
        async move { transport.serve(request).await }
    };
    Router::new().route(PATH, post(serve))
}

/// Requests as they arrive.
struct Transport {
    app: Arc<ServerApp>,
    /// The origin of the server's own pages.
    origin: String,
    /// The host names that requests may be for; any, unless the server knows how it is reached.
    hosts: Vec<String>,
    service: StreamableHttpService<Server, NeverSessionManager>,
}

impl Transport {
    fn of(app: &Arc<ServerApp>, direct: Arc<DirectApi>) -> Self {
        let url = Url::parse(&app.public_url).ok();
        let origin = url.as_ref().map(|url| url.origin().ascii_serialization());
        let hosts = match url.as_ref().and_then(Url::host_str) {
            Some(host) if app.config.has_public_url() => vec![host.to_owned()],
            _ if app.config.listen.ip().is_loopback() => LOOPBACK.map(str::to_owned).to_vec(),
            _ => Vec::new(),
        };
        let server = Server::new(Arc::clone(app), direct);
        // Hosts, origins and sizes are judged before, with the refusals of the API.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .disable_allowed_hosts()
            .with_max_request_body_bytes(app.config.limits.body_bytes);
        let sessions = Arc::new(NeverSessionManager::default());
        Self {
            app: Arc::clone(app),
            origin: origin.unwrap_or_default(),
            hosts,
            service: StreamableHttpService::new(move || Ok(server.clone()), sessions, config),
        }
    }

    async fn serve(&self, request: Request) -> Response {
        let answered = match self.admit(request).await {
            Ok((parts, body, visit)) => self.answer(parts, body, visit).await,
            Err(error) => Err(error),
        };
        answered.unwrap_or_else(|error| carry_at(error, Resource::Mcp))
    }

    /// Refuses foreign origins (403), then callers without a valid credential (401), then bodies (413, 415).
    async fn admit(&self, request: Request) -> Result<(Parts, Bytes, Visit)> {
        let (mut parts, body) = request.into_parts();
        self.refuse_foreign(&parts)?;
        // A cookie is not meant for programs.
        parts.headers.remove(COOKIE);
        credentials::read(&self.app.config, &parts.method, &parts.headers).refuse_hopeless()?;
        parts.extensions.insert(Resource::Mcp);
        let mut kept = parts.clone();
        // Suspended accounts and paused agents read; each endpoint judges again.
        let allows = Allows { suspended: true, ..Allows::default() };
        let incoming = Incoming { parts, body, path: Vec::new(), allows };
        let accepts = Accepts::json(self.app.config.limits.body_bytes);
        let received = incoming::receive(&self.app, incoming, &accepts, Who::Account).await?;
        let body = received.body().clone();
        let rules = Rules { scopes: Scopes::default(), guarded: false };
        let job = move |ctx: &mut Ctx<'_, '_>| received.authenticate::<by::Account>(ctx, rules);
        let account = self.app.read(job).await?;
        let visit = Visit::of(&kept, account);
        kept.extensions.insert(visit.clone());
        Ok((kept, body, visit))
    }

    async fn answer(&self, parts: Parts, body: Bytes, visit: Visit) -> Result<Response> {
        let request = http::Request::from_parts(parts, Full::new(body.clone()));
        let response = self.service.handle(request).await;
        if let Some(denial) = visit.denial() {
            return Err(denial.into());
        }
        match plain_refusal(response.status(), response.headers(), &body) {
            Some(refusal) => Err(refusal.into()),
            None => Ok(response.map(Body::new)),
        }
    }

    /// Browsers send an Origin: pages of other sites may not use this endpoint. A host name that is not
    /// the server's hints at DNS rebinding.
    fn refuse_foreign(&self, parts: &Parts) -> Result<()> {
        let refuse = |message: &str, hint: &str| {
            Err(Refusal::new(Code::CrossSiteRequest, message).hint(hint).into())
        };
        let origins = parts.headers.get_all(ORIGIN);
        if origins.iter().any(|origin| origin.as_bytes() != self.origin.as_bytes()) {
            let hint = "call it from a program, which sends no Origin";
            return refuse("requests of other origins are refused", hint);
        }
        let host = host(parts).unwrap_or("");
        if !self.hosts.is_empty() && !self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host)) {
            let hint = "the setting public_url says how the server is reached";
            return refuse("the Host header does not name this server", hint);
        }
        Ok(())
    }
}

/// The same refusal in the form of the API where the library refuses the head of a request in plain text.
/// Errors of the protocol are JSON and stay.
fn plain_refusal(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Option<Refusal> {
    let invalid = |field: &str, message: String| {
        Some(Refusal::new(Code::ValidationFailed, message).field(field))
    };
    match status {
        // The media type was right, so the body is what the library could not read.
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Some(unreadable(body)),
        StatusCode::NOT_ACCEPTABLE => {
            let types = "application/json and text/event-stream";
            invalid("Accept", format!("Accept must name both {types}"))
        }
        StatusCode::BAD_REQUEST => match headers.get(CONTENT_TYPE) {
            None => {
                let known = ProtocolVersion::KNOWN_VERSIONS.iter().map(ProtocolVersion::as_str);
                let known: Vec<&str> = known.collect();
                let message = format!("MCP-Protocol-Version must be one of {}", known.join(", "));
                invalid("MCP-Protocol-Version", message)
            }
            Some(plain) if plain.as_bytes().starts_with(b"text/plain") => {
                invalid("Host", "Host must be the name of a host, with its port".to_owned())
            }
            Some(_) => None,
        },
        _ => None,
    }
}

/// The refusal of a body that is not a message: not even JSON, as with half of an emoji, or something else.
fn unreadable(body: &[u8]) -> Refusal {
    match serde_json::from_slice::<Value>(body) {
        Err(error) => Refusal::new(Code::InvalidJson, format!("the body must be JSON: {error}")),
        Ok(_) => Refusal::new(Code::InvalidJson, "the body must be one JSON-RPC message")
            .hint("batches are not supported"),
    }
}

/// The host name that a request is for, without its port.
fn host(parts: &Parts) -> Option<&str> {
    let Some(header) = parts.headers.get(HOST) else { return parts.uri.host() };
    let text = header.to_str().ok()?;
    // Without a port, the last colon of an IPv6 address stands inside its brackets.
    match text.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => Some(name),
        _ => Some(text),
    }
}
