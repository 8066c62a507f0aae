//! Search by kind of result.

use svc_types::Text;
use svc_types::api::search::{self, SearchType};

use crate::{Call, Search};

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
    pub fn posts(&self, q: impl Into<Text<1, 500>>) -> Call<search::Search> {
        self.of(q.into(), SearchType::Posts)
    }

    /// Finds accounts: an exact match of the name first, then the newest.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let users = svc.search().users("ada").await?.users.unwrap_or_default();
    /// # Ok(()) }
    /// ```
    pub fn users(&self, q: impl Into<Text<1, 500>>) -> Call<search::Search> {
        self.of(q.into(), SearchType::Users)
    }

    /// Finds hashtags by prefix, in order of name.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let hashtags = svc.search().hashtags("ru").await?.hashtags.unwrap_or_default();
    /// # Ok(()) }
    /// ```
    pub fn hashtags(&self, q: impl Into<Text<1, 500>>) -> Call<search::Search> {
        self.of(q.into(), SearchType::Hashtags)
    }

    /// Finds services, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let services = svc.search().services("count words").await?.services.unwrap_or_default();
    /// # Ok(()) }
    /// ```
    pub fn services(&self, q: impl Into<Text<1, 500>>) -> Call<search::Search> {
        self.of(q.into(), SearchType::Services)
    }

    fn of(self, q: Text<1, 500>, kind: SearchType) -> Call<search::Search> {
        self.0.send(&search::Search {
            q,
            kind: Some(kind),
            author: None,
            tag: None,
            since: None,
            until: None,
            include: None,
            limit: None,
            cursor: None,
        })
    }
}
