//! Lost passwords and keys: a link to the verified address leads back into an account.
//!
//! A request writes the same row whether or not an account has the address; the account is looked
//! up when the mail is sent. So neither response nor time tell who has an account.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::security::SecurityAction;
use svc_types::{ApiKey, Code, FactorCode, MailToken, UserId};

use super::outbox;
use super::text::{self, Draft};
use super::token::{self, Kind};
use crate::app::Ctx;
use crate::services::attempt::Counter;
use crate::services::oauth::grant;
use crate::services::security::{self, About};
use crate::services::{account, api_key, factor, owner, passkey, pending, session};

/// Asks for the link of the account with this address, if there is one.
pub fn request(ctx: &mut Ctx<'_, '_>, email: &str) -> Result<()> {
    for counter in Counter::resets(ctx, ctx.network()) {
        counter.take(ctx)?;
    }
    outbox::insert_unresolved(ctx, email, Kind::Reset.word(), Kind::Reset.life())
}

/// The account that a reset is for.
struct Found {
    id: UserId,
    username: String,
    has_password: bool,
}
row!(Found { id: "id", username: "username", has_password: "password_hash is not null" });

/// The account with this verified address, and its mail; none without one, and for one that got
/// enough of them.
pub(super) fn resolve(ctx: &mut Ctx<'_, '_>, email: &str) -> Result<Option<(UserId, Draft)>> {
    let found: Option<Found> = ctx.tx.optional(
        sql!(
            "select ",
            Found::COLUMNS,
            " from account
             where email = $1 and email_verified_at is not null and deleted_at is null"
        ),
        values![email],
    )?;
    let Some(Found { id, username, has_password }) = found else { return Ok(None) };
    for counter in Counter::mails(ctx, Kind::Reset.word(), &id, email) {
        match counter.take(ctx) {
            Err(Error::Refused(_)) => return Ok(None),
            taken => taken?,
        };
    }
    let token = token::create(ctx, Kind::Reset, &id, email)?;
    let draft = text::reset(ctx.app, &username, has_password, &token);
    Ok(Some((id, draft)))
}

/// Where a link leads.
#[derive(Debug)]
pub struct Link {
    /// The account.
    pub account: UserId,
    /// Its username.
    pub username: String,
    /// Its address, if it has one.
    pub email: Option<String>,
    /// Whether the account has a password; otherwise a new default key replaces its keys.
    pub has_password: bool,
    /// Whether a code of the second factor is needed.
    pub has_factor: bool,
}
row!(Link {
    account: "a.id",
    username: "a.username",
    email: "a.email",
    has_password: "a.password_hash is not null",
    has_factor: "exists (select 1 from totp t where t.account = a.id and t.is_on = true)",
});

