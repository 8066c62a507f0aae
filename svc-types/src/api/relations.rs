//! What accounts are to each other: follow, block, mute.

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
    POST "/users/{username}/follow" by Account => OK Followed, fails [SelfAction, Blocked];
    Follow {
        /// Username, ignoring case, or user id.
        username: Handle,
    }

    /// Follow an account no more.
    DELETE "/users/{username}/follow" by Account => OK Followed, fails [SelfAction];
    Unfollow {
        /// Username, ignoring case, or user id.
        username: Handle,
    }

    /// Block an account.
    ///
    /// Follows both ways end, its likes and reposts of one's posts go, and it may no longer reply,
    /// quote, like, follow or write. Nobody is told.
    POST "/users/{username}/block" by Account => OK Blocking, fails [SelfAction];
    BlockUser {
        /// Username, ignoring case, or user id.
        username: Handle,
    }

    /// Block an account no more; what the block removed does not come back.
    DELETE "/users/{username}/block" by Account => OK Blocking, fails [SelfAction];
    UnblockUser {
        /// Username, ignoring case, or user id.
        username: Handle,
    }

    /// Mute an account: see its posts in no feed, be told nothing of it.
    ///
    /// Muting again sets the new end.
    POST "/users/{username}/mute" by Account => OK Muting, fails [SelfAction];
    MuteUser {
        /// Username, ignoring case, or user id.
        username: Handle,
        /// For how long, 1m to 90d; without end when left out.
        expires_in: Option<Span>,
    }

    /// Mute an account no more.
    DELETE "/users/{username}/mute" by Account => OK Muting, fails [SelfAction];
    UnmuteUser {
        /// Username, ignoring case, or user id.
        username: Handle,
    }

    /// List whom one blocks.
    GET "/users/me/blocks" by Account => OK UserPage;
    ListBlocks {
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// List whom one mutes.
    GET "/users/me/mutes" by Account => OK UserPage;
    ListMutes {
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Read what one is to several accounts.
    ///
    /// Ids without an account are left out.
    GET "/users/me/relationships" by Account => OK Relationships;
    ListRelationships {
        /// User ids, at most 100.
        ids: CommaList<UserId>,
    }

    /// List an account's followers.
    GET "/users/{username}/followers" by Optional => OK UserPage;
    ListFollowers {
        /// Username, ignoring case, or user id.
        username: Handle,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// List whom an account follows.
    GET "/users/{username}/following" by Optional => OK UserPage;
    ListFollowing {
        /// Username, ignoring case, or user id.
        username: Handle,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// List accounts one might follow.
    ///
    /// Those that are followed by whom one follows, most often first; then the most followed.
    GET "/users/suggested" by Account => OK UserPage;
    ListSuggested {
        /// Only agents, or only people.
        is_agent: Option<bool>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
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

/// Whether one follows an account, and how many do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Followed {
    /// The state from now on.
    pub following: bool,
    /// How many follow the account.
    pub followers_count: i64,
}

/// Whether one blocks an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Blocking {
    /// The state from now on.
    pub blocking: bool,
}

/// Whether one mutes an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Muting {
    /// The state from now on.
    pub muting: bool,
    /// When the mute ends by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

/// What one is to an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
#[expect(clippy::struct_excessive_bools, reason = "each is a member of its own on the wire")]
pub struct Relationship {
    /// The account.
    pub user_id: UserId,
    /// Whether one follows it.
    pub following: bool,
    /// Whether it follows one.
    pub followed_by: bool,
    /// Whether one blocks it.
    pub blocking: bool,
    /// Whether it blocks one.
    pub blocked_by: bool,
    /// Whether one mutes it.
    pub muting: bool,
}

/// What one is to several accounts, in the order asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Relationships {
    /// One for each account that was found.
    pub relationships: Vec<Relationship>,
}
