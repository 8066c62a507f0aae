//! Passwords: sign-in and change.

use std::net::IpAddr;
use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::{Account, Anybody};
use svc_core::ids;
use svc_core::network::Network;
use svc_core::passwords;
use svc_core::services::attempt::{Guesser, SignIn};
use svc_core::services::oauth::grant;
use svc_core::services::session::{self, invalid_credentials};
use svc_core::services::{approval, factor, login_step, mail};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::auth::{ChangePassword, LoggedIn, Login, PasswordChanged};
use svc_types::{Code, TypedPassword, UserId};

use crate::app::ServerApp;
use crate::attempts;
use crate::http::Answer;
use crate::http::cookie;
use crate::http::pipeline::Call;

/// An account whose password was verified.
pub(super) struct Known {
    id: UserId,
    /// Whether a code of the second factor is needed too.
    needs_code: bool,
    attempt: SignIn,
    /// The hash that was verified.
    stored: String,
    /// The hash that replaces the stored one, if that is outdated.
    rehashed: Option<String>,
    /// Whether a page sent its step in place of the password.
    by_step: bool,
}

pub(super) async fn prepare_login(app: Arc<ServerApp>, ask: Arc<Call<Login>>) -> Result<Known> {
    let Login { password, code, .. } = &ask.request;
    let (found, attempt, by_step) = begin(&app, &ask).await?;
    let needs_code = found.as_ref().is_some_and(|account| account.has_factor);
    let waits = found.as_ref().is_some_and(|account| account.awaits_approval);
    let (id, stored) = found.map(|account| (account.id, account.hash)).unzip();
    let stored = stored.flatten();
    let typed = password.expose().to_owned();
    let attempt = if by_step {
        attempt
    } else {
        let wrong = login_step::wrong(password);
        verify(&app, typed.clone(), stored.clone(), attempt, wrong).await?
    };
    let (id, stored) = id.zip(stored).ok_or_else(invalid_credentials)?;
    if waits {
        attempts::give_back(&app, attempt).await?;
        return Err(approval::refusal());
    }
    if needs_code && code.is_none() {
        let step = by_step.then(|| password.clone());
        return Err(ask_for_code(&app, attempt, (id, stored), step).await);
    }
    let attempt = match code.as_ref().filter(|_| needs_code) {
        Some(code) => attempts::refuse_wrong_code(&app, attempt, &id, code).await?,
        None => attempt,
    };
    let is_outdated = !by_step && app.passwords.is_outdated(&stored, &typed);
    let rehashed =
        if is_outdated { app.passwords.renew(typed, &stored).await.map(Some) } else { Ok(None) };
    let (rehashed, attempt) = attempts::judged(&app, attempt, rehashed).await?;
    Ok(Known { id, needs_code, attempt, stored, rehashed, by_step })
}

/// Begins an attempt of a stranger. Returns what signing in takes, if there is such an account, and whether
/// a page sent its step in place of the password.
async fn begin(app: &Arc<ServerApp>, ask: &Call<Login>) -> Result<(Option<Stored>, SignIn, bool)> {
    let Login { username, email, password, proof, .. } = &ask.request;
    let name = match (username, email) {
        (Some(name), None) => name.to_lowercase(),
        (None, Some(email)) => email.to_lowercase(),
        _ => {
            return Err(Error::invalid("username", "either username or email must be given"));
        }
    };
    let can_exist = ids::can_exist(&name);
    let by_email = email.is_some();
    let network = Network::of(ask.address);
    let sent = password.clone();
    let proof = match proof {
        Some(sent) => Some(super::challenge::checked(app, sent).await?),
        None => None,
    };
    app.write(move |ctx| {
        let found = if can_exist { password_of(ctx, &name, by_email)? } else { None };
        let account = found.as_ref().map(|account| &account.id);
        let guesser = Guesser::Stranger(proof.as_ref());
        let attempt = SignIn::start(ctx, &name, network, account, guesser)?;
        let by_step = is_step(ctx, found.as_ref(), &sent)?;
        Ok((found, attempt, by_step))
    })
    .await
}

/// Whether a page sent its step in place of the password.
fn is_step(ctx: &mut Ctx<'_, '_>, found: Option<&Stored>, sent: &TypedPassword) -> Result<bool> {
    match found {
        Some(Stored { id, hash: Some(hash), has_factor: true, .. }) => {
            login_step::is_of(ctx, id, hash, sent)
        }
        _ => Ok(false),
    }
}

/// The refusal of a right password without its code. It is not a guess, and our own page need not ask
/// for it again. If no code follows, it is noted when the step ends. A step that came without a code
/// begins again: nobody has left it.
async fn ask_for_code(
    app: &ServerApp,
    attempt: SignIn,
    (id, stored): (UserId, String),
    step: Option<TypedPassword>,
) -> Error {
    let begin = move |ctx: &mut Ctx<'_, '_>| {
        attempt.give_back(ctx)?;
        if let Some(step) = &step {
            login_step::finish(ctx, &id, step)?;
        }
        login_step::begin(ctx, &id, &stored, attempt.noted_network().as_deref())
    };
    match app.write(begin).await {
        Ok(step) => factor::needs_code().step(step).into(),
        Err(error) => error,
    }
}

