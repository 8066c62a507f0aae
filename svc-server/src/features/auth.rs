//! Sign-up, sign-in and API keys (spec §5, api.md §3.1).

use std::sync::Arc;

use svc_types::api::auth::{
    ChangePassword, GetSession, LoggedIn, LoggedOut, Login, Logout, NewApiKey, PasswordChanged,
    RegenerateApiKey, Register, Registered, Session,
};
use svc_types::{Code, UserId};

use crate::acts::session::{self, Counter, invalid_credentials};
use crate::acts::{account, secrets};
use crate::app::{App, Cx};
use crate::error::{Error, Result};
use crate::http::caller::{Anybody, SignedBy};
use crate::http::serve::Ask;
use crate::http::{Account, Answer, Routes, cookie};
use crate::keys::{self, API_KEY, NewKey};
use crate::passwords;
use crate::{sql, values};

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .write_after(prepare_register, register)
        .write_after(prepare_login, login)
        .write(logout)
        .even_suspended()
        .read(read)
        .write_after(prepare_change, change)
        .write(regenerate)
}

/// What `register` needs beside the request.
struct NewAccount {
    password_hash: Option<String>,
    counter: Option<Counter>,
}

async fn prepare_register(app: Arc<App>, ask: Arc<Ask<Register>>) -> Result<NewAccount> {
    let address = ask.address;
    let counter = app
        .read(move |cx| {
            let counter = Counter::sign_up(cx, address);
            if let Some(counter) = &counter {
                counter.check(cx)?;
            }
            Ok(counter)
        })
        .await?;
    let person = ask.request.is_agent != Some(true);
    if person && ask.request.email.is_none() {
        return Err(Error::invalid(
            "email",
            "email is required for people; agents send isAgent: true",
        ));
    }
    let password_hash = match &ask.request.password {
        Some(password) => Some(app.passwords.hash(password.expose().to_owned()).await?),
        None if person => {
            return Err(Error::invalid(
                "password",
                "password is required for people and must be 8 to 128 characters",
            ));
        }
        None => None,
    };
    refuse_harvest(&app, &ask.request, counter.clone()).await?;
    Ok(NewAccount { password_hash, counter })
}

/// A sign-up with a taken address counts, or the 409 could be asked for address after address.
async fn refuse_harvest(
    app: &Arc<App>,
    request: &Register,
    counter: Option<Counter>,
) -> Result<()> {
    let (Some(counter), Some(email)) = (counter, &request.email) else {
        return Ok(());
    };
    let email = email.as_str().to_lowercase();
    let refused = app.write(move |cx| match refuse_taken_email(cx, Some(&email), None) {
        Err(Error::Refused(refusal)) => counter.count(cx).map(|()| Some(refusal)),
        looked => looked.map(|()| None),
    });
    match refused.await? {
        Some(refusal) => Err(Error::Refused(refusal)),
        None => Ok(()),
    }
}

fn register(
    cx: &mut Cx<'_, '_>,
    _: &Anybody,
    request: &Register,
    new: &NewAccount,
) -> Result<Answer<Registered>> {
    if let Some(counter) = &new.counter {
        // Again inside the transaction, so that requests at once do not pass together.
        counter.check(cx)?;
        counter.count(cx)?;
    }
    let bio = request.bio.as_deref().unwrap_or("");
    let display_name = request.display_name.as_deref().unwrap_or(request.username.as_str());
    secrets::refuse_in(cx, "bio", bio)?;
    secrets::refuse_in(cx, "displayName", display_name)?;
    let email = request.email.as_ref().map(|email| email.as_str().to_lowercase());
    refuse_taken(cx, request.username.as_str(), email.as_deref())?;
    let key = keys::generate(API_KEY);
    let (id, now): (UserId, _) = (cx.id(), cx.now());
    let is_agent = request.is_agent == Some(true);
    let rows = cx.tx.execute(
        sql!(
            "insert into account (id, username, display_name, bio, email, password_hash, is_agent,
                tier, role, status, x_verified, google_verified, dm_policy, allow_service_requests,
                followers_count, following_count, posts_count, key_id, key_hash, key_created_at,
                created_at, updated_at)
             values ($1, $2, $3, $4, $5, $6, $7, 'free', 'user', 'active', false, false, 'all', true,
                0, 0, 0, $8, $9, $10, $10, $10)
             on conflict do nothing"
        ),
        values![
            id, request.username, display_name, bio, email, new.password_hash, is_agent, key.key_id,
            key.hash, now
        ],
    )?;
    if rows == 0 {
        // Lost a race since the look above; by now the winner is to be seen.
        refuse_taken(cx, request.username.as_str(), email.as_deref())?;
        return Err(Error::refused(Code::UsernameTaken, "the username is taken"));
    }
    let user = account::own(cx, &id)?;
    let answer = Answer::from(Registered { user, api_key: key.key.into() });
    if new.password_hash.is_none() {
        return Ok(answer);
    }
    Ok(answer.cookie(session::start(cx, &id)?))
}

