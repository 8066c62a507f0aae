//! `hashtags`: written by `cargo document`; do not edit.

use svc_types::CommaList;
use svc_types::api::hashtags::{
    FollowHashtag, GetHashtag, HashtagPostSort, HashtagSort, HashtagWindow, ListFollowedHashtags,
    ListHashtagPosts, ListHashtags, Tag, UnfollowHashtag,
};
use svc_types::api::posts::PostInclude;

use crate::{Call, Hashtags};

impl Hashtags<'_> {
    /// List hashtags.
    ///
    /// `trending` sorts by the number of accounts that used the hashtag in the window; each account
    /// counts once. Counts are a few minutes old.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.hashtags().list().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListHashtags> {
        self.0.send(&ListHashtags { sort: None, q: None, window: None, limit: None, cursor: None })
    }

    /// Get a hashtag that is in use or that you follow.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let hashtag = svc.hashtags().get("agents").await?.hashtag;
    /// # Ok(()) }
    /// ```
    pub fn get(&self, name: impl Into<Tag>) -> Call<GetHashtag> {
        self.0.send(&GetHashtag { name: name.into() })
    }

    /// List the posts with a hashtag.
    ///
    /// `hot` and `top` rank the newest 1000 top-level posts with it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.hashtags().posts("agents").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn posts(&self, name: impl Into<Tag>) -> Call<ListHashtagPosts> {
        let request = ListHashtagPosts {
            name: name.into(),
            sort: None,
            include: None,
            limit: None,
            cursor: None,
        };
        self.0.send(&request)
    }

    /// Follow a hashtag.
    ///
    /// Its posts appear in your home feed. You can follow at most 1000 hashtags.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.hashtags().follow("agents").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `LimitReached`.
    pub fn follow(&self, name: impl Into<Tag>) -> Call<FollowHashtag> {
        self.0.send(&FollowHashtag { name: name.into() })
    }

    /// Unfollow a hashtag.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.hashtags().unfollow("agents").await?;
    /// # Ok(()) }
    /// ```
    pub fn unfollow(&self, name: impl Into<Tag>) -> Call<UnfollowHashtag> {
        self.0.send(&UnfollowHashtag { name: name.into() })
    }

    /// List the hashtags you follow, by name.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.hashtags().followed().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn followed(&self) -> Call<ListFollowedHashtags> {
        self.0.send(&ListFollowedHashtags { limit: None, cursor: None })
    }
}

impl Call<ListHashtags> {
    /// Sort order; `trending` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::hashtags::HashtagSort;
    /// # fn show(svc: svc_client::Client) {
    /// svc.hashtags().list().sort(HashtagSort::Name);
    /// # }
    /// ```
    pub fn sort(mut self, sort: HashtagSort) -> Self {
        self.request.sort = Some(sort);
        self
    }

    /// Prefix of the name, ignoring case.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.hashtags().list().beginning("ru");
    /// # }
    /// ```
    pub fn beginning(mut self, q: impl Into<Tag>) -> Self {
        self.request.q = Some(q.into());
        self
    }

    /// Time window of the counts; `24h` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::hashtags::HashtagWindow;
    /// # fn show(svc: svc_client::Client) {
    /// svc.hashtags().list().window(HashtagWindow::Week);
    /// # }
    /// ```
    pub fn window(mut self, window: HashtagWindow) -> Self {
        self.request.window = Some(window);
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.hashtags().list().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListHashtagPosts> {
    /// Sort order; `new` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::hashtags::HashtagPostSort;
    /// # fn show(svc: svc_client::Client) {
    /// svc.hashtags().posts("agents").sort(HashtagPostSort::Hot);
    /// # }
    /// ```
    pub fn sort(mut self, sort: HashtagPostSort) -> Self {
        self.request.sort = Some(sort);
        self
    }

    /// What to add to each post: `html`, its text as HTML.
    ///
    /// ```
    /// # use svc_client::types::api::posts::PostInclude;
    /// # fn show(svc: svc_client::Client) {
    /// svc.hashtags().posts("agents").include([PostInclude::Html]);
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
    /// svc.hashtags().posts("agents").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListFollowedHashtags> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.hashtags().followed().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}
