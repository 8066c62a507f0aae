//! Marks notifications as read, on request or with their subject, and removes them from the list.
//!
//! Marking takes the lock under which the account is notified, so that counts stay exact.

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::notifications::{NotificationsRead, READ_IDS_MAX, ReadNotifications};
use svc_types::{ConversationId, MessageId, NotificationId, PostId, UserId};

use super::{event_of, unread};
use crate::app::Ctx;
use crate::identity::Account;
use crate::ids;
use crate::services::outbox;

/// The newest events of an account among which those about a post are looked for.
pub const OF_POST_MAX: i64 = 10_000;

/// Marks the notifications that a request selects.
pub fn asked(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ReadNotifications,
) -> Result<NotificationsRead> {
    let account = &caller.id;
    let is_all = request.all.filter(|all| *all);
    let marked = match (&request.ids, &request.up_to, &request.post_id, is_all) {
        (Some(ids), None, None, None) => {
            if ids.is_empty() || ids.len() > READ_IDS_MAX {
                let message = format!("ids must be 1 to {READ_IDS_MAX} ids");
                return Err(Error::invalid("ids", message));
            }
            let mut marked = 0;
            for id in ids {
                marked += one(ctx, account, id)?;
            }
            marked
        }
        (None, Some(last), None, None) => up_to(ctx, account, last)?,
        (None, None, Some(post), None) => of_post(ctx, account, post)?,
        (None, None, None, Some(_)) => all(ctx, account)?,
        _ => {
            let message = "exactly one of ids, upTo, postId and all (true) must be given";
            return Err(Error::invalid("ids", message));
        }
    };
    Ok(NotificationsRead { marked, unread_count: unread::total(ctx, account)? })
}

/// Marks all notifications; returns how many were unread.
fn all(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<u64> {
    let head = outbox::lock_head(ctx, account)?;
    let unread: i64 = ctx.tx.one(
        sql!(
            "select cast(coalesce(sum(unread), 0) as bigint) from notification_count
             where account = $1"
        ),
        values![account],
    )?;
    set_read(ctx, account, head.last)?;
    let sql = sql!("update notification_count set unread = 0 where account = $1 and unread > 0");
    ctx.tx.write(sql, values![account])?;
    Ok(unread.unsigned_abs())
}

/// Marks a notification and all older ones; returns how many were unread. Each is counted once,
/// however often this is called.
fn up_to(ctx: &mut Ctx<'_, '_>, account: &UserId, last: &NotificationId) -> Result<u64> {
    let sql =
        sql!("select seq from account_event where event = $1 and account = $2 and listed = true");
    let found = ctx.tx.optional(sql, values![event_of(last), account])?;
    let last: i64 = found.ok_or_else(|| Error::not_found("notification").about("upTo"))?;
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
    Ok(counts.iter().map(|(_, count)| count.unsigned_abs()).sum())
}

/// Notes that all notifications up to this number are read.
fn set_read(ctx: &mut Ctx<'_, '_>, account: &UserId, last: i64) -> Result<()> {
    let sql = sql!("update event_head set read_seq = $1 where stream = $2");
    ctx.tx.write(sql, values![last, account])
}

/// Marks one notification.
pub fn one(ctx: &mut Ctx<'_, '_>, account: &UserId, id: &NotificationId) -> Result<u64> {
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
fn of_post(ctx: &mut Ctx<'_, '_>, account: &UserId, post: &PostId) -> Result<u64> {
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
pub fn with_messages(
    ctx: &mut Ctx<'_, '_>,
    reader: &UserId,
    conversation: &ConversationId,
    after: Option<&MessageId>,
    up_to: &MessageId,
) -> Result<()> {
    let head = outbox::lock_head(ctx, reader)?;
    // A message notifies its recipient alone, so its number is enough.
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

/// Removes the notification of a message that its recipient deletes unread.
pub fn forget_message(ctx: &mut Ctx<'_, '_>, reader: &UserId, message: &MessageId) -> Result<()> {
    remove(ctx, reader, &ids::same_number(message)).map(drop)
}

/// Removes a notification from the list; false if it is not there. Its event stays.
pub fn remove(ctx: &mut Ctx<'_, '_>, account: &UserId, id: &NotificationId) -> Result<bool> {
    one(ctx, account, id)?;
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
