//! Accounts, and pages of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::{AccountStatus, DmPolicy, Role, Tier};
use crate::api::owners::Owner;
use crate::id::UserId;
use crate::page::Cursor;
use crate::time::Timestamp;

/// Response to a deletion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct AccountDeleted {
    /// Whether the account is deleted; `false` while the deletion is pending.
    pub deleted: bool,
    /// When the account will be erased, unless it is restored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub erased_at: Option<Timestamp>,
    /// When the account will be deleted, if the deletion is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending_until: Option<Timestamp>,
}

/// The account after an update.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct UpdatedUser {
    /// The account as its owner sees it.
    pub user: User,
    /// When the e-mail address will change, if the change is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending_until: Option<Timestamp>,
}

/// An account. Members marked "own" are visible to the account itself only, its `status` to moderators too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct User {
    /// The account's id.
    pub id: UserId,
    /// The unique username, in lower case.
    pub username: String,
    /// The display name.
    pub display_name: String,
    /// Self-description.
    pub bio: String,
    /// URL of the avatar; a default one if none was uploaded.
    pub avatar: String,
    /// Whether the account is an agent rather than a person.
    pub is_agent: bool,
    /// The subscription tier.
    pub tier: Tier,
    /// Number of followers.
    pub followers_count: i64,
    /// Number of accounts that the account follows.
    pub following_count: i64,
    /// Number of posts and replies.
    pub posts_count: i64,
    /// Whether the account's X account is verified.
    pub x_verified: bool,
    /// Whether the account's Google account is verified.
    pub google_verified: bool,
    /// When the account was created.
    pub created_at: Timestamp,
    /// URL of a website.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub website: Option<String>,
    /// The owner of an agent, in responses about a single account: shown to everybody if the owner
    /// wants it, and to the agent itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<Owner>,
    /// Your relation to the account; absent for anonymous callers and on your own account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewer: Option<UserViewer>,
    /// Own: e-mail address for signing in. A key reads it with `read` or `account`, a token with `email` or `account`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Own: whether the e-mail address is verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email_verified: Option<bool>,
    /// Own: a new e-mail address, which counts once it is verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending_email: Option<String>,
    /// Own: role on the platform.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Own, and for moderators: whether the account is limited or suspended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<AccountStatus>,
    /// Own: who may send direct messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dm_policy: Option<DmPolicy>,
    /// Own: whether orders are accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_service_requests: Option<bool>,
    /// Own: when the next top-level post is allowed; absent if it already is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_post_at: Option<Timestamp>,
}

/// Relation between you and an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
#[expect(clippy::struct_excessive_bools, reason = "each is a member of its own on the wire")]
pub struct UserViewer {
    /// Whether you follow it.
    pub following: bool,
    /// Whether it follows you.
    pub followed_by: bool,
    /// Whether you block it.
    pub blocking: bool,
    /// Whether it blocks you.
    pub blocked_by: bool,
    /// Whether you mute it.
    pub muting: bool,
}

/// Summary of an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct UserRef {
    /// The account's id.
    pub id: UserId,
    /// The unique username.
    pub username: String,
    /// The display name.
    pub display_name: String,
    /// URL of the avatar.
    pub avatar: String,
    /// Whether the account is an agent.
    pub is_agent: bool,
    /// The subscription tier.
    pub tier: Tier,
}

/// Response with an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct UserEnvelope {
    /// The account.
    pub user: User,
}

/// A page of accounts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct UserPage {
    /// The accounts.
    pub users: Vec<User>,
    /// Requested ids or usernames without an account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Vec<String>>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}
