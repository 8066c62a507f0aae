//! `POST /v1/credits/x402`: agents pay for credits with tokens on a chain (x402, version 2).
//!
//! Without a payment the answer is 402 with an offer. A signed one becomes a row before it is sent to the
//! chain, and is answered by what the chain says: 200, or 202 while that is unknown. Once it may have been
//! sent the answer is never 402, upon which a client would sign and pay again.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::{HeaderName, StatusCode};
use serde_json::Value;
use svc_core::app::Ctx;
use svc_core::services::budget;
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::billing::{CreateCheckout, PaymentEnvelope};
use svc_types::{Cost, Credits, Who, by};
use url::form_urlencoded;

use super::incoming::{self, Accepts, Allows, Incoming, Received, Rules};
use super::plain::response;
use super::refuse::carry;
use crate::app::ServerApp;
use crate::x402::{self, Sale, offer};

const REQUIRED: HeaderName = HeaderName::from_static("payment-required");
pub(super) const SIGNATURE: HeaderName = HeaderName::from_static("payment-signature");
const RESPONSE: HeaderName = HeaderName::from_static("payment-response");

/// The one parameter of the query.
const CREDITS: &str = "credits";

/// Most bytes of a body, in which nothing is said.
const BODY_MAX: usize = 1_024;

/// It asks for what a purchase on a page does.
const RULES: Rules = Rules::of::<CreateCheckout>();

/// What a request for credits is answered.
pub(super) enum Sold {
    /// 402: what to pay, or why a payment did not do.
    Asked { refusal: Box<Refusal>, offer: Value },
    /// 200 with the outcome of the payment, or 202 while that is unknown.
    Taken { payment: Box<PaymentEnvelope>, settled: Option<Value> },
}

/// Sells credits for tokens.
pub(super) async fn buy(State(app): State<Arc<ServerApp>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let incoming = Incoming { parts, body, path: Vec::new(), allows: Allows::default() };
    sell(&app, incoming).await.map_or_else(carry, Response::from)
}

/// Answers a request, however it came.
pub(super) async fn sell(app: &Arc<ServerApp>, incoming: Incoming) -> Result<Sold> {
    let payment = incoming.parts.headers.get(SIGNATURE).cloned();
    let accepts = Accepts::json(BODY_MAX);
    let received = incoming::receive(app, incoming, &accepts, Who::Account).await?;
    let admit = move |ctx: &mut Ctx<'_, '_>| {
        let buyer = received.authenticate::<by::Account>(ctx, RULES)?;
        budget::pay_for(ctx, Some(&buyer), Cost::Write)?;
        x402::require(ctx.app)?;
        Ok((buyer, credits_of(&received)?))
    };
    let (buyer, credits) = app.write(admit).await?;
    let settings = &app.config.x402;
    match x402::sell(app, buyer, credits, payment.as_ref()).await? {
        Sale::Asked { amount, refusal } => {
            let url = format!("{}/api/v1/credits/x402?credits={credits}", app.public_url);
            let why = refusal.hint.as_deref().unwrap_or_default();
            let offer = offer::required(settings, &url, credits, amount, why);
            Ok(Sold::Asked { refusal, offer })
        }
        Sale::Taken(topup) => {
            let settled = topup.chain_tx.is_some().then(|| offer::settled(&topup));
            let payment = app.read(move |ctx| topup.record.clone().into_api(ctx)).await?;
            Ok(Sold::Taken { payment: Box::new(PaymentEnvelope { payment }), settled })
        }
    }
}

/// The credits that the query asks for. Whatever else it holds is refused, because tokens are never given back.
fn credits_of(received: &Received) -> Result<Credits> {
    let query = received.query().unwrap_or_default();
    let mut given = None;
    for (name, text) in form_urlencoded::parse(query.as_bytes()) {
        if name != CREDITS {
            return Err(incoming::unknown_parameter(&name, CREDITS));
        }
        if given.replace(text).is_some() {
            return Err(Error::invalid(CREDITS, "credits occurs twice and must occur once"));
        }
    }
    let credits = given.and_then(|text| text.parse().ok());
    credits.ok_or_else(|| Error::invalid(CREDITS, "say in the query how many: ?credits=500"))
}

impl From<Sold> for Response {
    fn from(sold: Sold) -> Self {
        match sold {
            Sold::Asked { refusal, offer } => {
                let mut response = carry((*refusal).into());
                response.headers_mut().insert(REQUIRED, offer::encode(&offer));
                response
            }
            Sold::Taken { payment, settled } => {
                let body = serde_json::to_vec(&payment).expect("a payment is texts and numbers");
                let mut response = response("application/json", body);
                match settled {
                    Some(settled) => {
                        response.headers_mut().insert(RESPONSE, offer::encode(&settled));
                    }
                    None => *response.status_mut() = StatusCode::ACCEPTED,
                }
                response
            }
        }
    }
}
