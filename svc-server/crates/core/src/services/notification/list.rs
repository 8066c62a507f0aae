//! Notifications: how they are stored, and their pages.

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::notifications::{Notification, NotificationType};
use svc_types::api::posts::{PostFormat, PostRef};
use svc_types::api::users::Tier;
use svc_types::{Cursor, EscrowId, EventId, MessageId, NotificationId, PostId, Timestamp, UserId};

use super::{event_of, unread};
use crate::app::{App, Ctx};
use crate::ids;
use crate::page::Page;
use crate::services::account::Short;
use crate::services::outbox;

/// Events that a page scans at most.
const SCANNED_MAX: i64 = 4_000;

/// A notification's row with its actor and post, where these are visible.
#[derive(Clone, Debug)]
struct Record {
    seq: i64,
    event: EventId,
    kind: NotificationType,
    actor: Option<UserId>,
    post: Option<PostId>,
    message: Option<MessageId>,
    escrow: Option<EscrowId>,
    order: Option<MessageId>,
    service_name: Option<String>,
    text: Option<String>,
    read: bool,
    created_at: Timestamp,
    actor_name: Option<String>,
    actor_display_name: Option<String>,
    actor_avatar: Option<String>,
    actor_is_agent: Option<bool>,
    actor_tier: Option<Tier>,
    shown: Option<PostId>,
    shown_warning: Option<String>,
    shown_content: Option<String>,
    shown_format: Option<PostFormat>,
    shown_at: Option<Timestamp>,
    author: Option<UserId>,
    author_name: Option<String>,
    author_display_name: Option<String>,
    author_avatar: Option<String>,
    author_is_agent: Option<bool>,
    author_tier: Option<Tier>,
}
row!(Record {
    seq: "n.seq",
    event: "n.event",
    kind: "n.type",
    actor: "n.actor",
    post: "n.post",
    message: "n.message",
    escrow: "n.escrow",
    order: "coalesce(n.message, (
        select max(q.id) from service_request q where q.escrow = n.escrow and q.escrow is not null
    ))",
    // The services of erased accounts have no name.
    service_name: "(select nullif(s.name, '') from service s where s.id = coalesce(
        (select q.service from service_request q where q.id = n.message),
        (select c.service from escrow c where c.id = n.escrow)
    ))",
    text: "n.text",
    read: "n.read = true or n.seq <= h.read_seq",
    created_at: "n.created_at",
    actor_name: "a.username",
    actor_display_name: "a.display_name",
    actor_avatar: "a.avatar",
    actor_is_agent: "a.is_agent",
    actor_tier: "a.tier",
    shown: "p.id",
    shown_warning: "p.content_warning",
    shown_content: "substr(p.content, 1, 280)",
    shown_format: "p.format",
    shown_at: "p.created_at",
    author: "w.id",
    author_name: "w.username",
    author_display_name: "w.display_name",
    author_avatar: "w.avatar",
    author_is_agent: "w.is_agent",
    author_tier: "w.tier",
});

/// A statement that reads [`Record`]s of listed notifications. A notification stays without its actor
/// or post if they are suspended or deleted.
macro_rules! select_notifications {
    ($rest:literal) => {
        sql!(
            "select ",
            Record::COLUMNS,
            " from account_event n
             join event_head h on h.stream = n.account
             left join account a
                on a.id = n.actor and a.deleted_at is null and a.status <> 'suspended'
             left join post p
                on p.id = coalesce(n.answer, n.post) and p.deleted_at is null
                    and (p.hidden = false or p.author = n.account)
             left join account w
                on w.id = p.author and w.deleted_at is null and w.status <> 'suspended'
             where n.listed = true and ",
            $rest
        )
    };
}

impl Record {
    fn into_api(self, app: &App) -> Notification {
        let group_key = self.group_key();
        let is_message = self.kind == NotificationType::DirectMessage;
        let message_id = self.message.or_else(|| is_message.then(|| ids::same_number(&self.event)));
        let actor = short(
            self.actor,
            self.actor_name,
            self.actor_display_name,
            self.actor_avatar,
            self.actor_is_agent.zip(self.actor_tier),
        );
        let author = short(
            self.author,
            self.author_name,
            self.author_display_name,
            self.author_avatar,
            self.author_is_agent.zip(self.author_tier),
        );
        let text = self.shown_content.zip(self.shown_format);
        let shown = self.shown.zip(text).zip(self.shown_at).zip(author);
        Notification {
            id: ids::same_number(&self.event),
            event_id: self.event,
            r#type: self.kind,
            actor: actor.map(|actor| actor.into_api(app)),
            post_id: self.post,
            message_id,
            escrow_id: self.escrow,
            order_id: self.order,
            service_name: self.service_name,
            post: shown.map(|(((id, (content, format)), created_at), author)| PostRef {
                id,
                author: author.into_api(app),
                content_warning: self.shown_warning,
                content,
                format,
                created_at,
            }),
            text: self.text,
            group_key,
            read: self.read,
            created_at: self.created_at,
        }
    }

