//! Subjects of reports and moderation actions: lookup, owner, and lock.

use serde::Serialize;
use serde_json::{Map, Value};
use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::reports::{Subject, SubjectType};
use svc_types::api::users::Role;
use svc_types::{ChannelId, MessageId, PostId, ReviewId, UserId};

use super::{account, channel, message, post, review, service, visibility};
use crate::app::Ctx;
use crate::identity::Account;
use crate::select_services;

/// A subject that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its type.
    pub kind: SubjectType,
    /// Its id.
    pub id: String,
    /// Its owner; the owner of an account is the account itself.
    pub owner: UserId,
    /// The role of its owner.
    pub role: Role,
    /// The person behind its owner: the owner of an agent that has one, otherwise the account itself.
    pub person: UserId,
}

impl Found {
    /// The subject as the API returns it.
    pub fn to_api(&self) -> Subject {
        Subject::new(self.kind.clone(), &self.id)
    }
}

struct Owned {
    id: String,
    owner: UserId,
    role: Role,
    person: UserId,
}
row!(Owned { id, owner, role, person });

/// What `viewer` sees of a subject that they report, else 404.
pub fn snapshot(ctx: &mut Ctx<'_, '_>, subject: &Subject, viewer: &Account) -> Result<Snapshot> {
    let found = match &subject.kind {
        SubjectType::User => user_snapshot(ctx, &subject.id, viewer),
        SubjectType::Post => post_snapshot(ctx, &subject.id, viewer),
        SubjectType::Message => message_snapshot(ctx, &subject.id, viewer),
        SubjectType::Channel => channel_snapshot(ctx, &subject.id, viewer),
        SubjectType::ChannelMessage => channel_message_snapshot(ctx, &subject.id, viewer),
        SubjectType::Service => service_snapshot(ctx, &subject.id, viewer),
        SubjectType::Review => review_snapshot(ctx, &subject.id, viewer),
        other => Err(Error::not_found(other.as_str())),
    };
    found.map_err(|error| error.about("/subject/id"))
}

/// The owner of a subject, its id and what it looks like.
pub type Snapshot = (UserId, String, Map<String, Value>);

fn user_snapshot(ctx: &mut Ctx<'_, '_>, handle: &str, viewer: &Account) -> Result<Snapshot> {
    let record = account::find_visible(ctx, handle, Some(viewer))?;
    let (owner, id) = (record.id.clone(), record.id.to_string());
    Ok((owner, id, object(&record.public(ctx.app))?))
}

fn post_snapshot(ctx: &mut Ctx<'_, '_>, id: &str, viewer: &Account) -> Result<Snapshot> {
    let record = post::visible(ctx, &PostId::from(id), Some(viewer))?;
    let (owner, id) = (record.author.clone(), record.id.to_string());
    Ok((owner, id, object(&post::to_api(ctx, None, record)?)?))
}

/// Only its parties know of a message, and moderators see no access token in it.
fn message_snapshot(ctx: &mut Ctx<'_, '_>, id: &str, viewer: &Account) -> Result<Snapshot> {
    let record = message::of_party(ctx, &MessageId::from(id), &viewer.id)?;
    let record = message::for_moderators(record)?;
    let (owner, id) = (record.sender.clone(), record.id.to_string());
    Ok((owner, id, object(&record.into_api(ctx.now())?)?))
}

/// Only members know of a private channel.
fn channel_snapshot(ctx: &mut Ctx<'_, '_>, id: &str, viewer: &Account) -> Result<Snapshot> {
    let record = channel::visible(ctx, &ChannelId::from(id), Some(viewer))?;
    let (owner, id) = (record.owner.id.clone(), record.id.to_string());
    Ok((owner, id, object(&record.into_api(ctx.app, None))?))
}

/// A message in a channel is known to everyone who can read the channel. Moderators see no access token in it.
fn channel_message_snapshot(ctx: &mut Ctx<'_, '_>, id: &str, viewer: &Account) -> Result<Snapshot> {
    let message = channel::visible_message(ctx, &MessageId::from(id), Some(viewer))?;
    let (owner, id) = (message.sender.id.clone(), message.message_id.to_string());
    let mut snapshot = object(&message)?;
    if let Some(payload) = snapshot.get_mut("payload") {
        message::without_tokens(payload);
    }
    Ok((owner, id, snapshot))
}

/// An inactive service can be reported, because buyers still know it.
fn service_snapshot(ctx: &mut Ctx<'_, '_>, id: &str, viewer: &Account) -> Result<Snapshot> {
    let found: Option<service::Record> = ctx
        .tx
        .optional(select_services!("where s.id = $1 and s.deleted_at is null"), values![id])?;
    let record = found.ok_or_else(|| Error::not_found("service"))?;
    let bot = account::find_visible(ctx, record.bot.as_str(), Some(viewer))
        .map_err(|_| Error::not_found("service"))?;
    let (owner, id) = (record.bot.clone(), record.id.to_string());
    let mut snapshot = object(&record.reported()?)?;
    snapshot.insert("username".to_owned(), bot.username.into());
    Ok((owner, id, snapshot))
}

/// A review is shown where its bot is.
fn review_snapshot(ctx: &mut Ctx<'_, '_>, id: &str, viewer: &Account) -> Result<Snapshot> {
    let not_found = || Error::not_found("review");
    let record = review::find(ctx, &ReviewId::from(id))?.ok_or_else(not_found)?;
    let bot = account::find_visible(ctx, record.bot.as_str(), Some(viewer));
    let username = bot.map_err(|_| not_found())?.username;
    let (owner, id) = (record.buyer.clone(), record.id.to_string());
    let mut snapshot = object(&record.into_api()?)?;
    snapshot.insert("username".to_owned(), username.into());
    Ok((owner, id, snapshot))
}

