//! Answering an order: the message that answers it.

use serde_json::{Map, Value};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::orders::{AnswerOrder, ServiceOrder};
use svc_types::service_message::ResponseStatus;
use svc_types::{Code, ServiceMessage, ServiceResponse, UserId};

use super::record::load_for;
use super::refuse_long;
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::message::{self, Draft, Service};

/// Answers an order of a service of `provider`'s.
pub fn answer(
    ctx: &mut Ctx<'_, '_>,
    provider: &Account,
    asked: &AnswerOrder,
) -> Result<ServiceOrder> {
    let response = response(asked)?;
    let content = ServiceMessage::Response(response.clone()).content();
    // The same check as that of a message.
    ServiceMessage::parse(&content).map_err(|rejected| as_answer(rejected.into()))?;
    refuse_long(&content, "answer", "output")?;
    let buyer = buyer(ctx, provider, asked)?;
    let draft = Draft {
        service: Some(Service::Response(&response)),
        recipient: buyer.as_str(),
        content: &content,
        schema: None,
        payload: None,
        reply_to: None,
        client_message_id: None,
        is_automated: false,
    };
    message::send(ctx, provider, &draft).map_err(as_answer)?;
    load_for(ctx, &asked.order_id, &provider.id)
}

/// Who receives the answer: 404 unless the caller is a party, 403 for the buyer.
fn buyer(ctx: &mut Ctx<'_, '_>, caller: &Account, asked: &AnswerOrder) -> Result<UserId> {
    let found: Option<UserId> = ctx.tx.optional(
        sql!("select requester from service_request where id = $1 and $2 in (requester, provider)"),
        values![asked.order_id, caller.id],
    )?;
    let buyer = found.ok_or_else(|| Error::not_found("order"))?;
    if buyer == caller.id {
        return Err(Error::refused(Code::Forbidden, "only its provider may answer an order"));
    }
    Ok(buyer)
}

/// The answer as the message carries it: reason and error are members of the output (spec §2.5).
fn response(asked: &AnswerOrder) -> Result<ServiceResponse> {
    let mut output = asked.output.clone();
    let texts = [
        ("reason", &asked.reason, ResponseStatus::Rejected),
        ("error", &asked.error, ResponseStatus::Error),
    ];
    for (name, text, status) in texts {
        let Some(text) = text else { continue };
        if asked.status != status {
            let message = format!("{name} must be omitted unless status is {status}");
            return Err(Error::invalid(name, message));
        }
        let text = Value::String(text.to_string());
        output.get_or_insert_with(Map::new).insert(name.to_owned(), text);
    }
    Ok(ServiceResponse {
        request_id: asked.order_id.clone(),
        status: asked.status.clone(),
        output,
        charged_credits: asked.charged_credits,
    })
}

/// A refusal of the message with the names that members have here.
fn as_answer(error: Error) -> Error {
    let Error::Refused(mut refusal) = error else { return error };
    refusal.field = refusal.field.and_then(|field| match field.as_str() {
        "/payload/requestId" => None,
        "/payload/output/reason" => Some("reason".to_owned()),
        "/payload/output/error" => Some("error".to_owned()),
        inside if inside.starts_with("/payload/output/") => {
            Some(inside.replacen("/payload", "", 1))
        }
        other => Some(other.strip_prefix("/payload/").unwrap_or(other).to_owned()),
    });
    refusal.message = refusal.message.replace("payload.output.", "").replace("payload.", "");
    refusal.into()
}
