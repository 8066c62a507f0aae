//! Notifications: the one way to an event of an account and its entry in the list.
//!
//! One act may notify several accounts, each with its own text. An account is notified once, with the
//! text that comes first; credits are reported besides. [`notify`] is the last thing a transaction does.

mod data;
pub mod list;
pub mod preferences;
pub mod read;
mod text;
pub mod unread;
mod wanted;

pub use data::Data;

use svc_store::db::Together;
use svc_store::error::Result;
use svc_store::{together, values};
use svc_types::api::notifications::NotificationType;
use svc_types::{EscrowId, EventId, Id, MessageId, NotificationId, PostId, Scope, UserId};

use self::wanted::Wanted;
use super::outbox::{self, Event, Numbered};
use super::webhook::{self, Listener};
use crate::app::Ctx;
use crate::identity::Account;
use crate::ids;

/// Whether the caller has notifications of this type: a key that may not read messages has none of
/// them.
pub fn may_read(caller: &Account, kind: &NotificationType) -> bool {
    *kind != NotificationType::DirectMessage || caller.scopes.contains(&Scope::Dm)
}

/// A notification of one account.
#[derive(Clone, Debug)]
pub struct NewNotification<'a> {
    to: &'a UserId,
    data: Data<'a>,
    thread: Option<&'a PostId>,
    subject: Option<&'a str>,
    escrow: Option<&'a EscrowId>,
}

impl<'a> NewNotification<'a> {
    /// A notification of this account.
    pub const fn new(to: &'a UserId, data: Data<'a>) -> Self {
        Self { to, data, thread: None, subject: None, escrow: None }
    }

    /// It happened in the thread of this top-level post, which the account may have muted.
    #[must_use]
    pub fn in_thread(self, root: &'a PostId) -> Self {
        Self { thread: Some(root), ..self }
    }

    /// The name of the act, for the audit.
    #[must_use]
    pub fn of(self, subject: &'a str) -> Self {
        Self { subject: Some(subject), ..self }
    }

    /// The escrow that words of the system are about.
    #[must_use]
    pub fn about(self, escrow: &'a EscrowId) -> Self {
        Self { escrow: Some(escrow), ..self }
    }
}

/// Notifies accounts of an act of `actor`; of the clock when there is none. The accounts' counters are
/// locked in the order of their ids.
///
/// No account is notified of its own actions, of accounts that it blocks or mutes or that block it, of
/// threads that it muted, or against its preferences; money, moderation and the system reach every
/// account, but whether an order may be a sample does not. The messages of an order reach every account that
/// has not blocked the sender, and is not blocked. A follow, like or repost that is undone and repeated
/// within a day notifies once. A message in a muted conversation is an event without a notification, since
/// it does not count as unread. An event is written when the account wants to be notified in any way; about
/// money and the messages of orders always.
pub fn notify(
    ctx: &mut Ctx<'_, '_>,
    actor: Option<&UserId>,
    notifications: Vec<NewNotification<'_>>,
) -> Result<()> {
    for accepted in accept(ctx, actor, notifications)? {
        write(ctx, actor, &accepted)?;
    }
    Ok(())
}

/// Notifies the sender of a message that moderators took it from this recipient, whose own notification
/// of it is deleted. The counters of both are locked in the order of their ids.
pub fn notify_of_taken(
    ctx: &mut Ctx<'_, '_>,
    notification: NewNotification<'_>,
    recipient: &UserId,
    message: &MessageId,
) -> Result<()> {
    let is_first = recipient < notification.to;
    let accepted = accept(ctx, None, vec![notification])?;
    if is_first {
        read::forget_message(ctx, recipient, message)?;
    }
    for accepted in accepted {
        write(ctx, None, &accepted)?;
    }
    if is_first { Ok(()) } else { read::forget_message(ctx, recipient, message) }
}

/// A notification that its account wants, with the webhooks that get it.
struct Accepted<'a> {
    notification: NewNotification<'a>,
    wanted: Wanted,
    listeners: Vec<Listener>,
}

