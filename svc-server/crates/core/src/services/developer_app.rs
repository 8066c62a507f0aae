//! Developer apps: whether they work, their end, and what is noted of their use.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::AppId;

use crate::app::Ctx;
use crate::app_uses::AppUse;
use crate::services::audit::{self, By, On};
use crate::services::oauth::deleted_app;

/// Deletes an app. Its key and its tokens end at once; a sweep ends its grants. `why` is for the audit log. False if
/// there is no such app, or no longer.
pub fn end(ctx: &mut Ctx<'_, '_>, id: &AppId, by: By<'_>, why: Option<&str>) -> Result<bool> {
    let now = ctx.now();
    let sql = sql!("update developer_app set deleted_at = $1 where id = $2 and deleted_at is null");
    if ctx.tx.execute(sql, values![now, id])? == 0 {
        return Ok(false);
    }
    deleted_app::check_streams(ctx, id)?;
    audit::write(ctx, by, "developer_deleted", On(id.as_str()), why)?;
    Ok(true)
}

/// That the account of an app `d`, if it has one, is neither suspended nor deleted.
pub const OWNER_STANDS: &str = "not exists (
    select 1 from account o
    where o.id = d.owner and (o.deleted_at is not null or o.status = 'suspended'))";

/// That the app of a grant `g`, if it has one, is not deleted, and its account neither suspended nor deleted.
pub const APP_WORKS: &str = "not exists (
    select 1 from developer_app d left join account o on o.id = d.owner
    where d.id = g.client_id
        and (d.deleted_at is not null or o.deleted_at is not null or o.status = 'suspended'))";

/// Writes uses of apps, in the order of their ids, so that nodes do not wait for each other in turns.
pub fn note_uses(ctx: &mut Ctx<'_, '_>, uses: &[(AppId, AppUse)]) -> Result<()> {
    let mut uses: Vec<&(AppId, AppUse)> = uses.iter().collect();
    uses.sort_by(|(one, _), (other, _)| one.cmp(other));
    for (app, noted) in uses {
        ctx.tx.execute(
            sql!(
                "update developer_app set
                    last_used_at = case when last_used_at > $1 then last_used_at else $1 end,
                    verifications = verifications + $2
                 where id = $3"
            ),
            values![noted.at, noted.verifications, app],
        )?;
    }
    Ok(())
}
