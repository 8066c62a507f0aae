//! Conversations that strangers begin. Their messages arrive as all others do, but the recipient
//! finds the conversation among the requests, until it accepts, answers, or follows the sender.
//!
//! Where a member finds a conversation stands in the row that every message changes, and the same
//! statement changes it.

use svc_store::db::{SLOTS, slots};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::conversations::ConversationFolder;
use svc_types::{Code, ConversationId, Id, MessageId, UserId};

use super::Record;
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::account::{self, Record as AccountRecord};
use crate::services::notification;
use crate::services::trust::{self, Trust};

/// Messages that a new account may send before it is accepted.
const ASKED_MAX: i64 = 3;

/// No limit.
pub(super) const UNLIMITED: i64 = i64::MAX;

/// A conversation as the recipient of a message has it.
pub(super) struct Known {
    pub(super) id: ConversationId,
    folder: ConversationFolder,
    asked_count: i64,
}

/// The recipient of a message, and what there is between it and the sender.
pub(super) struct Recipient {
    pub(super) account: AccountRecord,
    /// Their conversation, if they ever wrote.
    pub(super) known: Option<Known>,
    /// Whether one of them blocks the other.
    pub(super) is_blocked: bool,
}

/// A statement that finds the recipient of a message from `$1` by this column.
macro_rules! select_recipient {
    ($column:literal) => {
        sql!(
            "select ",
            AccountRecord::COLUMNS,
            ", exists (select 1 from block where blocker = $1 and blocked = a.id)
                or exists (select 1 from block where blocker = a.id and blocked = $1),
                c.id, m.folder, m.asked_count
             from account a
             left join conversation c
                on c.low_account = case when a.id < $1 then a.id else $1 end
                and c.high_account = case when a.id < $1 then $1 else a.id end
             left join conversation_member m on m.conversation = c.id and m.account = a.id
             where ",
            $column,
            " = $2 and a.deleted_at is null"
        )
    };
}

/// The recipient with this username, ignoring case, or this id, unless it is deleted.
pub(super) fn find(
    ctx: &mut Ctx<'_, '_>,
    sender: &UserId,
    handle: &str,
) -> Result<Option<Recipient>> {
    let found = if handle.starts_with(UserId::PREFIX) {
        ctx.tx.optional(select_recipient!("a.id"), values![sender, handle])
    } else {
        ctx.tx.optional(select_recipient!("a.username"), values![sender, handle.to_lowercase()])
    };
    Ok(found?.map(|(account, is_blocked, id, folder, asked_count)| {
        let known = match (id, folder, asked_count) {
            (Some(id), Some(folder), Some(asked_count)) => Some(Known { id, folder, asked_count }),
            _ => None,
        };
        Recipient { account, known, is_blocked }
    }))
}

/// How many messages the recipient may have been sent before this one while it has not accepted; 409
/// if there were as many.
pub(super) fn allowance(
    ctx: &mut Ctx<'_, '_>,
    sender: &Account,
    recipient: &UserId,
    known: Option<&Known>,
) -> Result<i64> {
    let is_accepted = known.is_some_and(|known| known.folder == ConversationFolder::Inbox);
    if is_accepted || !ctx.app.config.limits.budgets || trust::of(ctx, sender)? != Trust::New {
        return Ok(UNLIMITED);
    }
    let Some(known) = known else { return Ok(ASKED_MAX) };
    if account::follows(ctx, recipient, &sender.id)? {
        return Ok(UNLIMITED);
    }
    if known.asked_count < ASKED_MAX { Ok(ASKED_MAX) } else { Err(too_many()) }
}

/// 409 for a stranger that has to wait. It does not say whether the conversation was declined.
pub(super) fn too_many() -> Error {
    let message = format!(
        "a new account may send {ASKED_MAX} messages to somebody who has not accepted or answered"
    );
    let refusal = Refusal::new(Code::WrongState, message);
    refusal.hint("wait until the recipient accepts, answers or follows you").into()
}

/// Leaves out when messages that `reader` sent were read, as long as their recipients have not accepted the
/// conversation: a stranger would learn that somebody is there.
pub fn hide_reads(ctx: &mut Ctx<'_, '_>, reader: &UserId, records: &mut [Record]) -> Result<()> {
    let read = records.iter().filter(|it| it.sender == *reader && it.read_at.is_some());
    let read: Vec<MessageId> = read.map(|record| record.id.clone()).collect();
    let mut hidden: Vec<MessageId> = Vec::new();
    for some in read.chunks(SLOTS) {
        let found: Vec<MessageId> = ctx.tx.all(
            sql!(
                "select m.id from message m cross join conversation_member r
                 where m.id in (",
                slots!(1),
                ") and r.conversation = m.conversation and r.account = m.recipient
                    and r.folder <> 'inbox'"
            ),
            &slots(some),
        )?;
        hidden.extend(found);
    }
    for record in records.iter_mut().filter(|record| hidden.contains(&record.id)) {
        record.read_at = None;
    }
    Ok(())
}

/// Accepts a conversation for one of its members; false if it is not one.
pub fn accept(ctx: &mut Ctx<'_, '_>, member: &UserId, id: &ConversationId) -> Result<bool> {
    let sql = sql!(
        "update conversation_member set folder = 'inbox' where conversation = $1 and account = $2"
    );
    Ok(ctx.tx.execute(sql, values![id, member])? == 1)
}

/// Declines a conversation for one of its members, and marks the notifications of its messages as read: no list leads
/// to it any more. False if it is no request. Call it last: it locks the member's counter of events.
pub fn decline(ctx: &mut Ctx<'_, '_>, member: &UserId, id: &ConversationId) -> Result<bool> {
    let declined: Option<(Option<MessageId>, Option<MessageId>)> = ctx.tx.optional(
        sql!(
            "update conversation_member set folder = 'declined'
             where conversation = $1 and account = $2 and folder <> 'inbox'
             returning last_read_message, last_message"
        ),
        values![id, member],
    )?;
    let Some((read, last)) = declined else { return Ok(false) };
    if let Some(last) = &last {
        notification::read::mark_of_messages(ctx, member, id, read.as_ref(), last)?;
    }
    Ok(true)
}
