//! Bots: every order is answered once, whatever happens to the process.
//!
//! [`start`] opens the journal and publishes the services. [`source`] takes in what happened, by
//! [`sort`]; what there is to do is in the journal before anything is done. [`run`] starts it in the
//! order of [`lanes`]; [`work`] does one job. An [`order`] passes [`check`], its handler runs, and its
//! [`answer`] is stored in the journal and sent by [`send`] until the platform took it. A handler that
//! [`failed`] starts again when [`retry`] says so. A process that ends anywhere goes on from the
//! journal.
//!
//! Files here use those named later alone: run, asides, start, builder, source, work, order, send,
//! answer, check, retry, shared, agents, hooks, failed, handle, patience, healthz, health.

mod agents;
mod answer;
mod asides;
mod builder;
mod check;
mod chores;
mod crash;
mod failed;
mod handle;
mod health;
#[cfg(feature = "axum")]
mod healthz;
mod hooks;
mod lanes;
mod order;
mod others;
mod patience;
mod place;
mod retry;
mod run;
mod send;
mod shared;
mod signals;
mod sort;
mod source;
mod start;
mod work;

pub use builder::Bot;
#[cfg(feature = "testing")]
pub(crate) use crash::Crash;
pub use failed::{Decision, HandlerError, HandlerKind};
pub use health::{Health, Report, Stage};
#[cfg(feature = "axum")]
pub use healthz::HealthService;
pub use place::JournalPlace;
