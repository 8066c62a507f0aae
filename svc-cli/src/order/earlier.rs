//! An order found again by its name, so that nothing is paid twice.

use svc_client::types::ServiceMessage;
use svc_client::types::api::messages::{GetMessage, ListMessages, Message, MessageEnvelope};
use svc_client::types::service_message::REQUEST;

use super::{OrderFlags, client_message_id};
use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::output::one_line;
use crate::verbatim::Kept;

/// The order of this name, if it was placed before.
///
/// The server forgets an Idempotency-Key after a day, but not the messages.
pub(super) async fn earlier(
    caller: &Caller,
    flags: &OrderFlags,
    name: &str,
) -> Result<Option<Kept<MessageEnvelope>>> {
    let request = ListMessages {
        with: Some(flags.what.user.as_str().into()),
        conversation_id: None,
        schema: Some(REQUEST.into()),
        request_status: None,
        unread: None,
        since: None,
        order: None,
        limit: Some(100.into()),
        cursor: None,
    };
    let own_id = client_message_id(name);
    let user = &flags.what.user;
    let is_same = |message: &&Message| {
        let to = &message.recipient;
        message.client_message_id.as_ref() == Some(&own_id)
            && (to.username.eq_ignore_ascii_case(user) || to.id.as_str() == user)
    };
    let messages = caller.read(request).await?.value.messages;
    let Some(found) = messages.iter().find(is_same) else {
        return Ok(None);
    };
    refuse_another(flags, found, name)?;
    let message_id = found.message_id.clone();
    let placed = caller.read(GetMessage { message_id }).await?;
    Ok(Some(placed))
}

/// A name stands for one order, so it can't stand for one of another service.
fn refuse_another(flags: &OrderFlags, found: &Message, name: &str) -> Result<()> {
    let wanted = &flags.what.service;
    match ServiceMessage::parse(&found.content) {
        Ok(Some(ServiceMessage::Request(request)))
            if request.service_id.as_str() != wanted
                && !request.service_name.eq_ignore_ascii_case(wanted) =>
        {
            let other = one_line(&request.service_name);
            let message = format!("the order {name} is one of {other}");
            Err(Error::new(Exit::Conflict, "order_exists", message)
                .hint("name a new order by another --id"))
        }
        _ => Ok(()),
    }
}
