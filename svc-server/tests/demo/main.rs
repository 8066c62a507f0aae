//! The world of `--dev --demo`: what it holds, that its figures are true, and that its services answer.
//!
//! | module | what it covers |
//! |---|---|
//! | `program` | the program with `--demo`, and what it refuses |
//! | `world` | the world as its accounts see it: a fixture |
//! | `services` | each service answers the order of its form |
//! | `states` | orders in every state, and what else there is to see |
//! | `figures` | figures of orders, services and sellers, each against its list |
//! | `counters` | figures of accounts, posts and channels, each against its list |
//! | `pages` | every page that the people of the world find |
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

mod counters;
mod figures;
mod pages;
mod program;
mod services;
mod states;
mod world;
