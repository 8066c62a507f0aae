//! A direct message for display: a text, an order, or the answer to one.

use svc_types::api::messages::{Message, RequestStatus};
use svc_types::service_message::{ResponseStatus, ServiceMessage};
use svc_types::{Credits, ServiceRequest, ServiceResponse};

use super::Frame;
use super::view::{Shown, shown};
use crate::language::Language;

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
    pub(super) fn line(&self, language: Language) -> String {
        match &self.kind {
            Kind::Text => super::text::short(&self.message.content).into_owned(),
            Kind::Order(order) => {
                language.message("letter-line-order").with("name", &order.service_name).into()
            }
            Kind::Answer(answer) => {
                let outcome = language.text(outcome(&answer.status).1);
                language.message("letter-line-answer").with("outcome", outcome).into()
            }
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

    /// What an order cost, unless it is what was offered.
    pub(super) fn other_charge(&self, order: &ServiceRequest) -> Option<Credits> {
        let charged = self.message.request.as_ref()?.charged_credits?;
        (charged != order.offered_credits).then_some(charged)
    }

    /// The state of the order: the CSS class of its badge, and the id of its label.
    pub(super) fn state(&self) -> Option<(&'static str, &'static str)> {
        let request = self.message.request.as_ref()?;
        // Of a free order nothing is refunded, and an escrow may still hold the credits.
        let is_free = matches!(&self.kind, Kind::Order(order) if order.offered_credits.is_zero());
        let is_kept = request.escrow_id.is_some() || is_free;
        Some(match &request.status {
            RequestStatus::Rejected if is_kept => ("bad", "letter-declined"),
            RequestStatus::Error if is_kept => ("bad", "letter-failed"),
            RequestStatus::Expired if is_free => ("bad", "order-step-expired"),
            RequestStatus::Cancelled if is_free => ("bad", "order-status-cancelled"),
            RequestStatus::Cancelled => ("bad", "letter-cancelled-refunded"),
            RequestStatus::Open => ("wait", "letter-progress"),
            RequestStatus::Completed => ("good", "letter-completed"),
            RequestStatus::Rejected => ("bad", "letter-declined-refunded"),
            RequestStatus::Error => ("bad", "letter-failed-refunded"),
            RequestStatus::Expired => ("bad", "letter-expired-refunded"),
            _ => ("wait", "letter-unknown"),
        })
    }
}

/// The status of an answer: the CSS class of its badge, and the id of its label.
pub(super) fn outcome(status: &ResponseStatus) -> (&'static str, &'static str) {
    match status {
        ResponseStatus::Completed => ("good", "letter-delivered"),
        ResponseStatus::Rejected => ("bad", "letter-declined"),
        ResponseStatus::Error => ("bad", "letter-failed"),
        ResponseStatus::Delivered => ("wait", "letter-delivered-review"),
        _ => ("wait", "letter-unknown"),
    }
}

/// The input of an order.
pub(super) fn input(language: Language, order: &ServiceRequest) -> Vec<Shown> {
    shown(language, &order.input)
}

/// The output of an answer.
pub(super) fn output(language: Language, answer: &ServiceResponse) -> Vec<Shown> {
    answer.output.as_ref().map(|output| shown(language, output)).unwrap_or_default()
}
