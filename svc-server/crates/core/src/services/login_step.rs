//! The step between password and code, so that a page asks for the password once.
//!
//! When a right password lacks its code, the page gets a random token, which it sends in place of the
//! password. It belongs to one account and one password, lasts five minutes, and ends with the
//! sign-in. Wrong codes do not end it: they are limited like wrong passwords.

use std::time::Duration;

use svc_store::error::{Error, Refusal, Result, Step};
use svc_store::{row, sql, values};
use svc_types::{Code, Timestamp, TypedPassword, UserId};

use crate::app::Ctx;
use crate::keys;
use crate::services::session;

/// How long a person may take to find the code.
const LIFE: Duration = Duration::from_mins(5);

/// How a token begins, which tells it from most passwords.
const PREFIX: &str = "svc_step_";

/// A step that was begun.
struct Record {
    account: UserId,
    password_hash: String,
    expires_at: Timestamp,
}
row!(Record { account: "account", password_hash: "password_hash", expires_at: "expires_at" });

/// Begins the step of an account whose password was verified, in place of an earlier one; the answer
/// is what the page sends.
pub fn begin(ctx: &mut Ctx<'_, '_>, account: &UserId, password_hash: &str) -> Result<Step> {
    let (random, _) = keys::session_token();
    let token = format!("{PREFIX}{random}");
    let until = ctx.now().plus(LIFE);
    ctx.tx.execute(
        sql!(
            "insert into login_step (hash, account, password_hash, expires_at)
             values ($1, $2, $3, $4)
             on conflict (account) do update
             set hash = excluded.hash, password_hash = excluded.password_hash,
                expires_at = excluded.expires_at"
        ),
        values![keys::hash(&token), account, password_hash, until],
    )?;
    Ok(Step::from(token))
}

/// Whether what was typed is the step of this account, and its password is still the one that was
/// verified.
pub fn is_of(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    password_hash: &str,
    typed: &TypedPassword,
) -> Result<bool> {
    if !typed.expose().starts_with(PREFIX) {
        return Ok(false);
    }
    let found: Option<Record> = ctx.tx.optional(
        sql!("select ", Record::COLUMNS, " from login_step where hash = $1"),
        values![keys::hash(typed.expose())],
    )?;
    let now = ctx.now();
    Ok(found.is_some_and(|step| {
        step.account == *account && step.password_hash == password_hash && now < step.expires_at
    }))
}

/// Ends the step of an account that signed in by it; 401 if another sign-in has.
pub fn finish(ctx: &mut Ctx<'_, '_>, account: &UserId, typed: &TypedPassword) -> Result<()> {
    let sql = sql!("delete from login_step where hash = $1 and account = $2");
    match ctx.tx.execute(sql, values![keys::hash(typed.expose()), account])? {
        0 => Err(expired()),
        _ => Ok(()),
    }
}

/// The refusal of what was typed: a step that has ended is no wrong password.
pub fn wrong(typed: &TypedPassword) -> fn() -> Error {
    if typed.expose().starts_with(PREFIX) { expired } else { session::invalid_credentials }
}

fn expired() -> Error {
    let message = "the password was typed too long ago";
    Refusal::new(Code::InvalidCredentials, message).field("password").hint("sign in again").into()
}

/// Ends the step of an account.
pub fn end(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    ctx.tx.execute(sql!("delete from login_step where account = $1"), values![account]).map(drop)
}

forget_expired! {
    /// Deletes steps that were never taken.
    pub fn forget: "login_step" by "hash"
}
