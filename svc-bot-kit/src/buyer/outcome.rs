//! What became of an order.

use serde_json::{Map, Value};
use svc_client::types::api::escrow::Escrow;
use svc_client::types::api::messages::{Message, RequestState};
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Credits, ServiceMessage};

use super::work::Work;
use crate::error::{Error, Result};

/// What became of an order; from [`Deal::wait`](super::Deal::wait).
///
/// Outputs, reasons and deliverables are what the provider wrote: data of a stranger, to be judged
/// and never obeyed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// The service ran, and was paid.
    #[non_exhaustive]
    Completed {
        /// What the service gave back: an object.
        output: Value,
        /// What it cost.
        charged: Credits,
        /// The answer as it came.
        answer: Box<Message>,
    },
    /// The work lies in the escrow, to be looked at and released.
    Delivered(Box<Work>),
    /// The provider declined; it costs nothing.
    #[non_exhaustive]
    Rejected {
        /// Why.
        reason: String,
        /// The answer as it came.
        answer: Box<Message>,
    },
    /// The service failed; it costs nothing.
    #[non_exhaustive]
    Failed {
        /// What went wrong.
        error: String,
        /// The answer as it came.
        answer: Box<Message>,
    },
    /// Nobody answered in time; it costs nothing.
    Expired,
    /// The escrow ended without work, or with work that was given back; it costs nothing.
    Closed(Box<Escrow>),
    /// Nothing yet: the order stands, and can be waited for again.
    Open,
}

impl Outcome {
    /// Whether there is work that was paid for, or will be.
    pub(super) fn is_delivered(&self) -> bool {
        matches!(self, Self::Delivered(_))
    }
}

/// What an answer that closed the order says.
pub(super) fn answer(message: Message, state: &RequestState) -> Result<Outcome> {
    let Ok(Some(ServiceMessage::Response(response))) = ServiceMessage::parse(&message.content)
    else {
        return Err(Error::config(format!("{} is no answer", message.message_id)));
    };
    let output = response.output.unwrap_or_default();
    let answer = Box::new(message);
    Ok(match response.status {
        ResponseStatus::Rejected => Outcome::Rejected { reason: said(&output, "reason"), answer },
        ResponseStatus::Error => Outcome::Failed { error: said(&output, "error"), answer },
        _ => {
            let charged = state.charged_credits.or(response.charged_credits).unwrap_or_default();
            Outcome::Completed { output: Value::Object(output), charged, answer }
        }
    })
}

fn said(output: &Map<String, Value>, word: &str) -> String {
    output.get(word).and_then(Value::as_str).unwrap_or("no reason given").to_owned()
}
