//! The end of keys, and of what was opened with them: connections, identity tokens and the claim link.

use svc_store::error::{Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::security::SecurityAction;
use svc_types::{Code, UserId};

use super::{Record, insert_default, list};
use crate::app::Ctx;
use crate::keys::NewKey;
use crate::services::security::{self, About};
use crate::services::{account, identity_token, last_credential, owner, passkey};

/// Ends what a key of an account may have opened, and what could still be used without the key.
pub(super) fn end_opened(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    identity_token::revoke_all(ctx, account)?;
    owner::end_link(ctx, account)?;
    ctx.effects.ended.push(account.clone());
    Ok(())
}

/// Deletes a key, unless it is the only way left into the account.
pub fn delete(ctx: &mut Ctx<'_, '_>, account: &UserId, key: &Record) -> Result<()> {
    account::lock(ctx, account)?;
    if !last_credential::is_other_left(ctx, account, &key.key_id)? {
        let message = "this key is the only way left into the account";
        let refusal = Refusal::new(Code::LastCredential, message);
        return Err(refusal.hint("POST /auth/api-key/regenerate replaces it").into());
    }
    revoke(ctx, account, &key.key_id, &SecurityAction::KeyEnded).map(drop)
}

/// Ends a key with what it may have opened: connections, identity tokens and the claim link. False if it
/// ended before.
pub fn revoke(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    key_id: &str,
    why: &SecurityAction,
) -> Result<bool> {
    let sql = sql!("delete from api_key where key_id = $1 and account = $2");
    let rows = ctx.tx.execute(sql, values![key_id, account])?;
    if rows == 0 {
        return Ok(false);
    }
    end_opened(ctx, account)?;
    security::note(ctx, account, why, About::key(key_id))?;
    Ok(true)
}

/// Ends every key of an account, each with an entry in the security log, and what they opened.
pub fn revoke_all(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    account::lock(ctx, account)?;
    for key in list(ctx, account)? {
        revoke(ctx, account, &key.key_id, &SecurityAction::KeyEnded)?;
    }
    Ok(())
}

/// Ends the named keys of an account that is locked, each with an entry in the security log. A named key with
/// every scope could replace the default key.
pub fn revoke_named(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    for key in list(ctx, account)?.into_iter().filter(|key| !key.is_default) {
        revoke(ctx, account, &key.key_id, &SecurityAction::KeyEnded)?;
    }
    Ok(())
}

/// Ends every key of an account, with what they may have opened, and creates a new default one. A
/// thief of the old one may have added a passkey, so these end too.
pub fn replace_all(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<NewKey> {
    account::lock(ctx, account)?;
    end_all(ctx, account)?;
    passkey::remove_all(ctx, account)?;
    end_opened(ctx, account)?;
    insert_default(ctx, account)
}

/// Ends every key of an account.
pub fn end_all(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    ctx.tx.execute(sql!("delete from api_key where account = $1"), values![account]).map(drop)
}