/// Creates a link for the operator to hand out. It works without mail, and ends the earlier ones.
pub fn recovery_link(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<String> {
    let sql = sql!("delete from mail_token where account = $1 and kind = $2");
    ctx.tx.execute(sql, values![account, Kind::Recover.word()])?;
    let token = token::create(ctx, Kind::Recover, account, "")?;
    security::note(ctx, account, &SecurityAction::RecoveryLinkCreated, About::default())?;
    Ok(format!("{}/reset?token={token}", ctx.app.public_url))
}

/// Where a link leads; 404 for one that is used, unknown or expired. Without mail only links of the
/// operator work, and others are 503.
pub fn link(ctx: &mut Ctx<'_, '_>, token: &MailToken) -> Result<Link> {
    if let Some(account) = token::recovered(ctx, token)? {
        let sql = sql!(
            "select ",
            Link::COLUMNS,
            " from account a where a.id = $1 and a.deleted_at is null"
        );
        return ctx.tx.optional(sql, values![account])?.ok_or_else(token::no_link);
    }
    super::require(ctx.app)?;
    let token::Owner { account, email } = token::owner(ctx, Kind::Reset, token)?;
    let found = ctx.tx.optional(
        sql!(
            "select ",
            Link::COLUMNS,
            " from account a
             where a.id = $1 and a.email = $2 and a.email_verified_at is not null
                and a.deleted_at is null"
        ),
        values![account, email],
    )?;
    found.ok_or_else(token::no_link)
}

/// Uses a link: sets the password, or replaces the keys of an account without one by a new default key,
/// which is returned. All sessions end. A mailbox is one factor: where there is a second, its code is needed.
pub fn finish(
    ctx: &mut Ctx<'_, '_>,
    token: &MailToken,
    code: Option<&FactorCode>,
    check: impl FnOnce(&Link) -> Result<Option<String>>,
) -> Result<Option<ApiKey>> {
    let account = link(ctx, token)?.account;
    account::lock(ctx, &account)?;
    // Again behind the lock: the account may have changed meanwhile.
    let link = link(ctx, token)?;
    let password_hash = check(&link)?;
    match code {
        Some(code) if link.has_factor => factor::accept(ctx, &account, code)?,
        None if link.has_factor => return Err(factor::code_needed()),
        _ => {}
    }
    if token::recovered(ctx, token)?.is_some() {
        // The operator knows who this is; a former mailbox may be a thief's.
        token::end_undos(ctx, &account)?;
    }
    token::take(ctx, token)?;
    security::note(ctx, &account, &SecurityAction::Recovered, About::default())?;
    // Who had the lost password or key may have entered another address, added keys and passkeys, and claimed the
    // agent.
    pending::cancel_all(ctx, &account, None)?;
    let key = replace_credential(ctx, &account, password_hash.as_deref())?;
    owner::end_recent(ctx, &account)?;
    end_openings(ctx, &account)?;
    Ok(key)
}

/// Sets the password, or replaces the keys of an account without one. It ends what a thief may have added and could
/// come back with.
fn replace_credential(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    password_hash: Option<&str>,
) -> Result<Option<ApiKey>> {
    if let Some(hash) = password_hash {
        set_password(ctx, account, hash)?;
        passkey::remove_recent(ctx, account)?;
        return Ok(None);
    }
    passkey::remove_all(ctx, account)?;
    api_key::revoke_named(ctx, account)?;
    Ok(Some(api_key::renew_default(ctx, account)?.key.into()))
}

/// Sets a password for the operator, and ends what was opened with the one before; 409 for an account
/// without one.
pub fn reset_password(ctx: &mut Ctx<'_, '_>, account: &UserId, hash: &str) -> Result<()> {
    account::lock(ctx, account)?;
    let sql = sql!("select password_hash is not null from account where id = $1");
    if !ctx.tx.one::<bool>(sql, values![account])? {
        let refusal = Refusal::new(Code::WrongState, "the account has no password");
        return Err(refusal.hint("`recover` gives a link for a new API key").into());
    }
    pending::cancel_all(ctx, account, None)?;
    token::end_undos(ctx, account)?;
    set_password(ctx, account, hash)?;
    passkey::remove_recent(ctx, account)?;
    end_openings(ctx, account)
}

/// Sets a password that the account chose, unless the password has changed since the hash `stored` was
/// verified. Returns whether it did. Links that lead back into the account end: someone who changes a
/// password may no longer trust their mailbox.
pub fn change_password(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    stored: &str,
    hash: &str,
) -> Result<bool> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update account set password_hash = $1, updated_at = $2
             where id = $3 and password_hash = $4"
        ),
        values![hash, now, account, stored],
    )?;
    if rows == 0 {
        return Ok(false);
    }
    security::note(ctx, account, &SecurityAction::PasswordChanged, About::default())?;
    token::end_resets(ctx, account)?;
    owner::end_link(ctx, account)?;
    Ok(true)
}

/// Ends what was opened with the credentials so far: sessions, grants, links and connections.
fn end_openings(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    token::end_resets(ctx, account)?;
    owner::end_link(ctx, account)?;
    if session::end_all(ctx, account)? {
        security::note(ctx, account, &SecurityAction::SessionEnded, About::default())?;
    }
    grant::end_all(ctx, account)?;
    ctx.effects.ended.push(account.clone());
    Ok(())
}

fn set_password(ctx: &mut Ctx<'_, '_>, account: &UserId, hash: &str) -> Result<()> {
    let now = ctx.now();
    let sql = sql!("update account set password_hash = $1, updated_at = $2 where id = $3");
    ctx.tx.execute(sql, values![hash, now, account])?;
    security::note(ctx, account, &SecurityAction::PasswordChanged, About::default())
}
