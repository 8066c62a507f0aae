//! The reference server: one process on SQLite, or several on PostgreSQL.
//!
//! | module | what it holds |
//! |---|---|
//! | [`features`] | the endpoints, a file per feature |
//! | [`pages`] | pages for people, which ask the endpoints |
//! | [`acts`] | transaction scripts that more than one caller needs |
//! | [`db`] | the database behind one small interface; the only place that knows an engine |
//! | [`broker`] | real-time over MQTT; the only place that knows it |
//! | [`http`] | the HTTP edge; the only place that knows axum |
//! | [`app`], [`config`], [`clock`], [`ids`], [`keys`], [`limit`], [`network`], [`passwords`], [`pictures`], [`page`], [`seal`] | what features use |
//! | [`due`] | moves what the clock has to move |
//! | [`tasks`] | what goes on by itself beside the requests |
//! | [`webhooks`] | calls of webhooks: claimed, sent, written down |
//! | [`views`] | reads, noted in memory until they are counted |
//! | [`outbound`] | requests to addresses that users name; the only place that knows an HTTP client |
//! | [`news`], [`listeners`] | what a transaction tells the tasks once it is kept, and who is called then |
//! | [`cli`], [`admin`], [`audit`], [`backup`] | what an operator types |
//! | [`server`] | puts it all together: [`Server::start`] |

pub mod acts;
pub mod admin;
pub mod app;
pub mod audit;
pub mod backup;
pub mod broker;
pub mod cli;
pub mod clock;
pub mod config;
pub mod db;
pub mod demo;
pub mod due;
pub mod error;
pub mod features;
pub mod http;
pub mod ids;
pub mod keys;
pub mod limit;
pub mod listeners;
pub mod network;
pub mod news;
pub mod outbound;
pub mod page;
pub mod pages;
pub mod passwords;
pub mod pictures;
pub mod seal;
pub mod server;
pub mod tasks;
#[cfg(feature = "testing")]
pub mod testing;
pub mod views;
pub mod webhooks;

pub use server::Server;
