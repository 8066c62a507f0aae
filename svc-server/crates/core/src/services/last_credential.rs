//! What leads into an account, so that nobody ends the last of it.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::{Scopes, UserId};

use crate::app::Ctx;
use crate::services::{api_key, passkey};

/// Whether a password, a passkey or a key without an end leads into the account, besides the passkey
/// or key of this id. Such a key can replace the default key: without a password and a passkey, nothing gives a key
/// that may do less ever more.
pub fn is_other_left(ctx: &mut Ctx<'_, '_>, account: &UserId, ending: &str) -> Result<bool> {
    let sql = sql!("select password_hash is not null from account where id = $1");
    if ctx.tx.one(sql, values![account])? {
        return Ok(true);
    }
    let sql = sql!("select 1 from passkey where account = $1 and id <> $2 limit 1");
    let has_passkey = ctx.tx.optional::<i64>(sql, values![account, ending])?.is_some();
    if has_passkey && passkey::is_on(ctx.app) {
        return Ok(true);
    }
    let keys: Vec<(bool, String)> = ctx.tx.all(
        sql!(
            "select is_default, scopes from api_key
             where account = $1 and key_id <> $2 and expires_at is null and allow_from is null
                and spend_per_order is null and spend_per_day is null"
        ),
        values![account, ending],
    )?;
    Ok(keys.iter().any(|(is_default, stored)| api_key::scopes(*is_default, stored) == Scopes::ALL))
}
