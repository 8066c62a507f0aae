//! Marks notifications as read, on request or with their subject, and removes them from the list.
//!
//! Marking takes the lock under which the account is notified, so that counts stay exact.

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::notifications::{
    NotificationType, NotificationsRead, READ_IDS_MAX, ReadNotifications,
};
use svc_types::{ConversationId, MessageId, NotificationId, PostId, UserId};

use super::{event_of, may_read, unread};
use crate::app::Ctx;
use crate::identity::Account;
use crate::ids;
use crate::services::outbox;

/// The newest events of an account among which those about a post are looked for.
const OF_POST_MAX: i64 = 10_000;

/// Whether the notification with this id, if there is one, is of a type that the caller may read.
pub fn is_readable(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &NotificationId) -> Result<bool> {
    if may_read(caller, &NotificationType::DirectMessage) {
        return Ok(true);
    }
    let sql =
        sql!("select type from account_event where event = $1 and account = $2 and listed = true");
    let kind: Option<NotificationType> = ctx.tx.optional(sql, values![event_of(id), caller.id])?;
    Ok(kind.is_none_or(|kind| may_read(caller, &kind)))
}

/// Marks the notifications that a request selects. Those that the caller may not read are not counted:
/// they are left alone where the request names them by id, and read with all others where it does not.
pub fn mark(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ReadNotifications,
) -> Result<NotificationsRead> {
    let is_all = request.all.filter(|all| *all);
    let marked = match (&request.ids, &request.up_to, &request.post_id, is_all) {
        (Some(ids), None, None, None) => mark_each(ctx, caller, ids)?,
        (None, Some(last), None, None) => mark_up_to(ctx, caller, last)?,
        (None, None, Some(post), None) => mark_of_post(ctx, &caller.id, post)?,
        (None, None, None, Some(_)) => mark_all(ctx, caller)?,
        _ => {
            let message = "exactly one of ids, upTo, postId and all (true) must be given";
            return Err(Error::invalid("ids", message));
        }
    };
    Ok(NotificationsRead { marked, unread_count: unread::total(ctx, caller)? })
}

/// Marks the notifications with these ids that the caller may read.
fn mark_each(ctx: &mut Ctx<'_, '_>, caller: &Account, ids: &[NotificationId]) -> Result<u64> {
    if ids.is_empty() || ids.len() > READ_IDS_MAX {
        let message = format!("ids must be 1 to {READ_IDS_MAX} ids");
        return Err(Error::invalid("ids", message));
    }
    let mut marked = 0;
    for id in ids {
        if is_readable(ctx, caller, id)? {
            marked += mark_one(ctx, &caller.id, id)?;
        }
    }
    Ok(marked)
}

