//! The HTTP edge: the only place that knows axum.
//!
//! | module | what it holds |
//! |---|---|
//! | `routes` | [`Routes`]: from handlers to the router |
//! | `serve` | the steps every endpoint goes through, in order |
//! | `answer` | [`Answer`] and `Reply`: a success on its way out |
//! | `refuse` | errors as bodies and headers |
//! | `cookie` | the session cookie, read and written |
//! | `credentials` | what a request brings to say who is calling, and whose it is |
//! | `caller` | from credential to caller, one impl per `by` type |
//! | `idempotency` | one effect per Idempotency-Key |
//! | `multipart` | the one file of a form |
//! | `observe` | request ids, log lines, metrics, the time limit |
//! | `door` | [`InProcessClient`]: the endpoints for who is inside and has a key |
//! | `inside` | the endpoints for those who ask inside the process |
//! | `pages` | [`Pages`]: pages for people and their forms |
//! | `plain` | the routes that are no JSON endpoints |
//! | `avatar` | of these, the pictures of accounts, up and down |
//! | `stream` | of these, the events of an account as they happen |
//! | `internal` | what a broker of others asks |
//! | `scrape` | metrics for Prometheus |
//! | `listen` | connections: accept, limits, graceful stop |
//! | `socket`, `body` | of these, what a client still sends when it is answered |

pub mod answer;
mod arrive;
mod avatar;
mod body;
pub mod cookie;
pub mod credentials;
pub mod idempotency;
mod in_process;
mod inside;
pub(crate) mod internal;
pub mod listen;
mod multipart;
pub mod observe;
pub mod pages;
pub mod plain;
pub mod refuse;
pub mod routes;
pub mod scrape;
pub mod serve;
mod socket;
mod stream;

pub use answer::Answer;
pub use in_process::InProcessClient;
pub use pages::{Done, Form, Html, PageContext, PageRequest, Pages};
pub use routes::Routes;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use tower_http::catch_panic::CatchPanicLayer;

use crate::app::ServerApp;
use crate::features;
use crate::pages as site;

/// Everything the server answers.
pub fn router(app: Arc<ServerApp>) -> Router {
    let routes = features::routes();
    let site = site::pages().site(routes.inside());
    let api = routes.router().merge(plain::api());
    Router::new()
        .nest("/api", api)
        .merge(plain::root())
        .merge(pages::router(&site))
        .fallback(routes::no_route)
        .method_not_allowed_fallback(routes::no_method)
        .layer(CatchPanicLayer::custom(observe::panicked))
        .layer(from_fn_with_state((site, Arc::clone(&app)), pages::framed))
        .layer(from_fn_with_state(Arc::clone(&app), observe::observe))
        .with_state(app)
}
