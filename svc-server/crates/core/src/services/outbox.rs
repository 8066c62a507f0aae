//! What happened to accounts and in channels: each event is written in the transaction of its cause.
//!
//! An event is stored once, as the bytes of its body, and numbered without gaps per account and per
//! channel.

use serde::Serialize;
use serde_json::{Map, Value as Json};
use svc_store::db::Value;
use svc_store::error::{Error, Result};
use svc_store::trace::Trace;
use svc_store::{returning, row, sql, values};
use svc_types::{EventId, Timestamp, UserId};

use crate::app::Ctx;
use crate::effects::LiveEvent;
use crate::ids;
use crate::services::wrong_clock;

/// An event of one account or channel.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a, T> {
    /// Its id.
    pub id: &'a EventId,
    /// Whose it is: the id of an account or a channel.
    pub stream: &'a str,
    /// Its kind.
    pub kind: &'a str,
    /// The action that caused it, for the audit and to notify once.
    pub subject: Option<&'a str>,
    /// What its body says about it.
    pub data: &'a T,
    /// Whether it is published by MQTT.
    pub relayed: bool,
}

#[derive(Serialize)]
struct Body<'a, T> {
    event: &'a str,
    timestamp: Timestamp,
    data: &'a T,
}

/// Numbers of an account's events.
#[derive(Clone, Copy, Debug, Default)]
pub struct Head {
    /// Of the latest event; 0 if there is none.
    pub last: i64,
    /// Up to this number, events have been swept.
    pub swept: i64,
    /// Up to this number, every notification is read.
    pub read: i64,
}
row!(Head { last: "last_seq", swept: "swept_seq", read: "read_seq" });

/// The number of the latest event of a stream; 0 if there is none.
pub fn last_seq(ctx: &mut Ctx<'_, '_>, stream: &str) -> Result<i64> {
    let sql = sql!("select last_seq from event_head where stream = $1");
    Ok(ctx.tx.optional(sql, values![stream])?.unwrap_or_default())
}

/// The numbers of an account's events.
pub fn head(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Head> {
    let sql = sql!("select ", Head::COLUMNS, " from event_head where stream = $1");
    Ok(ctx.tx.optional(sql, values![account])?.unwrap_or_default())
}

/// The same, locked: the account is not notified until the transaction ends.
pub fn lock_head(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Head> {
    let sql = sql!("select stream from event_head where stream = $1 for update");
    ctx.tx.lock(sql, values![account])?;
    head(ctx, account)
}

/// The bytes that are stored, published, and carried by webhooks.
fn body(kind: &str, timestamp: Timestamp, data: &impl Serialize) -> Result<String> {
    serde_json::to_string(&Body { event: kind, timestamp, data }).map_err(Error::internal)
}

/// Such bytes after a change of their data.
pub fn with_data(body: &str, change: impl FnOnce(&mut Json)) -> Result<String> {
    let mut members: Map<String, Json> = serde_json::from_str(body).map_err(Error::internal)?;
    if let Some(data) = members.get_mut("data") {
        change(data);
    }
    serde_json::to_string(&members).map_err(Error::internal)
}

/// The row of an event.
pub const INSERT: &str = "insert into event (id, stream, seq, kind, subject, body, created_at,
        relayed_at, trace)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// An event with its number, of which the row is missing.
#[derive(Clone, Debug)]
pub struct Numbered<'a> {
    /// Its id.
    pub id: &'a EventId,
    stream: &'a str,
    /// Its number in the stream.
    pub seq: i64,
    kind: &'a str,
    subject: Option<&'a str>,
    body: String,
    /// Its time.
    pub at: Timestamp,
    relayed_at: Option<Timestamp>,
    trace: Option<Trace>,
}

impl Numbered<'_> {
    /// The values of [`INSERT`].
    pub fn values(&self) -> [Value<'_>; 9] {
        *values![
            self.id,
            self.stream,
            self.seq,
            self.kind,
            self.subject,
            self.body,
            self.at,
            self.relayed_at,
            self.trace
        ]
    }
}

/// Writes an event; returns its number in the stream.
pub fn append<T: Serialize>(ctx: &mut Ctx<'_, '_>, event: &Event<'_, T>) -> Result<i64> {
    let event = number(ctx, event)?;
    ctx.tx.write(sql!(INSERT), &event.values())?;
    Ok(event.seq)
}

