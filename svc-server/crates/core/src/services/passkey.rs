//! Passkeys: the public keys of devices that sign an account in.
//!
//! `webauthn-rs` verifies what devices answer; this module keeps their keys, and `ceremony` the
//! challenges in between. A device finds its passkeys by itself, so that signing in needs no name,
//! and what begins it is the same for everybody.

mod ceremony;
mod verify;

use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::passkeys::{PASSKEYS_MAX, Passkey};
use svc_types::api::pending::PENDING_FOR;
use svc_types::api::security::SecurityAction;
use svc_types::{Code, PasskeyId, Timestamp, UserId};
use url::Url;

use crate::app::{App, Ctx};
use crate::identity::Account;
use crate::services::api_key::require_all;
use crate::services::security::{self, About};
use crate::services::{account, credential, last_credential};

pub use self::ceremony::{
    Ceremony, Kind, begin_adding, begin_confirming, begin_signing_in, forget, take,
};
pub use self::verify::{
    Answer, Enrolment, New, Used, check_confirmation, check_new, check_sign_in, parse,
};

/// Whether passkeys work here: they are bound to a host name, and an address has none.
pub fn is_on(app: &App) -> bool {
    Url::parse(&app.public_url).is_ok_and(|url| url.domain().is_some())
}

/// 503 where passkeys don't work.
pub fn require(app: &App) -> Result<()> {
    if is_on(app) {
        return Ok(());
    }
    let message = "passkeys need a host name, and this server has only an address";
    let refusal = Refusal::new(Code::FeatureNotConfigured, message);
    Err(refusal.hint("its operator names it by the setting public_url").into())
}

/// 401 for what does not belong to its ceremony, whatever is wrong with it.
pub fn refused() -> Error {
    let message = "this passkey is unknown here, or its answer is not to a ceremony that you began";
    let refusal = Refusal::new(Code::InvalidCredentials, message);
    refusal
        .field("credential")
        .hint("begin again: a ceremony lasts 10 minutes and works once")
        .into()
}

struct Record {
    id: PasskeyId,
    name: String,
    is_synced: bool,
    created_at: Timestamp,
    last_used_at: Option<Timestamp>,
}
row!(Record {
    id: "id",
    name: "name",
    is_synced: "is_synced",
    created_at: "created_at",
    last_used_at: "last_used_at",
});

impl From<Record> for Passkey {
    fn from(record: Record) -> Self {
        Self {
            passkey_id: record.id,
            name: record.name,
            is_synced: record.is_synced,
            created_at: record.created_at,
            last_used_at: record.last_used_at,
        }
    }
}

/// A passkey with what verifies its signatures.
pub struct Stored {
    /// Its id.
    pub id: PasskeyId,
    /// Whose it is.
    pub account: UserId,
    /// The name of the account.
    username: String,
    /// Public key, counter and flags, as `webauthn-rs` writes them.
    credential: String,
}
row!(Stored {
    id: "p.id",
    account: "p.account",
    username: "a.username",
    credential: "p.credential",
});

/// The passkey that a device names.
pub fn find(ctx: &mut Ctx<'_, '_>, credential_id: &[u8]) -> Result<Option<Stored>> {
    ctx.tx.optional(
        sql!(
            "select ",
            Stored::COLUMNS,
            " from passkey p join account a on a.id = p.account where p.credential_id = $1"
        ),
        values![credential_id],
    )
}

