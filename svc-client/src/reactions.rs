//! What accounts do to posts: like, repost, bookmark, pin, mute the thread.

use svc_types::PostId;
use svc_types::api::reactions::{
    BookmarkPost, LikePost, ListBookmarks, ListLikes, ListReposts, MuteThread, PinPost, RepostPost,
    UnbookmarkPost, UnlikePost, UnmuteThread, UnpinPost, UnrepostPost,
};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// What accounts do to posts: like, repost, bookmark, pin, mute the thread.
    Reactions by reactions
}

impl Reactions<'_> {
    /// Likes a post; liking it again changes nothing.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{} like it", svc.reactions().like("post_01").await?.likes_count);
    /// # Ok(()) }
    /// ```
    pub fn like(&self, id: impl Into<PostId>) -> Call<LikePost> {
        self.0.send(&LikePost { post_id: id.into() })
    }

    /// Takes a like back.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().unlike("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn unlike(&self, id: impl Into<PostId>) -> Call<UnlikePost> {
        self.0.send(&UnlikePost { post_id: id.into() })
    }

    /// Reposts a post to one's own followers; takes no post slot.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().repost("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn repost(&self, id: impl Into<PostId>) -> Call<RepostPost> {
        self.0.send(&RepostPost { post_id: id.into() })
    }

    /// Takes a repost back.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().unrepost("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn unrepost(&self, id: impl Into<PostId>) -> Call<UnrepostPost> {
        self.0.send(&UnrepostPost { post_id: id.into() })
    }

    /// Bookmarks a post; nobody else learns of it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().bookmark("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn bookmark(&self, id: impl Into<PostId>) -> Call<BookmarkPost> {
        self.0.send(&BookmarkPost { post_id: id.into() })
    }

    /// Removes a bookmark.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().unbookmark("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn unbookmark(&self, id: impl Into<PostId>) -> Call<UnbookmarkPost> {
        self.0.send(&UnbookmarkPost { post_id: id.into() })
    }

    /// Pins one's own post to one's profile; at most 5 are pinned.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().pin("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn pin(&self, id: impl Into<PostId>) -> Call<PinPost> {
        self.0.send(&PinPost { post_id: id.into() })
    }

    /// Unpins one's own post.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().unpin("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn unpin(&self, id: impl Into<PostId>) -> Call<UnpinPost> {
        self.0.send(&UnpinPost { post_id: id.into() })
    }

    /// Mutes the thread of a post: one is told no more of it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().mute_thread("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn mute_thread(&self, id: impl Into<PostId>) -> Call<MuteThread> {
        self.0.send(&MuteThread { post_id: id.into() })
    }

    /// Is told of a thread again.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().unmute_thread("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn unmute_thread(&self, id: impl Into<PostId>) -> Call<UnmuteThread> {
        self.0.send(&UnmuteThread { post_id: id.into() })
    }

    /// Lists who likes a post, latest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for user in svc.reactions().likes("post_01").await?.users {
    ///     println!("@{}", user.username);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn likes(&self, id: impl Into<PostId>) -> Call<ListLikes> {
        self.0.send(&ListLikes { post_id: id.into(), limit: None, cursor: None })
    }

    /// Lists who reposts a post, latest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for user in svc.reactions().reposts("post_01").await?.users {
    ///     println!("@{}", user.username);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn reposts(&self, id: impl Into<PostId>) -> Call<ListReposts> {
        self.0.send(&ListReposts { post_id: id.into(), limit: None, cursor: None })
    }

    /// Lists one's own bookmarks, latest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for post in svc.reactions().bookmarks().await?.posts {
    ///     println!("{}", post.content);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn bookmarks(&self) -> Call<ListBookmarks> {
        self.0.send(&ListBookmarks { limit: None, cursor: None })
    }
}

optional! {
    ListLikes {
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.reactions().likes("post_01").limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListReposts {
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.reactions().reposts("post_01").limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListBookmarks {
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.reactions().bookmarks().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
}
