//! The credential of a request that adds a way into its account: a key, a token, a passkey, a grant.
//!
//! Who ends the ways into an account does not see those that a transaction at the same time is about to add.
//! So such a transaction looks again whether its own credential has ended, and keeps it from ending meanwhile:
//! who ends it then finds what was added.

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::Code;

use crate::app::Ctx;
use crate::identity::{Account, SignedBy};

/// 401 if the credential of a request has ended since it was read. It does not end before the transaction does.
pub fn hold(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<()> {
    // Accounts are locked first, as everywhere.
    ctx.tx.lock(sql!("select id from account where id = $1 for key share"), values![caller.id])?;
    let is_there = match &caller.method {
        SignedBy::ApiKey(key_id) => {
            let lock = sql!("select key_id from api_key where key_id = $1 for key share");
            ctx.tx.lock(lock, values![key_id])?;
            let sql = sql!("select 1 from api_key where key_id = $1");
            ctx.tx.optional::<i64>(sql, values![key_id])?.is_some()
        }
        SignedBy::Session { hash, .. } => {
            let lock = sql!("select id from session where token_hash = $1 for key share");
            ctx.tx.lock(lock, values![hash])?;
            let sql = sql!("select 1 from session where token_hash = $1");
            ctx.tx.optional::<i64>(sql, values![hash])?.is_some()
        }
        SignedBy::Token(grant) => {
            let lock = sql!("select id from oauth_grant where id = $1 for key share");
            ctx.tx.lock(lock, values![grant])?;
            let sql = sql!("select 1 from oauth_grant where id = $1");
            ctx.tx.optional::<i64>(sql, values![grant])?.is_some()
        }
        SignedBy::Clock => true,
    };
    if is_there { Ok(()) } else { Err(ended()) }
}

fn ended() -> Error {
    Error::refused(Code::Unauthorized, "the credential of this request has ended in the meantime")
}
