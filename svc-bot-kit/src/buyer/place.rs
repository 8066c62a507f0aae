//! The two calls that pay for an order and send it, each with an idempotency key of the order.

use std::marker::PhantomData;

use svc_client::types::api::escrow::{Escrow, EscrowStatus};
use svc_client::types::{Code, EscrowId, MessageId, ServiceRequest, Span};
use svc_client::{Client, Error as ClientError, Outcome};

use super::buyer::Buyer;
use super::deal::{Deal, cancel};
use super::ids::{description, key, message_id};
use super::spend::{self, Expense};
use crate::clock::now;
use crate::error::{Error, Result};

/// An order whose price is reserved.
pub(super) struct Placement<'a> {
    pub(super) buyer: &'a Buyer,
    pub(super) expense: Expense,
    /// Whether this run made the reservation; it must not free that of another run.
    pub(super) reserved_here: bool,
    /// The escrow opened by an earlier run.
    pub(super) escrow: Option<EscrowId>,
}

impl Placement<'_> {
    /// Opens the escrow if one pays, and sends the request.
    ///
    /// The reservation is freed if nothing was spent and nothing can be: not while an escrow holds the
    /// credits, and not while the outcome of a call is unknown.
    pub(super) async fn place<T>(self, mut request: ServiceRequest) -> Result<Deal<T>> {
        let escrow = match self.expense.method.delivery() {
            None => None,
            Some(delivery) => Some(self.open(delivery).await?),
        };
        request.escrow_id.clone_from(&escrow);
        let request = self.send(request, escrow.as_ref()).await?;
        let (id, sent) = (self.expense.order.clone(), request.clone());
        self.buyer.ledger.write(move |tx| spend::note_request(tx, &id, &sent)).await?;
        let Expense { order: id, amount, .. } = self.expense;
        let buyer = self.buyer.clone();
        Ok(Deal { buyer, id, amount, request, escrow, output: PhantomData })
    }

    /// Opens a funded escrow, or finds the one opened by an earlier run.
    async fn open(&self, delivery: Span) -> Result<EscrowId> {
        let escrow = match self.create(delivery).await {
            Err(error) if nothing_happened(&error) => {
                return Err(self.free_if_reserved_here(error.into()).await);
            }
            escrow => escrow?,
        };
        match escrow.status {
            EscrowStatus::Created => {
                cancel(self.client(), self.id(), &escrow.id).await?;
                let asked = self.expense.amount;
                Err(self.free(Error::InsufficientCredits { asked }).await)
            }
            EscrowStatus::Cancelled | EscrowStatus::Refunded => {
                let ended = Error::OrderEnded { id: self.id().to_owned(), escrow: escrow.id };
                Err(self.free(ended).await)
            }
            _ => {
                let (id, opened) = (self.id().to_owned(), escrow.id.clone());
                self.buyer.ledger.write(move |tx| spend::note_escrow(tx, &id, &opened)).await?;
                Ok(escrow.id)
            }
        }
    }

    async fn create(&self, delivery: Span) -> Result<Escrow, ClientError> {
        let Expense { order: id, provider, service, service_name, amount, .. } = &self.expense;
        let escrows = self.client().escrow();
        if let Some(id) = &self.escrow {
            return Ok(escrows.get(id).await?.escrow);
        }
        let description = description(service_name, id);
        let opened = escrows
            .create(provider.as_str(), service, amount.bounded(), description)
            .with(|request| request.expires_in = Some(delivery))
            .idempotency_key(key(id, "escrow"))
            .raw()
            .await?;
        if opened.replayed {
            // The replayed response may be outdated.
            return Ok(escrows.get(&opened.value.escrow.id).await?.escrow);
        }
        Ok(opened.value.escrow)
    }

    async fn send(&self, request: ServiceRequest, escrow: Option<&EscrowId>) -> Result<MessageId> {
        let id = self.id();
        let messages = self.client().messages();
        let sent = messages
            .request_service(&self.expense.provider, request)
            .client_message_id(message_id(id))
            .idempotency_key(key(id, "request"))
            .await;
        let error = match sent {
            Ok(sent) => return Ok(sent.message.message_id),
            Err(error) => error,
        };
        match escrow {
            None if nothing_happened(&error) => Err(self.free_if_reserved_here(error.into()).await),
            // The credits must not stay in an escrow for which no order was sent.
            Some(escrow) if nothing_happened(&error) && !error.is_retryable() => {
                match cancel(self.client(), id, escrow).await?.status {
                    EscrowStatus::Cancelled | EscrowStatus::Refunded => {
                        Err(self.free(error.into()).await)
                    }
                    // Work was delivered into it meanwhile.
                    _ => Err(error.into()),
                }
            }
            _ => Err(error.into()),
        }
    }

    /// Frees the reservation if this run made it, and returns the error that caused this.
    async fn free_if_reserved_here(&self, error: Error) -> Error {
        if self.reserved_here { self.free(error).await } else { error }
    }

    /// Frees the reservation whichever run made it, and returns the error that caused this.
    async fn free(&self, error: Error) -> Error {
        let id = self.id().to_owned();
        let freed = self.buyer.ledger.write(move |tx| spend::free(tx, &id, now())).await;
        // A failure to free comes first, because the limits now count too much.
        freed.err().unwrap_or(error)
    }

    fn client(&self) -> &Client {
        &self.buyer.client
    }

    fn id(&self) -> &str {
        &self.expense.order
    }
}

/// Whether a call is known to have had no effect, in this run or a concurrent one.
fn nothing_happened(error: &ClientError) -> bool {
    error.outcome() != Outcome::Unknown && !is_concurrent_run(error)
}

/// Whether another run of the same order is making the call, or has made it with its escrow.
fn is_concurrent_run(error: &ClientError) -> bool {
    matches!(
        error.code(),
        Some(Code::IdempotencyConflict | Code::IdempotencyInProgress | Code::EscrowInUse)
    )
}
