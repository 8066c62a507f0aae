//! Conversations between two accounts.

use std::slice;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::select_messages;
use svc_core::services::account::Short;
use svc_core::services::message;
use svc_core::services::message::list::{self, Filter};
use svc_core::services::notification;
use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::conversations::{
    AcceptConversation, Conversation, ConversationEnvelope, ConversationFolder, ConversationPage,
    DeclineConversation, GetConversation, ListConversationMessages, ListConversations,
    MuteConversation, Muted, ReadConversation, UnmuteConversation,
};
use svc_types::api::messages::{Message, MessagePage};
use svc_types::{Code, ConversationId, MessageId, Timestamp, UserId};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .read(list_all)
        .read(read)
        .read(messages)
        .write(mark_read)
        .write(accept)
        .write(decline)
        .write(mute)
        .write(unmute)
}

/// A conversation from the view of one member.
struct Record {
    id: ConversationId,
    low_account: UserId,
    high_account: UserId,
    created_at: Timestamp,
    updated_at: Timestamp,
    unread_count: i64,
    muted: bool,
    folder: ConversationFolder,
    last_message: Option<MessageId>,
}
row!(Record {
    id: "c.id",
    low_account: "c.low_account",
    high_account: "c.high_account",
    created_at: "c.created_at",
    updated_at: "m.updated_at",
    unread_count: "m.unread_count",
    muted: "m.muted",
    folder: "m.folder",
    last_message: "m.last_message",
});

/// A statement that reads [`Record`]s, one per member.
macro_rules! select_conversations {
    ($rest:literal) => {
        svc_store::sql!(
            "select ",
            Record::COLUMNS,
            " from conversation_member m join conversation c on c.id = m.conversation ",
            $rest
        )
    };
}

impl Record {
    fn into_api(self, ctx: &mut Ctx<'_, '_>, reader: &UserId) -> Result<Conversation> {
        let last_message = last_message(ctx, &self.id, reader)?;
        let mut participants = Vec::with_capacity(2);
        for id in [&self.low_account, &self.high_account] {
            let (account, is_shown): (Short, bool) = ctx.tx.one(
                sql!(
                    "select ",
                    Short::COLUMNS,
                    ", a.deleted_at is null and (a.status <> 'suspended' or a.id = $1)
                     from account a where a.id = $2"
                ),
                values![reader, id],
            )?;
            let account = if is_shown { account } else { account.by_name_only() };
            participants.push(account.into_api(ctx.app));
        }
        Ok(Conversation {
            id: self.id,
            participants,
            last_message,
            unread_count: self.unread_count,
            muted: self.muted,
            folder: self.folder,
            created_at: self.created_at,
            updated_at: self.updated_at,
        })
    }
}

/// The latest message that `reader` has not deleted.
fn last_message(
    ctx: &mut Ctx<'_, '_>,
    conversation: &ConversationId,
    reader: &UserId,
) -> Result<Option<Message>> {
    let found: Option<message::Record> = ctx.tx.optional(
        select_messages!(
            "where m.conversation = $1 and (m.sender = $2 and m.deleted_by_sender = false
                or m.recipient = $2 and m.deleted_by_recipient = false and m.hidden = false)
             order by m.id desc limit 1"
        ),
        values![conversation, reader],
    )?;
    let Some(mut record) = found else { return Ok(None) };
    message::request::hide_reads(ctx, reader, slice::from_mut(&mut record))?;
    record.into_api(ctx.now()).map(Some)
}

/// The caller's conversation, else 404.
fn own(ctx: &mut Ctx<'_, '_>, id: &ConversationId, reader: &UserId) -> Result<Record> {
    let sql = select_conversations!("where m.conversation = $1 and m.account = $2");
    let found = ctx.tx.optional(sql, values![id, reader])?;
    found.ok_or_else(|| Error::not_found("conversation"))
}

fn list_all(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListConversations,
) -> Result<ConversationPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let mut records: Vec<Record> = ctx.tx.all(
        select_conversations!(
            "where m.account = $1 and m.folder = $2 and m.last_message < $3
                and ($4 = false or m.unread_count > 0)
             order by m.last_message desc limit $5"
        ),
        values![
            caller.id,
            request.folder.as_ref().unwrap_or(&ConversationFolder::Inbox),
            page.before(),
            request.unread == Some(true),
            page.rows()
        ],
    )?;
    let keys = |record: &Record| record.last_message.iter().map(MessageId::to_string).collect();
    let next_cursor = page.cut(&mut records, keys);
    let items = records.into_iter().map(|record| record.into_api(ctx, &caller.id));
    Ok(ConversationPage { conversations: items.collect::<Result<_>>()?, next_cursor })
}

fn read(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &GetConversation,
) -> Result<ConversationEnvelope> {
    let record = own(ctx, &request.conversation_id, &caller.id)?;
    Ok(ConversationEnvelope { conversation: record.into_api(ctx, &caller.id)? })
}

fn messages(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListConversationMessages,
) -> Result<MessagePage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let record = own(ctx, &request.conversation_id, &caller.id)?;
    let filter = Filter {
        conversation: Some(&record.id),
        order: request.order.as_ref(),
        ..Filter::default()
    };
    list::page(ctx, &caller.id, &filter, &page)
}

