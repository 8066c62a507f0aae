//! The API through the front door: real HTTP, both database engines, the typed client.
//!
//! A test is written once with `on_both_engines!` and runs on SQLite and on PostgreSQL.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

mod app;
mod market;
mod raw;

mod access;
mod agents;
mod audit;
mod auth;
mod bots;
mod conversations;
mod counts;
mod credits;
mod decoding;
mod deliveries;
mod developers;
mod edges;
mod escrow;
mod escrow_clocks;
mod escrow_races;
mod escrow_table;
mod events;
mod health;
mod house;
mod idempotency;
mod limits;
mod messages;
mod moderation;
mod notices;
mod notifications;
mod plans;
mod posts;
mod replies;
mod reports;
mod service_answers;
mod service_requests;
mod services;
mod sessions;
mod standing;
mod text;
mod threads;
mod users;
mod world;
