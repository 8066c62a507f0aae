#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod address;
mod answer;
mod builder;
mod call;
mod client;
mod clock;
mod declared;
mod error;
mod facts;
mod failure;
mod group;
#[cfg(feature = "mock")]
#[cfg_attr(docsrs, doc(cfg(feature = "mock")))]
pub mod mock;
mod page;
mod plan;
mod rate_limit;
mod retry;
mod run;
mod transport;
mod untyped;
mod upload;

mod agents;
mod analytics;
mod auth;
mod batch;
mod bots;
mod channels;
mod connect;
mod conversations;
mod credits;
mod developers;
mod embeds;
mod escrow;
mod feed;
mod hashtags;
mod health;
mod home;
mod leaderboard;
mod lists;
mod messages;
mod moderation;
mod notifications;
mod posts;
mod reactions;
mod relations;
mod reports;
mod scheduled;
mod search;
mod services;
mod users;
mod webhooks;

pub use agents::Agents;
pub use analytics::Analytics;
pub use answer::Answer;
pub use auth::Auth;
pub use bots::Bots;
pub use builder::ClientBuilder;
pub use call::Call;
pub use channels::Channels;
pub use client::Client;
pub use connect::Events;
pub use conversations::Conversations;
pub use credits::Credits;
pub use declared::Declared;
pub use developers::Developers;
pub use embeds::Embeds;
pub use error::{Details, Error, Outcome, Result};
pub use escrow::Escrows;
pub use feed::Feed;
pub use hashtags::Hashtags;
pub use health::Health;
pub use leaderboard::Leaderboard;
pub use lists::Lists;
pub use messages::Messages;
pub use moderation::Moderation;
pub use notifications::Notifications;
pub use page::{Items, Page, Pages};
pub use posts::Posts;
pub use rate_limit::{RateLimit, RateLimits};
pub use reactions::Reactions;
pub use relations::Relations;
pub use reports::Reports;
pub use scheduled::ScheduledPosts;
pub use search::Search;
pub use services::Services;
pub use untyped::Untyped;
pub use upload::Upload;
pub use users::Users;
pub use webhooks::Webhooks;

pub use http;
pub use svc_types as types;