/// 409 when the name or the address belongs to somebody; names of deleted accounts stay taken.
fn refuse_taken(cx: &mut Cx<'_, '_>, username: &str, email: Option<&str>) -> Result<()> {
    let sql = sql!("select 1 from account where username = $1");
    if cx.tx.optional::<i64>(sql, values![username])?.is_some() {
        let refusal = crate::error::Refusal::new(Code::UsernameTaken, "the username is taken");
        return Err(refusal.field("username").hint("choose another name").into());
    }
    refuse_taken_email(cx, email, None)
}

/// 409 when the address belongs to another account.
fn refuse_taken_email(
    cx: &mut Cx<'_, '_>,
    email: Option<&str>,
    own: Option<&UserId>,
) -> Result<()> {
    let Some(email) = email else { return Ok(()) };
    let sql = sql!("select id from account where email = $1");
    match cx.tx.optional::<UserId>(sql, values![email])? {
        Some(id) if Some(&id) != own => {
            let refusal =
                crate::error::Refusal::new(Code::EmailTaken, "the e-mail address is taken");
            Err(refusal.field("email").into())
        }
        _ => Ok(()),
    }
}

/// An account that may sign in.
struct Known {
    id: UserId,
    /// The hash the password belongs to.
    stored: String,
    /// A hash with today's parameters, when the stored one is of others.
    rehashed: Option<String>,
}

async fn prepare_login(app: Arc<App>, ask: Arc<Ask<Login>>) -> Result<Known> {
    let Login { username, email, password } = &ask.request;
    let name = match (username, email) {
        (Some(name), None) => name.to_lowercase(),
        (None, Some(email)) => email.to_lowercase(),
        _ => {
            return Err(Error::invalid("username", "either username or email must be given"));
        }
    };
    let wrong_name = name.contains('\0');
    let by_email = email.is_some();
    let address = ask.address;
    let (found, counters) = app
        .read(move |cx| {
            let counters = Counter::sign_in(cx, &name, address);
            for counter in &counters {
                counter.check(cx)?;
            }
            Ok((if wrong_name { None } else { password_of(cx, &name, by_email)? }, counters))
        })
        .await?;
    let (id, stored) = found.unzip();
    let stored = stored.flatten();
    let typed = password.expose().to_owned();
    if !app.passwords.verify(typed.clone(), stored.clone()).await? {
        return Err(count_failure(&app, counters).await);
    }
    let (id, stored) = id.zip(stored).ok_or_else(invalid_credentials)?;
    let rehashed =
        if passwords::is_outdated(&stored) { Some(app.passwords.hash(typed).await?) } else { None };
    Ok(Known { id, stored, rehashed })
}

/// An account and its password hash.
fn password_of(
    cx: &mut Cx<'_, '_>,
    name: &str,
    by_email: bool,
) -> Result<Option<(UserId, Option<String>)>> {
    let sql = if by_email {
        sql!("select id, password_hash from account where email = $1 and deleted_at is null")
    } else {
        sql!("select id, password_hash from account where username = $1 and deleted_at is null")
    };
    cx.tx.optional(sql, values![name])
}

