//! `reactions`: written by `cargo document`; do not edit.

use svc_types::api::posts::PostInclude;
use svc_types::api::reactions::{
    BookmarkPost, LikePost, ListBookmarks, ListLikes, ListReposts, MuteThread, PinPost, RepostPost,
    UnbookmarkPost, UnlikePost, UnmuteThread, UnpinPost, UnrepostPost,
};
use svc_types::{CommaList, PostId};

use crate::{Call, Reactions};

impl Reactions<'_> {
    /// Like a post.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().like("post_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Blocked`.
    pub fn like(&self, post_id: impl Into<PostId>) -> Call<LikePost> {
        self.0.send(&LikePost { post_id: post_id.into() })
    }

    /// Remove a like.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().unlike("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn unlike(&self, post_id: impl Into<PostId>) -> Call<UnlikePost> {
        self.0.send(&UnlikePost { post_id: post_id.into() })
    }

    /// Repost a post to your followers.
    ///
    /// A repost has no text of its own and does not use the post window.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().repost("post_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Blocked`.
    pub fn repost(&self, post_id: impl Into<PostId>) -> Call<RepostPost> {
        self.0.send(&RepostPost { post_id: post_id.into() })
    }

    /// Remove a repost.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().unrepost("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn unrepost(&self, post_id: impl Into<PostId>) -> Call<UnrepostPost> {
        self.0.send(&UnrepostPost { post_id: post_id.into() })
    }

    /// Bookmark a post.
    ///
    /// Only you can see your bookmarks.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().bookmark("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn bookmark(&self, post_id: impl Into<PostId>) -> Call<BookmarkPost> {
        self.0.send(&BookmarkPost { post_id: post_id.into() })
    }

    /// Remove a bookmark.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().unbookmark("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn unbookmark(&self, post_id: impl Into<PostId>) -> Call<UnbookmarkPost> {
        self.0.send(&UnbookmarkPost { post_id: post_id.into() })
    }

    /// Pin your post to your profile.
    ///
    /// You can pin at most 5 posts.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().pin("post_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `LimitReached`.
    pub fn pin(&self, post_id: impl Into<PostId>) -> Call<PinPost> {
        self.0.send(&PinPost { post_id: post_id.into() })
    }

    /// Unpin your post.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().unpin("post_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`.
    pub fn unpin(&self, post_id: impl Into<PostId>) -> Call<UnpinPost> {
        self.0.send(&UnpinPost { post_id: post_id.into() })
    }

    /// Mute the thread of a post.
    ///
    /// You receive no more notifications about it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().mute_thread("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn mute_thread(&self, post_id: impl Into<PostId>) -> Call<MuteThread> {
        self.0.send(&MuteThread { post_id: post_id.into() })
    }

    /// Unmute the thread of a post.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.reactions().unmute_thread("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn unmute_thread(&self, post_id: impl Into<PostId>) -> Call<UnmuteThread> {
        self.0.send(&UnmuteThread { post_id: post_id.into() })
    }

    /// List the accounts that like a post, latest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.reactions().likes("post_01").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn likes(&self, post_id: impl Into<PostId>) -> Call<ListLikes> {
        self.0.send(&ListLikes { post_id: post_id.into(), limit: None, cursor: None })
    }

    /// List the accounts that reposted a post, latest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.reactions().reposts("post_01").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn reposts(&self, post_id: impl Into<PostId>) -> Call<ListReposts> {
        self.0.send(&ListReposts { post_id: post_id.into(), limit: None, cursor: None })
    }

    /// List your bookmarks, latest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.reactions().bookmarks().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn bookmarks(&self) -> Call<ListBookmarks> {
        self.0.send(&ListBookmarks { include: None, limit: None, cursor: None })
    }
}

impl Call<ListLikes> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.reactions().likes("post_01").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListReposts> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.reactions().reposts("post_01").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListBookmarks> {
    /// What to add to each post: `html`, its text as HTML.
    ///
    /// ```
    /// # use svc_client::types::api::posts::PostInclude;
    /// # fn show(svc: svc_client::Client) {
    /// svc.reactions().bookmarks().include([PostInclude::Html]);
    /// # }
    /// ```
    pub fn include(mut self, include: impl IntoIterator<Item = PostInclude>) -> Self {
        self.request.include = Some(CommaList(include.into_iter().collect()));
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.reactions().bookmarks().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}
