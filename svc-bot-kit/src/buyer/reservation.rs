//! Credits for an escrow that is opened or paid for by hand, so that the limits count it.

use rusqlite::Transaction;
use svc_client::types::{Credits, EscrowId, ServiceId};

use super::buyer::{Buyer, folded};
use super::order::random_id;
use super::payment_method::PaymentMethod;
use super::reconcile::row_of;
use super::spend::{self, Expense};
use crate::clock::now;
use crate::error::Result;

/// Credits that count as spent; from [`Buyer::reserve`].
///
/// What is dropped stays reserved, because it may have been paid; [`Buyer::catch_up`] finds out.
#[derive(Debug)]
#[must_use = "what is reserved counts until it is freed"]
pub struct Reservation {
    buyer: Buyer,
    id: String,
}

impl Buyer {
    /// Reserves what an escrow takes that is opened or paid for by other means than an order, or
    /// fails as an order of that price would.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer, svc: svc_client::Client) -> svc_bot_kit::Result<()> {
    /// let reserved = buyer.reserve("wordbot", 60).await?;
    /// let opened = svc.escrow().create("wordbot", "srv_01", 60, "a report").await?.escrow;
    /// reserved.paid_into(&opened.id).await?;
    /// # Ok(()) }
    /// ```
    pub async fn reserve(
        &self,
        provider: &str,
        credits: impl Into<Credits>,
    ) -> Result<Reservation> {
        let amount = credits.into();
        let id = row_of(&random_id());
        let expense = Expense {
            order: id.clone(),
            provider: folded(provider),
            service: ServiceId::from(""),
            service_name: String::new(),
            amount,
            max_credits: amount,
            way: PaymentMethod::ESCROW,
            hash: None,
        };
        let caps = self.caps.clone();
        let reserve = move |tx: &Transaction<'_>| expense.reserve(tx, &caps, now());
        self.ledger.write(reserve).await?.map_err(|refusal| refusal.of(&id))?;
        Ok(Reservation { buyer: self.clone(), id })
    }
}

impl Reservation {
    /// Notes the escrow that holds the credits.
    ///
    /// ```no_run
    /// # async fn show(reserved: svc_bot_kit::Reservation) -> svc_bot_kit::Result<()> {
    /// reserved.paid_into(&"esc_01".into()).await?;
    /// # Ok(()) }
    /// ```
    pub async fn paid_into(self, escrow: &EscrowId) -> Result<()> {
        let (id, escrow) = (self.id, escrow.clone());
        let note = move |tx: &Transaction<'_>| {
            // Another process may have taken it in already.
            if spend::by_escrow(tx, &escrow)?.is_some() {
                return tx.execute("delete from spend where order_id = ?1", [id]).map(|_| ());
            }
            spend::note_escrow(tx, &id, &escrow)
        };
        self.buyer.ledger.write(note).await
    }

    /// Frees them: nothing was paid.
    ///
    /// ```no_run
    /// # async fn show(reserved: svc_bot_kit::Reservation) -> svc_bot_kit::Result<()> {
    /// reserved.free().await?;
    /// # Ok(()) }
    /// ```
    pub async fn free(self) -> Result<()> {
        self.buyer.ledger.write(move |tx| spend::free(tx, &self.id, now())).await
    }
}
