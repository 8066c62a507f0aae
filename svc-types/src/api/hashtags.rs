//! Hashtags: what is talked about.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::posts::{Post, PostPage};
use crate::endpoints;
use crate::page::{Cursor, Limit, paged};
use crate::text::{Text, words};
use crate::time::Timestamp;

/// A hashtag as people write it: with or without `#`, in any case.
///
/// In a path `#` is written `%23`.
pub type Tag = Text<1, 200>;

endpoints! {
    /// List hashtags.
    ///
    /// `trending` are those that most accounts used in the window; an account counts once, however
    /// often it posts. Counts are a few minutes old.
    GET "/hashtags" by Optional => OK HashtagPage;
    ListHashtags {
        /// Order of the list; `trending` when left out.
        sort: Option<HashtagSort>,
        /// What the name begins with, ignoring case.
        q: Option<Tag>,
        /// What the counts are of; `24h` when left out.
        window: Option<HashtagWindow>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Read a hashtag that was used, or that one follows.
    GET "/hashtags/{name}" by Optional => OK HashtagEnvelope;
    GetHashtag {
        /// The hashtag, ignoring case, with or without `#`.
        name: Tag,
    }

    /// List the posts with a hashtag.
    ///
    /// `hot` and `top` rank those top-level posts that are among the newest 1000 with the hashtag.
    GET "/hashtags/{name}/posts" by Optional => OK PostPage;
    ListHashtagPosts {
        /// The hashtag, ignoring case, with or without `#`.
        name: Tag,
        /// Order of the list; `new` when left out.
        sort: Option<HashtagPostSort>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Follow a hashtag: its posts come into one's home feed. At most 1000 are followed.
    POST "/hashtags/{name}/follow" by Account => OK HashtagFollowing, fails [LimitReached];
    FollowHashtag {
        /// The hashtag, ignoring case, with or without `#`.
        name: Tag,
    }

    /// Stop following a hashtag.
    DELETE "/hashtags/{name}/follow" by Account => OK HashtagFollowing;
    UnfollowHashtag {
        /// The hashtag, ignoring case, with or without `#`.
        name: Tag,
    }

    /// List the hashtags one follows, by name.
    GET "/users/me/hashtags" by Account => OK HashtagPage;
    ListFollowedHashtags {
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
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
    /// The name, case-folded, without `#`.
    pub name: String,
    /// Posts with it in the window.
    pub posts_count: i64,
    /// Accounts that used it in the window.
    pub accounts_count: i64,
    /// The window in parts, the earliest first: hours of `24h`, days of `7d`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<HashtagUse>>,
    /// What the caller has to do with it; absent for anonymous callers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewer: Option<HashtagViewer>,
}

/// How much a hashtag was used in a part of the window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct HashtagUse {
    /// When the part begins.
    pub start: Timestamp,
    /// Posts with the hashtag.
    pub posts: i64,
    /// Accounts that used it.
    pub accounts: i64,
}

/// What the caller has to do with a hashtag.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct HashtagViewer {
    /// Whether the caller follows it.
    pub following: bool,
}

/// A hashtag in its wrapper.
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
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// Whether a hashtag is followed now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct HashtagFollowing {
    /// Whether the caller follows it.
    pub following: bool,
}

words! {
    /// Order of a list of hashtags.
    HashtagSort {
        /// Most accounts in the window first.
        Trending = "trending",
        /// By name.
        Name = "name",
    }
}

words! {
    /// What a hashtag's counts are of, in UTC.
    HashtagWindow {
        /// The present hour and the 23 before it.
        Day = "24h",
        /// The present day and the 6 before it.
        Week = "7d",
    }
}

words! {
    /// Order of the posts with a hashtag.
    HashtagPostSort {
        /// Newest first.
        New = "new",
        /// By engagement and age, as in the global feed.
        Hot = "hot",
        /// Most engagement first.
        Top = "top",
    }
}
