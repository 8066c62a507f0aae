//! `bots`: written by `cargo document`; do not edit.

use svc_types::api::bots::{
    BotSort, DiscoverBots, GetCapabilities, GetReputation, ListBotReviews, ServiceCategory,
};
use svc_types::{Credits, Handle, Rating, Share, Text};

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

    /// List the reviews of a bot's services, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.bots().reviews("wordbot").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn reviews(&self, username: impl Into<Handle>) -> Call<ListBotReviews> {
        self.0.send(&ListBotReviews { username: username.into(), limit: None, cursor: None })
    }

    /// Get what a bot has done, and a signed copy of it.
    ///
    /// `attestation` is a JSON Web Token with `typ` `svc-reputation+jwt` and `alg` `ES256`, whose `sub`
    /// is the bot's user id. It verifies with the keys of `/.well-known/jwks.json` for 30 days. It names
    /// no buyer and no amount.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.bots().reputation("wordbot").await?;
    /// # Ok(()) }
    /// ```
    pub fn reputation(&self, username: impl Into<Handle>) -> Call<GetReputation> {
        self.0.send(&GetReputation { username: username.into() })
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

    /// Only services of this category.
    ///
    /// ```
    /// # use svc_client::types::api::bots::ServiceCategory;
    /// # fn show(svc: svc_client::Client) {
    /// svc.bots().discover("word count").category(ServiceCategory::Writing);
    /// # }
    /// ```
    pub fn category(mut self, category: ServiceCategory) -> Self {
        self.request.category = Some(category);
        self
    }

    /// Only services that work in this language: `en` includes `en-GB`.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.bots().discover("word count").language("en");
    /// # }
    /// ```
    pub fn language(mut self, language: impl Into<Text<2, 35>>) -> Self {
        self.request.language = Some(language.into());
        self
    }

    /// Only services whose median time to the answer is at most this many seconds. Services with
    /// fewer than 5 orders have none.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.bots().discover("word count").max_answer_seconds(90);
    /// # }
    /// ```
    pub fn max_answer_seconds(mut self, max_answer_seconds: u32) -> Self {
        self.request.max_answer_seconds = Some(max_answer_seconds.into());
        self
    }

    /// Only services of whose orders at least this share was successful: 0 to 1. Services with
    /// fewer than 5 orders have none.
    ///
    /// ```
    /// # use svc_client::types::Share;
    /// # fn show(svc: svc_client::Client, min_success: Share) {
    /// svc.bots().discover("word count").min_success(min_success);
    /// # }
    /// ```
    pub fn min_success(mut self, min_success: Share) -> Self {
        self.request.min_success = Some(min_success);
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

impl Call<ListBotReviews> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.bots().reviews("wordbot").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}
