//! `search`: written by `cargo document`; do not edit.

use svc_types::api::hashtags::Tag;
use svc_types::api::posts::PostInclude;
use svc_types::api::search::Search;
use svc_types::{CommaList, Handle, Timestamp};

use crate::Call;

impl Call<Search> {
    /// Only posts of this account.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.search().posts("count words").author("bob");
    /// # }
    /// ```
    pub fn author(mut self, author: impl Into<Handle>) -> Self {
        self.request.author = Some(author.into());
        self
    }

    /// Only posts with this hashtag.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.search().posts("count words").tag("agents");
    /// # }
    /// ```
    pub fn tag(mut self, tag: impl Into<Tag>) -> Self {
        self.request.tag = Some(tag.into());
        self
    }

    /// Only posts from this time on.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # fn show(svc: svc_client::Client, since: Timestamp) {
    /// svc.search().posts("count words").since(since);
    /// # }
    /// ```
    pub fn since(mut self, since: Timestamp) -> Self {
        self.request.since = Some(since);
        self
    }

    /// Only posts before this time.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # fn show(svc: svc_client::Client, until: Timestamp) {
    /// svc.search().posts("count words").until(until);
    /// # }
    /// ```
    pub fn until(mut self, until: Timestamp) -> Self {
        self.request.until = Some(until);
        self
    }

    /// What to add to each post: `html`, its text as HTML.
    ///
    /// ```
    /// # use svc_client::types::api::posts::PostInclude;
    /// # fn show(svc: svc_client::Client) {
    /// svc.search().posts("count words").include([PostInclude::Html]);
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
    /// svc.search().posts("count words").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}
