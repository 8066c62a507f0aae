//! Sign-ins: the sessions they start.

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::{Code, UserId};

use crate::app::Ctx;
use crate::ids;
use crate::keys;

/// Starts a session; the answer is its token.
pub fn start(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<String> {
    let (token, hash) = keys::session_token();
    let now = ctx.now();
    let ends = now.plus(ctx.app.config.session.life);
    ctx.tx.execute(
        sql!(
            "insert into session (token_hash, account, created_at, last_seen_at, expires_at)
             values ($1, $2, $3, $3, $4)"
        ),
        values![hash, account, now, ends],
    )?;
    Ok(token)
}

/// The refusal of every failed sign-in, whatever was wrong.
pub fn invalid_credentials() -> Error {
    Error::refused(Code::InvalidCredentials, "the name or the password is wrong")
}

/// Ends every session of an account but the one with this hash.
pub fn end_others(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    kept: Option<&keys::Hash>,
) -> Result<()> {
    let none: keys::Hash = ids::random();
    let kept = kept.unwrap_or(&none);
    let sql = sql!("delete from session where account = $1 and token_hash <> $2");
    ctx.tx.execute(sql, values![account, kept]).map(|_| ())
}
