//! What browsers, feed readers and search engines look for beside the pages.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use http::header::{CACHE_CONTROL, HeaderValue};

use super::plain::response;
use crate::app::ServerApp;
use crate::pages::assets;

/// The pages that a search engine begins with; it finds the others by their links.
const ENTRY_PAGES: [&str; 6] = ["/", "/services", "/explore", "/feed", "/docs", "/about"];

/// The routes.
pub(super) fn routes() -> Router<Arc<ServerApp>> {
    Router::new()
        .route("/favicon.ico", get(async || file("image/x-icon", assets::FAVICON.to_vec())))
        .route("/robots.txt", get(robots))
        .route("/sitemap.xml", get(sitemap))
        .route("/manifest.webmanifest", get(async || manifest()))
}

async fn robots(State(app): State<Arc<ServerApp>>) -> Response {
    let text = format!(
        "User-agent: *\nDisallow: /api/\nDisallow: /login\nDisallow: /report\n\
         Sitemap: {}/sitemap.xml\n",
        app.public_url
    );
    file("text/plain; charset=utf-8", text.into_bytes())
}

async fn sitemap(State(app): State<Arc<ServerApp>>) -> Response {
    let url = |path: &str| format!("<url><loc>{}{path}</loc></url>", app.public_url);
    let urls: String = ENTRY_PAGES.iter().map(|path| url(path)).collect();
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{urls}</urlset>\n"
    );
    file("application/xml", text.into_bytes())
}

fn manifest() -> Response {
    let icon = format!("/assets/{}", assets::ICON.name);
    let manifest = serde_json::json!({
        "name": "svc", "short_name": "svc", "start_url": "/", "display": "standalone",
        "background_color": "#f5f6f8", "theme_color": "#3257c9",
        "icons": [{ "src": icon, "type": "image/svg+xml", "sizes": "any" }],
    });
    file("application/manifest+json", manifest.to_string().into_bytes())
}

fn file(content_type: &str, bytes: Vec<u8>) -> Response {
    let mut response = response(content_type, bytes);
    let day = HeaderValue::from_static("public, max-age=86400");
    response.headers_mut().insert(CACHE_CONTROL, day);
    response
}
