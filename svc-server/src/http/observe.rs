//! Wraps every request: a request id, a time limit, one log line, metrics.
//!
//! Nothing of a request's body, query, cookies or keys is ever logged.

mod peer;

use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::body::HttpBody;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONNECTION, COOKIE, HeaderName, HeaderValue,
    STRICT_TRANSPORT_SECURITY, WWW_AUTHENTICATE,
};
use http::{HeaderMap, Method, StatusCode};
use svc_core::app::App;
use svc_store::error::{Error, Refusal};
use svc_store::trace::{self, Context, Span, Trace};
use svc_types::api::billing::GetPayment;
use svc_types::api::orders::{self, GetOrder};
use svc_types::api::webhooks::TestWebhook;
use svc_types::{Code, Endpoint, Id};
use tokio::time::Instant;

pub use self::peer::Peer;
use self::peer::peer;
use super::body::{self, Awaited};
use super::consistency;
use super::refuse::{Reader, carry, challenge, finish, refusal_code};
use super::{a2a, mcp};
use crate::app::ServerApp;
use crate::outbound;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Browsers use TLS only for two years.
const TLS_ONLY: HeaderValue = HeaderValue::from_static("max-age=63072000");

/// What was answered to a credential is for nobody else, and gone once the browser has signed out.
const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-store");

/// The connection ends after this answer.
const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// The methods of HTTP.
const METHODS: [&str; 9] =
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"];

/// What is logged as the status of a request whose client left, as proxies do.
const GONE: u16 = 499;

/// Longest request id accepted from a proxy.
const REQUEST_ID_LENGTH_MAX: usize = 128;

/// A new request id.
struct NewId(String);

impl From<String> for NewId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Id for NewId {
    const PREFIX: &'static str = "req_";
}

/// The request id, for handlers: the answer to a batch repeats it in each error.
#[derive(Clone, Debug)]
pub(super) struct RequestId(pub(super) Arc<str>);

/// The authenticated caller, for the log line.
#[derive(Clone, Debug, Default)]
pub struct Principal(Arc<OnceLock<String>>);

impl Principal {
    /// Sets the id of an account or an app.
    pub fn set(&self, id: &str) {
        // A request has one caller, so a second value would be the same.
        let _ = self.0.set(id.to_owned());
    }
}

/// Runs a request, logs it and counts it.
pub async fn observe(
    State(app): State<Arc<ServerApp>>,
    mut request: Request,
    next: Next,
) -> Response {
    let observed = Observed::of(&app, &request);
    observed.attach_to(&mut request);
    request.extensions_mut().insert(Arc::clone(&app.arriving));
    let peer = observed.peer;
    let (method, route) = (observed.method.clone(), observed.route.clone());
    let given = trace(peer, request.headers());
    let span = begin(&app, given.as_ref(), &method, route.as_ref());
    let context = span.as_ref().map(Span::context).cloned();
    let context = context.or_else(|| given.map(Context::unrecorded));
    let trace = context.as_ref().map(|context| context.trace().clone());
    let limit = app.config.limits.request_timeout + waiting_time(&app, &method, route.as_ref());
    let unanswered = Unanswered { app: Arc::clone(&app), observed: Some(observed), trace };
    let (parts, body) = request.into_parts();
    let (body, awaited) = body::watch(body);
    let request = Request::from_parts(parts, body);
    // The handler is kept beyond its time, because one that is dropped no longer waits for a body.
    let mut answer = pin!(trace::within(context, consistency::tell(&app, next.run(request))));
    let answered = tokio::time::timeout(limit, answer.as_mut()).await;
    let response = answered.unwrap_or_else(|_| carry(out_of_time(&method, &awaited)));
    let response = app.leaving.count(peer, &method, response).await;
    unanswered.answered(response, span)
}

/// A request until it is answered. If its client leaves before, it is dropped, and logged and counted as well.
struct Unanswered {
    app: Arc<ServerApp>,
    observed: Option<Observed>,
    trace: Option<Trace>,
}

