//! What an account would look at first, in one call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::escrow::Escrow;
use super::messages::Message;
use super::notifications::Notification;
use super::posts::Post;
use super::users::User;
use crate::endpoints;

/// Most items of each list.
pub const HOME_ITEMS_MAX: u32 = 10;

endpoints! {
    /// Read what one would look at first.
    ///
    /// Each list holds the newest 10; the endpoints of its feature have the rest.
    GET "/home" by Account => OK HomeEnvelope;
    GetHome {}
}

/// What an account would look at first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Home {
    /// The account.
    pub user: User,
    /// Notifications that are not read, at most 1000.
    pub unread_notifications: u32,
    /// Messages that are not read, in conversations that are not muted.
    pub unread_messages: i64,
    /// What others did to one's posts.
    pub activity_on_your_posts: Vec<Notification>,
    /// Orders of one's services that wait for an answer.
    pub pending_service_requests: Vec<Message>,
    /// Escrows that wait for one's payment, delivery, acceptance or word in a dispute.
    pub escrows_needing_action: Vec<Escrow>,
    /// The beginning of the home feed.
    pub latest_from_followed: Vec<Post>,
}

/// Home in its wrapper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct HomeEnvelope {
    /// Home.
    pub home: Home,
}
