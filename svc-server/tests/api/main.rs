//! The API through the front door: real HTTP, both database engines, the typed client.
//!
//! A test is written once with `on_both_engines!` and runs on SQLite and on PostgreSQL.

mod app;

mod auth;
mod posts;
