//! Builds the router of the pages from plain functions.
//!
//! | module | what it holds |
//! |---|---|
//! | `request` | [`PageRequest`]: path, query and form fields of a request |
//! | `entries` | [`Pages`]: the list of pages and forms, from which the router is built |
//! | `context` | [`PageContext`]: the endpoints that a page reads, in one job |
//! | `act` | what a form does: from its fields to its endpoint, and what follows |
//! | `form_key` | the Idempotency-Keys of forms |
//! | `unchanged` | what the form of a change shows, so that it sends only what was changed |
//! | `submit` | the answer to a submitted form |
//! | `upload` | the form that uploads a picture |
//! | `images` | forms of posts with images |
//! | `theme` | the colours |
//! | `choice` | the forms that choose colours and language |
//! | `reply` | [`Html`], [`Done`] and their headers |
//!
//! A page is a client of the API inside the process: it reads by [`PageContext::ask`], and its
//! forms go through the endpoints' own handlers.

mod act;
mod choice;
mod context;
mod entries;
pub(super) mod form_key;
pub(crate) mod images;
pub(super) mod reply;
mod request;
mod submit;
mod theme;
pub(crate) mod unchanged;
mod upload;

use std::sync::Arc;

use axum::Router;
use axum::extract::{RawPathParams, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use http::Method;
use http::request::Parts;
use svc_types::Code;

pub use self::act::FirstStep;
pub use self::choice::Choice;
pub use self::context::PageContext;
pub use self::entries::{Pages, Show};
pub use self::reply::{Done, Html};
pub(super) use self::reply::{Kept, dress};
pub(super) use self::request::language_of;
pub use self::request::{FieldProblem, Form, PageRequest};
pub(crate) use self::request::{is_local, is_secret_field};
pub use self::theme::{AUTO, Theme};

use svc_core::due;
use svc_core::identity::Credentials;
use svc_core::ids;
use svc_store::error::{Error, Result};

use self::entries::{Entry, Serves};
use super::coding::Coding;
use super::consistency::{self, ForEveryone};
use super::credentials;
use super::direct::DirectApi;
use super::pipeline::mark_seen;
use super::refuse::{Reader, carry, is_carried, name_filters, refusal_code};
use super::routes::{Answered, Params, invalid_path, no_route};
use crate::app::ServerApp;
use crate::pages::{Frame, is_public};

/// All pages, and the endpoints they call.
pub(super) struct Site {
    direct: Arc<DirectApi>,
    entries: Vec<Entry>,
    /// The paths of pages, without those of forms.
    page_paths: Vec<&'static str>,
}

/// The router of all pages.
pub(super) fn router(site: &Arc<Site>) -> Router<Arc<ServerApp>> {
    (0..site.entries.len()).fold(Router::new(), |router, index| {
        let entry = &site.entries[index];
        let method = if entry.is_form() { MethodFilter::POST } else { MethodFilter::GET };
        let path = entry.path.replace("@{", "{");
        router.route(&path, on(method, endpoint(Arc::clone(site), index)))
    })
}

/// Adds the visitor's frame to error pages: the navigation and the account. If that fails too, the
/// error page has no frame.
pub(super) async fn framed(
    State((site, app)): State<(Arc<Site>, Arc<ServerApp>)>,
    request: Request,
    next: Next,
) -> Response {
    if !matches!(Reader::of(request.uri().path(), request.headers()), Reader::Person(_)) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let mut response = next.run(Request::from_parts(parts.clone(), body)).await;
    if !is_carried(&response) {
        return response;
    }
    if let Some(path) = without_slash(&parts, &response) {
        return reply::moved_for_good(&path);
    }
    let mut asked = PageRequest::of(&app.config, &parts, Vec::new());
    asked.flash = None;
    if parts.method != Method::GET {
        "/".clone_into(&mut asked.path);
    }
    let credentials = credentials::of_page(&app.config, &parts.headers);
    let frame = move |context: &mut PageContext<'_>| Frame::of(context, &asked, "");
    if let Ok(frame) = with_context(&site, &app, &parts, credentials, frame).await {
        response.extensions_mut().insert(frame);
    }
    response
}

/// The same address without the slash at its end, which people and other programs add: if nothing is there, a page may
/// be at this one.
fn without_slash(parts: &Parts, response: &Response) -> Option<String> {
    let path = parts.uri.path().strip_suffix('/').filter(|path| is_local(path))?;
    let is_read = [Method::GET, Method::HEAD].contains(&parts.method);
    if !is_read || refusal_code(response) != Some(Code::NotFound) {
        return None;
    }
    Some(match parts.uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path.to_owned(),
    })
}

