//! The authorization server: OAuth 2.1 and OpenID Connect, as RFCs write them.
//!
//! Requests are forms and refusals are those of RFC 6749, so these routes are no declared endpoints.
//!
//! | module | what it holds |
//! |---|---|
//! | `metadata` | `/.well-known/…` |
//! | `parameters` | forms and queries, and the client's proof |
//! | `answer` | responses |
//! | `client` | clients, and the documents that describe them |
//! | `authorize` | `/oauth/authorize`: from a client's request to consent |
//! | `request` | a client's request, checked |
//! | `consent` | who is signed in, and the decision |
//! | `device` | `/oauth/device` and the page `/device` |
//! | `token` | `/oauth/token`, `/oauth/introspect`, `/oauth/revoke` |
//! | `register` | `/oauth/register` |
//! | `userinfo` | `/oauth/userinfo` |

mod answer;
mod authorize;
mod client;
mod consent;
mod device;
mod metadata;
mod parameters;
mod register;
mod request;
mod token;
mod userinfo;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::routing::{get, post};

use self::answer::only_post;
use super::pages::Site;
use crate::app::ServerApp;

/// The routes, outside of `/api`.
pub(super) fn router(site: &Arc<Site>) -> Router<Arc<ServerApp>> {
    Router::new()
        .merge(metadata::router())
        .merge(with_pages(site))
        .route("/oauth/token", post(token::exchange).fallback(only_post))
        .route("/oauth/introspect", post(token::introspect).fallback(only_post))
        .route("/oauth/revoke", post(token::revoke).fallback(only_post))
        .route("/oauth/register", post(register::register).fallback(only_post))
        .route("/oauth/device", post(device::start).fallback(only_post))
        .route("/oauth/userinfo", get(userinfo::read).post(userinfo::read))
}

type App = State<Arc<ServerApp>>;

/// The routes that show pages.
fn with_pages(site: &Arc<Site>) -> Router<Arc<ServerApp>> {
    let sites: [Arc<Site>; 4] = std::array::from_fn(|_| Arc::clone(site));
    let [ask, decide, device, allow] = sites;
    let ask =
        move |State(app): App, request: Request| authorize::ask(Arc::clone(&ask), app, request);
    let decide = move |State(app): App, request: Request| {
        authorize::decide(Arc::clone(&decide), app, request)
    };
    let show =
        move |State(app): App, request: Request| device::show(Arc::clone(&device), app, request);
    let allow =
        move |State(app): App, request: Request| device::decide(Arc::clone(&allow), app, request);
    Router::new()
        .route("/oauth/authorize", get(ask).post(decide))
        .route("/device", get(show).post(allow))
}
