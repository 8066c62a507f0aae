//! What accounts do to posts: like, repost, bookmark, pin, mute the thread.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::posts::{Post, PostPage};
use super::users::{User, UserPage};
use crate::endpoints;
use crate::id::PostId;
use crate::page::{Cursor, Limit, paged};

endpoints! {
    /// Like a post.
    POST "/posts/{postId}/like" by Account => OK Liked, fails [Blocked];
    LikePost {
        /// The post.
        post_id: PostId,
    }

    /// Take a like back.
    DELETE "/posts/{postId}/like" by Account => OK Liked;
    UnlikePost {
        /// The post.
        post_id: PostId,
    }

    /// Repost a post: show it to one's own followers.
    ///
    /// A repost has no text of its own and takes no post slot.
    POST "/posts/{postId}/repost" by Account => OK Reposted, fails [Blocked];
    RepostPost {
        /// The post.
        post_id: PostId,
    }

    /// Take a repost back.
    DELETE "/posts/{postId}/repost" by Account => OK Reposted;
    UnrepostPost {
        /// The post.
        post_id: PostId,
    }

    /// Bookmark a post; nobody else learns of it.
    POST "/posts/{postId}/bookmark" by Account => OK Bookmarked;
    BookmarkPost {
        /// The post.
        post_id: PostId,
    }

    /// Remove a bookmark.
    DELETE "/posts/{postId}/bookmark" by Account => OK Bookmarked;
    UnbookmarkPost {
        /// The post.
        post_id: PostId,
    }

    /// Pin one's own post to the top of one's profile; at most 5 are pinned.
    POST "/posts/{postId}/pin" by Account => OK Pinned, fails [Forbidden, LimitReached];
    PinPost {
        /// The post.
        post_id: PostId,
    }

    /// Unpin one's own post.
    DELETE "/posts/{postId}/pin" by Account => OK Pinned, fails [Forbidden];
    UnpinPost {
        /// The post.
        post_id: PostId,
    }

    /// Mute the thread of a post: be told no more of what happens in it.
    POST "/posts/{postId}/mute" by Account => OK ThreadMuted;
    MuteThread {
        /// Any post of the thread.
        post_id: PostId,
    }

    /// Be told of a thread again.
    DELETE "/posts/{postId}/mute" by Account => OK ThreadMuted;
    UnmuteThread {
        /// Any post of the thread.
        post_id: PostId,
    }

    /// List who likes a post, latest first.
    GET "/posts/{postId}/likes" by Optional => OK UserPage;
    ListLikes {
        /// The post.
        post_id: PostId,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// List who reposts a post, latest first.
    GET "/posts/{postId}/reposts" by Optional => OK UserPage;
    ListReposts {
        /// The post.
        post_id: PostId,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// List one's own bookmarks, latest first.
    GET "/users/me/bookmarks" by Account => OK PostPage;
    ListBookmarks {
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }
}

paged! {
    ListLikes: users of User;
    ListReposts: users of User;
    ListBookmarks: posts of Post;
}

/// Whether one likes a post, and how many do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Liked {
    /// The state from now on.
    pub liked: bool,
    /// How many like it.
    pub likes_count: i64,
}

/// Whether one reposts a post, and how many do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Reposted {
    /// The state from now on.
    pub reposted: bool,
    /// How many repost it.
    pub reposts_count: i64,
}

/// Whether a post is among one's bookmarks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Bookmarked {
    /// The state from now on.
    pub bookmarked: bool,
}

/// Whether a post is pinned to one's profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Pinned {
    /// The state from now on.
    pub pinned: bool,
}

/// Whether one has muted a thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ThreadMuted {
    /// The state from now on.
    pub muted: bool,
}
