//! Second factors: codes of an authenticator app, and recovery codes.
//!
//! The app's secret is stored encrypted, recovery codes as hashes. Each code counts once: the row of
//! the app remembers the step of the last one, and a used recovery code is deleted.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::factors::{Factors, RECOVERY_CODES};
use svc_types::api::security::SecurityAction;
use svc_types::{Code, FactorCode, RecoveryCode, TotpUri, UserId};
use totp_rs::{Builder, Totp};

use crate::app::Ctx;
use crate::identity::Account;
use crate::ids;
use crate::keys::{self, Hash};
use crate::services::security::{self, About};
use crate::services::{account, credential, passkey};

/// Bytes of an app's secret, as RFC 4226 recommends for SHA-1.
const SECRET_LENGTH: usize = 20;

/// Digits of an app's code.
const DIGITS: usize = 6;

/// Bytes of a recovery code.
const RECOVERY_LENGTH: usize = 10;

/// Digits of a recovery code.
const HEX: &[u8; 16] = b"0123456789abcdef";

/// The stored app of an account.
struct Record {
    encrypted: Vec<u8>,
    is_on: bool,
    last_step: i64,
}
row!(Record { encrypted: "sealed", is_on: "is_on", last_step: "last_step" });

/// What the ciphertext of an account's app belongs to.
fn place(account: &UserId) -> String {
    format!("totp {account}")
}

