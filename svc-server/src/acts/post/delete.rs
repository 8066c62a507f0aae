//! Deleting one's own post.

use svc_types::api::Deleted;
use svc_types::{Code, PostId};

use super::record::{Record, visible};
use super::{rank, uncount};
use crate::acts::{hashtag, search};
use crate::app::Cx;
use crate::error::{Error, Result};
use crate::http::Account;
use crate::{sql, values};

/// The caller's own post, else 403.
pub fn own(cx: &mut Cx<'_, '_>, caller: &Account, id: &PostId) -> Result<Record> {
    let record = visible(cx, id, Some(caller))?;
    if record.author == caller.id {
        Ok(record)
    } else {
        Err(Error::refused(Code::Forbidden, "only its author may change a post"))
    }
}

/// Leaves a tombstone: the texts go, the place in the thread stays.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Account, id: &PostId) -> Result<Deleted> {
    let record = own(cx, caller, id)?;
    let now = cx.now();
    let rows = cx.tx.execute(
        sql!(
            "update post set content = '', content_warning = null, schema_name = null,
                payload = null, pinned = false, deleted_at = $1
             where id = $2 and deleted_at is null"
        ),
        values![now, record.id],
    )?;
    if rows == 0 {
        return Err(Error::not_found("post"));
    }
    search::note(cx, record.id.as_str())?;
    hashtag::note_change(cx, &record.id)?;
    cx.tx.execute(sql!("delete from post_hashtag where post = $1"), values![record.id])?;
    cx.tx.execute(sql!("delete from post_mention where post = $1"), values![record.id])?;
    cx.tx.execute(sql!("delete from post_revision where post = $1"), values![record.id])?;
    rank::delist(cx, &record.id, &record.author)?;
    uncount(cx, &record)?;
    Ok(Deleted { deleted: true })
}
