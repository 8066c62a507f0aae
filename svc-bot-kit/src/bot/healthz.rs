//! The route by which a bot's health is asked for.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum_core::body::Body;
use axum_core::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, Request, StatusCode};
use tower::Service;

use super::health::{Health, Report};

impl Health {
    /// The health as a service, for `Router::route_service`: 200 with the [`Report`] as JSON, or 503
    /// when the bot is not well. Whoever reaches it may ask.
    ///
    /// ```
    /// # use axum::Router;
    /// # fn show(health: svc_bot_kit::Health) -> Router {
    /// Router::new().route_service("/healthz", health.into_service())
    /// # }
    /// ```
    #[cfg_attr(docsrs, doc(cfg(all(feature = "axum", feature = "bot"))))]
    pub fn into_service(self) -> HealthService {
        HealthService(self)
    }
}

/// A [`Health`] as a service.
#[derive(Clone, Debug)]
pub struct HealthService(Health);

impl Service<Request<Body>> for HealthService {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<Body>) -> Self::Future {
        let health = self.0.clone();
        Box::pin(async move { Ok(answer(&health.report().await)) })
    }
}

fn answer(report: &Report) -> Response {
    let body = serde_json::to_vec(report).expect("a report is JSON");
    let mut response = Response::new(Body::from(body));
    let well = if report.well { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    *response.status_mut() = well;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
