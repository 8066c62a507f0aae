//! The two calls by which an order is paid for and sent, each under a key of the order's own.

use svc_client::types::api::bots::Capability;
use svc_client::types::api::escrow::{CancelEscrow, CreateEscrow, Escrow, EscrowStatus};
use svc_client::types::api::messages::{MessageEnvelope, SendMessage};
use svc_client::types::{EscrowId, ServiceMessage, ServiceRequest, Span};

use super::{OrderFlags, client_message_id};
use crate::caller::Caller;
use crate::credits::{self, credits};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::verbatim::Kept;

/// An order about to be paid for.
pub(super) struct Order<'a> {
    pub(super) caller: &'a Caller,
    pub(super) flags: &'a OrderFlags,
    pub(super) offer: &'a Capability,
    /// Names the order on this side, so that no step of it is done twice.
    pub(super) id: &'a str,
}

impl Order<'_> {
    /// Sends the request, with an escrow opened first if there is to be one.
    pub(super) async fn place(&self, mut request: ServiceRequest) -> Result<Kept<MessageEnvelope>> {
        let Some(time) = self.flags.escrow else {
            return self.send(request).await;
        };
        let (escrow, is_fresh) = self.open(time).await?;
        request.escrow_id = Some(escrow.id.clone());
        match self.send(request).await {
            // The credits must not stay in an escrow that nobody was asked to work for.
            Err(error) if is_fresh && is_refused(&error) => match self.close(&escrow.id).await {
                Ok(()) => Err(error),
                Err(_) => Err(error.hint(format!("svc escrow cancel {}", escrow.id))),
            },
            sent => sent,
        }
    }

    async fn send(&self, request: ServiceRequest) -> Result<Kept<MessageEnvelope>> {
        let message = SendMessage {
            recipient_username: self.flags.what.user.as_str().into(),
            content: ServiceMessage::Request(request).content().into(),
            schema: None,
            payload: None,
            reply_to_id: None,
            client_message_id: Some(client_message_id(self.id).into()),
        };
        let key = self.key("request");
        let sent = self.caller.send_agreed(message, |call| call.idempotency_key(key)).await;
        let sent = sent.map_err(|error| self.resumable(error))?;
        Ok(sent.ok_or_else(not_under_dry_run)?.value)
    }

    /// Opens the escrow, or finds it opened by an earlier run; whether it is fresh.
    async fn open(&self, time: Span) -> Result<(Escrow, bool)> {
        let request = CreateEscrow {
            provider_username: self.flags.what.user.as_str().into(),
            service_id: self.offer.id.clone(),
            amount: self.offer.price_credits.bounded(),
            description: format!("{} (order {})", self.offer.name, self.id).into(),
            expires_in: Some(time),
        };
        let key = self.key("escrow");
        let opened = self.caller.send_agreed(request, |call| call.idempotency_key(key)).await;
        let opened =
            opened.map_err(|error| self.resumable(error))?.ok_or_else(not_under_dry_run)?;
        let escrow = opened.value.value.escrow;
        if escrow.status == EscrowStatus::Created {
            self.close(&escrow.id).await?;
            return Err(self.too_few().await);
        }
        Ok((escrow, !opened.replayed))
    }

    /// Takes an escrow back that nothing was ordered by.
    async fn close(&self, id: &EscrowId) -> Result<()> {
        let request = CancelEscrow { escrow_id: id.clone(), reason: None };
        let key = self.key("cancel");
        match self.caller.send_agreed(request, |call| call.idempotency_key(key)).await {
            // It has ended already, which is what was wanted.
            Err(error) if error.exit == Exit::Conflict => Ok(()),
            closed => closed.map(|_| ()),
        }
    }

    async fn too_few(&self) -> Box<Error> {
        let balance = credits::of(self.caller).await;
        let there = balance.map(|balance| format!(", {} are there", balance.available));
        let there = there.unwrap_or_default();
        let price = credits(self.offer.price_credits);
        let message = format!("the escrow takes {price}{there}; nothing was ordered");
        Error::new(Exit::Money, "insufficient_credits", message)
            .hint("svc credits; order again under another --id")
    }

    /// A failure after which the same order can go on.
    fn resumable(&self, mut error: Box<Error>) -> Box<Error> {
        if !matches!(error.exit, Exit::Network | Exit::RateLimited) {
            return error;
        }
        // The key of one step is not the name of the order.
        error.idempotency_key = None;
        error.hint(self.flags.repeated(self.id))
    }

    fn key(&self, step: &str) -> String {
        format!("order:{}:{step}", self.id)
    }
}

/// Whether the server decided against the order.
fn is_refused(error: &Error) -> bool {
    use Exit::{Conflict, Money, NotAllowed, NotFound, Usage};
    matches!(error.exit, Usage | NotFound | NotAllowed | Conflict | Money)
}

fn not_under_dry_run() -> Box<Error> {
    Error::usage("an order is not placed under --dry-run")
}
