//! The messages by which a service is ordered and answered (spec §2.4, §2.5).
//!
//! They travel as the content of a direct message: the JSON text of an object whose `schema` is
//! `service.request` or `service.response`. Any other content is plain text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::credits::Credits;
use crate::error::Code;
use crate::id::{EscrowId, MessageId, ServiceId};
use crate::text::{Text, words};
use crate::wire::{self, Rejected};

/// The `schema` of an order.
pub const REQUEST: &str = "service.request";

/// The `schema` of an answer.
pub const RESPONSE: &str = "service.response";

/// An order or an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum ServiceMessage {
    /// An order (spec §2.4).
    Request(ServiceRequest),
    /// An answer (spec §2.5).
    Response(ServiceResponse),
}

/// Payload of an order (spec §2.4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServiceRequest {
    /// The service, from the provider's capabilities.
    pub service_id: ServiceId,
    /// Its name, for people.
    pub service_name: Text<1, 100>,
    /// What the service is given; it fits the schema the service publishes.
    pub input: Map<String, Value>,
    /// What is offered. It is held until the answer.
    pub offered_credits: Credits,
    /// The escrow that pays instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escrow_id: Option<EscrowId>,
}

/// Payload of an answer (spec §2.5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServiceResponse {
    /// The order: the id of the message it came with.
    pub request_id: MessageId,
    /// What became of it.
    pub status: ResponseStatus,
    /// What the service gives back; `reason` on `rejected`, `error` on `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Map<String, Value>>,
    /// What is charged, at most what was offered; all of it when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charged_credits: Option<Credits>,
}

words! {
    /// What became of an order (spec §2.5).
    ResponseStatus {
        /// The service ran; the credits are the provider's.
        Completed = "completed",
        /// The provider declined; the credits are given back.
        Rejected = "rejected",
        /// The service failed; the credits are given back.
        Error = "error",
        /// The work lies in the escrow and awaits acceptance.
        Delivered = "delivered",
    }
}

#[derive(Serialize, Deserialize)]
struct Envelope<T> {
    schema: String,
    payload: T,
}

impl ServiceMessage {
    /// Reads the content of a direct message; none when it is plain text.
    ///
    /// What calls itself a service message and is malformed is refused with
    /// [`Code::InvalidServiceMessage`] and a JSON pointer to the member at fault.
    pub fn parse(content: &str) -> Result<Option<Self>, Rejected> {
        let message =
            match wire::schema_of(content).as_deref() {
                Some(REQUEST) => wire::decode_text::<Envelope<_>>(content)
                    .map(|read| Self::Request(read.payload)),
                Some(RESPONSE) => wire::decode_text::<Envelope<_>>(content)
                    .map(|read| Self::Response(read.payload)),
                _ => return Ok(None),
            };
        let checked = message.and_then(|message| message.check().map(|()| message));
        checked.map(Some).map_err(|mut rejected| {
            rejected.code = Code::InvalidServiceMessage;
            rejected.field = rejected.field.map(|field| pointer(&field));
            rejected
        })
    }

    /// Whether a content calls itself an order, malformed or not.
    pub fn is_request(content: &str) -> bool {
        wire::schema_of(content).as_deref() == Some(REQUEST)
    }

    /// The content of the direct message that carries it.
    pub fn content(&self) -> String {
        let written = match self {
            Self::Request(payload) => {
                serde_json::to_string(&Envelope { schema: REQUEST.to_owned(), payload })
            }
            Self::Response(payload) => {
                serde_json::to_string(&Envelope { schema: RESPONSE.to_owned(), payload })
            }
        };
        written.expect("its members are texts, numbers and JSON")
    }

    /// What the types can't say: the words that go with a refusal.
    fn check(&self) -> Result<(), Rejected> {
        let Self::Response(response) = self else {
            return Ok(());
        };
        let word = match response.status {
            ResponseStatus::Rejected => "reason",
            ResponseStatus::Error => "error",
            _ => return Ok(()),
        };
        let said = response.output.as_ref().and_then(|output| output.get(word));
        if said.and_then(Value::as_str).is_some_and(|text| !text.is_empty()) {
            return Ok(());
        }
        let status = response.status.as_str();
        Err(Rejected {
            code: Code::InvalidServiceMessage,
            message: format!("payload.output.{word} is required on {status} and must be a text"),
            field: Some(format!("/payload/output/{word}")),
        })
    }
}

/// The same member as a JSON pointer.
fn pointer(field: &str) -> String {
    if field.starts_with('/') { field.to_owned() } else { format!("/{field}") }
}
