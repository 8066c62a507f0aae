//! The conversation of two accounts: opened by their first message, locked by each.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{select_locked, sql, values};
use svc_types::{Code, ConversationId, MessageId, UserId};

use crate::app::Ctx;
use crate::services::account;

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

/// The conversation of two accounts, made for their first message. Its recipient finds it among the requests; in the
/// inbox if it is an order or the recipient follows the sender; and declined if the recipient has just blocked the
/// sender.
pub(super) fn open(
    ctx: &mut Ctx<'_, '_>,
    sender: &UserId,
    recipient: &UserId,
    is_order: bool,
) -> Result<ConversationId> {
    let (low, high) = if sender < recipient { (sender, recipient) } else { (recipient, sender) };
    let (id, now): (ConversationId, _) = (ctx.id(), ctx.now());
    // A simultaneous block either is seen below, or waits and declines the conversation.
    account::lock(ctx, sender)?;
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
        add_member(ctx, &id, account, sender, is_order)?;
    }
    Ok(id)
}

fn add_member(
    ctx: &mut Ctx<'_, '_>,
    conversation: &ConversationId,
    account: &UserId,
    sender: &UserId,
    is_order: bool,
) -> Result<()> {
    let now = ctx.now();
    ctx.tx.write(
        sql!(
            "insert into conversation_member (conversation, account, unread_count, muted, updated_at,
                folder)
             values ($1, $2, 0, false, $3,
                case when $4 = true or $2 = $5 then 'inbox'
                    when exists (select 1 from block where blocker = $2 and blocked = $5)
                    then 'declined'
                    when exists (select 1 from follow where follower = $2 and followee = $5)
                    then 'inbox' else 'requests' end)
             on conflict (conversation, account) do nothing"
        ),
        values![conversation, account, now, is_order, sender],
    )
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

/// Locks the conversation for both members, so that of its messages the one with the larger id is
/// committed later: neither a cursor nor "read up to here" skips one. Returns the newest message as of
/// the lock: the id of the next one must not be made before.
pub(super) fn take_turn(
    ctx: &mut Ctx<'_, '_>,
    conversation: &ConversationId,
) -> Result<Option<MessageId>> {
    // Each message is the last one of both members.
    let newest: Vec<Option<MessageId>> = ctx.tx.all_pair(
        select_locked!(
            "select last_message from conversation_member where conversation = $1 order by account"
        ),
        values![conversation],
    )?;
    // A message changes the rows of both, and nobody counts them.
    if newest.len() != 2 {
        return Err(Error::internal("a conversation does not have two members"));
    }
    Ok(newest.into_iter().flatten().max())
}
