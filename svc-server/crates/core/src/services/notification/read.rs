//! Marks notifications as read: on request, or with their subject.

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::notifications::{NotificationsRead, READ_IDS_MAX, ReadNotifications};
use svc_types::{ConversationId, MessageId, NotificationId, PostId, UserId};

use super::list;
use crate::app::Ctx;
use crate::identity::Account;
use crate::ids;

/// Marks the notifications that a request selects.
pub fn asked(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ReadNotifications,
) -> Result<NotificationsRead> {
    let account = &caller.id;
    let all = request.all.filter(|all| *all);
    let marked = match (&request.ids, &request.up_to, &request.post_id, all) {
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
        (None, Some(last), None, None) => up_to(ctx, account, Some(last))?,
        (None, None, Some(post), None) => of_post(ctx, account, post)?,
        (None, None, None, Some(_)) => up_to(ctx, account, None)?,
        _ => {
            let message = "exactly one of ids, upTo, postId and all (true) must be given";
            return Err(Error::invalid("ids", message));
        }
    };
    Ok(NotificationsRead { marked, unread_count: list::unread(ctx, account)? })
}

/// Marks all notifications up to the number of `up_to`; returns how many were unread.
///
/// The types are spelled out, so that read notifications are not scanned.
pub fn up_to(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    up_to: Option<&NotificationId>,
) -> Result<u64> {
    let last = match up_to {
        None => i64::MAX,
        Some(id) => {
            let sql = sql!("select seq from notification where id = $1 and account = $2");
            let found = ctx.tx.optional(sql, values![id, account])?;
            found.ok_or_else(|| Error::not_found("notification").about("upTo"))?
        }
    };
    ctx.tx.execute(
        sql!(
            "update notification set read = true
             where account = $1 and read = false and seq <= $2
                and type in ('follow', 'like', 'reply', 'repost', 'mention', 'direct_message',
                    'quote', 'escrow', 'service_request', 'moderation', 'system')"
        ),
        values![account, last],
    )
}

/// Marks one notification.
pub fn one(ctx: &mut Ctx<'_, '_>, account: &UserId, id: &NotificationId) -> Result<u64> {
    ctx.tx.execute(
        sql!(
            "update notification set read = true
             where id = $1 and account = $2 and read = false"
        ),
        values![id, account],
    )
}

/// Marks the notifications about a post, and those of the post as a reply or quote.
pub fn of_post(ctx: &mut Ctx<'_, '_>, account: &UserId, post: &PostId) -> Result<u64> {
    let about = ctx.tx.execute(
        sql!(
            "update notification set read = true
             where account = $1 and post = $2 and post is not null and read = false"
        ),
        values![account, post],
    )?;
    let by = ctx.tx.execute(
        sql!(
            "update notification set read = true
             where account = $1 and answer = $2 and answer is not null and read = false"
        ),
        values![account, post],
    )?;
    Ok(about + by)
}

/// Marks the notifications of messages when a member reads a conversation up to a message; call it
/// before the member's own mark moves.
pub fn with_messages(
    ctx: &mut Ctx<'_, '_>,
    reader: &UserId,
    conversation: &ConversationId,
    up_to: &MessageId,
) -> Result<()> {
    // A message notifies its recipient alone, so its number is enough.
    ctx.tx.execute(
        sql!(
            "update notification set read = true
             where read = false and id in (
                select 'ntf_' || substr(m.id, 5) from message m
                where m.conversation = $1 and m.sender <> $2 and m.id <= $3
                    and m.id > coalesce((select last_read_message from conversation_member
                        where conversation = $1 and account = $2), ''))"
        ),
        values![conversation, reader, up_to],
    )?;
    Ok(())
}

/// Removes the notification of a message that its recipient deletes unread.
pub fn forget_message(ctx: &mut Ctx<'_, '_>, reader: &UserId, message: &MessageId) -> Result<()> {
    let id: NotificationId = ids::same_number(message);
    let sql = sql!("delete from notification where id = $1 and account = $2");
    ctx.tx.execute(sql, values![id, reader]).map(|_| ())
}
