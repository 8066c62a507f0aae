//! The step between password and code, so that a page asks for the password once.
//!
//! When a right password lacks its code, the page gets a random token, which it sends in place of the
//! password. It belongs to one account and one password, lasts five minutes, and ends with the
//! sign-in. Wrong codes do not end it: they are limited like wrong passwords. A step that leads to no
//! sign-in is a failed one: somebody knows the password.

use std::time::Duration;

use svc_store::error::{Error, Refusal, Result, Step};
use svc_store::{row, sql, values};
use svc_types::api::security::SecurityAction;
use svc_types::{Code, SecurityEntryId, Timestamp, TypedPassword, UserId};

use crate::app::Ctx;
use crate::services::{security, session};
use crate::{ids, keys};

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

/// A step that ends without a sign-in by it.
struct Left {
    account: UserId,
    /// The network where the password was typed, if nobody had signed in from there.
    network: Option<String>,
    expires_at: Timestamp,
}
row!(Left { account: "account", network: "network", expires_at: "expires_at" });

impl Left {
    /// Adds it to the security log, unless somebody has signed in from the network since the password was typed: a
    /// program sends the password again with the code. Sign-ins to an agent of the account do not count.
    fn note(&self, ctx: &mut Ctx<'_, '_>) -> Result<()> {
        let Some(network) = &self.network else { return Ok(()) };
        let since: SecurityEntryId = ids::first_of(self.expires_at.minus(LIFE));
        let signed_in: Option<i64> = ctx.tx.optional(
            sql!(
                "select 1 from security_entry
                 where account = $1 and id >= $2 and action = $3 and network = $4
                    and agent is null
                 limit 1"
            ),
            values![self.account, since, SecurityAction::SignedIn, network],
        )?;
        if signed_in.is_some() {
            return Ok(());
        }
        if let Some(entry) = security::note_failure_from(ctx, &self.account, network)? {
            security::note_failed(ctx, &self.account, &entry, network)?;
        }
        Ok(())
    }
}

/// Begins the step of an account whose password was verified, in place of an earlier one; the answer
/// is what the page sends. `network` is where the password was typed, if that is to be noted.
pub fn begin(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    password_hash: &str,
    network: Option<&str>,
) -> Result<Step> {
    let sql = sql!("delete from login_step where account = $1 returning ", Left::COLUMNS);
    if let Some(left) = ctx.tx.optional::<Left>(sql, values![account])? {
        left.note(ctx)?;
    }
    let (random, _) = keys::session_token();
    let token = format!("{PREFIX}{random}");
    let until = ctx.now().plus(LIFE);
    ctx.tx.execute(
        sql!(
            "insert into login_step (hash, account, password_hash, expires_at, network)
             values ($1, $2, $3, $4, $5)
             on conflict (account) do update
             set hash = excluded.hash, password_hash = excluded.password_hash,
                expires_at = excluded.expires_at, network = excluded.network"
        ),
        values![keys::hash(&token), account, password_hash, until, network],
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

/// Deletes steps that were never taken, and notes those of new networks.
pub fn forget(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let now = ctx.now();
    let over: Vec<Left> = ctx.tx.all(
        sql!(
            "delete from login_step where +expires_at <= $1 and hash in
             (select hash from login_step where expires_at <= $1 order by expires_at limit $2)
             returning ",
            Left::COLUMNS
        ),
        values![now, most],
    )?;
    over.iter().try_for_each(|left| left.note(ctx))?;
    Ok(over.len() as u64)
}