/// The notifications that are wanted, by account, with their webhooks locked.
fn accept<'a>(
    ctx: &mut Ctx<'_, '_>,
    actor: Option<&UserId>,
    notifications: Vec<NewNotification<'a>>,
) -> Result<Vec<Accepted<'a>>> {
    let mut accepted: Vec<(NewNotification<'a>, Wanted)> = Vec::with_capacity(notifications.len());
    for notification in notifications {
        let is_repeated = |(other, _): &(NewNotification<'_>, Wanted)| {
            other.to == notification.to && !other.data.is_exempt() && !notification.data.is_exempt()
        };
        if actor == Some(notification.to) || accepted.iter().any(is_repeated) {
            continue;
        }
        if let Some(wanted) = wanted::ask(ctx, actor, &notification)? {
            accepted.push((notification, wanted));
        }
    }
    accepted.sort_by(|(a, _), (b, _)| a.to.cmp(b.to));
    let with_listeners = accepted.into_iter().map(|(notification, wanted)| {
        let listeners = listeners(ctx, &notification, wanted);
        listeners.map(|listeners| Accepted { notification, wanted, listeners })
    });
    with_listeners.collect()
}

/// The webhooks that get it. They are locked before any counter, because what changes a webhook
/// may notify its account.
fn listeners(
    ctx: &mut Ctx<'_, '_>,
    notification: &NewNotification<'_>,
    wanted: Wanted,
) -> Result<Vec<Listener>> {
    if wanted.webhook {
        webhook::listeners(ctx, notification.to, notification.data.event())
    } else {
        Ok(vec![])
    }
}

/// Writes the event, its deliveries and its entry in the account's list.
fn write(ctx: &mut Ctx<'_, '_>, actor: Option<&UserId>, accepted: &Accepted<'_>) -> Result<()> {
    let Accepted { notification, wanted, listeners } = accepted;
    let data = &notification.data;
    // The notification of a message has the message's number, so that reading the message finds it.
    let id: EventId = match data {
        Data::DirectMessage(message) => ids::same_number(&message.message_id),
        _ => ctx.id(),
    };
    let once = data.once();
    let event = Event {
        id: &id,
        stream: notification.to.as_str(),
        kind: data.event(),
        subject: once.as_deref().or(notification.subject),
        data,
        relayed: wanted.mqtt,
    };
    let event = outbox::number(ctx, &event)?;
    ctx.effects.affected.push((notification.to.to_string(), event.seq));
    insert(ctx, actor, notification, &event, wanted.in_app)?;
    webhook::deliver(ctx, listeners, event.id, data.event(), event.seq)
}

/// The event of a notification, which has the same number; none for the id of anything else.
fn event_of(id: &NotificationId) -> EventId {
    let number = id.as_str().strip_prefix(NotificationId::PREFIX).unwrap_or_default();
    EventId::from(format!("{}{number}", EventId::PREFIX))
}

/// The entry of an account's list of events.
const ENTRY: &str =
    "insert into account_event (account, seq, event, type, listed, read, actor, post, answer,
        message, escrow, text, created_at)
    values ($1, $2, $3, $4, $5, false, $6, $7, $8, $9, $10, $11, $12)";

/// An event that is a notification too, and one that is not.
const LISTED: Together<3> = together!(outbox::INSERT, ENTRY, unread::ADD);
const UNLISTED: Together<2> = together!(outbox::INSERT, ENTRY);

/// Inserts an event and its entry; if it is listed, it counts as unread.
fn insert(
    ctx: &mut Ctx<'_, '_>,
    actor: Option<&UserId>,
    notification: &NewNotification<'_>,
    event: &Numbered<'_>,
    is_listed: bool,
) -> Result<()> {
    let (to, kind) = (notification.to, notification.data.kind());
    let about = notification.data.about();
    let escrow = about.escrow.or(notification.escrow);
    let text = notification.data.text().filter(|_| is_listed);
    let entry = values![
        to,
        event.seq,
        event.id,
        kind,
        is_listed,
        actor,
        about.post,
        about.answer,
        about.message,
        escrow,
        text,
        event.at
    ];
    if is_listed {
        ctx.tx.write_together(LISTED, [&event.values(), entry, values![to, kind]])
    } else {
        ctx.tx.write_together(UNLISTED, [&event.values(), entry])
    }
}
