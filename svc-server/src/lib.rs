//! The reference server: one process on SQLite, or several on PostgreSQL.
//!
//! The rules live in [`svc_core`], storage in [`svc_store`], live events in [`svc_mqtt`]. Here is
//! what puts them on the network:
//!
//! | module | what it holds |
//! |---|---|
//! | [`features`] | the endpoints, a file per feature |
//! | [`pages`] | pages for people, which call the endpoints |
//! | [`http`] | the HTTP edge; the only place that knows axum |
//! | [`webhooks`] | webhook deliveries: claimed, sent, recorded |
//! | [`outbound`] | requests to addresses that users name; the only place that knows an HTTP client |
//! | [`app`] | the shared state |
//! | [`cli`], [`admin`], [`backup`] | what an operator types |
//! | [`demo`] | the world of `--dev --demo` |
//! | [`server`] | puts it all together: [`Server::start`] |

pub mod admin;
pub mod app;
pub mod backup;
pub mod cli;
pub mod demo;
pub mod features;
pub mod http;
pub mod outbound;
pub mod pages;
pub mod server;
#[cfg(feature = "testing")]
pub mod testing;
pub mod webhooks;

pub use server::Server;
/// What starting a server takes.
pub use svc_core::{config, data_dir};
pub use svc_store::{clock, db, error};
#[cfg(feature = "testing")]
pub use svc_store::{sql, values};
