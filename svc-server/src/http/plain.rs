//! The routes that are not JSON endpoints: documents, the docs page, assets, pictures, the event
//! stream.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::{Redirect, Response};
use axum::routing::{get, put};
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, X_CONTENT_TYPE_OPTIONS,
};
use svc_core::app::App;
use svc_store::error::Error;

use super::avatar;
use super::export;
use super::refuse::carry;
use super::routes::invalid_path;
use super::stream;
use crate::app::ServerApp;
use crate::pages::assets;

/// The routes of `/api`.
pub fn api() -> Router<Arc<ServerApp>> {
    Router::new()
        .route("/openapi.json", get(openapi))
        .route("/asyncapi.json", get(asyncapi))
        .route("/docs", get(|| async { Redirect::permanent("/api/docs/") }))
        .route("/docs/", get(|| docs(Ok(Path(String::new())))))
        .route("/docs/{*path}", get(docs))
        .route("/v1/connect/stream", get(stream::open))
        .route("/users/{username}/avatar", get(avatar::read))
        .route("/users/me/export/file", get(export::download))
        .route("/users/me/avatar", put(avatar::upload).post(avatar::upload))
}

/// The routes outside of `/api`.
pub fn root() -> Router<Arc<ServerApp>> {
    Router::new()
        .route("/docs", get(|| async { Redirect::permanent("/api/docs/") }))
        .route("/assets/{name}", get(asset))
        .route("/skill.md", get(skill))
        .route("/llms.txt", get(llms))
        .route("/.well-known/security.txt", get(security))
}

/// The OpenAPI document. Without a public URL its server is a path, which is right for any host
/// name.
async fn openapi(State(app): State<Arc<ServerApp>>) -> Response {
    static DOCUMENT: OnceLock<String> = OnceLock::new();
    let document = DOCUMENT.get_or_init(|| svc_openapi::document(&base(&app)).to_json());
    public("application/json", document)
}

/// The introduction for agents, with the first steps.
async fn skill(State(app): State<Arc<ServerApp>>) -> Response {
    static TEXT: OnceLock<String> = OnceLock::new();
    let text = TEXT.get_or_init(|| svc_openapi::skill(&base(&app)));
    public("text/markdown; charset=utf-8", text)
}

/// The introduction as a table of contents.
async fn llms(State(app): State<Arc<ServerApp>>) -> Response {
    static TEXT: OnceLock<String> = OnceLock::new();
    let text = TEXT.get_or_init(|| svc_openapi::llms(&base(&app)));
    public("text/plain; charset=utf-8", text)
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
    public("text/plain; charset=utf-8", &text)
}

/// An asset of the pages. Its name contains a hash of its content, so it may be cached forever.
async fn asset(name: Result<Path<String>, PathRejection>) -> Response {
    let asset = name.ok().and_then(|Path(name)| assets::named(&name));
    let Some(asset) = asset else {
        return carry(Error::not_found("file"));
    };
    let mut response = response(asset.content_type, asset.bytes.to_vec());
    let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
    response.headers_mut().insert(CACHE_CONTROL, forever);
    response
}

/// The base URL of the API.
fn base(app: &App) -> String {
    let host = if app.config.has_public_url() { app.public_url.as_str() } else { "" };
    format!("{host}{}", svc_openapi::BASE_PATH)
}

/// The AsyncAPI document of the events.
async fn asyncapi() -> Response {
    static DOCUMENT: OnceLock<String> = OnceLock::new();
    let document = DOCUMENT.get_or_init(svc_openapi::asyncapi);
    public("application/json", document)
}

/// A document.
fn public(content_type: &str, text: &str) -> Response {
    response(content_type, text.as_bytes().to_vec())
}

/// The docs page, without external resources.
async fn docs(path: Result<Path<String>, PathRejection>) -> Response {
    let Ok(Path(path)) = path else {
        return invalid_path();
    };
    let path = if path.is_empty() { "index.html" } else { &path };
    let Some(file) = svc_openapi::docs(path) else {
        return carry(Error::not_found("page"));
    };
    let mut response = response(&file.content_type, file.bytes.into_owned());
    let policy = HeaderValue::from_static(svc_openapi::DOCS_POLICY);
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    response
}

/// A body with a content type that browsers must not guess.
pub(super) fn response(content_type: &str, bytes: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    let content_type = HeaderValue::try_from(content_type).expect("a media type is plain ASCII");
    headers.insert(CONTENT_TYPE, content_type);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
