//! Responses of pages.

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::response::Response;
use http::StatusCode;
use http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    ETAG, HeaderMap, HeaderName, HeaderValue, LOCATION, REFERRER_POLICY, SET_COOKIE,
    X_CONTENT_TYPE_OPTIONS,
};
use svc_core::config::Config;
use svc_store::error::{Error, Refusal, Result};
use url::form_urlencoded;

use super::request::{PageRequest, is_local};
use crate::http::coding::{Coding, Effort};
use crate::http::cookie;
use crate::http::prebuilt::{is_known, weak_tag};
use crate::pages::{File, Flash};

/// Allows this server's own style, script and pictures only, and no framing.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; \
    img-src 'self' data:; connect-src 'self'; manifest-src 'self'; form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'";

/// The path of the front page.
const HOME: HeaderValue = HeaderValue::from_static("/");

/// What search engines may do with a page.
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// Lets a file do nothing where it is opened by itself.
const FILE_POLICY: &str = "sandbox; default-src 'none'";

/// Capacity for most pages, so that a growing one is not copied several times.
const PAGE_CAPACITY: usize = 40 * 1024;

/// A page, a file, or a redirect to another page.
#[derive(Clone, Debug)]
pub struct Html {
    content: Content,
    /// The status of a page; redirects have their own.
    status: StatusCode,
    /// Another origin to which a form of the page leads, for browsers that apply `form-action` to
    /// redirects.
    leads_to: Option<&'static str>,
    /// Whether a form of the page leads to a program that people sign in to.
    leads_away: bool,
    /// The coding in which the page is sent.
    coding: Option<Coding>,
    /// Whether search engines may list the page.
    is_public: bool,
}

#[derive(Clone, Debug)]
enum Content {
    Page(String),
    Document(&'static str, String),
    File(Arc<File>),
    Moved(StatusCode, String),
}

impl From<Content> for Html {
    fn from(content: Content) -> Self {
        let status = StatusCode::OK;
        Self { content, status, leads_to: None, leads_away: false, coding: None, is_public: false }
    }
}

impl Html {
    /// Renders a template.
    pub fn of(template: &impl Template) -> Result<Self> {
        let mut page = String::with_capacity(PAGE_CAPACITY);
        template.render_into(&mut page).map_err(Error::internal)?;
        Ok(Content::Page(page).into())
    }

    /// Gives the page the status of a refusal, if what was asked of it was refused.
    #[must_use]
    pub fn refused(mut self, refusal: Option<&Refusal>) -> Self {
        self.status = refusal.map_or(StatusCode::OK, |refusal| refusal.code.status());
        self
    }

    /// Lets a form of the page lead to this origin.
    #[must_use]
    pub fn leading_to(mut self, origin: Option<&'static str>) -> Self {
        self.leads_to = origin;
        self
    }

    /// Lets a form of the page lead to a program that people sign in to.
    #[must_use]
    pub(crate) const fn leading_away(mut self, leads_away: bool) -> Self {
        self.leads_away = leads_away;
        self
    }

    /// Sends the page in a content coding.
    #[must_use]
    pub(super) const fn coded(mut self, coding: Option<Coding>) -> Self {
        self.coding = coding;
        self
    }

    /// Lets search engines list the page.
    #[must_use]
    pub(super) const fn public(mut self, is_public: bool) -> Self {
        self.is_public = is_public;
        self
    }

    /// Redirects to another page of this server.
    pub fn moved(path: impl Into<String>) -> Self {
        Content::Moved(StatusCode::SEE_OTHER, path.into()).into()
    }

    /// Redirects to the page that replaces this one.
    pub fn moved_for_good(path: impl Into<String>) -> Self {
        Content::Moved(StatusCode::PERMANENT_REDIRECT, path.into()).into()
    }

    /// A document of this media type, made of posts.
    pub(crate) fn document(media_type: &'static str, text: String) -> Self {
        Content::Document(media_type, text).into()
    }

    /// A file by an account.
    pub(crate) fn file(file: File) -> Self {
        Content::File(Arc::new(file)).into()
    }
}

/// The redirect after a form, and the message to show there.
#[derive(Clone, Debug)]
pub struct Done {
    pub(super) to: String,
    /// Whether it is a page of another server, which an endpoint named.
    pub(super) is_away: bool,
    pub(super) flash: Option<Flash>,
}

impl Done {
    /// Redirects to a page of this server.
    pub fn to(path: impl Into<String>) -> Self {
        Self { to: path.into(), is_away: false, flash: None }
    }

