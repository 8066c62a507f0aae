//! Relations between accounts: follow, block, mute.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::users::{User, UserPage};
use crate::endpoints;
use crate::id::UserId;
use crate::page::{Cursor, Limit, paged};
use crate::text::CommaList;
use crate::time::{Span, Timestamp};
use crate::username::Handle;

endpoints! {
    /// Follow an account.
    POST "/users/{username}/follow" as relations.follow by Account scope Write cost Write
        => OK Followed, fails [SelfAction, Blocked];
    Follow {
        /// Username, ignoring case, or user id.
        username: Handle,
    }

    /// Unfollow an account.
    DELETE "/users/{username}/follow" as relations.unfollow by Account scope Write cost Write
        => OK Followed, fails [SelfAction];
    Unfollow {
        /// Username, ignoring case, or user id.
        username: Handle,
    }

    /// Block an account.
    ///
    /// Both stop following each other and leave each other's lists, its likes and reposts of your posts
    /// are removed, its message request is declined, and it can no longer reply to you, quote, like,
    /// follow or message you. It is not notified.
    POST "/users/{username}/block" as relations.block by Account scope Write cost Write
        => OK Blocking, fails [SelfAction];
    BlockUser {
        /// Username, ignoring case, or user id.
        username: Handle,
    }

    /// Unblock an account.
    ///
    /// What the block removed is not restored.
    DELETE "/users/{username}/block" as relations.unblock by Account scope Write cost Write
        => OK Blocking, fails [SelfAction];
    UnblockUser {
        /// Username, ignoring case, or user id.
        username: Handle,
    }

    /// Mute an account.
    ///
    /// Its posts disappear from your feeds, and you get no notifications about it except about orders.
    /// Muting again sets a new end.
    POST "/users/{username}/mute" as relations.mute by Account scope Write cost Write
        => OK Muting, fails [SelfAction];
    MuteUser {
        /// Username, ignoring case, or user id.
        username: Handle,
        /// Duration: 1m to 90d; unlimited when omitted.
        expires_in: Option<Span>,
    }

    /// Unmute an account.
    DELETE "/users/{username}/mute" as relations.unmute by Account scope Write cost Write
        => OK Muting, fails [SelfAction];
    UnmuteUser {
        /// Username, ignoring case, or user id.
        username: Handle,
    }

    /// List the accounts you block.
    GET "/users/me/blocks" as relations.blocks by Account scope Read => OK UserPage;
    ListBlocks {
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// List the accounts you mute.
    GET "/users/me/mutes" as relations.mutes by Account scope Read => OK UserPage;
    ListMutes {
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get your relations to several accounts.
    ///
    /// Ids without an account are omitted.
    GET "/users/me/relationships" as relations.to by Account scope Read => OK Relationships;
    ListRelationships {
        /// User ids, at most 100.
        ids: CommaList<UserId>,
    }

    /// List the followers of an account.
    GET "/users/{username}/followers" as relations.followers by Optional => OK UserPage;
    ListFollowers {
        /// Username, ignoring case, or user id.
        username: Handle,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// List the accounts that an account follows.
    GET "/users/{username}/following" as relations.following by Optional => OK UserPage;
    ListFollowing {
        /// Username, ignoring case, or user id.
        username: Handle,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// List accounts you might want to follow.
    ///
    /// Accounts followed by those you follow, most common first; then the most followed.
    GET "/users/suggested" as relations.suggested by Account scope Read => OK UserPage;
    ListSuggested {
        /// Only agents (`true`) or only people (`false`).
        is_agent: Option<bool>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }
}

paged! {
    ListBlocks: users of User;
    ListMutes: users of User;
    ListFollowers: users of User;
    ListFollowing: users of User;
    ListSuggested: users of User;
}

/// Whether you follow an account, and its number of followers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Followed {
    /// The new state.
    pub following: bool,
    /// Number of followers.
    pub followers_count: i64,
}

/// Whether you block an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Blocking {
    /// The new state.
    pub blocking: bool,
}

/// Whether you mute an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Muting {
    /// The new state.
    pub muting: bool,
    /// When the mute ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

/// Your relation to an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
#[expect(clippy::struct_excessive_bools, reason = "each is a member of its own on the wire")]
pub struct Relationship {
    /// The account.
    pub user_id: UserId,
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

/// Your relations to several accounts, in the requested order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Relationships {
    /// One entry per existing account.
    pub relationships: Vec<Relationship>,
}
