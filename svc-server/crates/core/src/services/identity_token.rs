//! Identity tokens: an account shows one to a third party, which asks the server who that is (spec §2.3).

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::UserId;

use crate::app::Ctx;

/// Revokes all identity tokens of an account: which credential created which one is not tracked.
pub fn revoke_all(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let sql = sql!("update identity_token set revoked = true where account = $1");
    ctx.tx.execute(sql, values![account]).map(drop)
}
