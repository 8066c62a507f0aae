//! Posts and messages, and what goes along with them.

use svc_store::error::Result;
use svc_store::{sql, values};

use super::{BATCH, Gone, last};
use crate::app::Ctx;
use crate::services::{hashtag, media, search};

pub(super) fn posts(ctx: &mut Ctx<'_, '_>, gone: &Gone, after: &str) -> Result<Option<String>> {
    let ids: Vec<String> = ctx.tx.all(
        sql!("select id from post where author = $1 and id > $2 order by id limit $3"),
        values![gone.id, after, BATCH],
    )?;
    let Some(upto) = ids.last().cloned() else { return Ok(None) };
    // The task that indexes texts locks their notes before hashtags.
    ids.iter().try_for_each(|id| search::note(ctx, id))?;
    // A hashtag that nobody else uses goes with the next count.
    hashtag::note_erased(ctx, &gone.id, after, &upto)?;
    for sql in [
        sql!(
            "update post set content = '', content_warning = null, language = null,
                schema_name = null, payload = null, images = 0, hot = null
             where author = $1 and id > $2 and id <= $3"
        ),
        // They will not be restored.
        sql!(
            "delete from measure where subject in (
                select id from post where author = $1 and id > $2 and id <= $3)"
        ),
        sql!(
            "delete from post_revision where post in (
                select id from post where author = $1 and id > $2 and id <= $3)"
        ),
        sql!(
            "delete from post_code where post in (
                select id from post where author = $1 and id > $2 and id <= $3)"
        ),
        sql!(
            "delete from post_hashtag where post in (
                select id from post where author = $1 and id > $2 and id <= $3)"
        ),
        sql!(
            "delete from post_mention where post in (
                select id from post where author = $1 and id > $2 and id <= $3)"
        ),
    ] {
        ctx.tx.execute(sql, values![gone.id, after, upto])?;
    }
    Ok(last(ids))
}

/// Images of posts, and those that wait for one.
pub(super) fn images(ctx: &mut Ctx<'_, '_>, gone: &Gone, _: &str) -> Result<Option<String>> {
    Ok(media::erase(ctx, &gone.id)?.then(String::new))
}

pub(super) fn messages(ctx: &mut Ctx<'_, '_>, gone: &Gone, after: &str) -> Result<Option<String>> {
    let ids: Vec<String> = ctx.tx.all(
        sql!(
            "select message from mailbox where account = $1 and message > $2
             order by message limit $3"
        ),
        values![gone.id, after, BATCH],
    )?;
    let Some(upto) = ids.last() else { return Ok(None) };
    for sql in [
        sql!(
            "update message set content = '', schema_name = null, payload = null,
                client_message_id = null
             where sender = $1 and id in (
                select message from mailbox
                where account = $1 and message > $2 and message <= $3)"
        ),
        // Of those that it received, nobody reads any more what the sender has deleted or deletes later.
        sql!(
            "update message set deleted_by_recipient = true
             where recipient = $1 and deleted_by_recipient = false and id in (
                select message from mailbox
                where account = $1 and message > $2 and message <= $3)"
        ),
        sql!(
            "update message set content = '', payload = null
             where recipient = $1 and deleted_by_sender = true and id in (
                select message from mailbox
                where account = $1 and message > $2 and message <= $3)"
        ),
        sql!(
            "update conversation_member set unread_count = 0
             where account = $1 and unread_count > 0 and conversation in (
                select m.conversation from mailbox b join message m on m.id = b.message
                where b.account = $1 and b.message > $2 and b.message <= $3)"
        ),
    ] {
        ctx.tx.execute(sql, values![gone.id, after, upto])?;
    }
    Ok(last(ids))
}

/// Messages in channels go for good with a later sweep, as deleted ones do.
pub(super) fn channel_messages(
    ctx: &mut Ctx<'_, '_>,
    gone: &Gone,
    after: &str,
) -> Result<Option<String>> {
    let ids: Vec<String> = ctx.tx.all(
        sql!("select id from channel_message where sender = $1 and id > $2 order by id limit $3"),
        values![gone.id, after, BATCH],
    )?;
    let Some(upto) = ids.last() else { return Ok(None) };
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "update channel_message set content = '', schema_name = null, payload = null,
                client_message_id = null, deleted_at = coalesce(deleted_at, $1)
             where sender = $2 and id > $3 and id <= $4"
        ),
        values![now, gone.id, after, upto],
    )?;
    Ok(last(ids))
}
