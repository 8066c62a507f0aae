//! Hides, restores and removes posts.

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::{PostId, UserId};

use super::{Counted, counts_of};
use crate::app::Ctx;
use crate::services::post::{self, Record, rank};
use crate::services::{account, hashtag, media, moderation, search};

/// Whether moderators have hidden a post.
pub fn is_hidden(ctx: &mut Ctx<'_, '_>, id: &PostId) -> Result<bool> {
    ctx.tx.one(sql!("select hidden from post where id = $1"), values![id])
}

/// Hides a post from all but its author and moderators; nothing happens when it is hidden. Mirrors of the
/// global feed get the same event as for a deletion.
pub fn hide(ctx: &mut Ctx<'_, '_>, id: &PostId) -> Result<()> {
    let rows = ctx.tx.execute(
        sql!(
            "update post set hidden = true
             where id = $1 and hidden = false and deleted_at is null"
        ),
        values![id],
    )?;
    if rows == 0 {
        return Ok(());
    }
    let record = found(ctx, id)?;
    hashtag::note_change(ctx, id)?;
    rank::delist(ctx, id, &record.author)?;
    count(ctx, &record, -1)?;
    if record.reply_to.is_none() { post::everybody_of_deletion(ctx, id) } else { Ok(()) }
}

/// Shows a hidden post again.
pub fn restore(ctx: &mut Ctx<'_, '_>, id: &PostId) -> Result<()> {
    let rows = ctx.tx.execute(
        sql!(
            "update post set hidden = false
             where id = $1 and hidden = true and deleted_at is null"
        ),
        values![id],
    )?;
    if rows == 0 {
        return Ok(());
    }
    let record = found(ctx, id)?;
    hashtag::note_change(ctx, id)?;
    if record.reply_to.is_none() {
        rank::enlist(ctx, id, &record.author)?;
        let hot = rank::hot(record.points, record.created_at, &record.tier);
        ctx.tx.execute(sql!("update post set hot = $1 where id = $2"), values![hot, id])?;
    }
    count(ctx, &record, 1)
}

/// Leaves a tombstone: the texts go, the place in the thread stays. False when that is done
/// already.
pub fn remove(ctx: &mut Ctx<'_, '_>, id: &PostId, author: &UserId) -> Result<bool> {
    // Whether its author stands is asked further down, and must not change from here on.
    account::lock(ctx, author)?;
    let now = ctx.now();
    let removed: Option<(bool, bool, bool)> = ctx.tx.optional(
        sql!(
            "update post set content = '', content_warning = null, schema_name = null,
                payload = null, pinned = false, images = 0, deleted_at = $1
             where id = $2 and deleted_at is null
             returning hidden, reply_to is null,
                exists (select 1 from post_code c where c.post = post.id)"
        ),
        values![now, id],
    )?;
    let Some((hidden, is_top_level, has_code)) = removed else {
        return Ok(false);
    };
    search::note(ctx, id.as_str())?;
    hashtag::note_change(ctx, id)?;
    ctx.tx.execute(sql!("delete from post_hashtag where post = $1"), values![id])?;
    ctx.tx.execute(sql!("delete from post_mention where post = $1"), values![id])?;
    ctx.tx.execute(sql!("delete from post_revision where post = $1"), values![id])?;
    ctx.tx.execute(sql!("delete from scheduled_post where post = $1"), values![id])?;
    if has_code {
        post::code::forget(ctx, id)?;
    }
    media::remove_of_post(ctx, id)?;
    moderation::drop_all(ctx, id.as_str())?;
    if !hidden {
        let record = found(ctx, id)?;
        rank::delist(ctx, id, &record.author)?;
        count(ctx, &record, -1)?;
    }
    post::empty_events(ctx, id)?;
    if is_top_level {
        post::everybody_of_deletion(ctx, id)?;
    }
    Ok(true)
}

fn found(ctx: &mut Ctx<'_, '_>, id: &PostId) -> Result<Record> {
    post::by_id(ctx, id, None)?.ok_or_else(|| Error::internal("a post is gone"))
}

/// Counts a post where it is one of several, or no longer: with its author, its parent, and the
/// post it quotes. Those of suspended authors leave the last two with their authors.
fn count(ctx: &mut Ctx<'_, '_>, record: &Record, more: i64) -> Result<()> {
    let sql = sql!("update account set posts_count = posts_count + $1 where id = $2");
    ctx.tx.execute(sql, values![more, record.author])?;
    let others = [&record.reply_to, &record.quote_of].map(Option::as_ref);
    let [parent, quoted] = others.map(|id| match id {
        Some(id) => post::by_id(ctx, id, None),
        None => Ok(None),
    });
    let (parent, quoted) = (parent?, quoted?);
    rank::lock(ctx, parent.iter().chain(&quoted))?;
    let counts = counts_of(ctx, &record.author)?;
    let mut changes = Vec::new();
    if let Some(parent) = &parent {
        let recount = if more > 0 { rank::count_reply } else { rank::uncount_reply };
        changes.push((parent, recount(ctx, &record.author, parent)?));
    }
    if let Some(quoted) = &quoted {
        let recount = if more > 0 { rank::count_quote } else { rank::uncount_quote };
        changes.push((quoted, recount(ctx, &record.author, quoted)?));
    }
    changes
        .retain(|(other, _)| counts.include(Counted::reference(&record.author, &record.id, other)));
    rank::change_all(ctx, changes)
}
