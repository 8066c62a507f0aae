//! The tower layer.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum_core::body::Body;
use axum_core::response::{IntoResponse, Response};
use http::Request;
use tower::{Layer, Service};

use super::extract::Admitted;
use super::receive::receive;
use super::replay::Claim;
use super::verifier::WebhookVerifier;

/// A layer that admits only requests sent by the platform, with their bodies unchanged.
///
/// With a replay guard each event is admitted once. It counts as handled when the handler answers 2xx;
/// after any other answer, or a panic, it is admitted again when the platform repeats it.
///
/// ```
/// use axum::{Router, http::StatusCode, routing::post};
/// use svc_bot_kit::{MemoryReplay, Webhook, WebhookLayer, WebhookVerifier};
///
/// async fn receive(Webhook(hook): Webhook) -> StatusCode {
///     println!("{:?}", hook.event);
///     StatusCode::NO_CONTENT
/// }
///
/// fn router(verifier: WebhookVerifier) -> Router {
///     let verifier = verifier.replay_guard(MemoryReplay::new(100_000));
///     let layer = WebhookLayer::new(verifier.clone());
///     Router::new().route("/hook", post(receive)).layer(layer).with_state(verifier)
/// }
/// ```
#[derive(Clone, Debug)]
pub struct WebhookLayer(WebhookVerifier);

impl WebhookLayer {
    /// Creates a layer from a verifier.
    ///
    /// ```
    /// # fn show(verifier: svc_bot_kit::WebhookVerifier) {
    /// let layer = svc_bot_kit::WebhookLayer::new(verifier);
    /// # }
    /// ```
    pub fn new(verifier: WebhookVerifier) -> Self {
        Self(verifier)
    }
}

impl<S> Layer<S> for WebhookLayer {
    type Service = WebhookService<S>;

    fn layer(&self, inner: S) -> WebhookService<S> {
        WebhookService { inner, verifier: self.0.clone() }
    }
}

/// The service of [`WebhookLayer`].
#[derive(Clone, Debug)]
pub struct WebhookService<S> {
    inner: S,
    verifier: WebhookVerifier,
}

impl<S> Service<Request<Body>> for WebhookService<S>
where
    S: Service<Request<Body>, Response: IntoResponse, Future: Send> + Clone + Send + 'static,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        // `self.inner` is ready, its clone may not be, so the call must use the original.
        let clone = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, clone);
        let verifier = self.verifier.clone();
        Box::pin(async move {
            let (mut parts, body, mut hook) = match receive(&verifier, request).await {
                Ok(arrived) => arrived,
                Err(refused) => return Ok(refused.into_response()),
            };
            let claim = hook.claim.take();
            parts.extensions.insert(Admitted::new(hook));
            let handed_on = Request::from_parts(parts, Body::from(body));
            let response = inner.call(handed_on).await?.into_response();
            Ok(confirm_handled(claim, response))
        })
    }
}

/// Confirms the claim if the response is a success; otherwise releases it by dropping it.
pub(super) fn confirm_handled(claim: Option<Claim>, response: Response) -> Response {
    match claim {
        Some(claim) if response.status().is_success() => match claim.confirm() {
            Ok(()) => response,
            Err(refused) => refused.into_response(),
        },
        _ => response,
    }
}
