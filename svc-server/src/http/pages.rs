//! Pages for people: from plain functions to the router.
//!
//! | module | what it holds |
//! |---|---|
//! | `request` | [`PageRequest`]: what a page is asked, and what was typed into its form |
//! | `look` | [`PageContext`]: the endpoints as a page reads them, in one job |
//! | `act` | from a form to the endpoint it stands for, and on |
//! | `password` | forms that ask for the password first |
//! | `upload` | the one form that brings a file |
//! | `reply` | [`Html`] and [`Done`], and their headers |
//!
//! A page is a client of the API inside the process: it reads by [`PageContext::ask`], and what a form
//! asks for goes through the handler that HTTP uses.

mod act;
mod context;
mod password;
mod reply;
mod request;
mod upload;

use std::sync::Arc;

use axum::Router;
use axum::extract::{RawPathParams, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use http::Method;
use http::request::Parts;
use svc_types::wire::Rejected;
use svc_types::{Code, Endpoint};

pub use self::context::PageContext;
pub use self::reply::{Done, Html, POLICY};
pub(super) use self::reply::{Kept, dress};
pub use self::request::{Form, PageRequest};

use svc_core::due;
use svc_core::identity::Credentials;
use svc_store::error::{Error, Result};

use self::act::{Act, Read, ReadAfter};
use super::credentials;
use super::direct::DirectApi;
use super::pipeline::mark_seen;
use super::refuse::{Reader, carry, is_carried};
use super::routes::{Answered, Params, invalid_path, no_route};
use crate::app::ServerApp;
use crate::pages::Frame;

/// A page: a synchronous function over one job that reads.
pub type Show = fn(&mut PageContext<'_>, &PageRequest) -> Result<Html>;

/// The pages, with what their forms do.
#[derive(Default)]
pub struct Pages(Vec<Entry>);

struct Entry {
    path: &'static str,
    /// What is shown; of an act, where what was typed stands again when it is refused.
    show: Option<Show>,
    act: Option<Act>,
    /// The request type of the act.
    of: &'static str,
    /// All that is wrong with what was typed, where the fields are the members of the request.
    problems: Option<fn(&PageRequest) -> Vec<Rejected>>,
    /// Whether the password is asked for before it acts.
    asks_password: bool,
    /// Whether it is where people sign in.
    signs_in: bool,
    /// Of the form that brings a picture: where to go on.
    uploaded: Option<fn(&PageRequest) -> Done>,
}

/// All pages, and the endpoints they ask.
pub(super) struct Site {
    direct: DirectApi,
    entries: Vec<Entry>,
    /// Where something is to be seen.
    shown: Vec<&'static str>,
}

impl Pages {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Shows a page. Parameters of the path are named like the members of the endpoint it asks:
    /// `/post/{postId}`, `/@{username}`.
    #[must_use]
    pub fn get(self, path: &'static str, show: Show) -> Self {
        let (show, of) = (Some(show), "");
        self.add(Entry { path, show, of, ..Entry::EMPTY })
    }

    /// Takes the form of the page at this path, whose fields are the members of `E`; the
    /// parameters of the path are members too. `done` says where to go on. When `E` is refused,
    /// the page is shown again with what was typed.
    #[must_use]
    pub fn form<E: Endpoint>(
        self,
        path: &'static str,
        show: Show,
        done: fn(&PageRequest, &E::Response) -> Done,
    ) -> Self {
        let entry = Entry::act::<E>(path, act::going::<E>(None, done));
        self.add(Entry { show: Some(show), problems: Some(PageRequest::problems::<E>), ..entry })
    }

    /// The same where the members of `E` are read from the fields by `read`, in a job of its own.
    #[must_use]
    pub fn form_by<E: Endpoint>(
        self,
        path: &'static str,
        show: Show,
        read: Read<E>,
        done: fn(&PageRequest, &E::Response) -> Done,
    ) -> Self {
        let act = act::going::<E>(Some(read), done);
        self.add(Entry { show: Some(show), ..Entry::act::<E>(path, act) })
    }

    /// The same where the answer of another endpoint, `F`, is needed first, if `first` says so; when
    /// `E` is refused then, `undo` takes back what `F` has done.
    #[must_use]
    pub fn form_after<F: Endpoint, E: Endpoint, U: Endpoint>(
        self,
        path: &'static str,
        show: Show,
        first: Read<Option<F>>,
        read: ReadAfter<F, E>,
        undo: fn(&F::Response) -> U,
        done: fn(&PageRequest, &E::Response) -> Done,
    ) -> Self
    where
        F::Response: Sync,
    {
        let act = act::going_after::<F, E, U>(first, read, undo, done);
        self.add(Entry { show: Some(show), ..Entry::act::<E>(path, act) })
    }

    /// The same where the answer is shown, this once, because it holds a secret.
    #[must_use]
    pub fn form_once<E: Endpoint>(
        self,
        path: &'static str,
        show: Show,
        answer: fn(&mut PageContext<'_>, &PageRequest, &E::Response) -> Result<Html>,
    ) -> Self {
        let entry = Entry::act::<E>(path, act::showing::<E>(answer));
        self.add(Entry { show: Some(show), problems: Some(PageRequest::problems::<E>), ..entry })
    }

    /// Takes a button, in whose form nothing is typed: a refusal has a page of its own.
    #[must_use]
    pub fn button<E: Endpoint>(
        self,
        path: &'static str,
        done: fn(&PageRequest, &E::Response) -> Done,
    ) -> Self {
        self.add(Entry::act::<E>(path, act::going::<E>(None, done)))
    }

    /// Takes the picture of the caller's account, the field `file` of a form.
    #[must_use]
    pub fn upload(self, path: &'static str, show: Show, done: fn(&PageRequest) -> Done) -> Self {
        let (show, of, uploaded) = (Some(show), upload::OF, Some(done));
        self.add(Entry { path, show, of, uploaded, ..Entry::EMPTY })
    }

    /// Says that people sign in by the form added last. What was typed into another form while
    /// nobody was signed in any more stands in it again afterwards.
    #[must_use]
    pub fn that_signs_in(mut self) -> Self {
        self.0.last_mut().expect("a form was added").signs_in = true;
        self
    }

    /// Says that the form added last also asks for the password, in a field of that name, and acts
    /// only when it is right: who found a browser open does not know it.
    #[must_use]
    pub fn that_asks_password(mut self) -> Self {
        self.0.last_mut().expect("a form was added").asks_password = true;
        self
    }

    /// These and those.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Method and path of each, for the test that all are reached by whom they are for.
    pub fn places(&self) -> Vec<(&'static str, &'static str)> {
        let place = |entry: &Entry| (if entry.is_form() { "POST" } else { "GET" }, entry.path);
        self.0.iter().map(place).collect()
    }

    fn add(mut self, entry: Entry) -> Self {
        self.0.push(entry);
        self
    }

    /// All pages, which ask these endpoints.
    pub(super) fn site(self, direct: DirectApi) -> Arc<Site> {
        let is_shown = |entry: &&Entry| !entry.is_form();
        let shown = self.0.iter().filter(is_shown).map(|entry| entry.path).collect();
        Arc::new(Site { direct, entries: self.0, shown })
    }
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

/// Gives the pages of errors the frame of who looks: where the navigation leads, and who is signed
/// in. Where even that fails, they go without.
pub(super) async fn framed(
    State((site, app)): State<(Arc<Site>, Arc<ServerApp>)>,
    request: Request,
    next: Next,
) -> Response {
    if Reader::of(request.uri().path(), request.headers()) == Reader::Program {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let mut response = next.run(Request::from_parts(parts.clone(), body)).await;
    if !is_carried(&response) {
        return response;
    }
    let mut asked = PageRequest::of(&app.config, &parts, Vec::new());
    asked.flash = None;
    if parts.method != Method::GET {
        "/".clone_into(&mut asked.path);
    }
    let credentials = credentials::of_page(&app.config, &parts.headers);
    let frame = move |context: &mut PageContext<'_>| Frame::of(context, &asked, "");
    if let Ok(frame) = looking(&site, &app, &parts, credentials, frame).await {
        response.extensions_mut().insert(frame);
    }
    response
}

impl Entry {
    const EMPTY: Self = Self {
        path: "",
        show: None,
        act: None,
        of: "",
        problems: None,
        asks_password: false,
        signs_in: false,
        uploaded: None,
    };

    fn act<E: Endpoint>(path: &'static str, act: Act) -> Self {
        let (act, of) = (Some(act), E::NAME);
        Self { path, act, of, ..Self::EMPTY }
    }

    /// Whether it takes something rather than shows it.
    const fn is_form(&self) -> bool {
        self.act.is_some() || self.uploaded.is_some()
    }
}

/// The page as axum calls it.
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
            if site.entries[index].uploaded.is_some() {
                upload::post(site, app, index, params, request).await
            } else if site.entries[index].act.is_some() {
                act::post(site, app, index, params, request).await
            } else {
                let (parts, _) = request.into_parts();
                get(site, app, index, params, parts).await
            }
        })
    }
}

/// The parameters of a path; none when one that follows an `@` has none.
fn named(path: &str, params: &RawPathParams) -> Option<Vec<(String, String)>> {
    let named = |(name, value): (&str, &str)| {
        let follows = path.contains(&format!("@{{{name}}}"));
        let value = if follows { value.strip_prefix('@')? } else { value };
        // No name holds it, and PostgreSQL takes no such text.
        (!value.contains('\0')).then(|| (name.to_owned(), value.to_owned()))
    };
    params.iter().map(named).collect()
}

/// Shows a page; whom it is not for may sign in first.
async fn get(
    site: Arc<Site>,
    app: Arc<ServerApp>,
    index: usize,
    params: Vec<(String, String)>,
    parts: Parts,
) -> Response {
    let request = PageRequest::of(&app.config, &parts, params);
    let show = site.entries[index].show.expect("what is got is shown");
    match context(&site, &app, &parts, request.clone(), show).await {
        Ok(html) => reply::page(&app.config, &request, html),
        Err(error) if error.code() == Code::Unauthorized => reply::to_sign_in(&request.path),
        Err(error) => carry(error),
    }
}

/// Runs a page in one job, for whom the cookie names.
async fn context(
    site: &Arc<Site>,
    app: &Arc<ServerApp>,
    parts: &Parts,
    request: PageRequest,
    show: impl Fn(&mut PageContext<'_>, &PageRequest) -> Result<Html> + Send + Sync + 'static,
) -> Result<Html> {
    let credentials = credentials::of_page(&app.config, &parts.headers);
    looking(site, app, parts, credentials, move |context| show(context, &request)).await
}

/// Runs a job that asks endpoints, for whom the credentials name.
async fn looking<T: Send + 'static>(
    site: &Arc<Site>,
    app: &Arc<ServerApp>,
    parts: &Parts,
    credentials: Credentials,
    job: impl Fn(&mut PageContext<'_>) -> Result<T> + Send + Sync + 'static,
) -> Result<T> {
    let (site, address) = (Arc::clone(site), super::incoming::address(parts));
    let job = move |ctx: &mut svc_core::app::Ctx<'_, '_>| {
        ctx.come_from(address);
        let mut context = PageContext::open(ctx, &site, &credentials)?;
        let shown = job(&mut context)?;
        Ok((shown, context.stale_session(), context.principal()))
    };
    let (shown, stale, principal) = due::read(app, job).await?;
    mark_seen(app, stale);
    if let (Some(log), Some(id)) = (parts.extensions.get::<super::observe::Principal>(), principal)
    {
        log.set(&id);
    }
    Ok(shown)
}

/// The error of a form that no page of ours sent. All forms are looked at, whether or not their
/// endpoint looks at cookies: signing in for somebody else is an attack too.
fn foreign_form() -> Error {
    let message = "this form was not sent from a page of this server";
    Error::refused(Code::CrossSiteRequest, message)
}

/// The error of who is signed out where that does not do.
fn signed_out() -> Error {
    Error::refused(Code::Unauthorized, "sign in to do this")
}
