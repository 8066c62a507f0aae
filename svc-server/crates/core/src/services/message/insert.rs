//! Writing a message: its row, its entry in both mailboxes, and its conversation as both members have it.

use svc_store::db::{Together, Value};
use svc_store::error::Result;
use svc_store::{together, values};

use super::{Record, request};
use crate::app::Ctx;

const MESSAGE: &str =
    "insert into message (id, conversation, sender, recipient, content, schema_name,
        payload, reply_to, client_message_id, automated, created_at, deleted_by_sender,
        deleted_by_recipient)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, false, false)";

const MAILBOXES: &str = "insert into mailbox (account, message) values ($1, $2), ($3, $2)";

/// Moves the conversation to the top for both, and counts it as unread for the recipient. Writing
/// accepts the conversation; an order, and following the sender, do it for the recipient.
const MEMBERS: &str = "update conversation_member
    set updated_at = $1, last_message = $2,
        unread_count = unread_count + case when account = $3 then 1 else 0 end,
        asked_count = asked_count
            + case when account = $3 and folder <> 'inbox' then 1 else 0 end,
        folder = case when folder = 'inbox' or account <> $3 or $4 = true then 'inbox'
            when exists (select 1 from follow where follower = account and followee = $5)
            then 'inbox' else folder end
    where conversation = $6 and (account <> $3 or folder = 'inbox' or asked_count < $7)";

const ALL: Together<3> = together!(MESSAGE, MAILBOXES, MEMBERS);

/// Inserts a message; 409 if the recipient has not accepted and was sent `most` before.
///
/// While another transaction sends one with the same clientMessageId, the unique index lets this one wait and fail. Its
/// job runs again then, finds that message, and has paid nothing.
pub(super) fn insert(
    ctx: &mut Ctx<'_, '_>,
    record: &Record,
    is_order: bool,
    most: i64,
) -> Result<()> {
    let message = values![
        record.id,
        record.conversation,
        record.sender,
        record.recipient,
        record.content,
        record.schema,
        record.payload,
        record.reply_to,
        record.client_message_id,
        record.is_automated,
        record.created_at
    ];
    let mailboxes = values![record.sender, record.id, record.recipient];
    let members = values![
        record.created_at,
        record.id,
        record.recipient,
        is_order,
        record.sender,
        record.conversation,
        most
    ];
    let values: [&[Value<'_>]; 3] = [message, mailboxes, members];
    if most == request::UNLIMITED {
        // Nothing depends on how many rows are changed, so nothing waits for that.
        return ctx.tx.write_together(ALL, values);
    }
    let rows = ctx.tx.execute_together(ALL, values)?;
    // Another message has just been the last that was allowed.
    if rows == 2 { Ok(()) } else { Err(request::too_many()) }
}
