//! The broker inside the server, for MQTT 3.1.1 and 5 on one port.
//!
//! Topics have no wildcards, and what clients publish goes through the database, so the broker is
//! a table from topics to mailboxes; the rest is protocol and authorization.

mod accept;
mod connect;
mod hub;
mod mailbox;
mod pre_auth_limiter;
mod publish;
mod recheck;
mod refresh;
mod revocations;
mod session;
mod subscribe;
mod tls;

pub use accept::Gateway;
pub(crate) use hub::{Hub, Step};
