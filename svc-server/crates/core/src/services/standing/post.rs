//! Posts that are hidden, shown again, or taken away.

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::{PostId, UserId};

use super::stands;
use crate::app::Cx;
use crate::services::post::{self, Record, rank};
use crate::services::{hashtag, moderation, search};

/// Hides a post from all but its author and moderators; nothing happens when it is hidden.
pub fn hide(cx: &mut Cx<'_, '_>, id: &PostId) -> Result<()> {
    let rows = cx.tx.execute(
        sql!(
            "update post set hidden = true
             where id = $1 and hidden = false and deleted_at is null"
        ),
        values![id],
    )?;
    if rows == 0 {
        return Ok(());
    }
    let record = found(cx, id)?;
    hashtag::note_change(cx, id)?;
    rank::delist(cx, id, &record.author)?;
    count(cx, &record, -1)
}

/// Shows a hidden post again.
pub fn restore(cx: &mut Cx<'_, '_>, id: &PostId) -> Result<()> {
    let rows = cx.tx.execute(
        sql!(
            "update post set hidden = false
             where id = $1 and hidden = true and deleted_at is null"
        ),
        values![id],
    )?;
    if rows == 0 {
        return Ok(());
    }
    let record = found(cx, id)?;
    hashtag::note_change(cx, id)?;
    if record.reply_to.is_none() {
        rank::enlist(cx, id, &record.author)?;
        let hot = rank::hot(record.points, record.created_at, &record.tier);
        cx.tx.execute(sql!("update post set hot = $1 where id = $2"), values![hot, id])?;
    }
    count(cx, &record, 1)
}

/// Leaves a tombstone: the texts go, the place in the thread stays. False when that is done
/// already.
pub fn remove(cx: &mut Cx<'_, '_>, id: &PostId, author: &UserId) -> Result<bool> {
    // Whether its author stands is asked further down, and must not change from here on.
    let sql = sql!("select id from account where id = $1 for no key update");
    cx.tx.lock(sql, values![author])?;
    let now = cx.now();
    let removed: Option<(bool, bool)> = cx.tx.optional(
        sql!(
            "update post set content = '', content_warning = null, schema_name = null,
                payload = null, pinned = false, deleted_at = $1
             where id = $2 and deleted_at is null
             returning hidden, reply_to is null"
        ),
        values![now, id],
    )?;
    let Some((hidden, is_top_level)) = removed else {
        return Ok(false);
    };
    search::note(cx, id.as_str())?;
    hashtag::note_change(cx, id)?;
    cx.tx.execute(sql!("delete from post_hashtag where post = $1"), values![id])?;
    cx.tx.execute(sql!("delete from post_mention where post = $1"), values![id])?;
    cx.tx.execute(sql!("delete from post_revision where post = $1"), values![id])?;
    moderation::drop_all(cx, id.as_str())?;
    if !hidden {
        let record = found(cx, id)?;
        rank::delist(cx, id, &record.author)?;
        count(cx, &record, -1)?;
    }
    if is_top_level {
        post::everybody_of_deletion(cx, id)?;
    }
    Ok(true)
}

fn found(cx: &mut Cx<'_, '_>, id: &PostId) -> Result<Record> {
    post::by_id(cx, id, None)?.ok_or_else(|| Error::internal("a post is gone"))
}

/// Counts a post where it is one of several, or no longer: with its author, its parent, and the
/// post it quotes. Those of suspended authors are out of the last two already.
fn count(cx: &mut Cx<'_, '_>, record: &Record, more: i64) -> Result<()> {
    let sql = sql!("update account set posts_count = posts_count + $1 where id = $2");
    cx.tx.execute(sql, values![more, record.author])?;
    let others = [&record.reply_to, &record.quote_of].map(Option::as_ref);
    let [parent, quoted] = others.map(|id| match id {
        Some(id) => post::by_id(cx, id, None),
        None => Ok(None),
    });
    let (parent, quoted) = (parent?, quoted?);
    let mut changes = Vec::new();
    if let Some(parent) = &parent {
        let counted = if more > 0 { rank::replied } else { rank::unreplied };
        changes.push((parent, counted(cx, &record.author, parent)?));
    }
    if let Some(quoted) = &quoted {
        let counted = if more > 0 { rank::quoted } else { rank::unquoted };
        changes.push((quoted, counted(cx, &record.author, quoted)?));
    }
    if stands(cx, &record.author)? { rank::change_all(cx, changes) } else { Ok(()) }
}
