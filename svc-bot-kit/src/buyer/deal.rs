//! An order that was sent.

use std::fmt;
use std::marker::PhantomData;

use serde_json::Value;
use svc_client::types::api::escrow::Escrow;
use svc_client::types::{Credits, EscrowId, MessageId};
use svc_client::{Client, Error as ClientError};

use super::buyer::Buyer;
use super::ids::key;
use super::spend;
use crate::clock::now;
use crate::error::Result;

/// An order that was sent; from [`Order::send`](super::Order::send).
pub struct Deal<T = Value> {
    pub(super) buyer: Buyer,
    pub(super) id: String,
    pub(super) amount: Credits,
    pub(super) request: MessageId,
    pub(super) escrow: Option<EscrowId>,
    pub(super) output: PhantomData<fn() -> T>,
}

impl<T> Deal<T> {
    /// The order's id: the one you set, or a random one.
    ///
    /// ```
    /// # fn show(deal: svc_bot_kit::Deal) {
    /// println!("order {}", deal.id());
    /// # }
    /// ```
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The id of the message that sent the order.
    ///
    /// ```
    /// # fn show(deal: svc_bot_kit::Deal) {
    /// println!("sent as {}", deal.request());
    /// # }
    /// ```
    pub fn request(&self) -> &MessageId {
        &self.request
    }

    /// The escrow that pays, if any.
    ///
    /// ```
    /// # fn show(deal: svc_bot_kit::Deal) {
    /// if let Some(escrow) = deal.escrow() {
    ///     println!("{} credits are held in {escrow}", deal.amount());
    /// }
    /// # }
    /// ```
    pub fn escrow(&self) -> Option<&EscrowId> {
        self.escrow.as_ref()
    }

    /// The credits offered, which are the maximum cost.
    ///
    /// ```
    /// # fn show(deal: svc_bot_kit::Deal) {
    /// println!("at most {}", deal.amount());
    /// # }
    /// ```
    pub fn amount(&self) -> Credits {
        self.amount
    }

    /// The order whose output is a JSON value.
    pub(super) fn untyped(&self) -> Deal {
        Deal {
            buyer: self.buyer.clone(),
            id: self.id.clone(),
            amount: self.amount,
            request: self.request.clone(),
            escrow: self.escrow.clone(),
            output: PhantomData,
        }
    }

    /// Records what the order cost.
    pub(super) async fn settle(&self, charged: Credits) -> Result<()> {
        let id = self.id.clone();
        self.buyer.ledger.write(move |tx| spend::settle(tx, &id, charged, now())).await
    }

    /// Records that the order cost nothing.
    pub(super) async fn free(&self) -> Result<()> {
        let id = self.id.clone();
        self.buyer.ledger.write(move |tx| spend::free(tx, &id, now())).await
    }
}

// Not derived, because the type of the output need not be `Clone` or `Debug`.
impl<T> Clone for Deal<T> {
    fn clone(&self) -> Self {
        let Deal { buyer, id, amount, request, escrow, output: _ } = self.untyped();
        Self { buyer, id, amount, request, escrow, output: PhantomData }
    }
}

impl<T> fmt::Debug for Deal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deal")
            .field("id", &self.id)
            .field("amount", &self.amount)
            .field("request", &self.request)
            .field("escrow", &self.escrow)
            .finish_non_exhaustive()
    }
}

/// Cancels the escrow of an order, and returns its state afterwards.
pub(super) async fn cancel(client: &Client, order: &str, escrow: &EscrowId) -> Result<Escrow> {
    match client.escrow().cancel(escrow).idempotency_key(key(order, "cancel")).await {
        // It has ended, or work was delivered into it, so it can't be cancelled.
        Err(ClientError::Conflict { .. }) => Ok(client.escrow().get(escrow).await?.escrow),
        cancelled => Ok(cancelled?.escrow),
    }
}
