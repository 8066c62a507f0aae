//! Reads and verifies a request.

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

/// Reads and verifies a request. Returns the body unchanged.
pub(super) async fn receive(
    verifier: &WebhookVerifier,
    request: Request<Body>,
) -> Result<(Parts, Bytes, Verified<WebhookEvent>), Refused> {
    // Split before the first await: `Body` is not `Sync`, so a future that borrows it is not `Send`.
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
    let header = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = header.and_then(|header| header.split(';').next()).unwrap_or_default();
    let is_json = kind.trim().eq_ignore_ascii_case("application/json");
    if is_json { Ok(()) } else { Err(Refused::WrongType) }
}

/// Logs the reason in more detail than the sender sees.
fn log(refused: &Refused) {
    match refused {
        Refused::Duplicate | Refused::InProgress => {
            tracing::debug!(%refused, "a webhook was repeated");
        }
        Refused::Store(_) => tracing::error!(%refused, "a webhook could not be accepted"),
        _ => tracing::warn!(%refused, "a webhook was refused"),
    }
}

impl IntoResponse for Refused {
    /// `{"error":..}` with the status of the error.
    fn into_response(self) -> Response {
        if self.status() == StatusCode::OK {
            return StatusCode::OK.into_response();
        }
        let error = match &self {
            Self::Store(_) => "the event could not be stored; try again".to_owned(),
            refused => refused.to_string(),
        };
        let body = serde_json::json!({ "error": error }).to_string();
        let mut response = (self.status(), body).into_response();
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(CONTENT_TYPE, json);
        response
    }
}
