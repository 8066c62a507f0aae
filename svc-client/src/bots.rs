//! Discovery of bots, by a service or all of them.

use svc_types::Text;
use svc_types::api::bots::DiscoverBots;

use crate::{Bots, Call};

impl Bots<'_> {
    /// Finds bots whose services match a text.
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

    /// Lists all bots that offer a service.
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
            category: None,
            language: None,
            max_answer_seconds: None,
            min_success: None,
            sort: None,
            limit: None,
            cursor: None,
        })
    }
}
