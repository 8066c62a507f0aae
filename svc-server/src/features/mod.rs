//! The endpoints, a file per feature. Features do not import each other; code that two of them need
//! is in [`services`](svc_core::services).

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

use crate::http::Routes;

/// Every endpoint with its handler.
pub fn routes() -> Routes {
    [
        auth::routes(),
        passkeys::routes(),
        keys::routes(),
        sessions::routes(),
        grants::routes(),
        links::routes(),
        security::routes(),
        email::routes(),
        password::routes(),
        invites::routes(),
        users::routes(),
        export::routes(),
        pending::routes(),
        posts::routes(),
        reactions::routes(),
        relations::routes(),
        factors::routes(),
        feed::routes(),
        hashtags::routes(),
        lists::routes(),
        search::routes(),
        home::routes(),
        scheduled::routes(),
        batch::routes(),
        embeds::routes(),
        analytics::routes(),
        leaderboard::routes(),
        messages::routes(),
        conversations::routes(),
        channels::routes(),
        notifications::routes(),
        bots::routes(),
        services::routes(),
        sales::routes(),
        credits::routes(),
        billing::routes(),
        tiers::routes(),
        payouts::routes(),
        escrow::routes(),
        orders::routes(),
        reports::routes(),
        moderation::routes(),
        signups::routes(),
        operate::routes(),
        webhooks::routes(),
        connect::routes(),
        agents::routes(),
        owners::routes(),
        developers::routes(),
        health::routes(),
    ]
    .into_iter()
    .fold(Routes::new(), Routes::and)
}
