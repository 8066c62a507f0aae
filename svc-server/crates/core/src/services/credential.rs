//! The credential of a request that adds a way into its account: a key, a token, a passkey, a grant.
//!
//! A transaction that ends the ways into an account does not see those that another is about to add. So one
//! that adds a way checks its own credential again, and keeps it from ending before what it adds can be seen.

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::Code;

use crate::app::Ctx;
use crate::identity::{Account, SignedBy};
use crate::services::account;

/// 401 if the credential of a request has ended since it was read, or if its scopes have changed. Otherwise it lasts
/// until the transaction ends.
pub fn hold(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<()> {
    // Accounts are locked first, as everywhere.
    account::hold(ctx, &caller.id)?;
    let is_there = match &caller.method {
        SignedBy::ApiKey(key_id) => {
            let sql = sql!(
                "select key_id from api_key
                 where key_id = $1 and (is_default = true or scopes = $2) for key share"
            );
            ctx.tx.lock_all(sql, values![key_id, caller.scopes.to_string()], 1)?
        }
        SignedBy::Session { hash, .. } => {
            let sql = sql!("select id from session where token_hash = $1 for key share");
            ctx.tx.lock_all(sql, values![hash], 1)?
        }
        SignedBy::Token(grant) => {
            let sql = sql!("select id from oauth_grant where id = $1 for key share");
            ctx.tx.lock_all(sql, values![grant], 1)?
        }
        SignedBy::Clock => true,
    };
    if is_there { Ok(()) } else { Err(ended()) }
}

fn ended() -> Error {
    Error::refused(Code::Unauthorized, "the credential of this request has ended in the meantime")
}