/// Numbers an event, whose row the caller inserts. The stream's counter stays locked until the
/// transaction ends, so that nobody sees a number before a smaller one.
pub fn number<'a, T: Serialize>(
    ctx: &mut Ctx<'_, '_>,
    event: &Event<'a, T>,
) -> Result<Numbered<'a>> {
    let (now, far) = (ctx.now(), wrong_clock::far_ahead(ctx.now()));
    let Event { id, stream, kind, subject, .. } = *event;
    // A transaction that began earlier may be numbered later; its event gets the time of the one before, unless a clock
    // that was far ahead gave that.
    let (seq, at): (i64, Timestamp) = ctx.tx.one_returning(
        returning!(
            "insert into event_head (stream, last_seq, last_at) values ($1, 1, $2)
             on conflict (stream) do update set last_seq = event_head.last_seq + 1,
                last_at = case when event_head.last_at > excluded.last_at
                    and event_head.last_at < $3
                    then event_head.last_at else excluded.last_at end",
            "last_seq, last_at",
            "event_head where stream = $1",
        ),
        values![stream, now, far],
        values![stream],
    )?;
    let body = body(kind, at, event.data)?;
    ctx.event_bytes += body.len();
    // What is not to be relayed counts as relayed.
    let is_relayed = event.relayed && ctx.app.relays();
    if is_relayed {
        announce(ctx, id, stream, seq, kind, &body);
    }
    let relayed_at = (!is_relayed).then_some(now);
    let trace = ctx.trace.clone();
    Ok(Numbered { id, stream, seq, kind, subject, body, at, relayed_at, trace })
}

/// Members of an event's data that its author chose, besides the text, and that may be absent.
const CHOSEN: [&str; 5] = ["contentWarning", "schema", "payload", "attachments", "clientMessageId"];

/// Takes the text out of an event whose post or message is gone, and what else its author chose. Lists, streams and
/// webhooks would show it for days. The event stays: events are numbered without gaps.
pub fn empty(ctx: &mut Ctx<'_, '_>, id: &EventId, body: &str) -> Result<()> {
    ctx.event_bytes += body.len();
    let sql = sql!("update event set body = $1 where id = $2");
    ctx.tx.execute(sql, values![without_text(body)?, id]).map(drop)
}

/// That moderators hide the post or message whose text an event `e` has, or that the author of the post is suspended or
/// deleted. It may be shown again, so the event keeps the text, and lists, streams and webhooks leave it out meanwhile.
/// A message stays readable in its conversation whatever becomes of its sender.
pub const IS_HIDDEN: &str = "(e.kind = 'direct_message' and exists (
        select 1 from message m where m.id = 'msg_' || substr(e.id, 5) and m.hidden = true)
    or e.kind in ('mention', 'quote', 'reply') and exists (
        select 1 from post p join account author on author.id = p.author
        where p.id = e.subject and (p.hidden = true or author.status = 'suspended'
            or author.deleted_at is not null)))";

/// That a channel no longer shows the message of an event `e`.
pub const IS_GONE_FROM_CHANNEL: &str = "(e.kind = 'channel_message' and not exists (
        select 1 from channel_message m join account sender on sender.id = m.sender
        where m.id = 'msg_' || substr(e.id, 5) and m.deleted_at is null
            and sender.status <> 'suspended' and sender.deleted_at is null))";

/// The body of an event without the text.
pub fn without_text(body: &str) -> Result<String> {
    with_data(body, |data| {
        if let Some(data) = data.as_object_mut() {
            data.insert("content".to_owned(), Json::String(String::new()));
            for name in CHOSEN {
                data.remove(name);
            }
        }
    })
}

/// The stream of all posts.
pub const GLOBAL_FEED: &str = "feed/global";

/// Writes an event for subscribers of the global feed; nothing when no node has a broker. It has
/// no counter, whose row all posts would wait for: its number comes from its id, and is not published.
pub fn append_for_all(ctx: &mut Ctx<'_, '_>, id: &EventId, kind: &str, data: &Json) -> Result<()> {
    if !ctx.app.relays() {
        return Ok(());
    }
    let (seq, now) = (ids::number(id.as_str()), ctx.now());
    let body = body(kind, now, data)?;
    ctx.event_bytes += body.len();
    ctx.tx.write(
        sql!(
            "insert into event (id, stream, seq, kind, body, created_at, trace)
             values ($1, $2, $3, $4, $5, $6, $7)"
        ),
        values![id, GLOBAL_FEED, seq, kind, body, now, ctx.trace],
    )?;
    announce(ctx, id, GLOBAL_FEED, seq, kind, &body);
    Ok(())
}

/// Hands an event to the relay after the commit.
fn announce(ctx: &mut Ctx<'_, '_>, id: &EventId, stream: &str, seq: i64, kind: &str, body: &str) {
    let (id, stream) = (id.clone(), stream.to_owned());
    let (kind, body) = (kind.to_owned(), body.to_owned());
    let trace = ctx.trace.clone();
    ctx.effects.events.push(LiveEvent { id, stream, seq, kind, body, trace });
}
