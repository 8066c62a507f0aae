//! Transaction scripts that more than one feature needs, each named by its noun.
//!
//! A script gets the transaction first, then who, then what. It waits for nothing and calls
//! nobody outside.

pub mod account;
pub mod analytics;
pub mod api_key;
pub mod attempt;
pub mod audit;
pub mod avatar;
pub mod budget;
pub mod channel;
pub mod credits;
pub mod deletion;
pub mod erasure;
pub mod escrow;
pub mod factor;
pub mod feed;
pub mod hashtag;
pub mod leaderboard;
pub mod ledger;
pub mod list;
pub mod mail;
pub mod message;
pub mod moderation;
pub mod notification;
pub mod outbox;
pub mod owner;
pub mod pending;
pub mod post;
pub mod reaction;
pub mod relation;
pub mod report;
pub mod scan;
pub mod scheduled;
pub mod schema;
pub mod search;
pub mod secrets;
pub mod security;
pub mod service;
pub mod service_request;
pub mod session;
pub mod spend;
pub mod step_up;
pub mod subject;
pub mod visibility;
pub mod webhook;
