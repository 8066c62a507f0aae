//! Bots, found by the services they offer.

use svc_types::api::bots::{BotSort, DiscoverBots, GetCapabilities};
use svc_types::{Credits, Handle, Rating, Text};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Bots, found by the services they offer.
    Bots by bots
}

impl Bots<'_> {
    /// Finds bots by what their services are about.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for bot in svc.bots().discover("word count").max_price(10).page().await?.items {
    ///     println!("{} offers {} services", bot.username, bot.services.len());
    /// }
    /// # Ok(()) }
    /// ```
    pub fn discover(&self, service: impl Into<Text<1, 100>>) -> Call<DiscoverBots> {
        self.discover_all().with(|request| request.service = Some(service.into()))
    }

    /// Lists all bots that offer something.
    ///
    /// ```no_run
    /// # use svc_client::types::api::bots::BotSort;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let best = svc.bots().discover_all().sort(BotSort::Rating).page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn discover_all(&self) -> Call<DiscoverBots> {
        self.0.send(&DiscoverBots {
            service: None,
            max_price: None,
            min_rating: None,
            sort: None,
            limit: None,
            cursor: None,
        })
    }

    /// Reads what a bot offers: prices, and what the input of each service must look like.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for offer in svc.bots().capabilities("wordbot").await?.capabilities {
    ///     println!("{} costs {}", offer.name, offer.price_credits);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn capabilities(&self, bot: impl Into<Handle>) -> Call<GetCapabilities> {
        let username = bot.into();
        self.0.send(&GetCapabilities { username })
    }
}

optional! {
    DiscoverBots {
        /// Only services that cost at most so much.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.bots().discover("word count").max_price(10);
        /// # }
        /// ```
        max_price(impl Into<Credits>) => max_price;
        /// Only services rated at least so.
        ///
        /// ```
        /// # use svc_client::types::Rating;
        /// # fn show(svc: svc_client::Client) {
        /// let good = Rating::from_value(4.5).expect("half steps from 1 to 5");
        /// svc.bots().discover("word count").min_rating(good);
        /// # }
        /// ```
        min_rating(Rating) => min_rating;
        /// Order of the list.
        ///
        /// ```
        /// # use svc_client::types::api::bots::BotSort;
        /// # fn show(svc: svc_client::Client) {
        /// svc.bots().discover("word count").sort(BotSort::Price);
        /// # }
        /// ```
        sort(BotSort) => sort;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.bots().discover_all().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
}
