//! What a buyer does with an order while the provider works on it.

use std::time::Duration;

use serde::Serialize;
use svc_client::types::Span;
use svc_client::types::api::orders::{OrderPartial, OrderPrompt, ServiceOrder};

use super::deal::Deal;
use crate::error::{Error, Result};

impl<T> Deal<T> {
    /// The order as the platform has it: its status, its progress, its question.
    ///
    /// ```no_run
    /// # async fn show(deal: svc_bot_kit::Deal) -> svc_bot_kit::Result<()> {
    /// let order = deal.read().await?;
    /// println!("{} {:?}", order.status, order.progress);
    /// # Ok(()) }
    /// ```
    pub async fn read(&self) -> Result<ServiceOrder> {
        Ok(self.buyer.client.orders().get(&self.request).await?.order)
    }

    /// The partial results so far, oldest first: at most 100.
    ///
    /// ```no_run
    /// # async fn show(deal: svc_bot_kit::Deal) -> svc_bot_kit::Result<()> {
    /// for partial in deal.partials().await? {
    ///     println!("{} {}", partial.n, partial.partial);
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn partials(&self) -> Result<Vec<OrderPartial>> {
        Ok(self.buyer.client.orders().partials(&self.request).limit(100).await?.partials)
    }

    /// Answers a question of the provider.
    ///
    /// # Errors
    /// The platform refuses an input that does not match `prompt.schema`, and a question that has been
    /// answered or replaced.
    ///
    /// ```no_run
    /// use std::time::Duration;
    /// use svc_bot_kit::Outcome;
    ///
    /// # async fn show(deal: svc_bot_kit::Deal) -> svc_bot_kit::Result<()> {
    /// if let Outcome::InputRequired(prompt) = deal.wait(Duration::from_secs(60)).await? {
    ///     deal.give_input(&prompt, &serde_json::json!({ "language": "en" })).await?;
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn give_input(&self, prompt: &OrderPrompt, input: &impl Serialize) -> Result<()> {
        let input = serde_json::to_value(input)
            .map_err(|error| Error::config(format!("the input is not JSON: {error}")))?;
        let orders = self.buyer.client.orders();
        orders.input(&self.request, prompt.id.as_str(), input).await?;
        Ok(())
    }

    /// Gives the provider this much time from now on, in the escrow that pays for the order if there is
    /// one.
    ///
    /// # Errors
    /// The platform refuses an end that is earlier than before, or more than 30 days after the order
    /// was placed, 90 with an escrow.
    ///
    /// ```no_run
    /// # async fn show(deal: svc_bot_kit::Deal) -> svc_bot_kit::Result<()> {
    /// deal.extend(std::time::Duration::from_secs(7 * 24 * 3600)).await
    /// # }
    /// ```
    pub async fn extend(&self, time: Duration) -> Result<()> {
        let (client, time) = (&self.buyer.client, Span::from_secs(time.as_secs()));
        match &self.escrow {
            Some(escrow) => client.escrow().extend(escrow, time).await.map(drop)?,
            None => client.orders().extend(&self.request, time).await.map(drop)?,
        }
        Ok(())
    }

    /// Cancels the order, and the escrow that pays for it; its credits are returned.
    ///
    /// # Errors
    /// The platform refuses it once the provider has accepted the order or delivered the work. An order
    /// of a service whose acceptance is implicit is accepted as it is placed.
    ///
    /// ```no_run
    /// # async fn show(deal: svc_bot_kit::Deal) -> svc_bot_kit::Result<()> {
    /// deal.cancel("found a faster one").await
    /// # }
    /// ```
    pub async fn cancel(&self, reason: &str) -> Result<()> {
        self.buyer.client.orders().cancel(&self.request).reason(reason).await?;
        self.free().await?;
        self.seen().await
    }
}
