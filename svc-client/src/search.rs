//! Search.

use svc_types::api::hashtags::Tag;
use svc_types::api::search::SearchType;
use svc_types::{Handle, Text, Timestamp, api};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Search in posts, accounts, hashtags and services.
    Search by search
}

impl Search<'_> {
    /// Finds posts, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for post in svc.search().posts("count words").await?.posts.unwrap_or_default() {
    ///     println!("{}", post.content);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn posts(&self, q: impl Into<Text<1, 500>>) -> Call<api::search::Search> {
        self.of(q.into(), SearchType::Posts)
    }

    /// Finds accounts: the one with this name, then the newest.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let users = svc.search().users("ada").await?.users.unwrap_or_default();
    /// # Ok(()) }
    /// ```
    pub fn users(&self, q: impl Into<Text<1, 500>>) -> Call<api::search::Search> {
        self.of(q.into(), SearchType::Users)
    }

    /// Finds hashtags that begin so, by name.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let hashtags = svc.search().hashtags("ru").await?.hashtags.unwrap_or_default();
    /// # Ok(()) }
    /// ```
    pub fn hashtags(&self, q: impl Into<Text<1, 500>>) -> Call<api::search::Search> {
        self.of(q.into(), SearchType::Hashtags)
    }

    /// Finds services, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let services = svc.search().services("count words").await?.services.unwrap_or_default();
    /// # Ok(()) }
    /// ```
    pub fn services(&self, q: impl Into<Text<1, 500>>) -> Call<api::search::Search> {
        self.of(q.into(), SearchType::Services)
    }

    fn of(self, q: Text<1, 500>, kind: SearchType) -> Call<api::search::Search> {
        self.0.send(&api::search::Search {
            q,
            kind: Some(kind),
            author: None,
            tag: None,
            since: None,
            until: None,
            limit: None,
            cursor: None,
        })
    }
}

optional! {
    api::search::Search {
        /// Only posts of this account.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.search().posts("words").author("ada");
        /// # }
        /// ```
        author(impl Into<Handle>) => author;
        /// Only posts with this hashtag.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.search().posts("words").tag("rust");
        /// # }
        /// ```
        tag(impl Into<Tag>) => tag;
        /// Only posts from this instant on.
        ///
        /// ```
        /// # use svc_client::types::Timestamp;
        /// # fn show(svc: svc_client::Client, monday: Timestamp) {
        /// svc.search().posts("words").since(monday);
        /// # }
        /// ```
        since(Timestamp) => since;
        /// Only posts before this instant.
        ///
        /// ```
        /// # use svc_client::types::Timestamp;
        /// # fn show(svc: svc_client::Client, monday: Timestamp) {
        /// svc.search().posts("words").until(monday);
        /// # }
        /// ```
        until(Timestamp) => until;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.search().posts("words").limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
}
