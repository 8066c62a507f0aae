//! Messages that order and answer services (spec §2.4, §2.5).
//!
//! They are the content of a direct message: the JSON text of an object whose `schema` is
//! `service.request` or `service.response`. Any other content is plain text.

mod near_miss;

use std::cell::RefCell;

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

/// An order or an answer, as JSON in the content of a direct message.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(tag = "schema", content = "payload")]
pub enum ServiceMessage {
    /// An order (spec §2.4).
    #[schemars(rename = "service.request")]
    Request(ServiceRequest),
    /// An answer (spec §2.5).
    #[schemars(rename = "service.response")]
    Response(ServiceResponse),
}

/// Payload of an order (spec §2.4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServiceRequest {
    /// Id of the service, from the provider's capabilities.
    pub service_id: ServiceId,
    /// Name of the service, for people.
    pub service_name: Text<1, 100>,
    /// Input of the service; it must match the published schema.
    pub input: Map<String, Value>,
    /// Credits offered; they are held until the answer.
    pub offered_credits: Credits,
    /// The escrow that pays instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escrow_id: Option<EscrowId>,
}

/// Payload of an answer (spec §2.5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServiceResponse {
    /// The order: id of the message that carried it.
    pub request_id: MessageId,
    /// Outcome of the order.
    pub status: ResponseStatus,
    /// Output of the service. With `rejected` it contains `reason`, with `error` it contains
    /// `error`. With `completed` it is optional, as with `delivered`, where it may contain
    /// `escrowId` and `message`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Map<String, Value>>,
    /// Credits to charge, at most the offer; the whole offer when omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charged_credits: Option<Credits>,
}

words! {
    /// Outcome of an order (spec §2.5).
    ResponseStatus {
        /// The service ran; the provider receives the credits.
        Completed = "completed",
        /// The provider declined; the credits are returned.
        Rejected = "rejected",
        /// The service failed; the credits are returned.
        Error = "error",
        /// The work was delivered to the escrow and awaits acceptance.
        Delivered = "delivered",
    }
}

#[derive(Serialize, Deserialize)]
struct Envelope<T> {
    schema: String,
    payload: T,
}

impl ServiceMessage {
    /// Parses the content of a direct message; `None` for plain text.
    ///
    /// A content that declares a service message schema but is malformed is refused with
    /// [`Code::InvalidServiceMessage`] and a JSON pointer to the member at fault.
    pub fn parse(content: &str) -> Result<Option<Self>, Rejected> {
        Self::parse_noting(content, &RefCell::default())
    }

    /// JSON pointers to the first members of a service message that its form does not have. They are
    /// ignored.
    ///
    /// ```
    /// use svc_types::ServiceMessage;
    ///
    /// let content = r#"{"schema":"service.response","payload":{
    ///     "requestId":"msg_1","status":"completed","took":3}}"#;
    /// assert_eq!(ServiceMessage::ignored(content), ["/payload/took"]);
    /// ```
    pub fn ignored(content: &str) -> Vec<String> {
        let noted = RefCell::default();
        match Self::parse_noting(content, &noted) {
            Ok(Some(_)) => noted.take().iter().map(|field| pointer(field)).collect(),
            _ => Vec::new(),
        }
    }

    /// The refusal of a content that resembles a service message and is none, such as
    /// `{"type": "service.request"}`; its hint is the right form.
    pub fn near_miss(content: &str) -> Option<Rejected> {
        near_miss::near_miss(content)
    }

    fn parse_noting(content: &str, noted: &RefCell<Vec<String>>) -> Result<Option<Self>, Rejected> {
        let schemas = wire::schemas_of(content);
        let calls_itself = |word: &str| schemas.iter().any(|schema| schema == word);
        let message = if calls_itself(REQUEST) {
            wire::decode_noting::<Envelope<_>>(content, noted)
                .map(|read| Self::Request(read.payload))
        } else if calls_itself(RESPONSE) {
            wire::decode_noting::<Envelope<_>>(content, noted)
                .map(|read| Self::Response(read.payload))
        } else {
            return Ok(None);
        };
        let checked = message.and_then(|message| message.check().map(|()| message));
        checked.map(Some).map_err(|mut rejected| {
            rejected.code = Code::InvalidServiceMessage;
            rejected.field = rejected.field.map(|field| pointer(&field));
            rejected
        })
    }

