//! Bots: every order is answered exactly once, even if the process is killed.
//!
//! [`start`] opens the journal and publishes the services. [`ingest`] reads events, which
//! [`classify`] turns into jobs; a job is in the journal before it runs. [`run`] starts jobs in the
//! order of [`keyed_queue`], and [`work`] executes one. An [`order`] passes [`check`], its handler
//! runs [isolated](isolate), and its [`answer`] is stored in the journal and sent by [`send`] until
//! the platform accepts it. [`handler_retry`] decides whether a failed handler runs again. A process
//! that ends at any point resumes from the journal.
//!
//! Each file uses only files later in this list: run, hooks, start, builder, channels, ingest, work,
//! order, send, answer, check, `handler_retry`, shared, agents, callbacks, chat, `handler_error`,
//! isolate, retry, healthz, health.

mod agents;
mod answer;
mod builder;
mod callbacks;
mod channels;
mod chat;
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
pub use chat::{ChatMessage, ChatService, Command};
#[cfg(feature = "testing")]
pub(crate) use crash::Crash;
pub use handler_error::{Decision, HandlerError, HandlerKind};
pub use health::{Health, Report, Stage};
#[cfg(feature = "axum")]
pub use healthz::HealthService;
pub use journal_location::JournalLocation;