    /// Equal for notifications of one kind about one thing. Messages are grouped by sender. What is
    /// told about the account itself is never grouped: each of these texts says something else.
    fn group_key(&self) -> String {
        let thing = match &self.kind {
            NotificationType::Billing
            | NotificationType::Moderation
            | NotificationType::Security
            | NotificationType::System => Some(self.event.as_str()),
            NotificationType::DirectMessage => self.actor.as_ref().map(UserId::as_str),
            NotificationType::Escrow => self.escrow.as_ref().map(EscrowId::as_str),
            NotificationType::ServiceRequest => self.message.as_ref().map(MessageId::as_str),
            _ => self.post.as_ref().map(PostId::as_str),
        };
        thing.map_or_else(|| self.kind.to_string(), |thing| format!("{}:{thing}", self.kind))
    }
}

fn short(
    id: Option<UserId>,
    username: Option<String>,
    display_name: Option<String>,
    avatar: Option<String>,
    kind: Option<(bool, Tier)>,
) -> Option<Short> {
    let (is_agent, tier) = kind?;
    let (id, username, display_name) = (id?, username?, display_name?);
    Some(Short { id, username, display_name, avatar, is_agent, tier })
}

/// Selects notifications.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Only those of these types.
    pub types: Option<Vec<NotificationType>>,
    /// Only unread ones.
    pub unread: bool,
}

/// A page of an account's notifications, newest first. It is short when those that the filter omits
/// are many; the next page goes on behind them.
pub fn page(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    filter: &Filter,
    page: &Page,
) -> Result<(Vec<Notification>, Option<Cursor>)> {
    if filter.unread && unread::of_types(ctx, account, filter.types.as_deref())?.is_empty() {
        return Ok((Vec::new(), None));
    }
    let head = outbox::head(ctx, account)?;
    let before = page.after_seq()?.unwrap_or(i64::MAX).min(head.last + 1);
    let read = if filter.unread { head.read } else { 0 };
    // Numbers have no gaps: a range of them bounds how many rows are scanned.
    let after = before.saturating_sub(SCANNED_MAX + 1).max(read);
    let types = filter.types.as_ref().map(|types| words(types));
    let mut records: Vec<Record> = ctx.tx.all(
        select_notifications!(
            "n.account = $1 and n.seq < $2 and n.seq > $3 and ($4 = false or n.read = false)
                and (cast($5 as text) is null
                    or $5 like '%,' || replace(n.type, '_', '\\_') || ',%' escape '\\')
             order by n.seq desc limit $6"
        ),
        values![account, before, after, filter.unread, types, page.rows()],
    )?;
    let next_cursor = match page.cut(&mut records, |record| vec![record.seq.to_string()]) {
        None if after > read => {
            let next = newest(ctx, account, read, after)?;
            next.map(|seq| page.cursor(&[(seq + 1).to_string()]))
        }
        next_cursor => next_cursor,
    };
    let app = ctx.app;
    Ok((records.into_iter().map(|record| record.into_api(app)).collect(), next_cursor))
}

/// Types between commas.
fn words(types: &[NotificationType]) -> String {
    let words: Vec<&str> = types.iter().map(NotificationType::as_str).collect();
    format!(",{},", words.join(","))
}

/// The largest number of an event of the account after one and up to another.
fn newest(ctx: &mut Ctx<'_, '_>, account: &UserId, after: i64, to: i64) -> Result<Option<i64>> {
    ctx.tx.one(
        sql!("select max(seq) from account_event where account = $1 and seq > $2 and seq <= $3"),
        values![account, after, to],
    )
}

/// The notification of an account with this id, else 404.
pub fn one(ctx: &mut Ctx<'_, '_>, account: &UserId, id: &NotificationId) -> Result<Notification> {
    let found: Option<Record> = ctx.tx.optional(
        select_notifications!("n.event = $1 and n.account = $2"),
        values![event_of(id), account],
    )?;
    let app = ctx.app;
    found.map(|record| record.into_api(app)).ok_or_else(|| Error::not_found("notification"))
}
