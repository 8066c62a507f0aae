//! The two calls by which an order is paid for and sent, each under a key of the order's own.

use svc_client::types::api::escrow::{Escrow, EscrowStatus};
use svc_client::types::{Code, EscrowId, MessageId, ServiceRequest, Span};
use svc_client::{Client, Error as ClientError, Outcome};

use super::deal::Deal;
use super::order::{Order, is_valid_id};
use super::spend::{self, Expense};
use crate::clock::now;
use crate::error::{Error, Result};

/// The order's id as its message keeps it.
pub(super) fn message_id(order: &str) -> String {
    format!("order:{order}")
}

/// What an escrow is opened for, as its parties read it; by its end the order is found again.
fn description(service_name: &str, order: &str) -> String {
    format!("{service_name}{}", order_suffix(order))
}

/// The service that an escrow was opened for, if it was for this order.
pub(super) fn service_of_escrow<'a>(description: &'a str, order: &str) -> Option<&'a str> {
    description.strip_suffix(&order_suffix(order))
}

/// The order that a message was sent for, by the id that its message keeps.
pub(super) fn order_of_message(message_id: &str) -> Option<&str> {
    message_id.strip_prefix("order:").filter(|name| is_valid_id(name))
}

/// The order that an escrow was opened for, by its description.
pub(super) fn order_of_escrow(description: &str) -> Option<&str> {
    let (_, end) = description.rsplit_once(" (order ")?;
    end.strip_suffix(')').filter(|name| is_valid_id(name))
}

fn order_suffix(order: &str) -> String {
    format!(" (order {order})")
}

/// The Idempotency-Key of a step of an order.
pub(super) fn key(order: &str, step: &str) -> String {
    format!("order:{order}:{step}")
}

/// An order whose price is reserved.
pub(super) struct Placement<'a> {
    pub(super) order: &'a Order,
    pub(super) expense: Expense,
    /// Whether this run reserved it; what another did is not for this one to free.
    pub(super) reserved_here: bool,
    /// The escrow that was opened by an earlier run.
    pub(super) escrow: Option<EscrowId>,
}

impl Placement<'_> {
    /// Opens the escrow if one is to pay, and sends the request.
    ///
    /// What was reserved is free again when nothing is spent and nothing can be: not while an escrow
    /// holds the credits, and not while it is unknown what became of a call.
    pub(super) async fn place(self, mut request: ServiceRequest) -> Result<Deal> {
        let escrow = match self.expense.way.delivery() {
            None => None,
            Some(delivery) => Some(self.open(delivery).await?),
        };
        request.escrow_id.clone_from(&escrow);
        let request = self.send(request, escrow.as_ref()).await?;
        let (id, noted) = (self.expense.order.clone(), request.clone());
        self.order.buyer.ledger.write(move |tx| spend::note_request(tx, &id, &noted)).await?;
        let Expense { order: id, amount, .. } = self.expense;
        Ok(Deal { buyer: self.order.buyer.clone(), id, amount, request, escrow })
    }

    /// Opens the escrow, or finds it opened by an earlier run; it is paid for.
    async fn open(&self, delivery: Span) -> Result<EscrowId> {
        let escrow = match self.create(delivery).await {
            Err(error) if error.outcome() != Outcome::Unknown && !is_concurrent_run(&error) => {
                return Err(self.free(error.into()).await);
            }
            escrow => escrow?,
        };
        match escrow.status {
            EscrowStatus::Created => {
                cancel(self.client(), self.name(), &escrow.id).await?;
                let asked = self.expense.amount;
                Err(self.freed(Error::InsufficientCredits { asked }).await)
            }
            EscrowStatus::Cancelled => {
                let ended = Error::OrderEnded { id: self.name().to_owned(), escrow: escrow.id };
                Err(self.freed(ended).await)
            }
            _ => {
                let (id, noted) = (self.name().to_owned(), escrow.id.clone());
                self.order
                    .buyer
                    .ledger
                    .write(move |tx| spend::note_escrow(tx, &id, &noted))
                    .await?;
                Ok(escrow.id)
            }
        }
    }

    async fn create(&self, delivery: Span) -> Result<Escrow, ClientError> {
        let Expense { order: name, provider, service, service_name, amount, .. } = &self.expense;
        let description = description(service_name, name);
        let escrows = self.client().escrow();
        if let Some(id) = &self.escrow {
            return Ok(escrows.get(id).await?.escrow);
        }
        let call = escrows.create(provider.as_str(), service, amount.bounded(), description);
        let call = call.with(|request| request.expires_in = Some(delivery));
        let opened = call.idempotency_key(key(name, "escrow")).raw().await?;
        if opened.replayed {
            // What was answered then need not be so now.
            return Ok(escrows.get(&opened.value.escrow.id).await?.escrow);
        }
        Ok(opened.value.escrow)
    }

    async fn send(&self, request: ServiceRequest, escrow: Option<&EscrowId>) -> Result<MessageId> {
        let name = self.name();
        let call = self.client().messages().request_service(&self.expense.provider, request);
        let call = call.client_message_id(message_id(name));
        let error = match call.idempotency_key(key(name, "request")).await {
            Ok(sent) => return Ok(sent.message.message_id),
            Err(error) => error,
        };
        let nothing_sent = error.outcome() != Outcome::Unknown && !is_concurrent_run(&error);
        match escrow {
            None if nothing_sent => Err(self.free(error.into()).await),
            // The credits must not stay in an escrow that nobody was asked to work for.
            Some(escrow) if nothing_sent && !error.is_retryable() => {
                match cancel(self.client(), name, escrow).await?.status {
                    EscrowStatus::Cancelled => Err(self.freed(error.into()).await),
                    // It was delivered into meanwhile.
                    _ => Err(error.into()),
                }
            }
            _ => Err(error.into()),
        }
    }

    /// Frees what this run reserved, because of an error.
    async fn free(&self, error: Error) -> Error {
        if self.reserved_here { self.freed(error).await } else { error }
    }

    /// Frees what was reserved by whichever run: its escrow has ended.
    async fn freed(&self, error: Error) -> Error {
        let id = self.name().to_owned();
        let freed = self.order.buyer.ledger.write(move |tx| spend::free(tx, &id, now())).await;
        // Whoever can't write it down learns of that first: the limits count too much now.
        freed.err().unwrap_or(error)
    }

    fn client(&self) -> &Client {
        &self.order.buyer.client
    }

    fn name(&self) -> &str {
        &self.expense.order
    }
}

/// Whether another run of the same order is at it, by the same key, or was: with its escrow.
fn is_concurrent_run(error: &ClientError) -> bool {
    matches!(
        error.code(),
        Some(Code::IdempotencyConflict | Code::IdempotencyInProgress | Code::EscrowInUse)
    )
}

/// Takes an escrow back that nobody works for; the escrow as it is then.
pub(super) async fn cancel(client: &Client, order: &str, escrow: &EscrowId) -> Result<Escrow> {
    match client.escrow().cancel(escrow).idempotency_key(key(order, "cancel")).await {
        // It has ended already, or was delivered into: then it is no longer ours to take back.
        Err(ClientError::Conflict { .. }) => Ok(client.escrow().get(escrow).await?.escrow),
        cancelled => Ok(cancelled?.escrow),
    }
}
