//! Changes of a key: its name, what it may do, from where, and how much it may spend.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::{Code, Scope, Scopes, UserId};

use super::{Change, Record, name_taken, refuse_name_of_default, scopes};
use crate::app::Ctx;
use crate::services::spend::Caps;
use crate::services::{account, identity_token, last_credential};

/// Changes a key's name.
pub fn rename(ctx: &mut Ctx<'_, '_>, account: &UserId, key: &Record, name: &str) -> Result<()> {
    if key.is_default {
        return Err(default_is_fixed());
    }
    refuse_name_of_default(name)?;
    account::lock(ctx, account)?;
    let sql = sql!("select key_id from api_key where account = $1 and name = $2");
    let holder: Option<String> = ctx.tx.optional(sql, values![account, name])?;
    if holder.is_some_and(|holder| holder != key.key_id) {
        return Err(name_taken());
    }
    let sql = sql!("update api_key set name = $1 where key_id = $2");
    ctx.tx.execute(sql, values![name, key.key_id]).map(drop)
}

/// 409 for a change that takes scopes or credits from the only key that may do everything, if nothing else leads into
/// the account: no key could ever give them back.
pub fn refuse_last(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    key: &Record,
    change: &Change,
) -> Result<()> {
    let is_whole = scopes(key.is_default, &key.scopes) == Scopes::ALL
        && key.per_order.is_none()
        && key.per_day.is_none()
        && key.allow_from.is_none()
        && key.expires_at.is_none();
    let stays_whole = change.scopes.is_none_or(|new| new == Scopes::ALL)
        && change.caps.is_none_or(|new| !new.is_any());
    // The default key is changed in neither.
    if key.is_default || !is_whole || stays_whole {
        return Ok(());
    }
    if last_credential::is_other_left(ctx, account, &key.key_id)? {
        return Ok(());
    }
    let message =
        "this key is the only way left into the account, and no other could restore its access";
    let refusal = Refusal::new(Code::WrongState, message);
    Err(refusal
        .hint("make a default key with POST /auth/api-key/regenerate before you limit this one")
        .into())
}

/// Changes what a key may do. If it can no longer create identity tokens, those of its account end, as
/// they do with the key.
pub fn limit(ctx: &mut Ctx<'_, '_>, account: &UserId, key: &Record, to: Scopes) -> Result<()> {
    if key.is_default {
        return Err(default_is_fixed());
    }
    // A token that the key creates at the same time is seen below.
    let lock = sql!("select key_id from api_key where key_id = $1 for update");
    ctx.tx.lock(lock, values![key.key_id])?;
    let sql = sql!("update api_key set scopes = $1 where key_id = $2");
    ctx.tx.execute(sql, values![to.to_string(), key.key_id])?;
    let could_prove = scopes(key.is_default, &key.scopes).contains(&Scope::Identity);
    if could_prove && !to.contains(&Scope::Identity) {
        identity_token::revoke_all(ctx, account)?;
    }
    Ok(())
}

fn default_is_fixed() -> Error {
    let refusal = Refusal::new(
        Code::WrongState,
        "the default key keeps its name and every scope, and spends without caps",
    );
    refusal.hint("create a named key with POST /auth/keys").into()
}

/// Changes where a key works from.
pub fn allow_from(ctx: &mut Ctx<'_, '_>, key: &Record, networks: Option<&str>) -> Result<()> {
    let sql = sql!("update api_key set allow_from = $1 where key_id = $2");
    ctx.tx.execute(sql, values![networks, key.key_id]).map(drop)
}

/// Changes what a key may spend.
pub fn cap(ctx: &mut Ctx<'_, '_>, key: &Record, caps: Caps) -> Result<()> {
    if key.is_default {
        return Err(default_is_fixed());
    }
    let sql = sql!("update api_key set spend_per_order = $1, spend_per_day = $2 where key_id = $3");
    ctx.tx.execute(sql, values![caps.per_order, caps.per_day, key.key_id]).map(drop)
}
