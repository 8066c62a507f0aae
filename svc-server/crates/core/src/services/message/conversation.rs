//! The conversation of two accounts: opened by their first message, moved to the top by each.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::{Code, ConversationId, MessageId, UserId};

use super::{Record, request};
use crate::app::Ctx;

/// The conversation of two accounts, if they ever wrote.
pub fn conversation_of(
    ctx: &mut Ctx<'_, '_>,
    one: &UserId,
    other: &UserId,
) -> Result<Option<ConversationId>> {
    let (low, high) = if one < other { (one, other) } else { (other, one) };
    ctx.tx.optional(
        sql!("select id from conversation where low_account = $1 and high_account = $2"),
        values![low, high],
    )
}

/// The conversation of two accounts, made for their first message. Its recipient finds it among the
/// requests, unless it is an order or follows the sender.
pub(super) fn open(
    ctx: &mut Ctx<'_, '_>,
    sender: &UserId,
    recipient: &UserId,
    is_order: bool,
) -> Result<ConversationId> {
    let (low, high) = if sender < recipient { (sender, recipient) } else { (recipient, sender) };
    let (id, now): (ConversationId, _) = (ctx.id(), ctx.now());
    ctx.tx.write(
        sql!(
            "insert into conversation (id, low_account, high_account, created_at)
             values ($1, $2, $3, $4) on conflict (low_account, high_account) do nothing"
        ),
        values![id, low, high, now],
    )?;
    let id = conversation_of(ctx, sender, recipient)?;
    let id = id.ok_or_else(|| Error::internal("a conversation was made and is not there"))?;
    for account in [low, high] {
        ctx.tx.write(
            sql!(
                "insert into conversation_member (conversation, account, unread_count, muted, updated_at,
                    folder)
                 values ($1, $2, 0, false, $3,
                    case when $4 = true or $2 = $5 then 'inbox'
                        when exists (select 1 from follow where follower = $2 and followee = $5)
                        then 'inbox' else 'requests' end)
                 on conflict (conversation, account) do nothing"
            ),
            values![id, account, now, is_order, sender],
        )?;
    }
    Ok(id)
}

pub(super) fn refuse_foreign_reply(
    ctx: &mut Ctx<'_, '_>,
    conversation: &ConversationId,
    reply_to: Option<&MessageId>,
) -> Result<()> {
    let Some(reply_to) = reply_to else {
        return Ok(());
    };
    let sql = sql!("select 1 from message where id = $1 and conversation = $2");
    if ctx.tx.optional::<i64>(sql, values![reply_to, conversation])?.is_some() {
        return Ok(());
    }
    Err(Refusal::new(Code::NotFound, "no such message in this conversation")
        .field("replyToId")
        .into())
}

/// Locks the conversation, so that of its messages the one with the larger id is committed later:
/// neither a cursor nor "read up to here" passes one over. Its newest message, which is read under the
/// lock: the id of the next one must not be made before.
pub(super) fn take_turn(
    ctx: &mut Ctx<'_, '_>,
    conversation: &ConversationId,
) -> Result<Option<MessageId>> {
    let lock = sql!("select id from conversation where id = $1 for update");
    ctx.tx.lock(lock, values![conversation])?;
    let sql = sql!("select id from message where conversation = $1 order by id desc limit 1");
    ctx.tx.optional(sql, values![conversation])
}

/// Moves the conversation to the top for both, and counts it as unread for the recipient. Writing
/// accepts the conversation; an order, and following the sender, do it for the recipient.
pub(super) fn count(
    ctx: &mut Ctx<'_, '_>,
    record: &Record,
    is_order: bool,
    most: i64,
) -> Result<()> {
    let rows = ctx.tx.execute(
        sql!(
            "update conversation_member
             set updated_at = $1, last_message = $2,
                unread_count = unread_count + case when account = $3 then 1 else 0 end,
                asked_count = asked_count
                    + case when account = $3 and folder <> 'inbox' then 1 else 0 end,
                folder = case when folder = 'inbox' or account <> $3 or $4 = true then 'inbox'
                    when exists (select 1 from follow where follower = account and followee = $5)
                    then 'inbox' else folder end
             where conversation = $6 and (account <> $3 or folder = 'inbox' or asked_count < $7)"
        ),
        values![
            record.created_at,
            record.id,
            record.recipient,
            is_order,
            record.sender,
            record.conversation,
            most
        ],
    )?;
    // Another message has just been the last that was allowed.
    if rows == 2 { Ok(()) } else { Err(request::too_many()) }
}
