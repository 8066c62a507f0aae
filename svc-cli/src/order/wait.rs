//! What became of an order: looked at again and again until it is answered or the time is over.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};
use svc_client::types::api::escrow::{Escrow, EscrowStatus, GetEscrow};
use svc_client::types::api::messages::{
    GetMessage, ListMessages, Message, Order, RequestState, RequestStatus,
};
use svc_client::types::service_message::{RESPONSE, ResponseStatus};
use svc_client::types::{MessageId, ServiceMessage, ServiceResponse};

use crate::caller::Caller;
use crate::credits::credits;
use crate::error::{Error, Result};
use crate::exit::Exit;

/// The first pause between two looks.
const PAUSE_MIN: Duration = Duration::from_millis(500);
/// The longest pause of our own choice.
const PAUSE_MAX: Duration = Duration::from_secs(2);

/// What became of an order.
enum Outcome {
    /// It was answered.
    Answered(Answer),
    /// The work lies in the escrow.
    Delivered(Box<Escrow>, Option<Answer>),
}

/// A `service.response`, and its payload as it came.
struct Answer {
    response: ServiceResponse,
    payload: Box<RawValue>,
}

/// Waits for the end of an order and shows it; the order stands when the time is over.
pub(super) async fn end(
    caller: &Caller,
    order: &Message,
    time: Duration,
    again: &str,
) -> Result<()> {
    let outcome = tokio::time::timeout(time, outcome(caller, &order.message_id)).await;
    let Ok(outcome) = outcome else {
        let message =
            format!("no answer within {} s; the order {} stands", time.as_secs(), order.message_id);
        return Err(Error::new(Exit::Waiting, "waiting", message).hint(again));
    };
    let provider = &order.recipient.username;
    match outcome? {
        Outcome::Answered(answer) => answered(caller, &answer, provider),
        Outcome::Delivered(escrow, answer) => delivered(caller, order, &escrow, answer.as_ref()),
    }
}

async fn outcome(caller: &Caller, order: &MessageId) -> Result<Outcome> {
    let mut pause = PAUSE_MIN;
    loop {
        let asked = match look(caller, order).await {
            Ok(Some(outcome)) => return Ok(outcome),
            Ok(None) => None,
            // The order stands whatever the network does, so these are waited out.
            Err(error) if matches!(error.exit, Exit::Network | Exit::RateLimited) => {
                error.retry_after
            }
            Err(error) => return Err(error),
        };
        tokio::time::sleep(pause.max(Duration::from_secs(asked.unwrap_or(0)))).await;
        pause = (pause * 3 / 2).min(PAUSE_MAX);
    }
}

/// One look: what became of the order, if anything did.
async fn look(caller: &Caller, order: &MessageId) -> Result<Option<Outcome>> {
    let message = caller.read(GetMessage { message_id: order.clone() }).await?.value.message;
    let Some(state) = &message.request else {
        let text = format!("the server does not know {order} as an order");
        return Err(Error::new(Exit::Other, "unexpected_answer", text));
    };
    if let Some(id) = &state.response_message_id {
        let message = caller.read(GetMessage { message_id: id.clone() }).await?.value.message;
        return Ok(answer(&message).map(Outcome::Answered));
    }
    match state.status {
        RequestStatus::Open => delivery(caller, &message, state).await,
        RequestStatus::Expired => Err(over(&state.status)),
        _ => Ok(None),
    }
}

/// What lies in the escrow of an open order.
async fn delivery(
    caller: &Caller,
    order: &Message,
    state: &RequestState,
) -> Result<Option<Outcome>> {
    let Some(id) = &state.escrow_id else {
        return Ok(None);
    };
    let escrow = caller.read(GetEscrow { escrow_id: id.clone() }).await?.value.escrow;
    match escrow.status {
        EscrowStatus::Delivered | EscrowStatus::Disputed | EscrowStatus::Released => {
            let answer = delivery_note(caller, order).await?;
            Ok(Some(Outcome::Delivered(Box::new(escrow), answer)))
        }
        EscrowStatus::Cancelled | EscrowStatus::Refunded => {
            let reason = escrow.close_reason.map(|reason| format!(" ({reason})"));
            let reason = reason.unwrap_or_default();
            let text = format!("the escrow {id} was {}{reason}", escrow.status);
            Err(Error::new(Exit::Money, escrow.status.as_str(), text)
                .hint(format!("svc escrow events {id}")))
        }
        _ => Ok(None),
    }
}

/// The answer that says the work was delivered; providers may send it late, or never.
async fn delivery_note(caller: &Caller, order: &Message) -> Result<Option<Answer>> {
    let request = ListMessages {
        with: Some((&order.recipient.username).into()),
        conversation_id: None,
        schema: Some(RESPONSE.into()),
        request_status: None,
        unread: None,
        since: Some(order.created_at),
        order: Some(Order::Desc),
        limit: Some(100.into()),
        cursor: None,
    };
    let messages = caller.read(request).await?.value.messages;
    let mut answers = messages.iter().filter_map(answer);
    Ok(answers.find(|answer| {
        answer.response.request_id == order.message_id
            && answer.response.status == ResponseStatus::Delivered
    }))
}

/// The answer a message carries.
fn answer(message: &Message) -> Option<Answer> {
    #[derive(Deserialize)]
    struct Content {
        payload: Box<RawValue>,
    }
    let Ok(Some(ServiceMessage::Response(response))) = ServiceMessage::parse(&message.content)
    else {
        return None;
    };
    let content: Content = serde_json::from_str(&message.content).ok()?;
    Some(Answer { response, payload: content.payload })
}

/// Shows an answer that closed the order.
fn answered(caller: &Caller, answer: &Answer, provider: &str) -> Result<()> {
    let response = &answer.response;
    let said = |word: &str| {
        let said = response.output.as_ref().and_then(|output| output.get(word)?.as_str());
        said.unwrap_or("no reason given").to_owned()
    };
    let failed = |code: &str, text: String| Err(Error::new(Exit::Money, code, text));
    match response.status {
        ResponseStatus::Rejected => {
            failed("rejected", format!("@{provider} rejected the order: {}", said("reason")))
        }
        ResponseStatus::Error => failed("failed", format!("@{provider} failed: {}", said("error"))),
        _ => {
            let output = response.output.clone().unwrap_or_default();
            caller.out.page(&answer.payload, &format!("{:#}", json!(output)))?;
            if let Some(charged) = response.charged_credits {
                caller.out.note(&format!("paid {} to @{provider}", credits(charged)));
            }
            Ok(())
        }
    }
}

/// Shows that the work lies in the escrow.
fn delivered(
    caller: &Caller,
    order: &Message,
    escrow: &Escrow,
    answer: Option<&Answer>,
) -> Result<()> {
    let payload = match answer {
        Some(answer) => answer.payload.clone(),
        None => to_raw_value(&json!({ "requestId": order.message_id, "status": "delivered" }))
            .map_err(|error| Error::new(Exit::Other, "unexpected_answer", error.to_string()))?,
    };
    caller.out.page(&payload, &format!("delivered  {}", escrow.id))?;
    let next = match escrow.status {
        EscrowStatus::Delivered => {
            format!("look at it: svc escrow show {0}  accept it: svc escrow release {0}", escrow.id)
        }
        _ => format!("svc escrow show {}", escrow.id),
    };
    caller.out.note(&next);
    Ok(())
}

/// An order that ended without an answer.
fn over(status: &RequestStatus) -> Box<Error> {
    let text = format!("the order is {status}; its credits were given back");
    Error::new(Exit::Money, status.as_str(), text)
}