    /// Whether a content declares the schema of an order, malformed or not.
    pub fn is_request(content: &str) -> bool {
        wire::schemas_of(content).iter().any(|schema| schema == REQUEST)
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

    /// Checks what the types cannot express: a refusal gives its reason and charges nothing.
    fn check(&self) -> Result<(), Rejected> {
        let Self::Response(response) = self else {
            return Ok(());
        };
        let word = match response.status {
            ResponseStatus::Rejected => "reason",
            ResponseStatus::Error => "error",
            _ => return Ok(()),
        };
        if response.charged_credits.is_some_and(|charged| !charged.is_zero()) {
            let status = response.status.as_str();
            let message = format!("payload.chargedCredits must be absent or 0 for {status}");
            let rejected = Rejected::new(Code::InvalidServiceMessage, message);
            return Err(rejected.about("/payload/chargedCredits"));
        }
        let said = response.output.as_ref().and_then(|output| output.get(word));
        if said.and_then(Value::as_str).is_some_and(|text| !text.is_empty()) {
            return Ok(());
        }
        let status = response.status.as_str();
        let message = format!("payload.output.{word} is required on {status} and must be a text");
        let rejected = Rejected::new(Code::InvalidServiceMessage, message);
        Err(Rejected { is_missing: true, ..rejected.about(format!("/payload/output/{word}")) })
    }
}

/// The same member as a JSON pointer.
fn pointer(field: &str) -> String {
    if field.starts_with('/') { field.to_owned() } else { format!("/{field}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn code(content: &Value) -> Option<Code> {
        ServiceMessage::parse(&content.to_string()).err().map(|rejected| rejected.code)
    }

    #[test]
    fn what_does_not_call_itself_a_service_message_is_text() {
        for content in ["hello", "{", "{}", "[]", r#"{"schema":"note"}"#, r#"{"schema":7}"#] {
            assert_eq!(ServiceMessage::parse(content), Ok(None), "{content}");
        }
    }

    #[test]
    fn a_second_schema_hides_nothing() {
        let content = r#"{"schema":"note","schema":"service.request","payload":{}}"#;
        let refused = ServiceMessage::parse(content).unwrap_err();
        assert_eq!(refused.code, Code::InvalidServiceMessage);
    }

    #[test]
    fn a_refusal_says_why_and_charges_nothing() {
        let answer = |status: &str, rest: Value| {
            let mut payload = json!({ "requestId": "msg_1", "status": status });
            payload.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
            json!({ "schema": RESPONSE, "payload": payload })
        };
        let why = json!({ "output": { "reason": "no" } });
        assert_eq!(code(&answer("rejected", why)), None);
        let refused = Some(Code::InvalidServiceMessage);
        assert_eq!(code(&answer("rejected", json!({}))), refused);
        assert_eq!(code(&answer("error", json!({ "output": { "reason": "no" } }))), refused);
        let charged = json!({ "output": { "reason": "no" }, "chargedCredits": 1 });
        assert_eq!(code(&answer("rejected", charged)), refused);
        assert_eq!(code(&answer("done", json!({}))), refused);
    }

    #[test]
    fn a_message_is_read_back_from_its_content() {
        let message = ServiceMessage::Request(ServiceRequest {
            service_id: "srv_1".into(),
            service_name: "count".into(),
            input: json!({ "text": "a" }).as_object().cloned().unwrap(),
            offered_credits: 5.into(),
            escrow_id: None,
        });
        assert_eq!(ServiceMessage::parse(&message.content()), Ok(Some(message)));
    }
}
