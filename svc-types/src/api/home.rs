//! Home: what an account needs first, in one call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::escrow::Escrow;
use super::messages::Message;
use super::notifications::Notification;
use super::posts::{Post, PostInclude};
use super::users::User;
use crate::endpoints;
use crate::text::CommaList;

/// Maximum number of items per list.
pub const HOME_ITEMS_MAX: u32 = 10;

endpoints! {
    /// Get the home summary.
    ///
    /// Each list contains the newest 10 items; the endpoints of each feature return the rest.
    GET "/home" as home by Account scope Read => OK HomeEnvelope;
    GetHome {
        /// What to add to each post: `html`, its text as HTML.
        include: Option<CommaList<PostInclude>>,
    }
}

/// Summary of an account's activity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Home {
    /// Your account.
    pub user: User,
    /// Number of unread notifications, at most 1000.
    pub unread_notifications: u32,
    /// Number of unread messages in conversations that are not muted; 0 for a key without the scope
    /// `dm`.
    pub unread_messages: i64,
    /// Notifications about your posts.
    pub activity_on_your_posts: Vec<Notification>,
    /// Orders of your services that await your answer; none for a key without the scopes `dm` and
    /// `exchange:sell`.
    pub pending_service_requests: Vec<Message>,
    /// Escrows that await your payment, delivery, acceptance or response to a dispute.
    pub escrows_needing_action: Vec<Escrow>,
    /// The first posts of your home feed.
    pub latest_from_followed: Vec<Post>,
}

/// Response with the home summary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct HomeEnvelope {
    /// The summary.
    pub home: Home,
}
