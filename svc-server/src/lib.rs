//! The reference server: one process on SQLite, or several on PostgreSQL.
//!
//! The rules live in [`svc_core`], storage in [`svc_store`], live events in [`svc_mqtt`]. This crate
//! serves them over the network:
//!
//! | module | what it holds |
//! |---|---|
//! | [`features`] | the endpoints, a file per feature |
//! | [`pages`] | pages for people, which call the endpoints |
//! | [`http`] | the HTTP edge; the only module that knows axum |
//! | [`webhooks`] | webhook deliveries: claimed, sent, recorded |
//! | [`mail`] | mails: taken from the outbox, handed to a mail server, recorded |
//! | [`x402`] | payments with tokens on a chain |
//! | [`billing`] | payments: made at Stripe, fetched from it, applied |
//! | [`export`] | exports: an account's data as one ZIP file |
//! | [`blobs`] | files in a store that speaks S3; the only module that knows its library |
//! | [`outbound`] | requests to user-supplied addresses; the only module that knows an HTTP client |
//! | `traces` | spans of requests, sent to a collector; the only module that knows OpenTelemetry |
//! | `nats` | hints between nodes by NATS; the only module that knows its client |
//! | `providers` | services that prove who somebody is elsewhere: Google and X |
//! | [`stripe`] | a thin client of Stripe |
//! | [`app`] | the shared state |
//! | `attempts` | attempts to sign in or to confirm that end before their transaction |
//! | [`cli`], [`admin`], [`backup`], [`moving`], [`reseal`] | the operator's commands |
//! | [`demo`] | the sample data of `--dev --demo` |
//! | [`log_lines`] | lines of the log, which keep nobody waiting |
//! | `loops` | loops that run until the server stops, and what happens when one panics |
//! | [`signals`] | signals to a process that serves |
//! | [`server`] | assembles everything: [`Server::start`] |

pub mod admin;
pub mod app;
mod attempts;
pub mod backup;
pub mod billing;
pub mod blobs;
pub mod cli;
pub mod demo;
pub mod export;
pub mod features;
mod html;
pub mod http;
pub mod language;
pub mod log_lines;
mod loops;
pub mod mail;
pub mod moving;
mod nats;
pub mod outbound;
pub mod pages;
mod providers;
pub mod reseal;
pub mod server;
pub mod signals;
pub mod stripe;
#[cfg(feature = "testing")]
pub mod testing;
mod traces;
pub mod webhooks;
pub mod x402;

pub use server::Server;
/// Re-exports for starting a server.
pub use svc_core::{config, data_dir};
pub use svc_store::{clock, db, error};
#[cfg(feature = "testing")]
pub use svc_store::{sql, values};
