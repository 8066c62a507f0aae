//! Bots: every order is answered once, whatever happens to the process.
//!
//! [`start`] opens the journal and publishes the services. [`ingest`] takes in what happened, by
//! [`classify`]; what there is to do is in the journal before anything is done. [`run`] starts it in the
//! order of [`keyed_queue`]; [`work`] does one job. An [`order`] passes [`check`], its handler runs, and its
//! [`answer`] is stored in the journal and sent by [`send`] until the platform took it. A handler that
//! [`handler_error`] starts again when [`handler_retry`] says so. A process that ends anywhere goes on from the
//! journal.
//!
//! Files here use those named later alone: run, hooks, start, builder, ingest, work, order,
//! send, answer, check, handler_retry, shared, agents, callbacks, handler_error, isolate, retry,
//! healthz, health.

mod agents;
mod answer;
mod builder;
mod callbacks;
mod check;
mod classify;
mod crash;
mod handler_error;
mod handler_retry;
mod health;
#[cfg(feature = "axum")]
mod healthz;
mod hooks;
mod ingest;
mod isolate;
mod journal_location;
mod keyed_queue;
mod maintenance;
mod order;
mod other_bots;
mod retry;
mod run;
mod send;
mod shared;
mod signals;
mod start;
mod work;

pub use builder::Bot;
#[cfg(feature = "testing")]
pub(crate) use crash::Crash;
pub use handler_error::{Decision, HandlerError, HandlerKind};
pub use health::{Health, Report, Stage};
#[cfg(feature = "axum")]
pub use healthz::HealthService;
pub use journal_location::JournalPlace;