/// Marks all notifications; returns how many that the caller may read were unread.
fn mark_all(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<u64> {
    let account = &caller.id;
    let head = outbox::lock_head(ctx, account)?;
    let reads_messages = may_read(caller, &NotificationType::DirectMessage);
    let unread: i64 = ctx.tx.one(
        sql!(
            "select cast(coalesce(sum(unread), 0) as bigint) from notification_count
             where account = $1 and ($2 or type <> 'direct_message')"
        ),
        values![account, reads_messages],
    )?;
    set_read(ctx, account, head.last)?;
    let sql = sql!("update notification_count set unread = 0 where account = $1 and unread > 0");
    ctx.tx.write(sql, values![account])?;
    Ok(unread.unsigned_abs())
}

/// Marks a notification and all older ones; returns how many that the caller may read were unread. Each
/// is counted once, however often this is called.
fn mark_up_to(ctx: &mut Ctx<'_, '_>, caller: &Account, last: &NotificationId) -> Result<u64> {
    let account = &caller.id;
    let missing = || Error::not_found("notification").about("upTo");
    if !is_readable(ctx, caller, last)? {
        return Err(missing());
    }
    let sql =
        sql!("select seq from account_event where event = $1 and account = $2 and listed = true");
    let found = ctx.tx.optional(sql, values![event_of(last), account])?;
    let last: i64 = found.ok_or_else(missing)?;
    let head = outbox::lock_head(ctx, account)?;
    let counts: Vec<(String, i64)> = ctx.tx.all(
        sql!(
            "select type, count(*) from account_event
             where account = $1 and seq > $2 and seq <= $3 and listed = true and read = false
             group by type order by type"
        ),
        values![account, head.read, last],
    )?;
    if last > head.read {
        set_read(ctx, account, last)?;
    }
    for (kind, count) in &counts {
        unread::subtract(ctx, account, kind, *count)?;
    }
    let readable =
        counts.iter().filter(|(kind, _)| may_read(caller, &NotificationType::from(kind.as_str())));
    Ok(readable.map(|(_, count)| count.unsigned_abs()).sum())
}

/// Notes that all notifications up to this number are read.
fn set_read(ctx: &mut Ctx<'_, '_>, account: &UserId, last: i64) -> Result<()> {
    let sql = sql!("update event_head set read_seq = $1 where stream = $2");
    ctx.tx.write(sql, values![last, account])
}

/// Marks one notification.
pub fn mark_one(ctx: &mut Ctx<'_, '_>, account: &UserId, id: &NotificationId) -> Result<u64> {
    let head = outbox::lock_head(ctx, account)?;
    let types = ctx.tx.all(
        sql!(
            "update account_event set read = true
             where event = $1 and account = $2 and seq > $3 and listed = true and read = false
             returning type"
        ),
        values![event_of(id), account, head.read],
    )?;
    subtract_marked(ctx, account, types)
}

/// Marks the notifications about a post, and those of the post as a reply or quote.
fn mark_of_post(ctx: &mut Ctx<'_, '_>, account: &UserId, post: &PostId) -> Result<u64> {
    let head = outbox::lock_head(ctx, account)?;
    let types = ctx.tx.all(
        sql!(
            "update account_event set read = true
             where account = $1 and seq > $2 and listed = true and read = false
                and (post = $3 or answer = $3)
             returning type"
        ),
        values![account, head.read.max(head.last - OF_POST_MAX), post],
    )?;
    subtract_marked(ctx, account, types)
}

/// Marks the notifications of messages when a member reads a conversation after one message up to
/// another. Call it last: it locks the reader's counter of events.
pub fn mark_of_messages(
    ctx: &mut Ctx<'_, '_>,
    reader: &UserId,
    conversation: &ConversationId,
    after: Option<&MessageId>,
    up_to: &MessageId,
) -> Result<()> {
    let head = outbox::lock_head(ctx, reader)?;
    // A message notifies only its recipient, so its number is enough.
    let types = ctx.tx.all(
        sql!(
            "update account_event set read = true
             where listed = true and read = false and seq > $1 and event in (
                select 'evt_' || substr(m.id, 5) from message m
                where m.conversation = $2 and m.sender <> $3 and m.id <= $4 and m.id > $5)
             returning type"
        ),
        values![head.read, conversation, reader, up_to, after.map_or("", MessageId::as_str)],
    )?;
    subtract_marked(ctx, reader, types).map(drop)
}

/// Removes the notification of a message that its recipient deletes unread, or that moderators take
/// from it.
pub fn forget_message(ctx: &mut Ctx<'_, '_>, reader: &UserId, message: &MessageId) -> Result<()> {
    remove(ctx, reader, &ids::same_number(message)).map(drop)
}

/// Removes a notification from the list; false if it is not there. Its event stays.
pub fn remove(ctx: &mut Ctx<'_, '_>, account: &UserId, id: &NotificationId) -> Result<bool> {
    mark_one(ctx, account, id)?;
    let rows = ctx.tx.execute(
        sql!(
            "update account_event set listed = false
             where event = $1 and account = $2 and listed = true"
        ),
        values![event_of(id), account],
    )?;
    Ok(rows == 1)
}

/// Subtracts marked notifications, given by type, from the counts; returns how many they were.
fn subtract_marked(ctx: &mut Ctx<'_, '_>, account: &UserId, types: Vec<String>) -> Result<u64> {
    let marked = types.len() as u64;
    unread::subtract_each(ctx, types.into_iter().map(|kind| (account.clone(), kind)))?;
    Ok(marked)
}
