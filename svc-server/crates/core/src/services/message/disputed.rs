//! What moderators read of a disputed order: what was ordered, and how it was answered.

use serde_json::{Map, Value};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::{MessageId, service_message};

use super::Record;
use crate::app::Ctx;
use crate::identity::Account;
use crate::select_messages;
use crate::services::order;

/// Member that opens the work only to its parties.
const TOKEN: &str = "accessToken";

/// The message with this id, if it is an order whose escrow was ever disputed, or an answer to one, and
/// this moderator may judge it; else 404. Access tokens are omitted.
pub fn of_dispute(ctx: &mut Ctx<'_, '_>, id: &MessageId, reader: &Account) -> Result<Record> {
    let found: Option<Record> =
        ctx.tx.optional(select_messages!("where m.id = $1"), values![id])?;
    let record = found.ok_or_else(|| Error::not_found("message"))?;
    let order = order_of(&record).ok_or_else(|| Error::not_found("message"))?;
    let disputed: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from service_request q join escrow e on e.id = q.escrow
             where q.id = $1 and e.dispute is not null
                and $2 in (q.requester, q.provider) and $3 in (q.requester, q.provider)"
        ),
        values![order, record.sender, record.recipient],
    )?;
    if disputed.is_none() || !order::may_judge(ctx, &order, reader)? {
        return Err(Error::not_found("message"));
    }
    for_moderators(record)
}

/// The order that a message is, or answers.
fn order_of(record: &Record) -> Option<MessageId> {
    match record.schema.as_deref()? {
        service_message::REQUEST => Some(record.id.clone()),
        service_message::RESPONSE => {
            let payload: Map<String, Value> =
                serde_json::from_str(record.payload.as_ref()?).ok()?;
            payload.get("requestId")?.as_str().map(Into::into)
        }
        _ => None,
    }
}

/// A message as moderators read it: without access tokens in its payload, which the content of a service
/// message repeats.
pub fn for_moderators(record: Record) -> Result<Record> {
    let Some(payload) = &record.payload else {
        return Ok(record);
    };
    let mut payload: Value = serde_json::from_str(payload).map_err(Error::internal)?;
    if !wipe(&mut payload) {
        return Ok(record);
    }
    let content = match record.schema.as_deref() {
        Some(schema @ (service_message::REQUEST | service_message::RESPONSE)) => {
            serde_json::json!({ "schema": schema, "payload": payload }).to_string()
        }
        _ => record.content.clone(),
    };
    Ok(Record { content, payload: Some(payload.to_string()), ..record })
}

/// Takes every access token out of a value.
pub fn without_tokens(value: &mut Value) {
    wipe(value);
}

/// Takes every access token out; whether there was one.
fn wipe(payload: &mut Value) -> bool {
    let mut found = false;
    let mut left = vec![payload];
    while let Some(value) = left.pop() {
        match value {
            Value::Object(members) => {
                found |= members.remove(TOKEN).is_some();
                left.extend(members.values_mut());
            }
            Value::Array(items) => left.extend(items.iter_mut()),
            _ => {}
        }
    }
    found
}
