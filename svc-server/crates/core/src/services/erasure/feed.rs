//! Copies elsewhere: mirrors of the global feed.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::PostId;

use super::{BATCH, Gone};
use crate::app::Ctx;
use crate::services::post;

/// Announces in the global feed that some posts of the account are gone.
pub(super) fn announce(ctx: &mut Ctx<'_, '_>, gone: &Gone, after: &str) -> Result<Option<String>> {
    if !ctx.app.relays() {
        return Ok(None);
    }
    let ids: Vec<PostId> = ctx.tx.all(
        sql!(
            "select id from post
             where author = $1 and id > $2 and reply_to is null and deleted_at is null
             order by id limit $3"
        ),
        values![gone.id, after, BATCH],
    )?;
    ids.iter().try_for_each(|id| post::everybody_of_deletion(ctx, id))?;
    Ok(ids.last().map(PostId::to_string))
}
