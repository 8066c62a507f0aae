//! Sending what a request asks for: a text, an order of a service, or the answer to one.

use svc_store::error::{Error, Result};
use svc_types::api::messages::{MessageEnvelope, SendMessage};
use svc_types::{Scope, ServiceMessage};

use super::{Draft, Service, send};
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::service_request::{self, Judged, Question, Wishes};

/// Whether the content is an order, whose input takes its time to be judged.
pub fn is_order(request: &SendMessage) -> bool {
    ServiceMessage::is_request(&request.content)
}

/// What is needed to judge the input of an order.
pub fn load(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &SendMessage) -> Result<Question> {
    caller.require_one(&Scope::ExchangeSpend)?;
    caller.require_active()?;
    match ServiceMessage::parse(&request.content)? {
        Some(ServiceMessage::Request(order)) => {
            let escrow = order.escrow_id.as_ref();
            service_request::question(ctx, &order.service_id, &order.input, escrow)
        }
        _ => Err(Error::internal("a message is an order and is none")),
    }
}

/// The scope that a message needs.
pub const fn scope(message: Option<&ServiceMessage>) -> Scope {
    match message {
        None => Scope::Dm,
        Some(ServiceMessage::Request(_)) => Scope::ExchangeSpend,
        Some(ServiceMessage::Response(_)) => Scope::ExchangeSell,
    }
}

/// Refuses a text that its sender most likely means as an order or an answer.
fn refuse_near_miss(content: &str) -> Result<()> {
    ServiceMessage::near_miss(content).map_or(Ok(()), |rejected| Err(rejected.into()))
}

/// Sends what a request asks for; `judged` is what the input of an order was found to be.
pub fn send_asked(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &SendMessage,
    judged: &Option<Judged>,
) -> Result<MessageEnvelope> {
    let parsed = ServiceMessage::parse(&request.content)?;
    caller.require_one(&scope(parsed.as_ref()))?;
    if parsed.is_none() && request.plain != Some(true) {
        refuse_near_miss(&request.content)?;
    }
    let service = match (&parsed, judged) {
        (None, _) => None,
        (Some(ServiceMessage::Response(response)), _) => Some(Service::Response(response)),
        (Some(ServiceMessage::Request(order)), Some(judged)) => {
            Some(Service::Request(order, judged, Wishes::default()))
        }
        (Some(ServiceMessage::Request(_)), None) => {
            return Err(Error::internal("the input of an order was not judged"));
        }
    };
    // Suspended and paused accounts may answer what is open, and send nothing else.
    if !matches!(service, Some(Service::Response(_))) {
        caller.require_active()?;
    }
    let draft = Draft {
        service,
        recipient: request.recipient_username.as_str(),
        content: &request.content,
        schema: request.schema.as_deref(),
        payload: request.payload.as_ref(),
        reply_to: request.reply_to_id.as_ref(),
        client_message_id: request.client_message_id.as_deref(),
        is_automated: request.automated == Some(true),
    };
    Ok(MessageEnvelope { message: send(ctx, caller, &draft)?.message })
}