fn object(thing: &impl Serialize) -> Result<Map<String, Value>> {
    match serde_json::to_value(thing).map_err(Error::internal)? {
        Value::Object(object) => Ok(object),
        _ => Err(Error::internal("a snapshot is no object")),
    }
}

/// The subject of an action, else 404.
pub fn find(ctx: &mut Ctx<'_, '_>, subject: &Subject) -> Result<Found> {
    let found = match &subject.kind {
        SubjectType::User => account::find(ctx, &subject.id)?.map(|record| Owned {
            id: record.id.to_string(),
            role: record.role().clone(),
            person: record.person().clone(),
            owner: record.id,
        }),
        kind => owner(ctx, kind, &subject.id)?,
    };
    found_as(&subject.kind, found)
}

/// The subject of a measure, by its id and even if it is deleted; else 404.
pub fn find_stored(ctx: &mut Ctx<'_, '_>, subject: &Subject) -> Result<Found> {
    let found = owner(ctx, &subject.kind, &subject.id)?;
    found_as(&subject.kind, found)
}

fn found_as(kind: &SubjectType, found: Option<Owned>) -> Result<Found> {
    let Owned { id, owner, role, person } = found.ok_or_else(|| not_found(kind))?;
    Ok(Found { kind: kind.clone(), id, owner, role, person })
}

/// 404 for a message that this moderator does not know of: it was not reported, they did not receive
/// it, and they can't read its channel.
pub fn refuse_unknown_message(
    ctx: &mut Ctx<'_, '_>,
    subject: &Found,
    moderator: &UserId,
) -> Result<()> {
    let sql = match subject.kind {
        SubjectType::Message => sql!(
            "select 1 from message m where m.id = $1
                and (m.recipient = $2 or exists (select 1 from report r where r.subject = m.id))"
        ),
        SubjectType::ChannelMessage => sql!(
            "select 1 from channel_message m join channel c on c.id = m.channel
             where m.id = $1 and (c.visibility = 'public' and m.id > coalesce(c.opened_after, '')
                or exists (
                    select 1 from channel_member v where v.channel = c.id and v.account = $2
                        and m.id > coalesce(v.sees_after, ''))
                or exists (select 1 from report r where r.subject = m.id))"
        ),
        _ => return Ok(()),
    };
    let known: Option<i64> = ctx.tx.optional(sql, values![subject.id, moderator])?;
    known.map(|_| ()).ok_or_else(|| not_found(&subject.kind))
}

/// What texts call a subject of this type.
pub fn noun(kind: &SubjectType) -> &str {
    match kind {
        SubjectType::ChannelMessage => "message",
        kind => kind.as_str(),
    }
}

fn not_found(kind: &SubjectType) -> Error {
    Error::not_found(noun(kind)).about("/subject/id")
}

fn owner(ctx: &mut Ctx<'_, '_>, kind: &SubjectType, id: &str) -> Result<Option<Owned>> {
    let sql = match kind {
        SubjectType::User => sql!(
            "select a.id, a.id, a.role, coalesce(a.owner, a.id) from account a where a.id = $1"
        ),
        SubjectType::Post => sql!(
            "select p.id, a.id, a.role, coalesce(a.owner, a.id)
             from post p join account a on a.id = p.author
             where p.id = $1"
        ),
        SubjectType::Message => sql!(
            "select m.id, a.id, a.role, coalesce(a.owner, a.id)
             from message m join account a on a.id = m.sender
             where m.id = $1"
        ),
        SubjectType::Channel => sql!(
            "select c.id, a.id, a.role, coalesce(a.owner, a.id)
             from channel c join account a on a.id = c.owner
             where c.id = $1"
        ),
        SubjectType::ChannelMessage => sql!(
            "select m.id, a.id, a.role, coalesce(a.owner, a.id)
             from channel_message m join account a on a.id = m.sender
             where m.id = $1"
        ),
        SubjectType::Service => sql!(
            "select s.id, a.id, a.role, coalesce(a.owner, a.id)
             from service s join account a on a.id = s.bot
             where s.id = $1"
        ),
        SubjectType::Review => sql!(
            "select w.id, a.id, a.role, coalesce(a.owner, a.id)
             from review w join account a on a.id = w.buyer
             where w.id = $1"
        ),
        _ => return Ok(None),
    };
    ctx.tx.optional(sql, values![id])
}

/// Locks a subject until the transaction ends; the row of its owner first, as everywhere.
pub fn lock(ctx: &mut Ctx<'_, '_>, subject: &Found) -> Result<()> {
    if subject.kind == SubjectType::User {
        return visibility::lock_account(ctx, &subject.owner);
    }
    account::lock(ctx, &subject.owner)?;
    let sql = match subject.kind {
        SubjectType::Post => sql!("select id from post where id = $1 for no key update"),
        SubjectType::Message => sql!("select id from message where id = $1 for no key update"),
        SubjectType::Channel => sql!("select id from channel where id = $1 for no key update"),
        // Messages change under the lock of their channel.
        SubjectType::ChannelMessage => sql!(
            "select id from channel
             where id = (select channel from channel_message where id = $1) for no key update"
        ),
        SubjectType::Review => sql!("select id from review where id = $1 for no key update"),
        _ => sql!("select id from service where id = $1 for no key update"),
    };
    ctx.tx.lock(sql, values![subject.id])
}
