//! Developer apps: whether they work, and what is noted of their use.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::AppId;

use crate::app::Ctx;
use crate::app_uses::AppUse;

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
