//! The sign-up grant: credits for a new account that meets the operator's condition.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::UserId;

use super::ledger;
use crate::app::Ctx;
use crate::config::GrantCondition;
use crate::keys;

/// Pays the sign-up grant to an account that has just met `condition`, if that is the one the operator
/// asks for.
///
/// It is paid once to an account, and once for `once_key`, what the condition was met with: a foreign
/// subject such as `google:1234`, the id of an invite, or the account's own id. Only a hash of it is
/// kept, which outlives the account, so that the same subject pays no second account.
pub fn pay(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    condition: GrantCondition,
    once_key: &str,
) -> Result<()> {
    let settings = &ctx.app.config.exchange;
    let micros = settings.signup_grant.micros();
    if micros == 0 || settings.grant_requires != Some(condition) {
        return Ok(());
    }
    let (hash, now) = (keys::hash(once_key), ctx.now());
    let rows = ctx.tx.execute(
        sql!(
            "insert into signup_grant (account, once_hash, paid_at) values ($1, $2, $3)
             on conflict do nothing"
        ),
        values![account, hash, now],
    )?;
    if rows == 0 { Ok(()) } else { ledger::grant_at_sign_up(ctx, account, micros) }
}
