//! The routes that are not JSON endpoints: documents, the docs page, assets, pictures, the event
//! stream.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{MatchedPath, Path, State};
use axum::response::{Redirect, Response};
use axum::routing::{get, post, put};
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderValue,
    X_CONTENT_TYPE_OPTIONS,
};
use svc_core::app::App;
use svc_openapi::DocsFile;
use svc_store::error::{Error, Result};

use super::avatar;
use super::export;
use super::media;
use super::prebuilt::{Prebuilt, Source};
use super::refuse::carry;
use super::routes::invalid_path;
use super::{stream, topup};
use crate::app::ServerApp;
use crate::pages::assets;

/// The routes of `/api`.
pub fn api() -> Router<Arc<ServerApp>> {
    Router::new()
        .route("/openapi.json", get(document))
        .route("/asyncapi.json", get(document))
        .route("/v1/credits/x402", post(topup::buy))
        .route("/docs", get(|| async { Redirect::permanent("/api/docs/") }))
        .route("/docs/", get(docs))
        .route("/docs/{*path}", get(docs))
        .route("/v1/connect/stream", get(stream::open))
        .route("/users/{username}/avatar", get(avatar::read))
        .route("/media", post(media::upload))
        .route("/media/{mediaId}", get(media::full))
        .route("/media/{mediaId}/thumb", get(media::thumb))
        .route("/users/me/export/file", get(export::download))
        .route("/users/me/avatar", put(avatar::upload).post(avatar::upload))
}

/// The routes outside of `/api`.
pub fn root() -> Router<Arc<ServerApp>> {
    Router::new()
        .route("/assets/{name}", get(asset))
        .route("/skill.md", get(document))
        .route("/llms.txt", get(document))
        .route("/.well-known/security.txt", get(security))
}

/// The documents about the interface by their paths, each from the base URL of the API. Without a
/// public URL that is a path, which is right for any host name.
const DOCUMENTS: [Document; 4] = [
    ("/api/openapi.json", "application/json", svc_openapi::document),
    ("/api/asyncapi.json", "application/json", |_| svc_openapi::asyncapi().to_owned()),
    ("/skill.md", "text/markdown; charset=utf-8", svc_openapi::skill),
    ("/llms.txt", "text/plain; charset=utf-8", svc_openapi::llms),
];

/// Path, content type and text of a document.
type Document = (&'static str, &'static str, fn(&str) -> String);

async fn prebuilt(app: &ServerApp, path: &str) -> Result<Option<Arc<Prebuilt>>> {
    let base = base(app);
    let found = DOCUMENTS.into_iter().find(|(of, ..)| *of == path);
    let build = move || {
        let (_, content_type, text) = found?;
        Some(Source { content_type: content_type.to_owned(), bytes: text(&base).into_bytes() })
    };
    app.documents.get(path, build).await
}

/// A document about the interface.
async fn document(
    State(app): State<Arc<ServerApp>>,
    path: MatchedPath,
    asked: HeaderMap,
) -> Response {
    respond(prebuilt(&app, path.as_str()).await, &asked)
}

fn respond(found: Result<Option<Arc<Prebuilt>>>, asked: &HeaderMap) -> Response {
    match found {
        Ok(Some(document)) => document.respond(asked),
        Ok(None) => carry(Error::not_found("file")),
        Err(error) => carry(error),
    }
}

/// How long a read `security.txt` counts as current. RFC 9116 recommends less than a year.
const SECURITY_LIFE: Duration = Duration::from_hours(180 * 24);

/// Where vulnerabilities are reported (RFC 9116); 404 unless the operator says.
async fn security(State(app): State<Arc<ServerApp>>) -> Response {
    let contact = &app.config.security.contact;
    if contact.is_empty() {
        return carry(Error::not_found("page"));
    }
    let (url, expires) = (&app.public_url, app.clock.now().plus(SECURITY_LIFE));
    let text = format!(
        "Contact: {contact}\nExpires: {expires}\nCanonical: {url}/.well-known/security.txt\n"
    );
    response("text/plain; charset=utf-8", text.into_bytes())
}

/// An asset of the pages. Its name contains a hash of its content, so it may be cached forever.
async fn asset(
    State(app): State<Arc<ServerApp>>,
    name: Result<Path<String>, PathRejection>,
    asked: HeaderMap,
) -> Response {
    let Some(asset) = name.ok().and_then(|Path(name)| assets::named(&name)) else {
        return carry(Error::not_found("file"));
    };
    let source =
        Source { content_type: asset.content_type.to_owned(), bytes: asset.bytes.to_vec() };
    let built = app.documents.get(&format!("/assets/{}", asset.name), || Some(source)).await;
    let mut response = respond(built, &asked);
    if !response.status().is_server_error() {
        let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
        response.headers_mut().insert(CACHE_CONTROL, forever);
    }
    response
}

/// The text of the introduction for agents.
pub(super) fn guide(app: &App) -> String {
    svc_openapi::skill(&base(app))
}

/// The base URL of the API.
fn base(app: &App) -> String {
    let host = if app.config.has_public_url() { app.public_url.as_str() } else { "" };
    format!("{host}{}", svc_openapi::BASE_PATH)
}

/// The docs page, without external resources.
async fn docs(
    State(app): State<Arc<ServerApp>>,
    path: Result<Option<Path<String>>, PathRejection>,
    asked: HeaderMap,
) -> Response {
    let Ok(path) = path else {
        return invalid_path();
    };
    let path = path.map_or_else(|| "index.html".to_owned(), |Path(path)| path);
    let name = format!("/api/docs/{path}");
    let build = move || {
        let DocsFile { bytes, content_type, .. } = svc_openapi::docs(&path)?;
        Some(Source { content_type, bytes: bytes.into_owned() })
    };
    let mut response = respond(app.documents.get(&name, build).await, &asked);
    let policy = HeaderValue::from_static(svc_openapi::DOCS_POLICY);
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    response
}

/// A body with a content type that browsers must not guess.
pub(super) fn response(content_type: &str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    let headers = response.headers_mut();
    let content_type = HeaderValue::try_from(content_type).expect("a media type is plain ASCII");
    headers.insert(CONTENT_TYPE, content_type);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
