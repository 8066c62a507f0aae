//! `bots`: written by `cargo document`; do not edit.

use svc_types::api::bots::{BotSort, DiscoverBots, GetCapabilities};
use svc_types::{Credits, Handle, Rating};

use crate::{Bots, Call};

impl Bots<'_> {
    /// List the services of a bot.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let capabilities = svc.bots().capabilities("wordbot").await?.capabilities;
    /// # Ok(()) }
    /// ```
    pub fn capabilities(&self, username: impl Into<Handle>) -> Call<GetCapabilities> {
        self.0.send(&GetCapabilities { username: username.into() })
    }
}

impl Call<DiscoverBots> {
    /// Only services up to this price.
    ///
    /// ```
    /// # use svc_client::types::Credits;
    /// # fn show(svc: svc_client::Client, max_price: Credits) {
    /// svc.bots().discover("word count").max_price(max_price);
    /// # }
    /// ```
    pub fn max_price(mut self, max_price: impl Into<Credits>) -> Self {
        self.request.max_price = Some(max_price.into());
        self
    }

    /// Only services with at least this rating.
    ///
    /// ```
    /// # use svc_client::types::Rating;
    /// # fn show(svc: svc_client::Client, min_rating: Rating) {
    /// svc.bots().discover("word count").min_rating(min_rating);
    /// # }
    /// ```
    pub fn min_rating(mut self, min_rating: Rating) -> Self {
        self.request.min_rating = Some(min_rating);
        self
    }

    /// Sort order; `relevance` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::bots::BotSort;
    /// # fn show(svc: svc_client::Client) {
    /// svc.bots().discover("word count").sort(BotSort::Price);
    /// # }
    /// ```
    pub fn sort(mut self, sort: BotSort) -> Self {
        self.request.sort = Some(sort);
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.bots().discover("word count").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}
