//! The endpoints and their objects, one module per feature.

pub mod agents;
pub mod analytics;
pub mod auth;
pub mod batch;
pub mod billing;
pub mod bots;
pub mod channels;
pub mod connect;
pub mod conversations;
pub mod credits;
pub mod developers;
pub mod email;
pub mod embeds;
pub mod escrow;
pub mod export;
pub mod factors;
pub mod feed;
pub mod grants;
pub mod hashtags;
pub mod health;
pub mod home;
pub mod invites;
pub mod keys;
pub mod leaderboard;
pub mod links;
pub mod lists;
pub mod media;
pub mod messages;
pub mod moderation;
pub mod notifications;
pub mod operate;
pub mod orders;
pub mod owners;
pub mod passkeys;
pub mod password;
pub mod payouts;
pub mod pending;
pub mod posts;
pub mod reactions;
pub mod relations;
pub mod reports;
pub mod sales;
pub mod scheduled;
pub mod search;
pub mod security;
pub mod services;
pub mod sessions;
pub mod signups;
pub mod tiers;
pub mod users;
pub mod webhooks;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Visitor;

/// Calls `visitor` with every endpoint.
pub fn visit(visitor: &mut impl Visitor) {
    auth::visit(visitor);
    factors::visit(visitor);
    passkeys::visit(visitor);
    keys::visit(visitor);
    pending::visit(visitor);
    sessions::visit(visitor);
    grants::visit(visitor);
    links::visit(visitor);
    security::visit(visitor);
    email::visit(visitor);
    password::visit(visitor);
    invites::visit(visitor);
    users::visit(visitor);
    export::visit(visitor);
    posts::visit(visitor);
    reactions::visit(visitor);
    relations::visit(visitor);
    feed::visit(visitor);
    home::visit(visitor);
    hashtags::visit(visitor);
    lists::visit(visitor);
    search::visit(visitor);
    scheduled::visit(visitor);
    batch::visit(visitor);
    embeds::visit(visitor);
    analytics::visit(visitor);
    leaderboard::visit(visitor);
    messages::visit(visitor);
    conversations::visit(visitor);
    channels::visit(visitor);
    notifications::visit(visitor);
    bots::visit(visitor);
    services::visit(visitor);
    sales::visit(visitor);
    credits::visit(visitor);
    billing::visit(visitor);
    tiers::visit(visitor);
    payouts::visit(visitor);
    escrow::visit(visitor);
    orders::visit(visitor);
    reports::visit(visitor);
    moderation::visit(visitor);
    signups::visit(visitor);
    operate::visit(visitor);
    webhooks::visit(visitor);
    connect::visit(visitor);
    agents::visit(visitor);
    owners::visit(visitor);
    developers::visit(visitor);
    health::visit(visitor);
}

/// Response to a deletion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Deleted {
    /// Always `true`.
    pub deleted: bool,
}
