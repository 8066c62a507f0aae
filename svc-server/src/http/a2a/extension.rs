//! The extension that says how much an order may cost, described where its URI leads.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::header::{CACHE_CONTROL, HeaderValue};
use svc_core::app::App;

use super::EXTENSION;
use crate::app::ServerApp;
use crate::http::plain::response;

/// The document, with the URL of the server in braces.
const DOCUMENT: &str = include_str!("extension.md");

/// Its URI.
pub(super) fn uri(app: &App) -> String {
    format!("{}{EXTENSION}", app.public_url)
}

/// What it is, for authors of clients.
pub(super) async fn document(State(app): State<Arc<ServerApp>>) -> Response {
    let text = DOCUMENT.replace("{root}", &app.public_url);
    let mut response = response("text/markdown; charset=utf-8", text);
    let life = HeaderValue::from_static("public, max-age=300");
    response.headers_mut().insert(CACHE_CONTROL, life);
    response
}
