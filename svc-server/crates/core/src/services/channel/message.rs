//! Messages of channels: each is one row and one event on the channel's stream, for any number of
//! readers.

use serde_json::{Map, Value};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::channels::{ChannelMessage, ChannelMessagePage, PostChannelMessage};
use svc_types::api::connect::ChannelMessageDeletedData;
use svc_types::api::messages::{Order, Party};
use svc_types::{ChannelId, Code, EventId, MessageId, ServiceMessage, Timestamp, UserId};

use super::record::find;
use super::{lock, visible};
use crate::app::Ctx;
use crate::identity::Account;
use crate::ids;
use crate::page::Page;
use crate::services::budget::{self, Class};
use crate::services::message::CLIENT_ID_KEPT;
use crate::services::outbox::{self, Event};
use crate::services::scan::{self, Step};
use crate::services::{post, visibility};

/// A message's row with the name of its sender.
struct Record {
    id: MessageId,
    channel: ChannelId,
    sender: UserId,
    sender_name: String,
    sender_is_agent: bool,
    content: String,
    schema: Option<String>,
    payload: Option<String>,
    reply_to: Option<MessageId>,
    client_message_id: Option<String>,
    created_at: Timestamp,
    deleted_at: Option<Timestamp>,
    is_shown: bool,
}
row!(Record {
    id: "m.id",
    channel: "m.channel",
    sender: "m.sender",
    sender_name: "a.username",
    sender_is_agent: "a.is_agent",
    content: "m.content",
    schema: "m.schema_name",
    payload: "m.payload",
    reply_to: "m.reply_to",
    client_message_id: "m.client_message_id",
    created_at: "m.created_at",
    deleted_at: "m.deleted_at",
    is_shown: "a.deleted_at is null and a.status <> 'suspended'",
});

/// A statement that reads messages of channels.
macro_rules! select_messages {
    ($rest:literal) => {
        sql!(
            "select ",
            Record::COLUMNS,
            " from channel_message m join account a on a.id = m.sender ",
            $rest
        )
    };
}

impl Record {
    fn into_api(self) -> Result<ChannelMessage> {
        let payload = self.payload.as_deref().map(serde_json::from_str::<Map<String, Value>>);
        Ok(ChannelMessage {
            message_id: self.id,
            channel_id: self.channel,
            sender: Party {
                id: self.sender,
                username: self.sender_name,
                is_agent: self.sender_is_agent,
            },
            content: self.content,
            schema: self.schema,
            payload: payload.transpose().map_err(Error::internal)?,
            created_at: self.created_at,
            reply_to_id: self.reply_to,
            client_message_id: self.client_message_id,
        })
    }
}

/// Posts in a channel, or returns the message that the sender posted with the same clientMessageId.
pub fn post(
    ctx: &mut Ctx<'_, '_>,
    sender: &Account,
    request: &PostChannelMessage,
) -> Result<ChannelMessage> {
    if let Some(earlier) = repeated(ctx, sender, request)? {
        return earlier.into_api();
    }
    budget::pay(ctx, sender, &[Class::Writes, Class::Messages])?;
    refuse_service_messages(request)?;
    let payload = post::attachment(request.schema.as_deref(), request.payload.as_ref())?;
    if payload.is_none() {
        post::refuse_blank(&request.content)?;
    }
    visibility::keep(ctx, sender)?;
    lock(ctx, &request.channel_id)?;
    refuse_stranger(ctx, sender, &request.channel_id)?;
    if let Some(earlier) = posted_before(ctx, sender, request)? {
        return earlier.into_api();
    }
    refuse_foreign_reply(ctx, request)?;
    let newest = newest(ctx, &request.channel_id)?;
    let record = Record {
        id: ctx.id_after(newest.as_ref()),
        channel: request.channel_id.clone(),
        sender: sender.id.clone(),
        sender_name: sender.username.clone(),
        sender_is_agent: sender.is_agent,
        content: request.content.to_string(),
        schema: request.schema.as_deref().map(str::to_owned),
        payload,
        reply_to: request.reply_to_id.clone(),
        client_message_id: request.client_message_id.as_deref().map(str::to_owned),
        created_at: ctx.now(),
        deleted_at: None,
        is_shown: true,
    };
    insert(ctx, &record)?;
    let message = record.into_api()?;
    let event = ids::same_number(&message.message_id);
    publish(ctx, &event, &message.channel_id, "channel_message", &message)?;
    Ok(message)
}

