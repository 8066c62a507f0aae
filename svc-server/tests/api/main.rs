//! The API through the front door: real HTTP, both database engines, the typed client.
//!
//! A test is written once with `on_both_engines!` and runs on SQLite and on PostgreSQL.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

mod app;
mod raw;

mod access;
mod agents;
mod audit;
mod auth;
mod conversations;
mod decoding;
mod developers;
mod edges;
mod health;
mod house;
mod idempotency;
mod limits;
mod messages;
mod plans;
mod posts;
mod replies;
mod sessions;
mod text;
mod threads;
mod users;
mod world;
