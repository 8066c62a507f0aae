//! The broker inside the server, for MQTT 3.1.1 and 5 on one port.
//!
//! No topic has wildcards and only the server publishes, so that a broker is a table from topics
//! to mailboxes; what is left is the protocol, and saying no.

mod accept;
mod connect;
mod hub;
mod mailbox;
mod pre_auth_limiter;
mod publish;
mod recheck;
mod revocations;
mod session;
mod subscribe;
mod tls;

pub use accept::Gateway;
pub(crate) use hub::Hub;
