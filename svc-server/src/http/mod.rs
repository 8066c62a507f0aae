//! The HTTP edge: the only module that knows axum.
//!
//! | module | what it holds |
//! |---|---|
//! | `routes` | [`Routes`]: from handlers to the router |
//! | `incoming` | a request as received: size, media type, body, credential |
//! | `erased` | endpoints and handlers without their types, so that they are compiled once |
//! | `pipeline` | the stages of a request: decode, authenticate, prepare, transact |
//! | `answer` | [`Answer`] and `Reply`: successful responses |
//! | `refuse` | errors as bodies and headers |
//! | `prefer` | what callers prefer for unknown members (`Prefer: handling`) |
//! | `coding` | content codings |
//! | `consistency` | what a replica may answer, and the header that names a commit |
//! | `cookie` | the session cookie and the flash cookie |
//! | `credentials` | credentials read from headers |
//! | `cross_origin` | what pages of other origins may call (CORS) |
//! | `deprecation` | the headers of endpoints that go |
//! | `idempotency` | one effect per Idempotency-Key |
//! | `observe` | request ids, log lines, metrics, the time limit |
//! | `in_process` | [`InProcessClient`]: the API by key, without a connection |
//! | `mcp` | `/mcp`: the tools of agents |
//! | `direct` | endpoints for pages and `mcp`, without a connection |
//! | `pages` | [`Pages`]: pages and their forms |
//! | `plain` | the routes that are not JSON endpoints: documents, assets |
//! | `crawl` | what feed readers and search engines look for |
//! | `prebuilt` | what is the same for every caller, compressed once |
//! | `a2a` | agents and orders by the protocol A2A |
//! | `oauth` | the authorization server: OAuth 2.1 and OpenID Connect |
//! | `links` | answers of providers to links, and their confirmation |
//! | `stripe` | webhooks of Stripe, and buyers who come back from its pages |
//! | `topup` | credits that agents pay with tokens (x402) |
//! | `avatar` | upload and download of pictures |
//! | `media` | upload and download of images of posts |
//! | `multipart` | the fields of an upload form |
//! | `export` | download of exports |
//! | `stream` | an account's events as server-sent events |
//! | `beat` | when an open stream sends a comment, and checks its credential |
//! | `internal` | authorization requests of an external broker |
//! | `scrape`, `help` | metrics for Prometheus, and what each means |
//! | `in_transit` | large requests and answers that are on their way are counted by network |
//! | `large_bodies` | uploads wait, so that they take little memory together |
//! | `large_writes` | large writes wait, so that small ones pass them |
//! | `turns` | slow work of one account waits for its own |
//! | `listen` | connections: accept, limits, graceful stop |
//! | `body`, `socket` | unread request bytes, drained so that the client gets its answer |
//! | `unreadable` | bodies for the answers to requests whose head can't be read |

mod a2a;
pub mod answer;
mod avatar;
mod beat;
mod body;
mod coding;
mod consistency;
pub mod cookie;
mod crawl;
pub mod credentials;
mod cross_origin;
mod deprecation;
mod direct;
mod erased;
mod export;
mod help;
pub mod idempotency;
mod in_process;
mod in_transit;
mod incoming;
pub(crate) mod internal;
mod large_bodies;
mod large_writes;
mod links;
pub mod listen;
mod mcp;
mod media;
mod multipart;
mod oauth;
pub mod observe;
pub mod pages;
pub mod pipeline;
pub mod plain;
mod prebuilt;
mod prefer;
pub mod refuse;
pub mod routes;
pub mod scrape;
mod socket;
mod stream;
mod stripe;
mod topup;
mod turns;
mod unreadable;

pub use answer::Answer;
use cross_origin::CrossOrigin;
pub(crate) use direct::DirectApi;
pub use in_process::InProcessClient;
pub use pages::{
    AUTO, Choice, Done, FieldProblem, FirstStep, Form, Html, PageContext, PageRequest, Pages, Theme,
};
pub use routes::Routes;

pub(crate) use in_transit::InTransit;
pub(crate) use large_bodies::LargeBodies;
pub(crate) use large_writes::LargeWrites;
pub(crate) use pages::{images, is_local, is_secret_field, unchanged};
pub(crate) use prebuilt::Documents;
pub(crate) use turns::Turns;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use tower_http::catch_panic::CatchPanicLayer;

use crate::app::ServerApp;
use crate::features;
use crate::pages as site;

/// The router of the whole server.
pub fn router(app: Arc<ServerApp>) -> Router {
    let routes = features::routes();
    let direct = Arc::new(routes.direct());
    let site = site::pages().site(Arc::clone(&direct));
    let api = routes.router().merge(plain::api());
    let cross_origin = CrossOrigin::of(&app.config);
    Router::new()
        .nest("/api", api)
        .merge(plain::root())
        .merge(crawl::routes(&site))
        .merge(pages::router(&site))
        .merge(oauth::router(&site))
        .merge(links::router(&site))
        .merge(stripe::router())
        .merge(a2a::router(Arc::clone(&direct)))
        .merge(mcp::router(&app, direct))
        .fallback(routes::no_route)
        .method_not_allowed_fallback(routes::no_method)
        .layer(CatchPanicLayer::custom(observe::panicked))
        .layer(from_fn_with_state((site, Arc::clone(&app)), pages::framed))
        .layer(from_fn_with_state(cross_origin.clone(), cross_origin::preflight))
        .layer(from_fn_with_state(Arc::clone(&app), observe::observe))
        .layer(from_fn_with_state(cross_origin, cross_origin::share))
        .with_state(app)
}