/// The entry as an axum handler.
fn endpoint(
    site: Arc<Site>,
    index: usize,
) -> impl Fn(State<Arc<ServerApp>>, Params, Request) -> Answered + Clone + Send + Sync + 'static {
    move |State(app), params, request: Request| {
        let Ok(params): Params = params else {
            return Box::pin(async { invalid_path() });
        };
        let Some(params) = named(site.entries[index].path, &params) else {
            return Box::pin(no_route());
        };
        let site = Arc::clone(&site);
        Box::pin(async move {
            if site.entries[index].is_form() && !credentials::is_same_site(request.headers()) {
                return carry(foreign_form());
            }
            match site.entries[index].serves {
                Serves::Page => get(site, app, index, params, request.into_parts().0).await,
                Serves::Form(_) => submit::post(site, app, index, params, request).await,
                Serves::Upload(_) => upload::post(site, app, index, params, request).await,
                Serves::Choice(choice) => choice::post(&app, &choice, request).await,
            }
        })
    }
}

/// The named parameters of a path; `None` when a parameter lacks its `@`.
fn named(path: &str, params: &RawPathParams) -> Option<Vec<(String, String)>> {
    let named = |(name, value): (&str, &str)| {
        let follows = path.contains(&format!("@{{{name}}}"));
        let value = if follows { value.strip_prefix('@')? } else { value };
        ids::can_exist(value).then(|| (name.to_owned(), value.to_owned()))
    };
    params.iter().map(named).collect()
}

/// Shows a page, or redirects to the sign-in.
async fn get(
    site: Arc<Site>,
    app: Arc<ServerApp>,
    index: usize,
    params: Vec<(String, String)>,
    mut parts: Parts,
) -> Response {
    let request = PageRequest::of(&app.config, &parts, params);
    let is_public = is_public(site.entries[index].path);
    if is_public {
        parts.extensions.insert(ForEveryone);
    }
    let show = site.entries[index].show.expect("a page has a function that shows it");
    match context(&site, &app, &parts, request.clone(), show).await {
        Ok(html) => {
            // The length of a compressed page leaks a secret that stands beside a stranger's text.
            let coding = Coding::accepted(&parts.headers).filter(|_| !request.holds_secret());
            let html = html.coded(coding).public(is_public);
            reply::unless_known(&parts.headers, reply::page(&app.config, &request, html))
        }
        Err(error) if error.code() == Code::Unauthorized => reply::to_sign_in(&request.path),
        Err(error) => carry(error),
    }
}

/// Runs a page in one read job, as the account of the cookie.
async fn context(
    site: &Arc<Site>,
    app: &Arc<ServerApp>,
    parts: &Parts,
    request: PageRequest,
    show: impl Fn(&mut PageContext<'_>, &PageRequest) -> Result<Html> + Send + Sync + 'static,
) -> Result<Html> {
    let credentials = credentials::of_page(&app.config, &parts.headers);
    with_context(site, app, parts, credentials, move |context| show(context, &request)).await
}

/// Answers with a page at a route that is not in the list of pages.
pub(super) async fn show(
    site: &Arc<Site>,
    app: &Arc<ServerApp>,
    parts: &Parts,
    page: impl Fn(&mut PageContext<'_>, &PageRequest) -> Result<Html> + Send + Sync + 'static,
) -> Result<Response> {
    let request = PageRequest::of(&app.config, parts, Vec::new());
    let html = context(site, app, parts, request.clone(), page).await?;
    Ok(reply::page(&app.config, &request, html))
}

/// Runs a read job over endpoints, as the account of the credentials.
pub(super) async fn with_context<T: Send + 'static>(
    site: &Arc<Site>,
    app: &Arc<ServerApp>,
    parts: &Parts,
    credentials: Credentials,
    job: impl Fn(&mut PageContext<'_>) -> Result<T> + Send + Sync + 'static,
) -> Result<T> {
    let (site, address) = (Arc::clone(site), super::incoming::address(parts));
    let freshness = consistency::of_page(parts, &credentials)?;
    let job = move |ctx: &mut svc_core::app::Ctx<'_, '_>| {
        ctx.come_from(address);
        let mut context = PageContext::open(ctx, &site, &credentials)?;
        let output = job(&mut context)?;
        Ok((output, context.stale_session(), context.principal()))
    };
    let read = due::read_as_fresh(app, freshness, job).await;
    let (output, stale, principal) =
        read.map_err(|error| name_filters(error, parts.uri.query()))?;
    mark_seen(app, stale);
    if let (Some(log), Some(id)) = (parts.extensions.get::<super::observe::Principal>(), principal)
    {
        log.set(&id);
    }
    Ok(output)
}

/// The refusal of a cross-site form. It applies to all forms, even of endpoints without cookies:
/// login CSRF is an attack too.
pub(super) fn foreign_form() -> Error {
    let message = "this form was not sent from a page of this server";
    Error::refused(Code::CrossSiteRequest, message)
}

/// The refusal of an anonymous visitor.
fn signed_out() -> Error {
    Error::refused(Code::Unauthorized, "sign in to do this")
}
