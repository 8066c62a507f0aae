//! The tool that buys credits with tokens.

use axum::body::Body;
use http::{Method, Uri};
use serde_json::Value;
use svc_mcp::{Topup, TopupResult};
use svc_store::error::{Error, Refusal};

use super::session::{Failure, Session};
use crate::http::incoming::{Allows, Incoming};
use crate::http::topup::{SIGNATURE, Sold, sell};
use crate::x402::offer;

/// What is to be paid, beside the error.
fn asks(session: &Session, refusal: Refusal, mut offer: Value) -> Failure {
    let error = session.refused(&refusal.into());
    if let (Value::Object(offer), Failure::Refused(Value::Object(error))) = (&mut offer, error) {
        offer.extend(error);
    }
    Failure::Unpaid(offer)
}

/// Buys credits as a request over HTTP does.
pub(super) async fn topup(session: &Session, topup: Topup) -> Result<TopupResult, Failure> {
    let mut parts = session.visit.parts();
    parts.method = Method::POST;
    let uri: Result<Uri, _> = format!("/v1/credits/x402?credits={}", topup.credits).parse();
    parts.uri = uri.map_err(|error| session.refused(&Error::internal(error)))?;
    if let Some(payment) = topup.payment {
        parts.headers.insert(SIGNATURE, offer::encode(&Value::Object(payment)));
    }
    let incoming =
        Incoming { parts, body: Body::empty(), path: Vec::new(), allows: Allows::default() };
    match sell(&session.app, incoming).await.map_err(|error| session.refused(&error))? {
        Sold::Asked { refusal, offer } => Err(asks(session, *refusal, offer)),
        Sold::Taken { payment, settled } => {
            let settled = settled.and_then(|settled| settled.as_object().cloned());
            Ok(TopupResult { payment: Some(payment.payment), settled })
        }
    }
}
