//! Step-up: a session or key confirms who it is before it secures or ends its account.

use std::time::Duration;

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::{Code, Timestamp};

use crate::app::Ctx;
use crate::identity::{Account, SignedBy};
use crate::services::{session, wrong_clock};

/// How long a confirmation counts; signing in and signing up are confirmations too.
pub const LIFE: Duration = Duration::from_mins(10);

/// 403 unless the caller's session or key was confirmed lately. The default key of an account with
/// neither a password nor a passkey has nothing to confirm with and needs no confirmation. A confirmation by a clock that
/// was far ahead does not count: it would last until the time that the clock had shown.
pub fn require(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<()> {
    let (now, far) = (ctx.now(), wrong_clock::far_ahead(ctx.now()));
    let confirmed: Option<i64> = match &caller.method {
        SignedBy::Session { hash, .. } => ctx.tx.optional(
            sql!(
                "select 1 from session
                 where token_hash = $1 and confirmed_until > $2 and confirmed_until < $3"
            ),
            values![hash, now, far],
        )?,
        SignedBy::ApiKey(key_id) => ctx.tx.optional(
            sql!(
                "select 1 from api_key k join account a on a.id = k.account
                 where k.key_id = $1
                 and (k.confirmed_until > $2 and k.confirmed_until < $3
                    or k.is_default = true and a.password_hash is null
                        and not exists (select 1 from passkey p where p.account = a.id))"
            ),
            values![key_id, now, far],
        )?,
        SignedBy::Token(grant) => ctx.tx.optional(
            sql!(
                "select 1 from oauth_grant
                 where id = $1 and confirmed_until > $2 and confirmed_until < $3"
            ),
            values![grant, now, far],
        )?,
        SignedBy::Clock => None,
    };
    if confirmed.is_some() { Ok(()) } else { Err(refusal(ctx, caller)?.into()) }
}

fn refusal(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<Refusal> {
    let sql = sql!(
        "select a.password_hash is not null
            or exists (select 1 from passkey p where p.account = a.id)
         from account a where a.id = $1"
    );
    let hint = if ctx.tx.one(sql, values![caller.id])? {
        "POST /auth/step-up with the password, a code or a passkey, then send this again"
    } else {
        "the account has no password and no passkey; send this with its default key"
    };
    let message = "confirm that it is you before you do this";
    Ok(Refusal::new(Code::StepUpRequired, message).hint(hint))
}

/// Confirms the caller's session or key; the answer is until when.
pub fn confirm(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<Timestamp> {
    let until = ctx.now().plus(LIFE);
    let rows = match &caller.method {
        SignedBy::Session { hash, .. } => ctx.tx.execute(
            sql!("update session set confirmed_until = $1 where token_hash = $2"),
            values![until, hash],
        )?,
        SignedBy::ApiKey(key_id) => ctx.tx.execute(
            sql!("update api_key set confirmed_until = $1 where key_id = $2"),
            values![until, key_id],
        )?,
        SignedBy::Token(grant) => ctx.tx.execute(
            sql!("update oauth_grant set confirmed_until = $1 where id = $2"),
            values![until, grant],
        )?,
        SignedBy::Clock => 0,
    };
    // It ended while the password was checked.
    if rows == 0 { Err(session::invalid_credentials()) } else { Ok(until) }
}

/// 401 for a password where the account has none, which is no wrong guess.
pub fn no_password() -> Error {
    let message = "the account has no password to confirm with";
    let refusal = Refusal::new(Code::InvalidCredentials, message).field("password");
    refusal.hint("without a passkey, its default key needs no confirmation").into()
}

/// 401 without what a confirmation needs.
pub fn incomplete() -> Error {
    Refusal::new(Code::InvalidCredentials, "the password is needed").field("password").into()
}