/// The passkeys of an account, oldest first.
pub fn list(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Vec<Passkey>> {
    let records: Vec<Record> = ctx.tx.all(
        sql!("select ", Record::COLUMNS, " from passkey where account = $1 order by id"),
        values![account],
    )?;
    Ok(records.into_iter().map(Passkey::from).collect())
}

fn get(ctx: &mut Ctx<'_, '_>, account: &UserId, id: &PasskeyId) -> Result<Passkey> {
    let record: Option<Record> = ctx.tx.optional(
        sql!("select ", Record::COLUMNS, " from passkey where id = $1 and account = $2"),
        values![id, account],
    )?;
    record.map(Passkey::from).ok_or_else(|| Error::not_found("passkey"))
}

/// What verifies the signatures of an account's passkeys.
fn credentials(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Vec<String>> {
    let sql = sql!("select credential from passkey where account = $1 order by id");
    ctx.tx.all(sql, values![account])
}

/// 409 for one passkey too many.
fn refuse_beyond(count: usize) -> Result<()> {
    if count < PASSKEYS_MAX {
        return Ok(());
    }
    let message = format!("an account has at most {PASSKEYS_MAX} passkeys");
    Err(Refusal::new(Code::LimitReached, message).hint("remove one").into())
}

/// Adds a passkey whose enrolment was verified.
pub fn add(ctx: &mut Ctx<'_, '_>, caller: &Account, name: &str, new: &New) -> Result<Passkey> {
    require_all(ctx, caller)?;
    account::lock(ctx, &caller.id)?;
    credential::hold(ctx, caller)?;
    refuse_beyond(list(ctx, &caller.id)?.len())?;
    let (id, now): (PasskeyId, _) = (ctx.id(), ctx.now());
    let rows = ctx.tx.execute(
        sql!(
            "insert into passkey (id, account, name, credential_id, credential, is_synced, created_at)
             values ($1, $2, $3, $4, $5, $6, $7)
             on conflict (credential_id) do nothing"
        ),
        values![id, caller.id, name, new.credential_id, new.credential, new.is_synced, now],
    )?;
    if rows == 0 {
        return Err(refused());
    }
    security::note(ctx, &caller.id, &SecurityAction::PasskeyAdded, About::default())?;
    get(ctx, &caller.id, &id)
}

/// Notes that a passkey was used. 401 if it was removed, or used by somebody else, since it was read.
pub fn accept(ctx: &mut Ctx<'_, '_>, used: &Used) -> Result<()> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update passkey set credential = $1, is_synced = $2, last_used_at = $3
             where id = $4 and credential = $5"
        ),
        values![used.after, used.is_synced, now, used.id, used.before],
    )?;
    if rows == 0 { Err(refused()) } else { Ok(()) }
}

/// Renames a passkey; 404 if it belongs to another account.
pub fn rename(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    id: &PasskeyId,
    name: &str,
) -> Result<Passkey> {
    let sql = sql!("update passkey set name = $1 where id = $2 and account = $3");
    if ctx.tx.execute(sql, values![name, id, account])? == 0 {
        return Err(Error::not_found("passkey"));
    }
    security::note(ctx, account, &SecurityAction::PasskeyChanged, About::default())?;
    get(ctx, account, id)
}

/// Removes a passkey, unless it is the only way left into the account.
pub fn delete(ctx: &mut Ctx<'_, '_>, account: &UserId, id: &PasskeyId) -> Result<()> {
    account::lock(ctx, account)?;
    get(ctx, account, id)?;
    if !last_credential::is_other_left(ctx, account, id.as_str())? {
        let message = "this passkey is the only way left into the account";
        let refusal = Refusal::new(Code::LastCredential, message);
        return Err(refusal.hint("add another, or regenerate the API key").into());
    }
    let sql = sql!("delete from passkey where id = $1 and account = $2");
    ctx.tx.execute(sql, values![id, account])?;
    security::note(ctx, account, &SecurityAction::PasskeyRemoved, About::default())
}

/// Removes all passkeys of an account, for an operator; false if it has none.
pub fn remove_all(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    account::lock(ctx, account)?;
    let had_any = forget_account(ctx, account)?;
    if had_any {
        security::note(ctx, account, &SecurityAction::PasskeyRemoved, About::default())?;
    }
    Ok(had_any)
}

/// Removes the passkeys that an account got lately, when it is recovered: a thief of its password may have added
/// them. What would wait for 72 hours if a key asked for it can be taken back for as long.
pub fn remove_recent(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let since = ctx.now().minus(PENDING_FOR.duration());
    ctx.tx.execute(sql!("delete from ceremony where account = $1"), values![account])?;
    let sql = sql!("delete from passkey where account = $1 and created_at > $2");
    if ctx.tx.execute(sql, values![account, since])? > 0 {
        security::note(ctx, account, &SecurityAction::PasskeyRemoved, About::default())?;
    }
    Ok(())
}

/// Deletes the passkeys and ceremonies of an account; whether it had a passkey.
pub fn forget_account(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    ctx.tx.execute(sql!("delete from ceremony where account = $1"), values![account])?;
    Ok(ctx.tx.execute(sql!("delete from passkey where account = $1"), values![account])? > 0)
}
