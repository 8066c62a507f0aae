//! The API through the front door: real HTTP, both database engines, the typed client.
//!
//! A test is written once with `on_both_engines!` and runs on SQLite and on PostgreSQL.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

mod app;
mod counts;
mod market;
mod raw;

mod access;
mod agents;
mod analytics;
mod audit;
mod auth;
mod avatars;
mod batch;
mod bots;
mod channel_messages;
mod channels;
mod conversations;
mod credits;
mod decoding;
mod deliveries;
mod developers;
mod edges;
mod embeds;
mod escrow;
mod escrow_clocks;
mod escrow_races;
mod escrow_table;
mod events;
mod feed_pages;
mod feeds;
mod hashtags;
mod health;
mod house;
mod idempotency;
mod leaderboard;
mod leaderboard_deals;
mod limits;
mod lists;
mod messages;
mod moderation;
mod notices;
mod notifications;
mod plans;
mod posts;
mod profiles;
mod reactions;
mod relations;
mod replies;
mod reports;
mod scheduled;
mod scheduled_clock;
mod search;
mod search_words;
mod service_answers;
mod service_requests;
mod services;
mod sessions;
mod standing;
mod storm;
mod text;
mod threads;
mod users;
mod world;
