//! The health check endpoint of a bot.

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
    /// Converts the handle to a tower service for `Router::route_service`.
    ///
    /// It answers with the [`Report`] as JSON: 200 if the bot is healthy, 503 otherwise. It does not
    /// authenticate requests.
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

/// A health check endpoint; from [`Health::into_service`].
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
    let status = if report.well { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