    /// Redirects to a page of another server that an endpoint named, never a visitor.
    pub fn away(url: impl Into<String>) -> Self {
        Self { to: url.into(), is_away: true, flash: None }
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
    let mut response = match html.content {
        Content::Moved(status, path) => return redirect(status, &path),
        Content::Document(media_type, text) => return document(media_type, text, html.coding),
        Content::File(content) => return file(&content),
        Content::Page(text) => coded(text, html.coding),
    };
    *response.status_mut() = html.status;
    dress(&mut response);
    if html.is_public {
        response.headers_mut().remove(ROBOTS);
    }
    if let Some(origin) = html.leads_to {
        let policy = POLICY.replace("form-action 'self'", &format!("form-action 'self' {origin}"));
        let policy = HeaderValue::try_from(policy).expect("an origin is visible ASCII");
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    if html.leads_away {
        lead_away(&mut response);
    }
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

/// Lets the forms of a page lead anywhere. Chromium applies `form-action` to every redirect after a form: to the
/// program that people return to, and to wherever that sends them next, which nobody here knows.
fn lead_away(response: &mut Response) {
    let policy = POLICY.replace("form-action 'self'; ", "");
    let policy = HeaderValue::try_from(policy).expect("a policy is visible ASCII");
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
}

/// The headers of every page. Search engines list none that does not allow it.
pub(in crate::http) fn dress(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Other servers learn nothing of these URLs; this server's forms need their Origin.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    // Not even the answer to a refused form is kept, though browsers then can't go back to it: they would show what
    // was typed from their disk, also after the visitor has signed out.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
}

/// A text in a content coding, unless it would be longer.
fn coded(text: String, coding: Option<Coding>) -> Response {
    let coding = coding.map(|coding| (coding, coding.of(text.as_bytes(), Effort::Once)));
    let Some((coding, bytes)) = coding.filter(|(_, bytes)| bytes.len() < text.len()) else {
        return Response::new(Body::from(text));
    };
    let mut response = Response::new(Body::from(bytes));
    let name = HeaderValue::from_static(coding.name());
    response.headers_mut().insert(CONTENT_ENCODING, name);
    response
}

/// Readers of feeds ask again and again: the tag says whether there is something new.
fn document(media_type: &'static str, text: String, coding: Option<Coding>) -> Response {
    let tag = weak_tag(&text);
    let mut response = coded(text, coding);
    dress(&mut response);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(ETAG, tag);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    response
}

/// The response without its body, if it has a tag and the caller has what the tag names.
pub(in crate::http) fn unless_known(asked: &HeaderMap, mut response: Response) -> Response {
    if response.headers().get(ETAG).is_some_and(|tag| is_known(asked, tag)) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(CONTENT_TYPE);
        response.headers_mut().remove(CONTENT_ENCODING);
    }
    response
}

/// A file by an account. It may be any picture or text: opened by itself, it can do nothing.
fn file(file: &File) -> Response {
    let mut response = Response::new(Body::from(file.bytes.clone()));
    dress(&mut response);
    let is_picture = file.media_type.starts_with("image/");
    let shown = if is_picture { "inline" } else { "attachment" };
    let disposition = format!("{shown}; filename=\"{}\"", file.name);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.media_type));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(FILE_POLICY));
    let disposition = HeaderValue::try_from(disposition).expect("names of files are letters");
    headers.insert(CONTENT_DISPOSITION, disposition);
    response
}

/// 303 to a page of this server.
pub(in crate::http) fn see(path: &str) -> Response {
    redirect(StatusCode::SEE_OTHER, path)
}

/// 308 to the path of a page of this server.
pub(in crate::http) fn moved_for_good(path: &str) -> Response {
    redirect(StatusCode::PERMANENT_REDIRECT, path)
}

/// 303 to a page of another server; to `/` if the address is none.
pub(super) fn leave(url: &str) -> Response {
    moved(StatusCode::SEE_OTHER, HeaderValue::try_from(url).unwrap_or(HOME))
}

fn redirect(status: StatusCode, path: &str) -> Response {
    let path = if is_local(path) { path } else { "/" };
    moved(status, HeaderValue::try_from(path).expect("a local path is visible ASCII"))
}

fn moved(status: StatusCode, to: HeaderValue) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(LOCATION, to);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

/// 303 to the sign-in, which leads back to `next`.
pub(in crate::http) fn to_sign_in(next: &str) -> Response {
    let next: String = form_urlencoded::byte_serialize(next.as_bytes()).collect();
    see(&format!("/login?next={next}"))
}