impl Record {
    fn of(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Option<Self>> {
        ctx.tx.optional(
            sql!("select ", Record::COLUMNS, " from totp where account = $1"),
            values![account],
        )
    }

    /// The step of a code that is valid now and was not used; `None` for other codes. No code is valid where no key of
    /// this server opens the app's secret, so that its owner turns to a recovery code.
    fn step_of(&self, ctx: &Ctx<'_, '_>, account: &UserId, code: &str) -> Result<Option<i64>> {
        let secret = match ctx.app.encrypt.decrypt(&place(account), &self.encrypted) {
            Ok(secret) => secret,
            Err(error) => {
                tracing::error!(%error, %account, "the secret of an authenticator app is lost");
                return Ok(None);
            }
        };
        let secret = STANDARD.decode(secret).map_err(Error::internal)?;
        let seconds = u64::try_from(ctx.now().as_millis() / 1000).unwrap_or(0);
        let step = totp(secret).check(code, seconds).and_then(|step| i64::try_from(step).ok());
        Ok(step.filter(|step| *step > self.last_step))
    }
}

/// The app with this secret, without its label.
fn totp(secret: Vec<u8>) -> Totp {
    builder(secret).build_noncompliant()
}

fn builder(secret: Vec<u8>) -> Builder {
    // SHA-1, six digits, steps of 30 seconds and one step to either side are its defaults.
    Builder::new().with_secret(secret).with_skew(1)
}

/// The factors and passkeys of an account.
pub fn list(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Factors> {
    let sql = sql!("select count(*) from recovery_code where account = $1");
    let left: i64 = ctx.tx.one(sql, values![account])?;
    Ok(Factors {
        password: has_password(ctx, account)?,
        totp: is_on(ctx, account)?,
        passkeys: passkey::list(ctx, account)?,
        recovery_codes_left: u32::try_from(left).unwrap_or(u32::MAX),
    })
}

fn has_password(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    let sql = sql!("select password_hash is not null from account where id = $1");
    ctx.tx.one(sql, values![account])
}

/// Whether signing in needs a code.
pub fn is_on(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    let sql = sql!("select 1 from totp where account = $1 and is_on = true");
    Ok(ctx.tx.optional::<i64>(sql, values![account])?.is_some())
}

/// Stores the secret of an app that is not on yet; the answer is the URI for the app.
pub fn begin(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<TotpUri> {
    if !has_password(ctx, &caller.id)? {
        let refusal =
            Refusal::new(Code::WrongState, "the account has no password to add a factor to");
        return Err(refusal
            .hint("a key is a single factor: limit it by scopes and networks")
            .into());
    }
    let secret = ids::random::<SECRET_LENGTH>();
    let encrypted = ctx.app.encrypt.encrypt(&place(&caller.id), &STANDARD.encode(secret))?;
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "insert into totp (account, sealed, is_on, last_step, created_at)
             values ($1, $2, false, 0, $3)
             on conflict (account) do update
             set sealed = excluded.sealed, created_at = excluded.created_at
             where totp.is_on = false"
        ),
        values![caller.id, encrypted, now],
    )?;
    if rows == 0 {
        return Err(already_on());
    }
    uri(ctx, caller, secret.to_vec())
}

fn already_on() -> Error {
    let refusal = Refusal::new(Code::WrongState, "an authenticator app is on");
    refusal.hint("remove it with DELETE /auth/totp to add another").into()
}

/// The URI that authenticator apps read, labelled by the server's host and the username.
fn uri(ctx: &Ctx<'_, '_>, caller: &Account, secret: Vec<u8>) -> Result<TotpUri> {
    let url = url::Url::parse(&ctx.app.public_url).map_err(Error::internal)?;
    let issuer = url.host_str().unwrap_or("svc").replace(':', ".");
    let totp =
        builder(secret).with_account_name(caller.username.as_str()).with_issuer(Some(issuer));
    let totp = totp.build().map_err(|error| Error::internal(error.to_string()))?;
    totp.to_url().map(TotpUri::from).map_err(|error| Error::internal(error.to_string()))
}

/// Refuses a code that would not turn the app on.
pub fn check_first(ctx: &mut Ctx<'_, '_>, account: &UserId, code: &FactorCode) -> Result<()> {
    first_step(ctx, account, code).map(drop)
}

/// The app that is being added, and the step of its first code.
fn first_step(ctx: &mut Ctx<'_, '_>, account: &UserId, code: &FactorCode) -> Result<(Record, i64)> {
    let Some(record) = Record::of(ctx, account)? else {
        let refusal = Refusal::new(Code::WrongState, "no authenticator app is being added");
        return Err(refusal.hint("begin with POST /auth/totp").into());
    };
    if record.is_on {
        return Err(already_on());
    }
    let step = record.step_of(ctx, account, &plain(code.expose()))?.ok_or_else(wrong_code)?;
    Ok((record, step))
}

/// Turns the app on with its first code; the answer are the recovery codes.
pub fn turn_on(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    code: &FactorCode,
) -> Result<Vec<RecoveryCode>> {
    account::lock(ctx, &caller.id)?;
    credential::hold(ctx, caller)?;
    let (record, step) = first_step(ctx, &caller.id, code)?;
    let sql = sql!(
        "update totp set is_on = true, last_step = $1
         where account = $2 and is_on = false and sealed = $3"
    );
    if ctx.tx.execute(sql, values![step, caller.id, record.encrypted])? == 0 {
        return Err(wrong_code());
    }
    security::note(ctx, &caller.id, &SecurityAction::FactorAdded, About::default())?;
    replace_recovery_codes(ctx, &caller.id)
}

/// Removes the app and the recovery codes; false if no app was on.
pub fn remove(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    let sql = sql!("delete from totp where account = $1 and is_on = true");
    let was_on = ctx.tx.execute(sql, values![account])? > 0;
    if was_on {
        delete_recovery_codes(ctx, account)?;
        security::note(ctx, account, &SecurityAction::FactorRemoved, About::default())?;
    }
    Ok(was_on)
}

/// Deletes every factor of an account that ends.
pub fn forget(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    ctx.tx.execute(sql!("delete from totp where account = $1"), values![account])?;
    delete_recovery_codes(ctx, account)
}

fn delete_recovery_codes(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let sql = sql!("delete from recovery_code where account = $1");
    ctx.tx.execute(sql, values![account]).map(drop)
}

/// Replaces the recovery codes of an account whose app is on.
pub fn renew_recovery_codes(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Vec<RecoveryCode>> {
    // The lock makes two calls replace each other's codes instead of adding them up.
    ctx.tx
        .lock(sql!("select account from totp where account = $1 for update"), values![account])?;
    if !is_on(ctx, account)? {
        let refusal = Refusal::new(Code::WrongState, "no second factor is on");
        return Err(refusal.hint("begin with POST /auth/totp").into());
    }
    security::note(ctx, account, &SecurityAction::RecoveryCodesCreated, About::default())?;
    replace_recovery_codes(ctx, account)
}

fn replace_recovery_codes(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Vec<RecoveryCode>> {
    delete_recovery_codes(ctx, account)?;
    let mut codes = Vec::with_capacity(RECOVERY_CODES);
    for _ in 0..RECOVERY_CODES {
        let code = recovery_code();
        let sql = sql!("insert into recovery_code (account, hash) values ($1, $2)");
        ctx.tx.execute(sql, values![account, hash(account, &plain(&code))])?;
        codes.push(code.into());
    }
    Ok(codes)
}

/// Four groups of five hexadecimal digits.
fn recovery_code() -> String {
    let mut code = String::with_capacity(2 * RECOVERY_LENGTH + 3);
    let digits = ids::random::<RECOVERY_LENGTH>().into_iter();
    for (place, digit) in digits.flat_map(|byte| [byte >> 4, byte & 15]).enumerate() {
        if place > 0 && place.is_multiple_of(5) {
            code.push('-');
        }
        code.push(char::from(HEX[usize::from(digit)]));
    }
    code
}

/// What is stored of a recovery code.
fn hash(account: &UserId, code: &str) -> Hash {
    keys::hash(&format!("{account} {code}"))
}

/// A code as it is compared, however it was typed.
fn plain(code: &str) -> String {
    let kept = code.chars().filter(|letter| !letter.is_whitespace() && *letter != '-');
    kept.collect::<String>().to_lowercase()
}

/// Whether a code, which is plain, is one of the app; otherwise it is a recovery code.
fn is_of_app(code: &str) -> bool {
    code.len() == DIGITS && code.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether [`accept`] would accept a code, which this does not use up.
pub fn is_right(ctx: &mut Ctx<'_, '_>, account: &UserId, code: &FactorCode) -> Result<bool> {
    let code = plain(code.expose());
    if is_of_app(&code) {
        let record = Record::of(ctx, account)?.filter(|record| record.is_on);
        let Some(record) = record else { return Ok(false) };
        return Ok(record.step_of(ctx, account, &code)?.is_some());
    }
    let sql = sql!("select 1 from recovery_code where account = $1 and hash = $2");
    Ok(ctx.tx.optional::<i64>(sql, values![account, hash(account, &code)])?.is_some())
}

/// Uses up a code of an account whose app is on; 401 for a wrong one.
pub fn accept(ctx: &mut Ctx<'_, '_>, account: &UserId, code: &FactorCode) -> Result<()> {
    let code = plain(code.expose());
    let accepted = if is_of_app(&code) {
        use_step(ctx, account, &code)?
    } else {
        use_recovery_code(ctx, account, &code)?
    };
    if accepted { Ok(()) } else { Err(wrong_code()) }
}

fn use_step(ctx: &mut Ctx<'_, '_>, account: &UserId, code: &str) -> Result<bool> {
    let Some(record) = Record::of(ctx, account)?.filter(|record| record.is_on) else {
        return Ok(false);
    };
    let Some(step) = record.step_of(ctx, account, code)? else { return Ok(false) };
    let sql = sql!(
        "update totp set last_step = $1 where account = $2 and is_on = true and last_step < $1"
    );
    Ok(ctx.tx.execute(sql, values![step, account])? > 0)
}

fn use_recovery_code(ctx: &mut Ctx<'_, '_>, account: &UserId, code: &str) -> Result<bool> {
    let sql = sql!("delete from recovery_code where account = $1 and hash = $2");
    let used = ctx.tx.execute(sql, values![account, hash(account, code)])? > 0;
    if used {
        security::note(ctx, account, &SecurityAction::RecoveryCodeUsed, About::default())?;
    }
    Ok(used)
}

/// 401 for a wrong, used or expired code.
pub fn wrong_code() -> Error {
    let refusal = Refusal::new(Code::InvalidCredentials, "the code is wrong or was used before");
    refusal.field("code").hint("wait for the app's next code").into()
}

/// 401 without a code where one is needed.
pub fn code_needed() -> Error {
    needs_code().into()
}

/// The same as a refusal, for who adds to it.
pub fn needs_code() -> Refusal {
    let refusal = Refusal::new(Code::SecondFactorRequired, "a code of the second factor is needed");
    refusal.field("code").hint("send the code of the authenticator app, or a recovery code")
}

/// Apps whose secret is re-encrypted in one transaction.
const BATCH: i64 = 200;

/// Encrypts the secrets of the accounts after this one with the newest key; the answer is the last. One that no key
/// opens is left as it is: it is lost already.
pub fn reencrypt(ctx: &mut Ctx<'_, '_>, after: &str) -> Result<Option<UserId>> {
    let rows: Vec<(UserId, Vec<u8>)> = ctx.tx.all(
        sql!("select account, sealed from totp where account > $1 order by account limit $2"),
        values![after, BATCH],
    )?;
    for (account, encrypted) in &rows {
        let Ok(secret) = ctx.app.encrypt.decrypt(&place(account), encrypted) else { continue };
        let again = ctx.app.encrypt.encrypt(&place(account), &secret)?;
        let sql = sql!("update totp set sealed = $1 where account = $2 and sealed = $3");
        ctx.tx.execute(sql, values![again, account, encrypted])?;
    }
    Ok(rows.last().map(|(account, _)| account.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recovery_code_is_the_same_however_it_is_typed() {
        let code = recovery_code();
        assert_eq!(code.len(), 23);
        assert_eq!(plain(&code), plain(&format!(" {} ", code.to_uppercase().replace('-', " "))));
        assert_eq!(plain(&code).len(), 2 * RECOVERY_LENGTH);
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 6238, appendix B, in six digits.
        let totp = totp(b"12345678901234567890".to_vec());
        for (seconds, code) in
            [(59, "287082"), (1_111_111_109, "081804"), (2_000_000_000, "279037")]
        {
            assert_eq!(totp.check(code, seconds), Some(seconds / 30));
            assert!(
                totp.check(code, seconds + 30).is_some()
                    && totp.check(code, seconds + 60).is_none()
            );
        }
    }
}
