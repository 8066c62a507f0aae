//! An order that was begun before, as the journal or the platform knows it.

use svc_client::types::api::escrow::Escrow;
use svc_client::types::api::messages::Message;
use svc_client::types::{Checksum, Credits, EscrowId, MessageId, ServiceId, ServiceMessage, Span};

use super::hash::hash;
use super::ids::{folded, service_of_escrow};
use super::payment_method::PaymentMethod;
use crate::error::{Error, Result};

/// An order that was begun before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KnownOrder {
    /// The provider's username in lower case.
    pub(super) provider: String,
    pub(super) service: ServiceId,
    pub(super) service_name: String,
    pub(super) amount: Credits,
    pub(super) is_freed: bool,
    /// `None` if an older version wrote the row.
    pub(super) method: Option<PaymentMethod>,
    /// Of provider, service and input; `None` if the input is unknown.
    pub(super) hash: Option<Checksum>,
    pub(super) escrow: Option<EscrowId>,
    pub(super) request: Option<MessageId>,
}

impl KnownOrder {
    /// Reads an order from the message that sent it.
    pub(super) fn from_message(message: &Message) -> Result<Self> {
        let Ok(Some(ServiceMessage::Request(request))) = ServiceMessage::parse(&message.content)
        else {
            return Err(Error::config(format!("{} is not an order", message.message_id)));
        };
        let method = match &request.escrow_id {
            Some(_) => PaymentMethod::ESCROW,
            None => PaymentMethod::Direct,
        };
        let provider = folded(&message.recipient.username);
        Ok(Self {
            hash: Some(hash(&provider, &request.service_name, &request.input)),
            provider,
            service: request.service_id,
            service_name: request.service_name.into_string(),
            amount: request.offered_credits,
            is_freed: false,
            method: Some(method),
            escrow: request.escrow_id,
            request: Some(message.message_id.clone()),
        })
    }

    /// Reads the order with this id from its escrow.
    pub(super) fn from_escrow(escrow: Escrow, order: &str) -> Self {
        let service_name = service_of_escrow(&escrow.description, order).unwrap_or_default();
        let delivery = escrow.expires_at.since(escrow.created_at);
        Self {
            provider: folded(&escrow.provider_username),
            service: escrow.service_id,
            service_name: service_name.to_owned(),
            amount: escrow.amount,
            is_freed: false,
            method: Some(PaymentMethod::Escrow(Span::from_secs(delivery.as_secs()))),
            hash: None,
            escrow: Some(escrow.id),
            request: None,
        }
    }

    /// Whether its credits have left the account: with the request, or into the escrow.
    pub(super) fn is_paid(&self) -> bool {
        self.request.is_some() || self.escrow.is_some()
    }

    /// Whether nothing came of it, so that its id is free for another order.
    pub(super) fn is_void(&self) -> bool {
        self.is_freed && !self.is_paid()
    }

    /// How it is paid, if that is known.
    pub(super) fn payment_method(&self) -> Option<PaymentMethod> {
        self.method.or_else(|| self.escrow.as_ref().map(|_| PaymentMethod::ESCROW))
    }
}