impl Unanswered {
    fn answered(mut self, response: Response, span: Option<Span>) -> Response {
        match self.observed.take() {
            Some(observed) => observed.report(&self.app, response, span, self.trace.as_ref()),
            None => response,
        }
    }
}

impl Drop for Unanswered {
    fn drop(&mut self) {
        if let (Some(observed), Ok(status)) = (self.observed.take(), StatusCode::from_u16(GONE)) {
            observed.log(&self.app, (status, None), None, self.trace.as_ref());
        }
    }
}

/// A request, as its log line and its metrics describe it.
struct Observed {
    began: Instant,
    peer: Option<Peer>,
    id: String,
    method: Method,
    route: Option<MatchedPath>,
    reader: Reader,
    has_token: bool,
    /// Whether it has a credential.
    is_private: bool,
    principal: Principal,
}

impl Observed {
    fn of(app: &ServerApp, request: &Request) -> Self {
        let began = Instant::now();
        let peer = peer(app, request);
        let has_token = request.headers().contains_key(AUTHORIZATION);
        Self {
            began,
            peer,
            id: request_id(app, peer, request.headers()),
            method: request.method().clone(),
            route: request.extensions().get::<MatchedPath>().cloned(),
            reader: Reader::of(request.uri().path(), request.headers()),
            has_token,
            is_private: has_token || request.headers().contains_key(COOKIE),
            principal: Principal::default(),
        }
    }

    /// Gives handlers what they need of it.
    fn attach_to(&self, request: &mut Request) {
        let extensions = request.extensions_mut();
        extensions.insert(self.principal.clone());
        extensions.insert(RequestId(self.id.as_str().into()));
        if let Some(peer) = self.peer {
            extensions.insert(peer);
        }
    }

    /// Ends the span, logs and counts the request, and completes the response.
    fn report(
        self,
        app: &App,
        response: Response,
        span: Option<Span>,
        trace: Option<&Trace>,
    ) -> Response {
        let code = refusal_code(&response);
        let challenge = challenge(&response, app, self.has_token);
        let challenge = challenge.filter(|_| self.reader == Reader::Program);
        let mut response = finish(response, &self.id, self.reader);
        if let Some(challenge) = challenge {
            response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        }
        if self.is_private {
            response.headers_mut().entry(CACHE_CONTROL).or_insert(PRIVATE);
        }
        let status = response.status();
        end(span, status, code.as_ref(), self.principal.0.get());
        self.log(app, (status, code.as_ref()), response.body().size_hint().exact(), trace);
        if app.config.is_https() {
            response.headers_mut().insert(STRICT_TRANSPORT_SECURITY, TLS_ONLY);
        }
        if let Ok(value) = HeaderValue::try_from(self.id) {
            response.headers_mut().insert(REQUEST_ID, value);
        }
        // A proxy would keep the connection for another request, and send that when the connection ends.
        if app.is_leaving() {
            response.headers_mut().insert(CONNECTION, CLOSE);
        }
        response
    }

    /// Logs and counts the request, with its status and the code of its error.
    fn log(
        &self,
        app: &App,
        (status, code): (StatusCode, Option<&Code>),
        bytes: Option<u64>,
        trace: Option<&Trace>,
    ) {
        let Self { began, peer, id, method, route, principal, .. } = self;
        let route = route.as_ref().map_or("none", MatchedPath::as_str);
        let duration = began.elapsed();
        tracing::info!(
            target: "svc_server::request",
            request_id = id.as_str(),
            %method,
            route,
            status = status.as_u16(),
            duration_us = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX),
            address = peer.map(|peer| tracing::field::display(peer.address)),
            caller = principal.0.get().map(String::as_str),
            bytes,
            trace_id = trace.map(Trace::id),
        );
        if app.config.metrics_listen.is_some() {
            measure(method, route, (status, code), duration);
        }
    }
}

/// Begins the span of a request, if it is recorded. A route is a template: it holds no ids.
fn begin(
    app: &App,
    given: Option<&Trace>,
    method: &Method,
    route: Option<&MatchedPath>,
) -> Option<Span> {
    let route = route.map_or("none", MatchedPath::as_str);
    let method = known(method);
    let mut span = app.tracer.request(given, || format!("{method} {route}"))?;
    span.note("http.request.method", method.to_owned());
    span.note("http.route", route.to_owned());
    Some(span)
}

