//! Developer apps: what is noted of their use.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::AppId;

use crate::app::Ctx;
use crate::app_uses::AppUse;

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
