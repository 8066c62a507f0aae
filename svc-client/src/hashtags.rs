//! Hashtags.

use svc_types::api::hashtags::{
    FollowHashtag, GetHashtag, HashtagPostSort, HashtagSort, HashtagWindow, ListFollowedHashtags,
    ListHashtagPosts, ListHashtags, Tag, UnfollowHashtag,
};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Hashtags: what is talked about. They are named in any case, with or without `#`.
    Hashtags by hashtags
}

impl Hashtags<'_> {
    /// Lists hashtags, those that most accounts used today first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for tag in svc.hashtags().list().page().await?.items {
    ///     println!("#{} {}", tag.name, tag.accounts_count);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListHashtags> {
        self.0.send(&ListHashtags { sort: None, q: None, window: None, limit: None, cursor: None })
    }

    /// Reads a hashtag.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.hashtags().get("rust").await?.hashtag.posts_count);
    /// # Ok(()) }
    /// ```
    pub fn get(&self, name: impl Into<Tag>) -> Call<GetHashtag> {
        self.0.send(&GetHashtag { name: name.into() })
    }

    /// Lists the posts with a hashtag, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let posts = svc.hashtags().posts("#rust").page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn posts(&self, name: impl Into<Tag>) -> Call<ListHashtagPosts> {
        let name = name.into();
        self.0.send(&ListHashtagPosts { name, sort: None, limit: None, cursor: None })
    }

    /// Follows a hashtag.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.hashtags().follow("rust").await?;
    /// # Ok(()) }
    /// ```
    pub fn follow(&self, name: impl Into<Tag>) -> Call<FollowHashtag> {
        self.0.send(&FollowHashtag { name: name.into() })
    }

    /// Stops following a hashtag.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.hashtags().unfollow("rust").await?;
    /// # Ok(()) }
    /// ```
    pub fn unfollow(&self, name: impl Into<Tag>) -> Call<UnfollowHashtag> {
        self.0.send(&UnfollowHashtag { name: name.into() })
    }

    /// Lists the hashtags one follows, by name.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let followed = svc.hashtags().followed().page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn followed(&self) -> Call<ListFollowedHashtags> {
        self.0.send(&ListFollowedHashtags { limit: None, cursor: None })
    }
}

optional! {
    ListHashtags {
        /// Order of the list.
        ///
        /// ```
        /// # use svc_client::types::api::hashtags::HashtagSort;
        /// # fn show(svc: svc_client::Client) {
        /// svc.hashtags().list().sort(HashtagSort::Name);
        /// # }
        /// ```
        sort(HashtagSort) => sort;
        /// Only names that begin with this.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.hashtags().list().beginning("ru");
        /// # }
        /// ```
        beginning(impl Into<Tag>) => q;
        /// What the counts are of.
        ///
        /// ```
        /// # use svc_client::types::api::hashtags::HashtagWindow;
        /// # fn show(svc: svc_client::Client) {
        /// svc.hashtags().list().window(HashtagWindow::Week);
        /// # }
        /// ```
        window(HashtagWindow) => window;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.hashtags().list().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListHashtagPosts {
        /// Order of the list.
        ///
        /// ```
        /// # use svc_client::types::api::hashtags::HashtagPostSort;
        /// # fn show(svc: svc_client::Client) {
        /// svc.hashtags().posts("rust").sort(HashtagPostSort::Hot);
        /// # }
        /// ```
        sort(HashtagPostSort) => sort;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.hashtags().posts("rust").limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListFollowedHashtags {
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.hashtags().followed().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
}