/// Ends it. A caller who is refused is no failure of the server.
fn end(span: Option<Span>, status: StatusCode, code: Option<&Code>, caller: Option<&String>) {
    let Some(mut span) = span else { return };
    span.note("http.response.status_code", i64::from(status.as_u16()));
    if let Some(caller) = caller {
        span.note("svc.caller", caller.clone());
    }
    let why = code.map(ToString::to_string);
    match (status.is_server_error(), why) {
        (true, why) => span.fail(why.unwrap_or_else(|| status.as_str().to_owned())),
        (false, Some(why)) => span.refuse(why),
        (false, None) => {}
    }
    span.end();
}

/// The refusal of a request that took too long. What it has queued is not undone: the disk may be slow, and
/// a change may still be made. A request whose body has not arrived has queued nothing.
fn out_of_time(method: &Method, awaited: &Awaited) -> Error {
    let refusal = if awaited.is_awaited() {
        Refusal::new(Code::Overloaded, "the body did not arrive in time, so nothing was changed")
    } else if method.is_safe() {
        Refusal::new(Code::Overloaded, "the server could not answer in time")
    } else {
        let message =
            "the server could not answer in time, so the change may or may not have been made";
        Refusal::new(Code::OutcomeUnknown, message)
    };
    refusal.retry_after(1).into()
}

/// How long a request may wait on purpose, beside what it may take.
fn waiting_time(app: &App, method: &Method, route: Option<&MatchedPath>) -> Duration {
    let Some(route) = route.map(MatchedPath::as_str) else { return Duration::ZERO };
    if route == mcp::PATH {
        return svc_mcp::WAIT_MAX;
    }
    // In the API and in the settings.
    if route.ends_with(TestWebhook::PATH) {
        return outbound::longest(&app.config);
    }
    let asks_for = |path| *method == Method::GET && route.strip_prefix("/api") == Some(path);
    let waits = asks_for(GetOrder::PATH) || asks_for(GetPayment::PATH) || a2a::waits(method, route);
    if waits { orders::WAIT_MAX } else { Duration::ZERO }
}

/// The method of a request, or one word for all that clients make up: each would be a metric for good.
fn known(method: &Method) -> &'static str {
    METHODS.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}

/// Counts a request. The code of a failure tells what nobody has configured from what is broken.
fn measure(
    method: &Method,
    route: &str,
    (status, code): (StatusCode, Option<&Code>),
    duration: Duration,
) {
    let mut labels = vec![("method", known(method).to_owned()), ("route", route.to_owned())];
    metrics::histogram!("svc_http_request_seconds", &labels).record(duration.as_secs_f64());
    labels.push(("status", status.as_str().to_owned()));
    if let Some(code) = code.filter(|_| status.is_server_error()) {
        labels.push(("code", code.to_string()));
    }
    metrics::counter!("svc_http_requests_total", &labels).increment(1);
}

/// The trace ID that a trusted proxy sent. Other clients are ignored, or they could add their requests to a
/// trace that is not theirs.
fn trace(peer: Option<Peer>, headers: &HeaderMap) -> Option<Trace> {
    let given = headers.get(trace::HEADER).filter(|_| peer.is_some_and(|peer| peer.by_proxy));
    given.and_then(|value| Trace::read(value.to_str().ok()?))
}

/// The id of a trusted proxy, or a new one.
fn request_id(app: &App, peer: Option<Peer>, headers: &HeaderMap) -> String {
    let given = headers.get(REQUEST_ID).and_then(|value| value.to_str().ok());
    let usable = |text: &&str| {
        (1..=REQUEST_ID_LENGTH_MAX).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_graphic())
    };
    match given.filter(usable).filter(|_| peer.is_some_and(|peer| peer.by_proxy)) {
        Some(given) => given.to_owned(),
        None => app.ids.request::<NewId>().0,
    }
}

/// The response to a panic in a handler.
pub fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    carry(svc_store::panics::failure("a handler panicked"))
}