/// The message that is sent again, which costs nothing; 403 and 404 as for a new one.
fn repeated(
    ctx: &mut Ctx<'_, '_>,
    sender: &Account,
    request: &PostChannelMessage,
) -> Result<Option<Record>> {
    if request.client_message_id.is_none() {
        return Ok(None);
    }
    refuse_stranger(ctx, sender, &request.channel_id)?;
    posted_before(ctx, sender, request)
}

/// The newest message of a channel that is locked.
fn newest(ctx: &mut Ctx<'_, '_>, channel: &ChannelId) -> Result<Option<MessageId>> {
    let sql = sql!("select id from channel_message where channel = $1 order by id desc limit 1");
    ctx.tx.optional(sql, values![channel])
}

/// Orders and responses need exactly two parties, so they are direct messages.
fn refuse_service_messages(request: &PostChannelMessage) -> Result<()> {
    let schema = request.schema.as_deref().unwrap_or("");
    let field = match ServiceMessage::parse(&request.content) {
        _ if schema.starts_with("service.") => "schema",
        Ok(None) => return Ok(()),
        _ => "content",
    };
    let message = "services are ordered and answered only by direct messages";
    Err(Refusal::new(Code::InvalidServiceMessage, message).field(field).into())
}

/// 404 if the sender may not know of the channel, 403 if it may not write there.
fn refuse_stranger(ctx: &mut Ctx<'_, '_>, sender: &Account, channel: &ChannelId) -> Result<()> {
    let channel = visible(ctx, channel, Some(sender))?;
    if !channel.is_member {
        let refusal = Refusal::new(Code::Forbidden, "only members write in a channel");
        return Err(refusal.hint("join it first").into());
    }
    if channel.takes_posts_of(&sender.id) {
        return Ok(());
    }
    Err(Error::refused(Code::Forbidden, "only its owner writes in this channel"))
}

/// The message that this sender posted with this clientMessageId in the last day; 404 if it was
/// deleted since, so that a retry does not restore it.
fn posted_before(
    ctx: &mut Ctx<'_, '_>,
    sender: &Account,
    request: &PostChannelMessage,
) -> Result<Option<Record>> {
    let Some(client_message_id) = &request.client_message_id else {
        return Ok(None);
    };
    let since = ctx.now().minus(CLIENT_ID_KEPT);
    // An older message loses its clientMessageId, so that the unique index allows it again.
    ctx.tx.write(
        sql!(
            "update channel_message set client_message_id = null
             where channel = $1 and sender = $2 and client_message_id = $3 and created_at <= $4"
        ),
        values![request.channel_id, sender.id, client_message_id, since],
    )?;
    let found: Option<Record> = ctx.tx.optional(
        select_messages!("where m.channel = $1 and m.sender = $2 and m.client_message_id = $3"),
        values![request.channel_id, sender.id, client_message_id],
    )?;
    if found.as_ref().is_some_and(|earlier| earlier.deleted_at.is_some()) {
        let refusal = Refusal::new(Code::NotFound, "the message with this id was deleted");
        return Err(refusal.field("clientMessageId").into());
    }
    Ok(found)
}

fn refuse_foreign_reply(ctx: &mut Ctx<'_, '_>, request: &PostChannelMessage) -> Result<()> {
    let Some(reply_to) = &request.reply_to_id else {
        return Ok(());
    };
    let sql =
        sql!("select 1 from channel_message where id = $1 and channel = $2 and deleted_at is null");
    if ctx.tx.optional::<i64>(sql, values![reply_to, request.channel_id])?.is_some() {
        return Ok(());
    }
    Err(Refusal::new(Code::NotFound, "no such message in this channel").field("replyToId").into())
}

