//! Credits reserved for an escrow that is opened or funded by hand, so that the limits count it.

use rusqlite::Transaction;
use svc_client::types::{Credits, EscrowId, ServiceId};

use super::buyer::Buyer;
use super::ids::{escrow_entry, random_id};
use super::payment_method::PaymentMethod;
use super::spend::{self, Expense};
use crate::clock::now;
use crate::error::Result;

/// Credits that count as spent; from [`Buyer::reserve`].
///
/// Dropping it keeps the credits reserved, because they may have been paid; [`Buyer::catch_up`] finds
/// out.
#[derive(Debug)]
#[must_use = "a reservation counts as spent until it is freed"]
pub struct Reservation {
    buyer: Buyer,
    id: String,
}

impl Buyer {
    /// Reserves credits for an escrow that you open or fund without an order. The provider is given by
    /// username or user id.
    ///
    /// # Errors
    /// [`Error::SpendLimit`](crate::Error::SpendLimit) if an order at this price would exceed a limit,
    /// and [`Error::Client`](crate::Error::Client) if a limit depends on the provider, who can't be
    /// looked up.
    ///
    /// ```
    /// # async fn show(buyer: svc_bot_kit::Buyer, svc: svc_client::Client) -> svc_bot_kit::Result<()> {
    /// let reservation = buyer.reserve("wordbot", 60).await?;
    /// let opened = svc.escrow().create("wordbot", "srv_01", 60, "a report").await?.escrow;
    /// reservation.paid_into(&opened.id).await?;
    /// # Ok(()) }
    /// ```
    pub async fn reserve(
        &self,
        provider: &str,
        credits: impl Into<Credits>,
    ) -> Result<Reservation> {
        let amount = credits.into();
        let (id, provider) = (escrow_entry(&random_id()?), self.counted_provider(provider).await?);
        let expense = Expense {
            order: id.clone(),
            provider,
            service: ServiceId::from(""),
            service_name: String::new(),
            amount,
            max_credits: amount,
            method: PaymentMethod::ESCROW,
            hash: None,
            begun_hash: None,
        };
        let caps = self.caps.clone();
        let reserved = self.ledger.write(move |tx| expense.reserve(tx, &caps, now())).await?;
        reserved.map_err(|refusal| refusal.into_error(&id))?;
        Ok(Reservation { buyer: self.clone(), id })
    }
}

impl Reservation {
    /// Records the escrow that holds the credits.
    ///
    /// ```
    /// # async fn show(reservation: svc_bot_kit::Reservation) -> svc_bot_kit::Result<()> {
    /// reservation.paid_into(&"esc_01".into()).await?;
    /// # Ok(()) }
    /// ```
    pub async fn paid_into(self, escrow: &EscrowId) -> Result<()> {
        let (id, escrow) = (self.id, escrow.clone());
        self.buyer.ledger.write(move |tx| record_payment(tx, &id, &escrow)).await
    }

    /// Frees the credits: nothing was paid.
    ///
    /// ```
    /// # async fn show(reservation: svc_bot_kit::Reservation) -> svc_bot_kit::Result<()> {
    /// reservation.free().await?;
    /// # Ok(()) }
    /// ```
    pub async fn free(self) -> Result<()> {
        self.buyer.ledger.write(move |tx| spend::free(tx, &self.id, now())).await
    }
}

fn record_payment(tx: &Transaction<'_>, id: &str, escrow: &EscrowId) -> rusqlite::Result<()> {
    // Another process may have imported the escrow already.
    if spend::by_escrow(tx, escrow)?.is_some() {
        return tx.execute("delete from spend where order_id = ?1", [id]).map(|_| ());
    }
    spend::note_escrow(tx, id, escrow)
}
