//! A client inside the process, with an API key: the same routes, without a connection.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE};
use http_body_util::BodyExt;
use serde_json::Value;
use svc_store::error::{Error, Result};
use svc_types::{ApiKey, Endpoint, wire};
use tower::ServiceExt;

use super::refuse::{Reader, finish};
use crate::app::ServerApp;
use crate::features;

/// Calls the endpoints of this server by key.
#[derive(Clone, Debug)]
pub struct InProcessClient {
    app: Arc<ServerApp>,
    routes: Router,
}

impl InProcessClient {
    /// A client of this server.
    pub fn of(app: Arc<ServerApp>) -> Self {
        let routes = features::routes().router().with_state(Arc::clone(&app));
        Self { app, routes }
    }

    /// The server's state.
    pub const fn app(&self) -> &Arc<ServerApp> {
        &self.app
    }

    /// Calls `E` with these members, as the account of a key or anonymously.
    pub async fn ask<E: Endpoint>(
        &self,
        key: Option<&ApiKey>,
        members: Value,
    ) -> Result<E::Response> {
        let asked: E = serde_json::from_value(members).map_err(Error::internal)?;
        let encoded = wire::encode(&asked).map_err(Error::internal)?;
        let uri = format!("{}?{}", encoded.path, encoded.query);
        let body = encoded.body.unwrap_or_default();
        let mut request = Request::builder()
            .method(E::METHOD)
            .uri(uri.trim_end_matches('?'))
            .header(CONTENT_TYPE, "application/json")
            .header(CONTENT_LENGTH, body.len());
        if let Some(key) = key {
            request = request.header(AUTHORIZATION, format!("Bearer {}", key.expose()));
        }
        let request = request.body(Body::from(body)).map_err(Error::internal)?;
        let Ok(response) = self.routes.clone().oneshot(request).await;
        let response = finish(response, "inside", Reader::Program);
        let is_success = response.status().is_success();
        let body = response.into_body().collect().await.map_err(Error::internal)?.to_bytes();
        if !is_success {
            let refusal = String::from_utf8_lossy(&body);
            return Err(Error::internal(format!("{} was refused: {refusal}", E::NAME)));
        }
        serde_json::from_slice(&body).map_err(Error::internal)
    }
}
