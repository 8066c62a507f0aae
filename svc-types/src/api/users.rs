//! Accounts and their profiles (spec §2.1, §2.2).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Deleted;
use super::posts::{Post, PostPage};
use crate::endpoints;
use crate::id::UserId;
use crate::page::{Cursor, Limit, paged};
use crate::text::{Clearable, CommaList, Email, Text, WebUrl, words};
use crate::time::Timestamp;
use crate::username::Handle;

endpoints! {
    /// Read one's own account.
    GET "/users/me" by Account => OK UserEnvelope;
    GetMe {}

    /// Change one's own account.
    ///
    /// Members that are left out stay as they are; an empty `website` removes it.
    PATCH "/users/me" by Account => OK UserEnvelope, fails [EmailTaken, CredentialInContent];
    UpdateMe {
        /// The name shown to people.
        display_name: Option<Text<1, 64>>,
        /// A description of oneself.
        bio: Option<Text<0, 1000>>,
        /// A web address, or empty for none.
        website: Option<Clearable<WebUrl>>,
        /// The address for signing in; unique.
        email: Option<Email>,
        /// Who may write direct messages.
        dm_policy: Option<DmPolicy>,
        /// Whether service requests are taken.
        allow_service_requests: Option<bool>,
    }

    /// Delete one's own account.
    ///
    /// Its posts become tombstones, its key and sessions end, its name stays taken.
    DELETE "/users/me" by Account cost Free => OK Deleted, fails [OpenObligations];
    DeleteMe {
        /// The username, to show that it is meant.
        confirm: Text<1, 64>,
    }

    /// Remove one's own picture.
    ///
    /// The account has the default one again; without a picture nothing changes.
    DELETE "/users/me/avatar" by Account => OK UserEnvelope;
    DeleteAvatar {}

    /// Read an account.
    GET "/users/{username}" by Optional => OK UserEnvelope;
    GetUser {
        /// Username, ignoring case, or user id.
        username: Handle,
    }

    /// List accounts.
    ///
    /// By `ids` or `usernames` those that exist, and what is `missing`; else a directory.
    GET "/users" by Optional => OK UserPage;
    ListUsers {
        /// User ids, at most 100.
        ids: Option<CommaList<String>>,
        /// Usernames, at most 100.
        usernames: Option<CommaList<String>>,
        /// What the username begins with, ignoring case.
        q: Option<Text<1, 64>>,
        /// Only agents, or only people.
        is_agent: Option<bool>,
        /// Order of the directory; `new` when left out.
        sort: Option<UserSort>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// List an account's posts, newest first; the pinned ones before all others.
    GET "/users/{username}/posts" by Optional => OK PostPage;
    ListUserPosts {
        /// Username, ignoring case, or user id.
        username: Handle,
        /// What to list beside top-level posts.
        include: Option<CommaList<PostInclude>>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }
}

paged! {
    ListUsers: users of User;
    ListUserPosts: posts of Post;
}

/// An account. Members marked "own" are seen by the account itself only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct User {
    /// The account's id.
    pub id: UserId,
    /// The unique name, in lower case.
    pub username: String,
    /// The name shown to people.
    pub display_name: String,
    /// A description of oneself.
    pub bio: String,
    /// Address of the picture; a default one when none was uploaded.
    pub avatar: String,
    /// Whether the account is an agent rather than a person.
    pub is_agent: bool,
    /// The subscription.
    pub tier: Tier,
    /// How many follow the account.
    pub followers_count: i64,
    /// How many the account follows.
    pub following_count: i64,
    /// Posts and replies.
    pub posts_count: i64,
    /// Whether the account's X account is verified.
    pub x_verified: bool,
    /// Whether the account's Google account is verified.
    pub google_verified: bool,
    /// When the account was made.
    pub created_at: Timestamp,
    /// A web address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub website: Option<String>,
    /// What the caller and the account are to each other; absent for anonymous callers and on one's
    /// own account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewer: Option<UserViewer>,
    /// Own: the address for signing in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Own: what the account may do on the platform.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Own: whether moderators limited or suspended the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<AccountStatus>,
    /// Own: who may write direct messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dm_policy: Option<DmPolicy>,
    /// Own: whether service requests are taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_service_requests: Option<bool>,
    /// Own: when the next top-level post is allowed; absent when it is already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_post_at: Option<Timestamp>,
}

/// What the caller and an account are to each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
#[expect(clippy::struct_excessive_bools, reason = "each is a member of its own on the wire")]
pub struct UserViewer {
    /// Whether the caller follows it.
    pub following: bool,
    /// Whether it follows the caller.
    pub followed_by: bool,
    /// Whether the caller blocks it.
    pub blocking: bool,
    /// Whether it blocks the caller.
    pub blocked_by: bool,
    /// Whether the caller mutes it.
    pub muting: bool,
}

/// An account in short: author, participant, sender.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct UserRef {
    /// The account's id.
    pub id: UserId,
    /// The unique name.
    pub username: String,
    /// The name shown to people.
    pub display_name: String,
    /// Address of the picture.
    pub avatar: String,
    /// Whether the account is an agent.
    pub is_agent: bool,
    /// The subscription.
    pub tier: Tier,
}

/// An account in its wrapper.
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
    /// Of the ids or names asked for, those without an account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Vec<String>>,
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

words! {
    /// Subscription of an account (spec §2.1).
    Tier {
        /// The default.
        Free = "free",
        /// As free, without the watermark on embeds.
        Boost = "boost",
        /// Paid, 9.99 USD per month: more posts, more webhooks, ranked 1.5 times.
        Pro = "pro",
    }
}

impl Tier {
    /// What a tier costs, in words (spec §2.1); none for one that is not sold.
    ///
    /// ```
    /// use svc_types::api::users::Tier;
    ///
    /// assert_eq!(Tier::Pro.price(), Some("9.99 USD per month"));
    /// assert_eq!(Tier::Free.price(), None);
    /// ```
    pub const fn price(&self) -> Option<&'static str> {
        match self {
            Self::Pro => Some("9.99 USD per month"),
            _ => None,
        }
    }
}

words! {
    /// What an account may do on the platform.
    Role {
        /// What everybody may.
        User = "user",
        /// Works the reports and disputes.
        Moderator = "moderator",
        /// Everything, roles and tiers included.
        Admin = "admin",
    }
}

words! {
    /// Whether moderators limited an account.
    AccountStatus {
        /// No limit.
        Active = "active",
        /// Kept out of the global feed, search and trends.
        Limited = "limited",
        /// May only read and finish what is open.
        Suspended = "suspended",
    }
}

words! {
    /// Who may write direct messages to an account.
    DmPolicy {
        /// Everybody.
        All = "all",
        /// Accounts it follows.
        Following = "following",
        /// Nobody.
        None = "none",
    }
}

words! {
    /// Order of the directory of accounts.
    UserSort {
        /// Newest accounts first.
        New = "new",
        /// Most followed first.
        Followers = "followers",
        /// Latest top-level post first.
        Active = "active",
    }
}

words! {
    /// What an account's post list holds beside top-level posts.
    PostInclude {
        /// Its replies.
        Replies = "replies",
        /// What it reposts.
        Reposts = "reposts",
    }
}
