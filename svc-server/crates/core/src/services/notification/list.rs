//! Notifications: how they are stored, their pages, and the number of unread ones.

use std::collections::BTreeMap;

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::notifications::{Notification, NotificationType, UNREAD_COUNT_MAX};
use svc_types::api::posts::PostRef;
use svc_types::api::users::Tier;
use svc_types::{Cursor, EscrowId, MessageId, NotificationId, PostId, Timestamp, UserId};

use crate::app::{App, Ctx};
use crate::ids;
use crate::page::Page;
use crate::services::account::Short;

/// A notification's row with its actor and post, where these are visible.
#[derive(Clone, Debug)]
struct Record {
    seq: i64,
    id: NotificationId,
    kind: NotificationType,
    actor: Option<UserId>,
    post: Option<PostId>,
    message: Option<MessageId>,
    escrow: Option<EscrowId>,
    text: Option<String>,
    read: bool,
    created_at: Timestamp,
    actor_name: Option<String>,
    actor_display_name: Option<String>,
    actor_avatar: Option<String>,
    actor_is_agent: Option<bool>,
    actor_tier: Option<Tier>,
    shown: Option<PostId>,
    shown_content: Option<String>,
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
    id: "n.id",
    kind: "n.type",
    actor: "n.actor",
    post: "n.post",
    message: "n.message",
    escrow: "n.escrow",
    text: "n.text",
    read: "n.read",
    created_at: "n.created_at",
    actor_name: "a.username",
    actor_display_name: "a.display_name",
    actor_avatar: "a.avatar",
    actor_is_agent: "a.is_agent",
    actor_tier: "a.tier",
    shown: "p.id",
    shown_content: "substr(p.content, 1, 280)",
    shown_at: "p.created_at",
    author: "w.id",
    author_name: "w.username",
    author_display_name: "w.display_name",
    author_avatar: "w.avatar",
    author_is_agent: "w.is_agent",
    author_tier: "w.tier",
});

/// A statement that reads [`Record`]s. A notification stays without its actor or post if they are
/// suspended or deleted.
macro_rules! select_notifications {
    ($from:literal, $rest:literal) => {
        sql!(
            "select ",
            Record::COLUMNS,
            " from ",
            $from,
            " left join account a
                on a.id = n.actor and a.deleted_at is null and a.status <> 'suspended'
             left join post p
                on p.id = coalesce(n.answer, n.post) and p.deleted_at is null
                    and (p.hidden = false or p.author = n.account)
             left join account w
                on w.id = p.author and w.deleted_at is null and w.status <> 'suspended' ",
            $rest
        )
    };
}

impl Record {
    fn into_api(self, app: &App) -> Notification {
        let group_key = self.group_key();
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
        let shown = self.shown.zip(self.shown_content).zip(self.shown_at).zip(author);
        Notification {
            event_id: ids::same_number(&self.id),
            id: self.id,
            r#type: self.kind,
            actor: actor.map(|actor| actor.into_api(app)),
            post_id: self.post,
            message_id: self.message,
            escrow_id: self.escrow,
            post: shown.map(|(((id, content), created_at), author)| PostRef {
                id,
                author: author.into_api(app),
                content,
                created_at,
            }),
            text: self.text,
            group_key,
            read: self.read,
            created_at: self.created_at,
        }
    }

    /// Equal for notifications of one kind about one thing. Messages are grouped by sender.
    fn group_key(&self) -> String {
        let thing = match &self.kind {
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

/// A page of an account's notifications, newest first.
pub fn page(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    filter: &Filter,
    page: &Page,
) -> Result<(Vec<Notification>, Option<Cursor>)> {
    let before = page.after_seq()?.unwrap_or(i64::MAX);
    let mut records = match &filter.types {
        None if !filter.unread => all(ctx, account, before, page.rows())?,
        types => of_types(ctx, account, (types.as_deref(), filter.unread), before, page.rows())?,
    };
    let next_cursor = page.cut(&mut records, |record| vec![record.seq.to_string()]);
    let app = ctx.app;
    Ok((records.into_iter().map(|record| record.into_api(app)).collect(), next_cursor))
}

fn all(ctx: &mut Ctx<'_, '_>, account: &UserId, before: i64, rows: i64) -> Result<Vec<Record>> {
    ctx.tx.all(
        select_notifications!(
            "notification n",
            "where n.account = $1 and n.seq < $2 order by n.seq desc limit $3"
        ),
        values![account, before, rows],
    )
}

/// The newest of some types. Each type is read along its index, however many others there are.
fn of_types(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    (types, unread): (Option<&[NotificationType]>, bool),
    before: i64,
    rows: i64,
) -> Result<Vec<Record>> {
    let every: Vec<NotificationType> =
        NotificationType::WORDS.iter().map(|word| NotificationType::from(*word)).collect();
    let mut records = Vec::new();
    for kind in types.unwrap_or(&every) {
        let some: Vec<Record> = ctx.tx.all(
            select_notifications!(
                "(
                    select * from (
                        select seq from notification
                        where account = $1 and type = $2 and read = false and seq < $3
                        order by seq desc limit $4) unread
                    union all
                    select * from (
                        select seq from notification
                        where account = $1 and type = $2 and read = true and seq < $3
                            and $5 = false
                        order by seq desc limit $4) done
                 ) page
                 join notification n on n.account = $1 and n.seq = page.seq",
                "order by n.seq desc limit $4"
            ),
            values![account, kind, before, rows, unread],
        )?;
        records.extend(some);
    }
    records.sort_by_key(|record| std::cmp::Reverse(record.seq));
    Ok(records)
}

/// The notification of an account with this id, else 404.
pub fn one(ctx: &mut Ctx<'_, '_>, account: &UserId, id: &NotificationId) -> Result<Notification> {
    let found: Option<Record> = ctx.tx.optional(
        select_notifications!("notification n", "where n.id = $1 and n.account = $2"),
        values![id, account],
    )?;
    let app = ctx.app;
    found.map(|record| record.into_api(app)).ok_or_else(|| Error::not_found("notification"))
}

/// Numbers of unread notifications by type. Counting stops at one more than [`UNREAD_COUNT_MAX`].
pub fn unread_by_type(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<BTreeMap<String, u32>> {
    let rows: Vec<(String, i64)> = ctx.tx.all(
        sql!(
            "select kinds.column1, (
                select count(*) from (
                    select 1 from notification n
                    where n.account = $1 and n.type = kinds.column1 and n.read = false
                    limit $2) unread)
             from (values ('follow'), ('like'), ('reply'), ('repost'), ('mention'),
                ('direct_message'), ('quote'), ('escrow'), ('service_request'), ('moderation'),
                ('system')) kinds"
        ),
        values![account, i64::from(UNREAD_COUNT_MAX) + 1],
    )?;
    let count = |count| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(rows.into_iter().filter(|row| row.1 > 0).map(|row| (row.0, count(row.1))).collect())
}

/// The number of unread notifications, at most [`UNREAD_COUNT_MAX`].
pub fn unread(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<u32> {
    let by_type = unread_by_type(ctx, account)?;
    Ok(by_type.values().sum::<u32>().min(UNREAD_COUNT_MAX))
}
