//! What Stripe and its pages send back: `POST /webhooks/stripe` and `GET /billing/return`.
//!
//! Neither is believed. A webhook names an object, and a browser that returns names a payment: both are
//! put into the queue of [`billing`], whose worker asks Stripe.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http::header::CONTENT_TYPE;
use http::request::Parts;
use svc_core::services::billing::payout::destination;
use svc_core::services::billing::queue::{self, Kind};
use svc_core::services::billing::subscription::begin;
use svc_core::services::billing::{payment, require};
use svc_store::error::{Error, Refusal, Result};
use svc_types::{Code, PaymentId, SubscriptionId, id};
use url::form_urlencoded;

use super::incoming::{self, Accepts, Allows, Incoming};
use super::pages::reply;
use super::refuse::carry;
use crate::app::ServerApp;
use crate::billing::{self, Billing};
use crate::stripe::{Event, Mode, verify};

/// Most bytes of a webhook.
const BYTES_MAX: usize = 256 * 1024;

/// The header with the signature of a webhook.
const SIGNATURE: &str = "stripe-signature";

/// The answer to a webhook.
const RECEIVED: &str = r#"{"received":true}"#;

/// Where buyers go on.
const CREDITS: &str = "/credits";

/// Where subscribers go on.
const SETTINGS: &str = "/settings/billing";
/// Where sellers go on.
const PAYOUTS: &str = "/sell/payouts";

type App = State<Arc<ServerApp>>;

/// The routes, outside of `/api`.
pub(super) fn router() -> Router<Arc<ServerApp>> {
    let webhook = |State(app): App, request: Request| async move {
        receive(&app, request).await.unwrap_or_else(carry)
    };
    let returned = |State(app): App, request: Request| async move {
        returned(&app, &request.into_parts().0).await.unwrap_or_else(carry)
    };
    Router::new().route("/webhooks/stripe", post(webhook)).route("/billing/return", get(returned))
}

/// Takes a webhook. The signature is checked before anything is read from the body.
async fn receive(app: &Arc<ServerApp>, request: Request) -> Result<Response> {
    let billing = connected(app)?;
    let (parts, body) = request.into_parts();
    let mut incoming = Incoming { parts, body, path: Vec::new(), allows: Allows::default() };
    let body = incoming::read(&mut incoming, &Accepts::json(BYTES_MAX)).await?;
    check(app, billing, &incoming.parts, &body)?;
    let event: Event = serde_json::from_slice(&body).map_err(|error| {
        let message = format!("the body is not an event of Stripe: {error}");
        Error::refused(Code::ValidationFailed, message)
    })?;
    if Mode::of(event.livemode) == billing.mode() {
        app.write(move |ctx| billing::raise(ctx, &event)).await?;
    }
    Ok(([(CONTENT_TYPE, "application/json")], RECEIVED).into_response())
}

fn connected(app: &ServerApp) -> Result<&Billing> {
    require(app)?;
    app.billing().ok_or_else(|| Error::internal("the provider of payments is not connected"))
}

/// 400 for what Stripe did not sign just now.
fn check(app: &ServerApp, billing: &Billing, parts: &Parts, body: &[u8]) -> Result<()> {
    let header = parts.headers.get(SIGNATURE).and_then(|value| value.to_str().ok());
    let checked = verify(body, header.unwrap_or_default(), &billing.secrets, app.clock.now());
    checked.map_err(|error| {
        let refusal = Refusal::new(Code::InvalidSignature, error.to_string());
        let hint = "billing.stripe.webhook_secret_files must have the secret of this endpoint";
        refusal.hint(hint).into()
    })
}

/// Takes a buyer who comes back from a page of Stripe on to the own page. The payment is put into the
/// queue while it is open, so that this costs at most one call in a round of the worker.
async fn returned(app: &Arc<ServerApp>, parts: &Parts) -> Result<Response> {
    require(app)?;
    if let Some(id) = named(parts, "subscription") {
        let id = SubscriptionId::from(id);
        if let Some(page) = app.read(move |ctx| begin::unseen(ctx, &id)).await? {
            app.write(move |ctx| queue::raise(ctx, Kind::Session, &page)).await?;
        }
        return Ok(reply::see(SETTINGS));
    }
    if let Some(id) = named(parts, "account") {
        app.write(move |ctx| destination::came_back(ctx, &id)).await?;
        return Ok(reply::see(PAYOUTS));
    }
    let Some(id) = named(parts, "payment").map(PaymentId::from) else {
        return Ok(reply::see(CREDITS));
    };
    let page = format!("{CREDITS}?payment={id}");
    let asked = id.clone();
    if app.read(move |ctx| payment::is_unseen(ctx, &asked)).await? {
        app.write(move |ctx| payment::came_back(ctx, &id)).await?;
    }
    Ok(reply::see(&page))
}

/// The id in the query under this name.
fn named(parts: &Parts, name: &str) -> Option<String> {
    let query = parts.uri.query().unwrap_or_default();
    let is_plain = |text: &str| text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let (_, text) = pairs.find(|(key, _)| key == name)?;
    let is_id = (1..=id::TEXT_MAX).contains(&text.len()) && is_plain(&text);
    is_id.then(|| text.into_owned())
}
