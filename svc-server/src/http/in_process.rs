//! A client inside the process, with an API key: the same routes, without a connection.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE};
use http::{Method, StatusCode};
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;
use serde_json::Value;
use svc_store::error::{Error, Result};
use svc_types::api::media::MediaEnvelope;
use svc_types::{ApiKey, Endpoint, wire};
use tower::ServiceExt;

use super::media;
use super::refuse::{Reader, finish};
use crate::app::ServerApp;
use crate::features;

/// Between the fields of an upload.
const BOUNDARY: &str = "a-field-of-an-upload-ends-here";

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
        let (status, body) = self.reply::<E>(key, members).await?;
        read(E::NAME, status, &body)
    }

    /// Calls `E` for something that may not be there: `None` if it answers 404.
    pub async fn find<E: Endpoint>(
        &self,
        key: Option<&ApiKey>,
        members: Value,
    ) -> Result<Option<E::Response>> {
        let (status, body) = self.reply::<E>(key, members).await?;
        if status == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        read(E::NAME, status, &body).map(Some)
    }

    /// Uploads an image for a post, with what it shows in words.
    pub async fn upload(&self, key: &ApiKey, png: &[u8], alt: &str) -> Result<MediaEnvelope> {
        let part = |name: &str, rest: &str| {
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"{rest}\r\n\r\n")
        };
        let mut body = part("alt", "").into_bytes();
        body.extend_from_slice(format!("{alt}\r\n").as_bytes());
        body.extend_from_slice(part("file", "; filename=\"image.png\"").as_bytes());
        body.extend_from_slice(png);
        body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
        let request = Request::builder()
            .method(Method::POST)
            .uri("/media")
            .header(CONTENT_TYPE, format!("multipart/form-data; boundary={BOUNDARY}"))
            .header(CONTENT_LENGTH, body.len())
            .header(AUTHORIZATION, format!("Bearer {}", key.expose()))
            .body(Body::from(body))
            .map_err(Error::internal)?;
        let response = media::upload(State(Arc::clone(&self.app)), request).await;
        let (status, body) = collected(response).await?;
        read("media.upload", status, &body)
    }

    async fn reply<E: Endpoint>(
        &self,
        key: Option<&ApiKey>,
        members: Value,
    ) -> Result<(StatusCode, Bytes)> {
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
        collected(response).await
    }
}

/// A response with its whole body.
async fn collected(response: Response) -> Result<(StatusCode, Bytes)> {
    let response = finish(response, "inside", Reader::Program);
    let status = response.status();
    let body = response.into_body().collect().await.map_err(Error::internal)?.to_bytes();
    Ok((status, body))
}

fn read<T: DeserializeOwned>(name: &str, status: StatusCode, body: &[u8]) -> Result<T> {
    if !status.is_success() {
        let refusal = String::from_utf8_lossy(body);
        return Err(Error::internal(format!("{name} was refused: {refusal}")));
    }
    serde_json::from_slice(body).map_err(Error::internal)
}
