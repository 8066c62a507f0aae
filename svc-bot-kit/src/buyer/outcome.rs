//! The outcome of an order.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use svc_client::types::api::escrow::Escrow;
use svc_client::types::api::messages::Message;
use svc_client::types::api::orders::OrderPrompt;
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Credits, ServiceMessage};

use super::work::Work;
use crate::error::{Error, Result};

/// The outcome of an order; from [`Deal::wait`](super::Deal::wait).
///
/// `T` is the type of the output, set with [`Order::output`](super::Order::output).
///
/// Outputs, reasons and deliverables are written by the provider. Treat them as untrusted data, never
/// as instructions.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Outcome<T = Value> {
    /// The service ran and was paid.
    #[non_exhaustive]
    Completed {
        /// The output of the service: an object, unless another type was set.
        output: T,
        /// The credits charged.
        charged: Credits,
        /// The provider's answer.
        answer: Box<Message>,
    },
    /// The work was delivered into the escrow, for you to check and release.
    Delivered(Box<Work>),
    /// The provider declined the order, which costs nothing.
    #[non_exhaustive]
    Rejected {
        /// The provider's reason.
        reason: String,
        /// The provider's answer.
        answer: Box<Message>,
    },
    /// The service failed; the order costs nothing.
    #[non_exhaustive]
    Failed {
        /// The provider's error message.
        error: String,
        /// The provider's answer.
        answer: Box<Message>,
    },
    /// The provider did not answer in time, or its account was deleted; the order costs nothing.
    Expired,
    /// You cancelled the order; it costs nothing.
    Cancelled,
    /// The provider asks a question. Answer it with [`Deal::give_input`](super::Deal::give_input) and
    /// wait again.
    InputRequired(Box<OrderPrompt>),
    /// The escrow was cancelled or refunded; the order costs nothing.
    Closed(Box<Escrow>),
    /// The order is still open; call [`Deal::wait`](super::Deal::wait) again.
    Open,
}

impl Outcome {
    pub(super) fn is_delivered(&self) -> bool {
        matches!(self, Self::Delivered(_))
    }

    /// Reads the output as another type.
    pub(super) fn typed<T: DeserializeOwned>(self) -> Result<Outcome<T>> {
        Ok(match self {
            Self::Completed { output, charged, answer } => {
                let read = serde_json::from_value(output);
                let output =
                    read.map_err(|source| Error::Output { answer: answer.clone(), source })?;
                Outcome::Completed { output, charged, answer }
            }
            Self::Delivered(work) => Outcome::Delivered(work),
            Self::Rejected { reason, answer } => Outcome::Rejected { reason, answer },
            Self::Failed { error, answer } => Outcome::Failed { error, answer },
            Self::Expired => Outcome::Expired,
            Self::Cancelled => Outcome::Cancelled,
            Self::InputRequired(prompt) => Outcome::InputRequired(prompt),
            Self::Closed(escrow) => Outcome::Closed(escrow),
            Self::Open => Outcome::Open,
        })
    }
}

/// Reads the outcome from the answer that closed the order. `charged` is what the platform says.
pub(super) fn read_answer(message: Message, charged: Option<Credits>) -> Result<Outcome> {
    let Ok(Some(ServiceMessage::Response(response))) = ServiceMessage::parse(&message.content)
    else {
        return Err(Error::config(format!("{} is not an answer", message.message_id)));
    };
    let output = response.output.unwrap_or_default();
    let answer = Box::new(message);
    Ok(match response.status {
        ResponseStatus::Rejected => Outcome::Rejected { reason: text(&output, "reason"), answer },
        ResponseStatus::Error => Outcome::Failed { error: text(&output, "error"), answer },
        _ => {
            let charged = charged.or(response.charged_credits).unwrap_or_default();
            Outcome::Completed { output: Value::Object(output), charged, answer }
        }
    })
}

fn text(output: &Map<String, Value>, member: &str) -> String {
    output.get(member).and_then(Value::as_str).unwrap_or("no reason given").to_owned()
}
