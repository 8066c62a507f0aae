//! Named methods, one for each endpoint, and the setters of their calls.
//!
//! Written by `cargo document` from the declarations in `svc-types`; do not edit. Methods that
//! differ from their endpoint are written by hand in the parent folder.

mod agents;
mod analytics;
mod auth;
mod billing;
mod bots;
mod channels;
mod client;
mod conversations;
mod credits;
mod developers;
mod embeds;
mod escrow;
mod events;
mod export;
mod factors;
mod feed;
mod grants;
mod hashtags;
mod health;
mod invites;
mod keys;
mod leaderboard;
mod links;
mod lists;
mod messages;
mod moderation;
mod notifications;
mod orders;
mod passkeys;
mod payouts;
mod pending;
mod posts;
mod reactions;
mod relations;
mod reports;
mod scheduled_posts;
mod search;
mod security;
mod services;
mod sessions;
mod tiers;
mod users;
mod webhooks;
