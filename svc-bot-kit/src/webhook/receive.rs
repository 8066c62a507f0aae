//! A request on its way in: its body read to the end, and verified.

use axum_core::body::Body;
use axum_core::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use http::{Request, StatusCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use svc_client::types::api::connect::WebhookEvent;
use svc_types::webhook::EVENT_BYTES_MAX;

use super::refused::Refused;
use super::verified::Verified;
use super::verifier::WebhookVerifier;

/// Reads a request and verifies it; the bytes of the body come back as they were.
pub(super) async fn receive(
    verifier: &WebhookVerifier,
    request: Request<Body>,
) -> Result<(Parts, Bytes, Verified<WebhookEvent>), Refused> {
    // Taken apart before anything is awaited: a body is not `Sync`, so the future would not be `Send`.
    let (parts, body) = request.into_parts();
    let taken_in = async {
        is_json(&parts)?;
        let body = Limited::new(body, EVENT_BYTES_MAX).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() { Refused::TooLarge } else { Refused::Interrupted }
        })?;
        let body = body.to_bytes();
        let hook = verifier.verify(&parts.headers, &body)?;
        Ok((body, hook))
    };
    let (body, hook) = taken_in.await.inspect_err(log)?;
    Ok((parts, body, hook))
}

fn is_json(parts: &Parts) -> Result<(), Refused> {
    let said = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = said.and_then(|said| said.split(';').next()).unwrap_or_default();
    let is_json = kind.trim().eq_ignore_ascii_case("application/json");
    if is_json { Ok(()) } else { Err(Refused::WrongType) }
}

/// Tells the owner what the sender is not told: to a stranger, every wrong request is just wrong.
fn log(refused: &Refused) {
    match refused {
        Refused::Duplicate | Refused::InProgress => {
            tracing::debug!(%refused, "a webhook came again");
        }
        Refused::Store(_) => tracing::error!(%refused, "a webhook could not be let in"),
        _ => tracing::warn!(%refused, "a webhook was refused"),
    }
}

impl IntoResponse for Refused {
    /// `{"error":..}` with its status.
    fn into_response(self) -> Response {
        if self.status() == StatusCode::OK {
            return StatusCode::OK.into_response();
        }
        let error = match &self {
            Self::Store(_) => "the event could not be kept; try again".to_owned(),
            refused => refused.to_string(),
        };
        let body = serde_json::json!({ "error": error }).to_string();
        let mut response = (self.status(), body).into_response();
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(CONTENT_TYPE, json);
        response
    }
}
