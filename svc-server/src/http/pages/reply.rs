//! Responses of pages.

use askama::Template;
use axum::body::Body;
use axum::response::Response;
use http::StatusCode;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, LOCATION, REFERRER_POLICY,
    SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use svc_core::config::Config;
use svc_store::error::{Error, Result};
use url::form_urlencoded;

use super::request::{PageRequest, is_local};
use crate::http::cookie;
use crate::pages::Flash;

/// Allows this server's own style, script and pictures only, and no framing.
pub const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; \
    img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

/// A page, or a redirect to another.
#[derive(Clone, Debug)]
pub struct Html(Content);

#[derive(Clone, Debug)]
enum Content {
    Page(String),
    Moved(String),
}

impl Html {
    /// Renders a template.
    pub fn of(template: &impl Template) -> Result<Self> {
        Ok(Self(Content::Page(template.render().map_err(Error::internal)?)))
    }

    /// Redirects to another page of this server.
    pub fn moved(path: impl Into<String>) -> Self {
        Self(Content::Moved(path.into()))
    }
}

/// The redirect after a form, and the message to show there.
#[derive(Clone, Debug)]
pub struct Done {
    pub(super) to: String,
    pub(super) flash: Option<Flash>,
}

impl Done {
    /// Redirects to a page of this server.
    pub fn to(path: impl Into<String>) -> Self {
        Self { to: path.into(), flash: None }
    }

    /// Redirects to the page in the form's field `back`, or to `/`.
    pub fn back(request: &PageRequest) -> Self {
        Self::to(request.local("back").unwrap_or("/"))
    }

    /// Shows a message there.
    #[must_use]
    pub fn say(mut self, flash: Flash) -> Self {
        self.flash = Some(flash);
        self
    }
}

/// The submitted fields of a refused form, for the error page.
#[derive(Clone, Debug)]
pub(in crate::http) struct Kept(pub(in crate::http) Vec<(String, String)>);

/// A page with its headers. It is private to its visitor, and clears the flash message it shows.
pub(in crate::http) fn page(config: &Config, request: &PageRequest, html: Html) -> Response {
    let mut response = match html.0 {
        Content::Moved(path) => return see(&path),
        Content::Page(text) => Response::new(Body::from(text)),
    };
    dress(&mut response);
    if request.asks_for("token") || request.asks_for("invite") {
        // Proxies may log addresses: that of a link is not repeated, not even to this server.
        let policy = HeaderValue::from_static("strict-origin");
        response.headers_mut().insert(REFERRER_POLICY, policy);
    }
    if request.flash.is_some() {
        response.headers_mut().append(SET_COOKIE, cookie::clear_flash(config));
    }
    response
}

/// The headers of every page.
pub(in crate::http) fn dress(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Other servers learn nothing of these URLs; this server's forms need their Origin.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
}

/// 303 to a page of this server.
pub(in crate::http) fn see(path: &str) -> Response {
    let path = if is_local(path) { path } else { "/" };
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let headers = response.headers_mut();
    headers.insert(LOCATION, HeaderValue::try_from(path).expect("a local path is visible ASCII"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

/// 303 to the sign-in, which leads back to `next`.
pub(in crate::http) fn to_sign_in(next: &str) -> Response {
    let next: String = form_urlencoded::byte_serialize(next.as_bytes()).collect();
    see(&format!("/login?next={next}"))
}
