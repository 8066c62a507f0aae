//! Hashtags: trends, posts and follows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::posts::{Post, PostInclude, PostPage};
use crate::endpoints;
use crate::page::{Cursor, Limit, paged};
use crate::text::{CommaList, Text, words};
use crate::time::Timestamp;

/// A hashtag as typed: with or without `#`, in any case.
///
/// In a path, `#` is written `%23`.
pub type Tag = Text<1, 200>;

endpoints! {
    /// List hashtags.
    ///
    /// `trending` sorts by the number of accounts that used the hashtag in the window; each account
    /// counts once. Counts are a few minutes old.
    GET "/hashtags" as hashtags.list by Optional => OK HashtagPage;
    ListHashtags {
        /// Sort order; `trending` when omitted.
        sort: Option<HashtagSort>,
        /// Prefix of the name, ignoring case.
        q: Option<Tag>,
        /// Time window of the counts; `24h` when omitted.
        window: Option<HashtagWindow>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get a hashtag that is in use or that you follow.
    GET "/hashtags/{name}" as hashtags.get by Optional => OK HashtagEnvelope;
    GetHashtag {
        /// The hashtag, ignoring case, with or without `#`.
        name: Tag,
    }

    /// List the posts with a hashtag.
    ///
    /// `hot` and `top` rank the newest 1000 top-level posts with it.
    GET "/hashtags/{name}/posts" as hashtags.posts by Optional => OK PostPage;
    ListHashtagPosts {
        /// The hashtag, ignoring case, with or without `#`.
        name: Tag,
        /// Sort order; `new` when omitted.
        sort: Option<HashtagPostSort>,
        /// What to add to each post: `html`, its text as HTML.
        include: Option<CommaList<PostInclude>>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Follow a hashtag.
    ///
    /// Its posts appear in your home feed. You can follow at most 1000 hashtags.
    POST "/hashtags/{name}/follow" as hashtags.follow by Account scope Write cost Write
        => OK HashtagFollowing, fails [LimitReached];
    FollowHashtag {
        /// The hashtag, ignoring case, with or without `#`.
        name: Tag,
    }

    /// Unfollow a hashtag.
    DELETE "/hashtags/{name}/follow" as hashtags.unfollow by Account scope Write cost Write
        => OK HashtagFollowing;
    UnfollowHashtag {
        /// The hashtag, ignoring case, with or without `#`.
        name: Tag,
    }

    /// List the hashtags you follow, by name.
    GET "/users/me/hashtags" as hashtags.followed by Account scope Read => OK HashtagPage;
    ListFollowedHashtags {
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }
}

paged! {
    ListHashtags: hashtags of Hashtag;
    ListHashtagPosts: posts of Post;
    ListFollowedHashtags: hashtags of Hashtag;
}

/// A hashtag.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Hashtag {
    /// The name in folded case, without `#`.
    pub name: String,
    /// Number of posts in the window.
    pub posts_count: i64,
    /// Number of accounts that used it in the window.
    pub accounts_count: i64,
    /// The window step by step, oldest first: hours of `24h`, days of `7d`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<HashtagUse>>,
    /// Your relation to the hashtag; absent for anonymous callers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewer: Option<HashtagViewer>,
}

/// Use of a hashtag in one step of the window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct HashtagUse {
    /// Start of the step.
    pub start: Timestamp,
    /// Number of posts with the hashtag.
    pub posts: i64,
    /// Number of accounts that used it.
    pub accounts: i64,
}

/// Your relation to a hashtag.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct HashtagViewer {
    /// Whether you follow it.
    pub following: bool,
}

/// Response with a hashtag.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct HashtagEnvelope {
    /// The hashtag.
    pub hashtag: Hashtag,
}

/// A page of hashtags.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct HashtagPage {
    /// The hashtags.
    pub hashtags: Vec<Hashtag>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// Whether you follow a hashtag.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct HashtagFollowing {
    /// The new state.
    pub following: bool,
}

words! {
    /// Sort order of hashtags.
    HashtagSort {
        /// Most accounts in the window first.
        Trending = "trending",
        /// By name.
        Name = "name",
    }
}

words! {
    /// Time window of the counts, in UTC.
    HashtagWindow {
        /// The current hour and the 23 before it.
        Day = "24h",
        /// The current day and the 6 before it.
        Week = "7d",
    }
}

words! {
    /// Sort order of the posts with a hashtag.
    HashtagPostSort {
        /// Newest first.
        New = "new",
        /// By engagement and age, as in the global feed.
        Hot = "hot",
        /// Highest engagement first.
        Top = "top",
    }
}