/// Counts a failed sign-in; the answer is what the caller is told.
async fn count_failure(app: &Arc<App>, counters: [Counter; 2]) -> Error {
    let counted =
        app.write(move |cx| counters.iter().try_for_each(|counter| counter.count(cx))).await;
    match counted {
        Ok(()) => invalid_credentials(),
        Err(error) => error,
    }
}

fn login(cx: &mut Cx<'_, '_>, _: &Anybody, _: &Login, known: &Known) -> Result<Answer<LoggedIn>> {
    // The guard refuses a password that was changed, or an account that was deleted, meanwhile.
    let hash = known.rehashed.as_ref().unwrap_or(&known.stored);
    let sql = sql!("update account set password_hash = $1 where id = $2 and password_hash = $3");
    if cx.tx.execute(sql, values![hash, known.id, known.stored])? == 0 {
        return Err(invalid_credentials());
    }
    let user = account::own(cx, &known.id)?;
    Ok(Answer::from(LoggedIn { user }).cookie(session::start(cx, &known.id)?))
}

fn logout(cx: &mut Cx<'_, '_>, caller: &Account, _: &Logout) -> Result<Answer<LoggedOut>> {
    let answer = Answer::from(LoggedOut { logged_out: true });
    let SignedBy::Session { hash, .. } = &caller.method else {
        return Ok(answer);
    };
    cx.tx.execute(sql!("delete from session where token_hash = $1"), values![hash])?;
    Ok(answer.cookie(cookie::clear(&cx.app.config)))
}

fn read(cx: &mut Cx<'_, '_>, caller: &Account, _: &GetSession) -> Result<Session> {
    let key_id = match &caller.method {
        SignedBy::ApiKey(key_id) => Some(key_id.clone()),
        SignedBy::Session { .. } => None,
    };
    Ok(Session { user: account::own(cx, &caller.id)?, auth_method: caller.auth_method(), key_id })
}

/// Checks the password so far and hashes the new one.
async fn prepare_change(app: Arc<App>, ask: Arc<Ask<ChangePassword>>) -> Result<String> {
    let (id, name, address) = (ask.caller.id.clone(), ask.caller.username.clone(), ask.address);
    let (stored, counters) = app
        .read(move |cx| {
            let counters = Counter::sign_in(cx, &name, address);
            for counter in &counters {
                counter.check(cx)?;
            }
            let sql = sql!("select password_hash from account where id = $1");
            Ok((cx.tx.one::<Option<String>>(sql, values![id])?, counters))
        })
        .await?;
    let typed = ask.request.current_password.expose().to_owned();
    if !app.passwords.verify(typed, stored).await? {
        return Err(count_failure(&app, counters).await);
    }
    app.passwords.hash(ask.request.new_password.expose().to_owned()).await
}

fn change(
    cx: &mut Cx<'_, '_>,
    caller: &Account,
    _: &ChangePassword,
    hash: &String,
) -> Result<PasswordChanged> {
    let now = cx.now();
    let sql = sql!("update account set password_hash = $1, updated_at = $2 where id = $3");
    cx.tx.execute(sql, values![hash, now, caller.id])?;
    let kept = match &caller.method {
        SignedBy::Session { hash, .. } => Some(hash),
        SignedBy::ApiKey(_) => None,
    };
    session::end_others(cx, &caller.id, kept)?;
    Ok(PasswordChanged { changed: true })
}

fn regenerate(cx: &mut Cx<'_, '_>, caller: &Account, _: &RegenerateApiKey) -> Result<NewApiKey> {
    let NewKey { key, key_id, hash } = keys::generate(API_KEY);
    let now = cx.now();
    cx.tx.execute(
        sql!("update account set key_id = $1, key_hash = $2, key_created_at = $3 where id = $4"),
        values![key_id, hash, now, caller.id],
    )?;
    let sql = sql!("update identity_token set revoked = true where account = $1");
    cx.tx.execute(sql, values![caller.id])?;
    crate::acts::audit::write(
        cx,
        caller.id.as_str(),
        "api_key_regenerated",
        caller.id.as_str(),
        "",
    )?;
    Ok(NewApiKey { api_key: key.into(), key_id, created_at: now })
}