fn insert(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<()> {
    ctx.tx.write(
        sql!(
            "insert into channel_message (id, channel, sender, content, schema_name, payload,
                reply_to, client_message_id, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
        ),
        values![
            record.id,
            record.channel,
            record.sender,
            record.content,
            record.schema,
            record.payload,
            record.reply_to,
            record.client_message_id,
            record.created_at
        ],
    )?;
    Ok(())
}

/// Deletes a message for all members, as its sender or as the owner of the channel. Who has left a private channel knows
/// of it no more, and still deletes what it wrote there.
pub fn delete(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    channel: &ChannelId,
    message: &MessageId,
) -> Result<()> {
    lock(ctx, channel)?;
    let found = find(ctx, channel, Some(&caller.id))?;
    let channel = found.ok_or_else(|| Error::not_found("channel"))?;
    let sql = sql!(
        "select sender from channel_message where id = $1 and channel = $2 and deleted_at is null"
    );
    let sender: Option<UserId> = ctx.tx.optional(sql, values![message, channel.id])?;
    let is_own = sender.as_ref() == Some(&caller.id);
    if !is_own && !channel.is_visible_to(Some(caller)) {
        return Err(Error::not_found("channel"));
    }
    if sender.is_none() {
        return Err(Error::not_found("message"));
    }
    if !is_own && caller.id != channel.owner.id {
        let message = "only its sender and the owner of the channel delete a message";
        return Err(Error::refused(Code::Forbidden, message));
    }
    empty(ctx, channel.id, message)
}

/// Removes a message for all members, as moderators do; nothing changes if it was deleted.
pub fn remove_message(ctx: &mut Ctx<'_, '_>, message: &MessageId) -> Result<()> {
    let sql = sql!("select channel from channel_message where id = $1");
    let channel: ChannelId = ctx.tx.one(sql, values![message])?;
    lock(ctx, &channel)?;
    empty(ctx, channel, message)
}

/// Empties a message of a channel that is locked.
fn empty(ctx: &mut Ctx<'_, '_>, channel_id: ChannelId, message: &MessageId) -> Result<()> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update channel_message
             set deleted_at = $1, content = '', schema_name = null, payload = null
             where id = $2 and deleted_at is null"
        ),
        values![now, message],
    )?;
    if rows == 0 {
        return Ok(());
    }
    let data = ChannelMessageDeletedData { channel_id, message_id: message.clone() };
    let id = ctx.id();
    publish(ctx, &id, &data.channel_id, "channel_message_deleted", &data)
}

/// Publishes to the channel's subscribers; its counter stays locked until the transaction ends.
fn publish(
    ctx: &mut Ctx<'_, '_>,
    id: &EventId,
    channel: &ChannelId,
    kind: &str,
    data: &impl serde::Serialize,
) -> Result<()> {
    let stream = channel.as_str();
    let event = Event { id, stream, kind, subject: None, data, relayed: true };
    let seq = outbox::append(ctx, &event)?;
    ctx.effects.affected.push((stream.to_owned(), seq));
    Ok(())
}

/// The message with this id, if `viewer` can read its channel, else 404. Those of suspended and deleted
/// accounts are for moderators, and for who sent them.
pub fn visible_message(
    ctx: &mut Ctx<'_, '_>,
    id: &MessageId,
    viewer: Option<&Account>,
) -> Result<ChannelMessage> {
    let found: Option<Record> = ctx.tx.optional(
        select_messages!(
            "where m.id = $1 and m.deleted_at is null and exists (
                select 1 from channel c
                    left join channel_member v on v.channel = c.id and v.account = $2
                where c.id = m.channel and c.deleted_at is null
                    and (v.account is not null and m.id > coalesce(v.sees_after, '')
                        or c.visibility = 'public' and m.id > coalesce(c.opened_after, '')
                            and ($3 or exists (
                                select 1 from account o
                                where o.id = c.owner and o.deleted_at is null
                                    and o.status <> 'suspended'))))"
        ),
        values![id, viewer.map(|viewer| &viewer.id), viewer.is_some_and(Account::is_moderator)],
    )?;
    let may_read = |record: &Record| {
        let is_theirs = |viewer: &Account| viewer.is_moderator() || viewer.id == record.sender;
        record.is_shown || viewer.is_some_and(is_theirs)
    };
    let found = found.filter(may_read);
    found.ok_or_else(|| Error::not_found("message"))?.into_api()
}

/// A page of a channel's messages that its reader sees, without those of suspended and deleted accounts.
pub fn page(
    ctx: &mut Ctx<'_, '_>,
    channel: &super::Record,
    order: Option<&Order>,
    page: &Page,
) -> Result<ChannelMessagePage> {
    let is_ascending = order == Some(&Order::Asc);
    let (id, from) = (&channel.id, channel.sees_after.as_str());
    let (records, next_cursor) = scan::page(ctx, page, |ctx, after, most| {
        let records: Vec<Record> = if is_ascending {
            ctx.tx.all(
                select_messages!(
                    "where m.channel = $1 and m.id > $2 and m.deleted_at is null
                     order by m.id limit $3"
                ),
                values![id, after.map_or(from, |after| after.max(from)), most],
            )?
        } else {
            ctx.tx.all(
                select_messages!(
                    "where m.channel = $1 and m.id < $2 and m.id > $3 and m.deleted_at is null
                     order by m.id desc limit $4"
                ),
                values![id, after.unwrap_or(ids::LAST), from, most],
            )?
        };
        let step = |record: Record| Step {
            key: record.id.to_string(),
            item: Some(record).filter(|record| record.is_shown),
        };
        Ok(records.into_iter().map(step).collect())
    })?;
    let messages = records.into_iter().map(Record::into_api).collect::<Result<_>>()?;
    Ok(ChannelMessagePage { messages, next_cursor })
}
