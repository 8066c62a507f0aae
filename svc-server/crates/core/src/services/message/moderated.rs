//! Messages that moderators hide, show again, or take away.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::{EventId, MessageId};

use crate::app::Ctx;
use crate::ids;
use crate::services::outbox;

/// Hides a message from its recipient; an unread one no longer counts. Its notification is
/// deleted when the sender is notified of the act.
pub fn hide(ctx: &mut Ctx<'_, '_>, id: &MessageId) -> Result<()> {
    let unread: Option<bool> = ctx.tx.optional(
        sql!(
            "update message set hidden = true
             where id = $1 and hidden = false and removed_at is null
             returning read_at is null and deleted_by_recipient = false"
        ),
        values![id],
    )?;
    if unread == Some(true) { count_unread(ctx, id, -1) } else { Ok(()) }
}

/// Shows it to its recipient again. If it was unread, it is unread again, even if the recipient has read
/// later ones since; its notification does not come back.
pub fn restore(ctx: &mut Ctx<'_, '_>, id: &MessageId) -> Result<()> {
    let unread: Option<bool> = ctx.tx.optional(
        sql!(
            "update message set hidden = false
             where id = $1 and hidden = true and removed_at is null
             returning read_at is null and deleted_by_recipient = false"
        ),
        values![id],
    )?;
    if unread != Some(true) {
        return Ok(());
    }
    count_unread(ctx, id, 1)?;
    // Reading marks only what comes after the last message that was read, so that position moves before this one.
    ctx.tx.write(
        sql!(
            "update conversation_member set last_read_message = (
                select max(m.id) from message m
                where m.conversation = conversation_member.conversation and m.id < $1)
             where conversation = (select conversation from message where id = $1)
                and account = (select recipient from message where id = $1)
                and last_read_message >= $1"
        ),
        values![id],
    )
}

/// Takes a message away from both, and its text with it; an order or answer it was stays in force.
pub fn remove(ctx: &mut Ctx<'_, '_>, id: &MessageId) -> Result<()> {
    let now = ctx.now();
    let unread: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from message
             where id = $1 and hidden = false and read_at is null and deleted_by_recipient = false"
        ),
        values![id],
    )?;
    ctx.tx.write(
        sql!(
            "update message
             set content = '', payload = null, removed_at = $1, deleted_by_sender = true,
                deleted_by_recipient = true
             where id = $2"
        ),
        values![now, id],
    )?;
    if unread.is_some() {
        count_unread(ctx, id, -1)?;
    }
    empty_event(ctx, id)
}

/// Empties the event of a message that is gone. It has the message's number.
fn empty_event(ctx: &mut Ctx<'_, '_>, id: &MessageId) -> Result<()> {
    let event: EventId = ids::same_number(id);
    // The erasure of an account may empty the event at the same time.
    let lock = sql!("select id from event where id = $1 for no key update");
    ctx.tx.lock(lock, values![event])?;
    let sql = sql!("select body from event where id = $1 and kind = 'direct_message'");
    let body: Option<String> = ctx.tx.optional(sql, values![event])?;
    body.map_or(Ok(()), |body| outbox::empty(ctx, &event, &body))
}

fn count_unread(ctx: &mut Ctx<'_, '_>, id: &MessageId, more: i64) -> Result<()> {
    ctx.tx.write(
        sql!(
            "update conversation_member set unread_count = unread_count + $1
             where conversation = (select conversation from message where id = $2)
                and account = (select recipient from message where id = $2)"
        ),
        values![more, id],
    )?;
    Ok(())
}
