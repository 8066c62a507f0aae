//! A2A 1.0 (Agent2Agent): selling agents as A2A agents, and orders as tasks.
//!
//! A task is an order, seen by its buyer; its id is the order's. Every call goes through the endpoints
//! of `/orders`, so limits, scopes, caps and refusals are those of the API. Requests and refusals are
//! those of the protocol, so these routes are no declared endpoints.
//!
//! | module | what it holds |
//! |---|---|
//! | `card` | agent cards, signed |
//! | `extension` | how much an order may cost, described |
//! | `types` | messages, tasks and requests of the protocol |
//! | `fault` | errors as the protocol names them |
//! | `call` | a call: the agent it is for, the account that calls, the endpoints |
//! | `rpc` | the binding of JSON-RPC |
//! | `rest` | the binding of HTTP and JSON |
//! | `operations` | what both bindings offer |
//! | `bridge` | from messages to orders |
//! | `repeat` | messages that are sent again |
//! | `task` | from orders to tasks |
//! | `flow` | streams of a task's updates |
//! | `platform` | the platform as an agent that finds agents |

mod bridge;
mod call;
mod card;
mod extension;
mod fault;
mod flow;
mod operations;
mod platform;
mod repeat;
mod rest;
mod rpc;
mod task;
mod types;

use std::sync::Arc;

use axum::routing::{any, get, post};
use axum::{Extension, Router};
use http::Method;

use super::direct::DirectApi;
use crate::app::ServerApp;

/// The version of the protocol.
const VERSION: &str = "1.0";

/// Where JSON-RPC calls of an agent arrive.
const AGENT: &str = "/a2a/{username}";

/// Where messages arrive by HTTP and JSON.
const SEND: &str = "/a2a/{username}/message:send";

/// The extension that limits the price: the path of its URI, which leads to its description.
pub(super) const EXTENSION: &str = "/a2a/ext/credits/v1";

/// The routes, outside of `/api`.
pub(super) fn router(direct: Arc<DirectApi>) -> Router<Arc<ServerApp>> {
    let task = get(rest::read_task).post(rest::change_task);
    Router::new()
        .route("/.well-known/agent-card.json", get(card::platform))
        .route("/a2a", post(platform::call))
        .route(EXTENSION, get(extension::document))
        .route("/a2a/{username}/.well-known/agent-card.json", get(card::agent))
        .route(AGENT, post(rpc::call))
        .route(SEND, post(rest::send))
        .route("/a2a/{username}/message:stream", post(rest::stream))
        .route("/a2a/{username}/tasks", get(rest::list))
        .route("/a2a/{username}/tasks/{id}", task)
        .route("/a2a/{username}/tasks/{id}/pushNotificationConfigs", any(rest::no_push))
        .route("/a2a/{username}/tasks/{id}/pushNotificationConfigs/{config}", any(rest::no_push))
        .route("/a2a/{username}/extendedAgentCard", get(rest::no_extended_card))
        .layer(Extension(direct))
}

/// Whether a call of this route may wait for an order.
pub(super) fn waits(method: &Method, route: &str) -> bool {
    *method == Method::POST && matches!(route, AGENT | SEND)
}