/// Marks messages up to this one as read, but none that moderators hide from the caller. The read
/// position never moves back.
fn mark_read(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ReadConversation,
) -> Result<ConversationEnvelope> {
    let record = own(ctx, &request.conversation_id, &caller.id)?;
    let (reader, upto) = (&caller.id, &request.last_read_message_id);
    let sql = sql!("select 1 from message where id = $1 and conversation = $2");
    if ctx.tx.optional::<i64>(sql, values![upto, record.id])?.is_none() {
        let refusal = Refusal::new(Code::NotFound, "no such message in this conversation");
        return Err(refusal.field("lastReadMessageId").into());
    }
    let before = position(ctx, &record.id, reader)?;
    if mark(ctx, &record.id, reader, before.as_ref(), upto)? {
        let before = advance(ctx, &record.id, reader, before, upto)?;
        notification::read::mark_of_messages(ctx, reader, &record.id, before.as_ref(), upto)?;
    }
    let record = own(ctx, &request.conversation_id, &caller.id)?;
    Ok(ConversationEnvelope { conversation: record.into_api(ctx, &caller.id)? })
}

/// Up to which message a member has read a conversation.
fn position(
    ctx: &mut Ctx<'_, '_>,
    conversation: &ConversationId,
    reader: &UserId,
) -> Result<Option<MessageId>> {
    ctx.tx.one(
        sql!(
            "select last_read_message from conversation_member
             where conversation = $1 and account = $2"
        ),
        values![conversation, reader],
    )
}

/// Marks messages after one up to another as read; false if none was unread.
fn mark(
    ctx: &mut Ctx<'_, '_>,
    conversation: &ConversationId,
    reader: &UserId,
    after: Option<&MessageId>,
    upto: &MessageId,
) -> Result<bool> {
    let now = ctx.now();
    // Filtering by sender reads this conversation only; filtering by recipient would scan all
    // messages of the account.
    let rows = ctx.tx.execute(
        sql!(
            "update message set read_at = $1
             where conversation = $2 and sender <> $3 and read_at is null and hidden = false
                and id <= $4 and id > $5"
        ),
        values![now, conversation, reader, upto, after.map_or("", MessageId::as_str)],
    )?;
    Ok(rows > 0)
}

/// Moves the read position from one message to another, and counts what is unread; returns the message after
/// which all was marked.
fn advance(
    ctx: &mut Ctx<'_, '_>,
    conversation: &ConversationId,
    reader: &UserId,
    before: Option<MessageId>,
    upto: &MessageId,
) -> Result<Option<MessageId>> {
    // Locks the row before counting: concurrent messages then wait or are counted.
    let lock = sql!(
        "select account from conversation_member
         where conversation = $1 and account = $2 for no key update"
    );
    ctx.tx.lock(lock, values![conversation, reader])?;
    let found = position(ctx, conversation, reader)?;
    if found < before {
        // Moderators have just restored a message from before it.
        mark(ctx, conversation, reader, found.as_ref(), upto)?;
    }
    let last = found.as_ref().map_or(upto, |found| found.max(upto));
    ctx.tx.write(
        sql!(
            "update conversation_member set last_read_message = $1,
                unread_count = (select count(*) from message
                    where conversation = $2 and sender <> $3 and id > $1 and read_at is null
                        and deleted_by_recipient = false and hidden = false)
             where conversation = $2 and account = $3"
        ),
        values![last, conversation, reader],
    )?;
    Ok(found.min(before))
}

fn accept(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &AcceptConversation,
) -> Result<ConversationEnvelope> {
    if !message::request::accept(ctx, &caller.id, &request.conversation_id)? {
        return Err(Error::not_found("conversation"));
    }
    let record = own(ctx, &request.conversation_id, &caller.id)?;
    Ok(ConversationEnvelope { conversation: record.into_api(ctx, &caller.id)? })
}

fn decline(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &DeclineConversation,
) -> Result<ConversationEnvelope> {
    let is_declined = message::request::decline(ctx, &caller.id, &request.conversation_id)?;
    let record = own(ctx, &request.conversation_id, &caller.id)?;
    if !is_declined {
        let refusal = Refusal::new(Code::WrongState, "the conversation is in your inbox");
        return Err(refusal.hint("mute it, or block the account").into());
    }
    Ok(ConversationEnvelope { conversation: record.into_api(ctx, &caller.id)? })
}

fn mute(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &MuteConversation) -> Result<Muted> {
    set_muted(ctx, caller, &request.conversation_id, true)
}

fn unmute(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &UnmuteConversation) -> Result<Muted> {
    set_muted(ctx, caller, &request.conversation_id, false)
}

fn set_muted(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    conversation: &ConversationId,
    muted: bool,
) -> Result<Muted> {
    let rows = ctx.tx.execute(
        sql!("update conversation_member set muted = $1 where conversation = $2 and account = $3"),
        values![muted, conversation, caller.id],
    )?;
    if rows == 1 { Ok(Muted { muted }) } else { Err(Error::not_found("conversation")) }
}
