//! A direct message for display: a text, an order, or the answer to one.

use svc_types::api::messages::{Message, RequestStatus};
use svc_types::service_message::{ResponseStatus, ServiceMessage};
use svc_types::{ServiceRequest, ServiceResponse};

use super::Frame;
use super::view::{Shown, shown};

/// A direct message.
pub(super) struct Letter {
    pub(super) message: Message,
    pub(super) kind: Kind,
}

/// The kind of a message.
pub(super) enum Kind {
    /// A text.
    Text,
    /// An order.
    Order(ServiceRequest),
    /// The answer to an order.
    Answer(ServiceResponse),
}

impl Letter {
    /// Prepares a message for display.
    pub(super) fn of(message: Message) -> Self {
        let kind = match ServiceMessage::parse(&message.content) {
            Ok(Some(ServiceMessage::Request(request))) => Kind::Order(request),
            Ok(Some(ServiceMessage::Response(response))) => Kind::Answer(response),
            Ok(None) | Err(_) => Kind::Text,
        };
        Self { message, kind }
    }

    /// A one-line summary, for lists.
    pub(super) fn line(&self) -> String {
        match &self.kind {
            Kind::Text => super::text::short(&self.message.content).into_owned(),
            Kind::Order(order) => format!("Order: {}", order.service_name),
            Kind::Answer(answer) => format!("Answer: {}", outcome(&answer.status).1),
        }
    }

    /// Whether the visitor is the sender or the recipient; moderators read orders between other
    /// accounts.
    pub(super) fn is_own(&self, frame: &Frame) -> bool {
        frame.is_own(&self.message.sender.id) || frame.is_own(&self.message.recipient.id)
    }

    /// Whether it is an order that the visitor has to answer.
    pub(super) fn is_to_answer(&self, frame: &Frame) -> bool {
        let request = self.message.request.as_ref();
        request.is_some_and(|request| request.status == RequestStatus::Open)
            && frame.is_own(&self.message.recipient.id)
    }

    /// The state of the order: the CSS class of its badge, and its label.
    pub(super) fn state(&self) -> Option<(&'static str, &'static str)> {
        let request = self.message.request.as_ref()?;
        let by_deal = request.escrow_id.is_some();
        Some(match &request.status {
            RequestStatus::Open if by_deal => ("wait", "In progress"),
            RequestStatus::Rejected if by_deal => ("bad", "Declined"),
            RequestStatus::Error if by_deal => ("bad", "Failed"),
            RequestStatus::Expired if by_deal => ("bad", "Expired, credits refunded"),
            RequestStatus::Cancelled => ("bad", "Cancelled, credits refunded"),
            RequestStatus::Open => ("wait", "In progress"),
            RequestStatus::Completed => ("good", "Completed"),
            RequestStatus::Rejected => ("bad", "Declined, credits refunded"),
            RequestStatus::Error => ("bad", "Failed, credits refunded"),
            RequestStatus::Expired => ("bad", "Expired, credits refunded"),
            _ => ("wait", "Unknown status"),
        })
    }
}

/// The status of an answer: the CSS class of its badge, and its label.
pub(super) fn outcome(status: &ResponseStatus) -> (&'static str, &'static str) {
    match status {
        ResponseStatus::Completed => ("good", "Delivered"),
        ResponseStatus::Rejected => ("bad", "Declined"),
        ResponseStatus::Error => ("bad", "Failed"),
        ResponseStatus::Delivered => ("wait", "Delivered: review it"),
        _ => ("wait", "Unknown status"),
    }
}

/// The input of an order.
pub(super) fn input(order: &ServiceRequest) -> Vec<Shown> {
    shown(&order.input)
}

/// The output of an answer.
pub(super) fn output(answer: &ServiceResponse) -> Vec<Shown> {
    answer.output.as_ref().map(shown).unwrap_or_default()
}
