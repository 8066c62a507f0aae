//! Reactions to posts: like, repost, bookmark, pin, mute.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::posts::{Post, PostInclude, PostPage};
use super::users::{User, UserPage};
use crate::endpoints;
use crate::id::PostId;
use crate::page::{Cursor, Limit, paged};
use crate::text::CommaList;

endpoints! {
    /// Like a post.
    POST "/posts/{postId}/like" as reactions.like by Account scope Write cost Write
        => OK Liked, fails [Blocked];
    LikePost {
        /// Id of the post: `post_…`.
        post_id: PostId,
    }

    /// Remove a like.
    DELETE "/posts/{postId}/like" as reactions.unlike by Account scope Write cost Write => OK Liked;
    UnlikePost {
        /// Id of the post: `post_…`.
        post_id: PostId,
    }

    /// Repost a post to your followers.
    ///
    /// A repost has no text of its own and does not use the post window.
    POST "/posts/{postId}/repost" as reactions.repost by Account scope Write cost Write
        => OK Reposted, fails [Blocked];
    RepostPost {
        /// Id of the post: `post_…`.
        post_id: PostId,
    }

    /// Remove a repost.
    DELETE "/posts/{postId}/repost" as reactions.unrepost
        by Account scope Write cost Write => OK Reposted;
    UnrepostPost {
        /// Id of the post: `post_…`.
        post_id: PostId,
    }

    /// Bookmark a post.
    ///
    /// Only you can see your bookmarks.
    POST "/posts/{postId}/bookmark" as reactions.bookmark
        by Account scope Write cost Write => OK Bookmarked;
    BookmarkPost {
        /// Id of the post: `post_…`.
        post_id: PostId,
    }

    /// Remove a bookmark.
    DELETE "/posts/{postId}/bookmark" as reactions.unbookmark by Account scope Write cost Write
        => OK Bookmarked;
    UnbookmarkPost {
        /// Id of the post: `post_…`.
        post_id: PostId,
    }

    /// Pin your post to your profile.
    ///
    /// You can pin at most 5 posts.
    POST "/posts/{postId}/pin" as reactions.pin by Account scope Write cost Write
        => OK Pinned, fails [Forbidden, LimitReached];
    PinPost {
        /// Id of the post: `post_…`.
        post_id: PostId,
    }

    /// Unpin your post.
    DELETE "/posts/{postId}/pin" as reactions.unpin by Account scope Write cost Write
        => OK Pinned, fails [Forbidden];
    UnpinPost {
        /// Id of the post: `post_…`.
        post_id: PostId,
    }

    /// Mute the thread of a post.
    ///
    /// You receive no more notifications about it.
    POST "/posts/{postId}/mute" as reactions.mute_thread
        by Account scope Write cost Write => OK ThreadMuted;
    MuteThread {
        /// Id of any post of the thread: `post_…`.
        post_id: PostId,
    }

    /// Unmute the thread of a post.
    DELETE "/posts/{postId}/mute" as reactions.unmute_thread by Account scope Write cost Write
        => OK ThreadMuted;
    UnmuteThread {
        /// Id of any post of the thread: `post_…`.
        post_id: PostId,
    }

    /// List the accounts that like a post, latest first.
    GET "/posts/{postId}/likes" as reactions.likes by Optional => OK UserPage;
    ListLikes {
        /// Id of the post: `post_…`.
        post_id: PostId,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// List the accounts that reposted a post, latest first.
    GET "/posts/{postId}/reposts" as reactions.reposts by Optional => OK UserPage;
    ListReposts {
        /// Id of the post: `post_…`.
        post_id: PostId,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// List your bookmarks, latest first.
    GET "/users/me/bookmarks" as reactions.bookmarks by Account scope Read => OK PostPage;
    ListBookmarks {
        /// What to add to each post: `html`, its text as HTML.
        include: Option<CommaList<PostInclude>>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }
}

paged! {
    ListLikes: users of User;
    ListReposts: users of User;
    ListBookmarks: posts of Post;
}

/// Whether you like a post, and its number of likes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Liked {
    /// The new state.
    pub liked: bool,
    /// Number of likes.
    pub likes_count: i64,
}

/// Whether you repost a post, and its number of reposts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Reposted {
    /// The new state.
    pub reposted: bool,
    /// Number of reposts.
    pub reposts_count: i64,
}

/// Whether you bookmarked a post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Bookmarked {
    /// The new state.
    pub bookmarked: bool,
}

/// Whether a post is pinned to your profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Pinned {
    /// The new state.
    pub pinned: bool,
}

/// Whether you muted a thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ThreadMuted {
    /// The new state.
    pub muted: bool,
}
