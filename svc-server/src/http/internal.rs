//! Authorization for an external broker: who may connect, subscribe and publish.
//!
//! Every response is 200 with a verdict in JSON, even to an invalid request, by any method and at any
//! path: brokers treat a failure as "ignore" and may then allow.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderMap};
use serde_json::Value;
use svc_core::app::App;
use svc_core::keys;
use svc_mqtt::external::{Ask, Dialect, Verdict, judge};
use svc_store::error::Result;
use tokio_util::sync::CancellationToken;

use super::listen::{self, Taken};
use crate::app::ServerApp;

/// The header with the shared secret.
const SECRET: &str = "x-svc-internal-secret";

/// Serves `/internal/mqtt` until `stop` is cancelled.
pub(crate) fn start(
    taken: Taken,
    app: Arc<ServerApp>,
    stop: CancellationToken,
) -> Result<SocketAddr> {
    let bound = taken.address()?;
    let listener = taken.listen()?;
    let (limits, loops) = (app.config.limits.clone(), app.loops.clone());
    let router = Router::new()
        .route("/internal/mqtt/auth", any(auth))
        .route("/internal/mqtt/acl", any(acl))
        .fallback(unknown)
        .with_state(app);
    loops.run("broker_questions", listen::serve(listener, router, limits, stop));
    Ok(bound)
}

async fn auth(
    State(app): State<Arc<ServerApp>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    answer(app, &headers, read(query.as_deref(), body, Dialect::auth)).await
}

async fn acl(
    State(app): State<Arc<ServerApp>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    answer(app, &headers, read(query.as_deref(), body, Dialect::acl)).await
}

/// What a broker asks elsewhere: its settings have a mistake, which must allow nothing.
async fn unknown(State(app): State<Arc<ServerApp>>) -> Response {
    answer(app, &HeaderMap::new(), None).await
}

fn read(
    query: Option<&str>,
    body: Result<Bytes, BytesRejection>,
    read: fn(Dialect, &Value) -> Option<Ask>,
) -> Option<Ask> {
    let dialect = query.unwrap_or_default().strip_prefix("dialect=")?;
    let body: Value = serde_json::from_slice(&body.ok()?).ok()?;
    read(Dialect::named(dialect)?, &body)
}

/// Answers with a verdict; 404 with the embedded broker, which needs none.
async fn answer(app: Arc<ServerApp>, headers: &HeaderMap, ask: Option<Ask>) -> Response {
    let Some(external) = app.broker.external().cloned() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let Some(ask) = ask.filter(|_| knows_secret(&app, headers)) else {
        return verdict_response(&Verdict::DENY);
    };
    let judged = app.read(move |ctx| judge(ctx, &external, &ask)).await;
    verdict_response(&judged.unwrap_or_else(|error| {
        tracing::error!(%error, "failed to answer the external broker");
        Verdict::DENY
    }))
}

fn verdict_response(verdict: &Verdict) -> Response {
    let json = serde_json::to_string(verdict).expect("a verdict is JSON");
    ([(CONTENT_TYPE, "application/json")], json).into_response()
}

fn knows_secret(app: &App, headers: &HeaderMap) -> bool {
    let secret = &app.config.broker.internal_secret;
    let given = headers.get(SECRET).and_then(|given| given.to_str().ok());
    !secret.is_empty()
        && given.is_some_and(|given| keys::same(&keys::hash(secret), &keys::hash(given)))
}
