//! The calls that answer an order, with idempotency keys derived from the order.

use serde_json::{Map, Value};
use svc_client::types::api::escrow::{DeclineEscrow, DeliverEscrow, Deliverable};
use svc_client::types::api::messages::{Message, SendMessage};
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Credits, Endpoint, EscrowId, ServiceMessage, ServiceResponse};
use svc_types::api::posts::Content;
use svc_types::wire;

use crate::checksum::checksum;
use crate::journal::NewCall;
use crate::service::{Done, Rejection};

/// What the buyer reads when the bot failed. Causes go to the log.
pub(super) const FAILED: &str = "the service failed; nothing is charged";
pub(super) const TOO_SLOW: &str = "the service took too long; nothing is charged";
pub(super) const INTERRUPTED: &str = "the service was interrupted; nothing is charged";
const UNSENDABLE: &str = "the result could not be sent; nothing is charged";

/// The decision on an order.
#[derive(Debug)]
pub(super) enum Verdict {
    /// The handler succeeded; the amount is charged unless an escrow pays.
    Done(Done, Credits),
    Rejected(Rejection),
    /// The bot failed, with the text for the buyer.
    Failed(&'static str),
    /// The work was delivered into this escrow before.
    Delivered(EscrowId),
    /// The order is closed and needs no answer.
    Closed,
}

/// The calls that answer an order. A verdict against the order also declines `escrow`, the escrow
/// that pays for it.
pub(super) fn calls(
    message: &Message,
    escrow: Option<&EscrowId>,
    verdict: Verdict,
) -> Vec<NewCall> {
    let id = message.message_id.as_str();
    let (status, output) = match (verdict, escrow) {
        (Verdict::Done(Done::Output(output), charged), None) => {
            return match respond(message, ResponseStatus::Completed, output, Some(charged)) {
                Some(call) => vec![call],
                None => unsendable(message, None),
            };
        }
        (Verdict::Done(done, _), Some(escrow)) => return delivery_calls(message, escrow, done),
        (Verdict::Closed, _) => return Vec::new(),
        (Verdict::Delivered(escrow), _) => return vec![delivered(message, &escrow)],
        // Orders for work without an escrow are declined before anything runs.
        (Verdict::Done(Done::Work(_), _), None) => return unsendable(message, None),
        (Verdict::Rejected(rejection), _) => (ResponseStatus::Rejected, rejection.output()),
        (Verdict::Failed(text), _) => (ResponseStatus::Error, error(text)),
    };
    let Some(answer) = respond(message, status, output, None) else {
        return unsendable(message, escrow);
    };
    [answer].into_iter().chain(escrow.map(|escrow| decline(id, escrow))).collect()
}

/// The calls that replace ones the platform refused: an answer it accepts in any case.
pub(super) fn unsendable(message: &Message, escrow: Option<&EscrowId>) -> Vec<NewCall> {
    let id = message.message_id.as_str();
    let answer = response(message, ResponseStatus::Error, error(UNSENDABLE), None);
    let answer = call(last_resort(id), &send(message, &answer));
    [answer].into_iter().chain(escrow.map(|escrow| decline(id, escrow))).collect()
}

/// Whether a call delivers work.
pub(super) fn is_delivery(order: &str, key: &str) -> bool {
    key == delivery_key(order)
}

/// Whether a call that the platform refused may be replaced by another.
pub(super) fn is_replaceable(order: &str, key: &str) -> bool {
    key == answer_key(order) || key == delivery_key(order)
}

/// First the delivery, then the answer that announces it.
fn delivery_calls(message: &Message, escrow: &EscrowId, done: Done) -> Vec<NewCall> {
    let deliverable = match done {
        Done::Work(deliverable) => deliverable,
        Done::Output(output) => json_deliverable(output),
    };
    let escrow_id = escrow.clone();
    let work = DeliverEscrow { escrow_id, deliverable, notes: None };
    vec![call(delivery_key(message.message_id.as_str()), &work), delivered(message, escrow)]
}

/// The answer that says the work is in the escrow.
fn delivered(message: &Message, escrow: &EscrowId) -> NewCall {
    let output = Map::from_iter([
        ("escrowId".to_owned(), Value::from(escrow.as_str())),
        ("message".to_owned(), Value::from("the work is in the escrow")),
    ]);
    let answer = response(message, ResponseStatus::Delivered, output, None);
    call(answer_key(message.message_id.as_str()), &send(message, &answer))
}

/// An output as a `json` deliverable with its checksum.
fn json_deliverable(output: Map<String, Value>) -> Deliverable {
    let mut deliverable = Deliverable::new("json");
    let data = Value::Object(output);
    deliverable.checksum = Some(checksum(&data));
    deliverable.rest.insert("data".to_owned(), data);
    deliverable
}

/// An answer, or `None` if it is longer than a message may be.
fn respond(
    message: &Message,
    status: ResponseStatus,
    output: Map<String, Value>,
    charged: Option<Credits>,
) -> Option<NewCall> {
    let answer = send(message, &response(message, status, output, charged));
    if !Content::is_valid(&answer.content) {
        let characters = answer.content.chars().count();
        tracing::error!(
            characters,
            "the answer is longer than the 40,000 characters of a message; an error is sent instead"
        );
        return None;
    }
    Some(call(answer_key(message.message_id.as_str()), &answer))
}

fn response(
    message: &Message,
    status: ResponseStatus,
    output: Map<String, Value>,
    charged_credits: Option<Credits>,
) -> ServiceResponse {
    let request_id = message.message_id.clone();
    ServiceResponse { request_id, status, output: Some(output), charged_credits }
}

fn send(message: &Message, answer: &ServiceResponse) -> SendMessage {
    SendMessage {
        recipient_username: message.sender.id.as_str().into(),
        content: ServiceMessage::Response(answer.clone()).content().into(),
        schema: None,
        payload: None,
        reply_to_id: None,
        client_message_id: None,
        automated: Some(true),
        plain: None,
    }
}

fn decline(order: &str, escrow: &EscrowId) -> NewCall {
    let reason = Some("the order was not carried out; see the answer".into());
    call(format!("decline:{order}"), &DeclineEscrow { escrow_id: escrow.clone(), reason })
}

fn error(text: &str) -> Map<String, Value> {
    Map::from_iter([("error".to_owned(), Value::from(text))])
}

fn answer_key(order: &str) -> String {
    format!("resp:{order}")
}

fn delivery_key(order: &str) -> String {
    format!("deliver:{order}:1")
}

fn last_resort(order: &str) -> String {
    format!("resp:{order}:error")
}

fn call<E: Endpoint>(key: String, request: &E) -> NewCall {
    let encoded = wire::encode(request).expect("ids of the platform are path segments");
    NewCall { key, path: encoded.path, body: encoded.body.unwrap_or_default() }
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