/// Refuses a wrong password. An overloaded server refunds the attempt, because it verified nothing.
pub(super) async fn verify(
    app: &Arc<ServerApp>,
    typed: String,
    stored: Option<String>,
    attempt: SignIn,
    wrong: fn() -> Error,
) -> Result<SignIn> {
    let checked = app.passwords.verify(typed, stored).await;
    let checked = checked.and_then(|is_right| if is_right { Ok(()) } else { Err(wrong()) });
    attempts::judged(app, attempt, checked).await.map(|((), attempt)| attempt)
}

/// Begins an attempt at the password of an account that is signed in, and finds its hash.
pub(super) async fn attempt(
    app: &Arc<ServerApp>,
    caller: &Account,
    address: IpAddr,
) -> Result<(Option<String>, SignIn)> {
    let (id, name) = (caller.id.clone(), caller.username.clone());
    let network = Network::of(address);
    app.write(move |ctx| {
        let attempt = SignIn::start(ctx, &name, network, Some(&id), Guesser::Holder)?;
        let sql = sql!("select password_hash from account where id = $1");
        Ok((ctx.tx.one::<Option<String>>(sql, values![id])?, attempt))
    })
    .await
}

/// The names of an account, which make no password.
async fn names(app: &Arc<ServerApp>, account: &UserId) -> Result<Vec<String>> {
    let id = account.clone();
    app.read(move |ctx| {
        let sql = sql!("select username, email from account where id = $1");
        let (username, email): (String, Option<String>) = ctx.tx.one(sql, values![id])?;
        Ok([Some(username), email].into_iter().flatten().collect())
    })
    .await
}

fn wrong_old_password() -> Error {
    let refusal = Refusal::new(Code::InvalidCredentials, "the current password is incorrect");
    refusal.field("currentPassword").into()
}

/// What signing in to an account takes.
struct Stored {
    id: UserId,
    hash: Option<String>,
    has_factor: bool,
    awaits_approval: bool,
}
row!(Stored {
    id: "a.id",
    hash: "a.password_hash",
    has_factor: "exists (select 1 from totp t where t.account = a.id and t.is_on = true)",
    awaits_approval: "a.awaits_approval_since is not null",
});

/// The account of this name or address.
fn password_of(ctx: &mut Ctx<'_, '_>, name: &str, by_email: bool) -> Result<Option<Stored>> {
    let sql = if by_email {
        sql!("select ", Stored::COLUMNS, " from account a where a.email = $1")
    } else {
        sql!("select ", Stored::COLUMNS, " from account a where a.username = $1")
    };
    ctx.tx.optional(sql, values![name])
}

pub(super) fn login(
    ctx: &mut Ctx<'_, '_>,
    _: &Anybody,
    request: &Login,
    known: &Known,
) -> Result<Answer<LoggedIn>> {
    if known.needs_code {
        let code = request.code.as_ref().ok_or_else(factor::code_needed)?;
        factor::accept(ctx, &known.id, code)?;
    }
    // The `where` clause refuses a concurrent password change or account deletion, and takes what another sign-in has
    // renewed.
    let hash = known.rehashed.as_ref().unwrap_or(&known.stored);
    let sql =
        sql!("update account set password_hash = $1 where id = $2 and password_hash in ($1, $3)");
    if ctx.tx.execute(sql, values![hash, known.id, known.stored])? == 0 {
        return Err(invalid_credentials());
    }
    if known.by_step {
        login_step::finish(ctx, &known.id, &request.password)?;
    }
    let (signed_in, token) = session::sign_in(ctx, &known.id)?;
    known.attempt.succeeded(ctx, &known.id)?;
    Ok(Answer::from(signed_in).cookie(cookie::set(&ctx.app.config, &token)))
}

/// A new password, after the old one was verified.
pub(super) struct NewPassword {
    /// The hash that was verified.
    stored: String,
    hash: String,
    attempt: SignIn,
}

/// Verifies the old password and hashes the new one. A refusal of the new one is no wrong guess at the
/// old one.
pub(super) async fn prepare_change(
    app: Arc<ServerApp>,
    ask: Arc<Call<ChangePassword>>,
) -> Result<NewPassword> {
    ask.caller.require_unpaused()?;
    let new_password = ask.request.new_password.expose();
    let names = names(&app, &ask.caller.id).await?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    passwords::refuse_common("newPassword", new_password, &names)?;
    let (stored, attempt) = attempt(&app, &ask.caller, ask.address).await?;
    let typed = ask.request.current_password.expose().to_owned();
    let attempt = verify(&app, typed, stored.clone(), attempt, wrong_old_password).await?;
    let stored = stored.ok_or_else(wrong_old_password)?;
    let hash = app.passwords.hash_new("newPassword", new_password.to_owned()).await;
    let (hash, attempt) = attempts::judged(&app, attempt, hash).await?;
    Ok(NewPassword { stored, hash, attempt })
}

pub(super) fn change(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    _: &ChangePassword,
    new: &NewPassword,
) -> Result<PasswordChanged> {
    if !mail::change_password(ctx, &caller.id, &new.stored, &new.hash)? {
        return Err(wrong_old_password());
    }
    new.attempt.succeeded(ctx, &caller.id)?;
    grant::end_all(ctx, &caller.id)?;
    session::end_others(ctx, caller)?;
    Ok(PasswordChanged { changed: true })
}
