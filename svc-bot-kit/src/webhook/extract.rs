//! The extractor for axum.

use std::sync::{Arc, Mutex, PoisonError};

use axum_core::body::Body;
use axum_core::extract::{FromRef, FromRequest};
use axum_core::response::{IntoResponse, Response};
use http::{Request, StatusCode};
use svc_client::types::api::connect::WebhookEvent;

use super::receive::receive;
use super::verified::Verified;
use super::verifier::WebhookVerifier;

/// Extracts an event sent by the platform, or rejects the request with [`Refused`](crate::Refused).
///
/// `Webhook<LikeData>` accepts one kind of event; other kinds are answered with 200 without running
/// the handler. The router's state must provide a [`WebhookVerifier`], unless a
/// [`WebhookLayer`](crate::WebhookLayer) wraps the handler. With a replay guard use that layer, because
/// it sees the handler's response; without it the handler must call [`Verified::confirm`].
///
/// ```
/// use axum::{Router, http::StatusCode, routing::post};
/// use svc_bot_kit::{Webhook, WebhookEvent, WebhookVerifier};
///
/// async fn receive(Webhook(hook): Webhook) -> StatusCode {
///     if let WebhookEvent::Follow(follow) = hook.event {
///         println!("@{} follows you", follow.actor_username);
///     }
///     StatusCode::NO_CONTENT
/// }
///
/// fn router(verifier: WebhookVerifier) -> Router {
///     Router::new().route("/hook", post(receive)).with_state(verifier)
/// }
/// ```
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "handlers take it apart in their arguments")]
pub struct Webhook<T = WebhookEvent>(pub Verified<T>);

/// The event verified by the layer, for the extractor.
#[derive(Clone)]
pub(super) struct Admitted(Arc<Mutex<Option<Verified<WebhookEvent>>>>);

impl Admitted {
    pub(super) fn new(verified: Verified<WebhookEvent>) -> Self {
        Self(Arc::new(Mutex::new(Some(verified))))
    }

    fn take(&self) -> Option<Verified<WebhookEvent>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<S, T> FromRequest<S> for Webhook<T>
where
    S: Send + Sync,
    T: TryFrom<WebhookEvent, Error: Into<WebhookEvent>>,
    WebhookVerifier: FromRef<S>,
{
    type Rejection = Response;

    async fn from_request(request: Request<Body>, state: &S) -> Result<Self, Response> {
        let admitted = request.extensions().get::<Admitted>().and_then(Admitted::take);
        let verified = if let Some(verified) = admitted {
            verified
        } else {
            let arrived = receive(&WebhookVerifier::from_ref(state), request).await;
            arrived.map_err(IntoResponse::into_response)?.2
        };
        // Another kind: there is nothing to handle, now or later.
        verified.narrow().map(Self).map_err(|other| match other.confirm() {
            Ok(()) => StatusCode::OK.into_response(),
            Err(refused) => refused.into_response(),
        })
    }
}
