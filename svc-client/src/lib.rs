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
mod download;
mod error;
mod facts;
mod failure;
#[cfg(feature = "mock")]
#[cfg_attr(docsrs, doc(cfg(feature = "mock")))]
pub mod mock;
mod page;
mod plan;
#[cfg(feature = "proof")]
#[cfg_attr(docsrs, doc(cfg(feature = "proof")))]
mod proof;
mod rate_limit;
mod retry;
mod run;
mod transport;
mod untyped;
mod upload;

mod auth;
mod batch;
mod bots;
mod embeds;
mod events;
mod export;
mod groups;
mod messages;
mod methods;
mod notifications;
mod payload;
mod posts;
mod search;
mod topup;
mod users;

pub use address::base_url;
pub use answer::Answer;
pub use builder::ClientBuilder;
pub use call::Call;
pub use client::Client;
pub use declared::Declared;
pub use download::Download;
pub use error::{Details, Error, Outcome, Result};
pub use groups::{
    Agents, Analytics, Auth, Billing, Bots, Channels, Conversations, Credits, Developers, Embeds,
    Escrows, Events, Exports, Factors, Feed, Grants, Hashtags, Health, Invites, Keys, Leaderboard,
    Links, Lists, Messages, Moderation, Notifications, Orders, Passkeys, Payouts, Pending, Posts,
    Reactions, Relations, Reports, ScheduledPosts, Search, Security, Services, Sessions, Tiers,
    Users, Webhooks,
};
pub use page::{Items, Page, Pages};
#[cfg(feature = "proof")]
#[cfg_attr(docsrs, doc(cfg(feature = "proof")))]
pub use proof::solve;
pub use rate_limit::{RateLimit, RateLimits};
pub use topup::Topup;
pub use untyped::Untyped;
pub use upload::Upload;

pub use http;
pub use svc_types as types;
