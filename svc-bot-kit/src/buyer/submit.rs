//! Quotes and sends orders.

use std::marker::PhantomData;

use rusqlite::Transaction;

use super::deal::Deal;
use super::hash::hash;
use super::known_order::KnownOrder;
use super::order::Order;
use super::order_record::{self, OrderRecord};
use super::place::Placement;
use super::quote::{Quote, offer};
use super::resume;
use crate::clock::now;
use crate::error::Result;

impl<T> Order<T> {
    /// Validates the order and returns what it would cost and send. Nothing is sent.
    ///
    /// Fails like [`send`](Self::send), except for errors that only the platform can detect. An order
    /// that was begun under its id is quoted with the price and payment method agreed on then; one that
    /// was sent is quoted regardless of the limits.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// let quote = buyer.order("wordbot/count-words").max_credits(5).quote().await?;
    /// println!("would pay {} of {} credits", quote.request.offered_credits, quote.available);
    /// # Ok(()) }
    /// ```
    pub async fn quote(self) -> Result<Quote> {
        let id = self.resolve_id()?;
        let known = self.known(&id).await?;
        let is_sent = known.as_ref().is_some_and(|known| known.request.is_some());
        let begun = known.filter(|known| is_sent || !known.is_freed);
        let mut offer = offer(&self).await?;
        let expense = offer.expense(&self, &id, begun.as_ref());
        let (caps, escrow) = (self.buyer.caps.clone(), expense.method.delivery());
        if is_sent {
            return offer.quote(&self, escrow).await;
        }
        let breach = move |tx: &Transaction<'_>| caps.breach(tx, &expense, begun.as_ref(), now());
        match self.buyer.ledger.write(breach).await? {
            Some(breach) => Err(breach.into()),
            None => offer.quote(&self, escrow).await,
        }
    }

    /// Pays and sends the order, or resumes the order with the same id.
    ///
    /// The steps are: look up the service, validate the input against its schema, check the price
    /// against every limit and reserve it, open an escrow if one pays, and send the request. If a step
    /// before the escrow fails, nothing was sent. If the platform refuses a call, the reservation is
    /// freed. If the outcome of a call is unknown, the credits stay reserved; sending the same order
    /// again under its id resumes it with the price and payment method agreed on, after checking the
    /// limits again.
    ///
    /// # Errors
    /// [`Error::NoService`](crate::Error::NoService), [`Error::Input`](crate::Error::Input),
    /// [`Error::SpendLimit`](crate::Error::SpendLimit),
    /// [`Error::InsufficientCredits`](crate::Error::InsufficientCredits), the `Order…` variants for an
    /// id that is already used, and [`Error::Client`](crate::Error::Client) for failed requests.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// let deal = buyer.order("wordbot/count-words").max_credits(5).send().await?;
    /// println!("order {}", deal.request());
    /// # Ok(()) }
    /// ```
    pub async fn send(self) -> Result<Deal<T>> {
        let id = self.resolve_id()?;
        let known = self.known(&id).await?;
        if let Some(deal) = known.as_ref().and_then(|known| self.deal(&id, known)) {
            return Ok(deal);
        }
        let mut offer = offer(&self).await?;
        let begun = known.filter(|known| !known.is_freed);
        let expense = offer.expense(&self, &id, begun.as_ref());
        let (caps, reserved) = (self.buyer.caps.clone(), expense.clone());
        let reserved =
            self.buyer.ledger.write(move |tx| reserved.reserve(tx, &caps, now())).await?;
        let reserved_here = reserved.map_err(|refusal| refusal.into_error(&id))?;
        let escrow = begun.and_then(|begun| begun.escrow);
        let placement = Placement { buyer: &self.buyer, expense, reserved_here, escrow };
        placement.place(offer.request).await
    }

    /// The order with this id if it was sent before. Needs no input, and sends nothing.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// let sent = buyer.order("wordbot/count-words").id("night-42").earlier().await?;
    /// println!("{}", if sent.is_some() { "already ordered" } else { "not ordered yet" });
    /// # Ok(()) }
    /// ```
    pub async fn earlier(&self) -> Result<Option<Deal<T>>> {
        let id = self.resolve_id()?;
        let known = self.known(&id).await?;
        Ok(known.and_then(|known| self.deal(&id, &known)))
    }

    /// The newest order in the journal for this service with the same input whose outcome was not
    /// seen yet. An interrupted program that runs again would otherwise pay for it twice.
    ///
    /// ```no_run
    /// # use serde_json::json;
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// let order = buyer.order("wordbot/count-words").input(&json!({ "text": "a bb" })).max_credits(5);
    /// let order = match order.unfinished().await? {
    ///     Some(begun) => order.id(begun.id),
    ///     None => order,
    /// };
    /// # Ok(()) }
    /// ```
    pub async fn unfinished(&self) -> Result<Option<OrderRecord>> {
        let (target, input) = (self.target()?, self.input_object()?);
        for (record, known) in self.buyer.ledger.write(order_record::unseen).await? {
            let asked = hash(&known.provider, &known.service_name, &input);
            if known.hash.as_ref() == Some(&asked)
                && resume::is_same_service(self, &known, &target).await?
            {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    /// The order if it was begun before; one without an id is new.
    async fn known(&self, id: &str) -> Result<Option<KnownOrder>> {
        if self.is_new || self.id.is_none() {
            return Ok(None);
        }
        resume::find(self, id).await
    }

    /// The deal of a known order, if it was sent.
    fn deal(&self, id: &str, known: &KnownOrder) -> Option<Deal<T>> {
        let request = known.request.clone()?;
        Some(Deal {
            buyer: self.buyer.clone(),
            id: id.to_owned(),
            amount: known.amount,
            request,
            escrow: known.escrow.clone(),
            output: PhantomData,
        })
    }
}
