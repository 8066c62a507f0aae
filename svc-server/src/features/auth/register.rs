//! Sign-up.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::config::{GrantCondition, SignupMode};
use svc_core::identity::Anybody;
use svc_core::network::Network;
use svc_core::passwords;
use svc_core::services::attempt::{self, Counter};
use svc_core::services::security::{self, About};
use svc_core::services::{account, api_key, grant, invite, mail, proof, search, session};
use svc_store::error::{Error, Refusal, Result, Window};
use svc_store::{sql, values};
use svc_types::api::auth::{Register, Registered};
use svc_types::api::security::SecurityAction;
use svc_types::api::users::AccountStatus;
use svc_types::{Code, Email, UserId};

use crate::app::ServerApp;
use crate::http::Answer;
use crate::http::cookie;
use crate::http::pipeline::Call;

/// The result of preparing a sign-up.
pub(super) struct NewAccount {
    password_hash: Option<String>,
    network: Network,
    /// The sign-ups that the limit still allows, if there is one.
    window: Option<Window>,
}

/// A sign-up that is counted.
struct Place {
    window: Option<Window>,
    /// The answer to one that is counted and refused.
    refused: Option<Box<Refusal>>,
}

/// Counts the sign-up before the slow hashing of its password, so that concurrent sign-ups can't
/// cause more hashing than the limit allows.
pub(super) async fn prepare(app: Arc<ServerApp>, ask: Arc<Call<Register>>) -> Result<NewAccount> {
    let network = Network::of(ask.address);
    refuse_uninvited(&app, &ask.request)?;
    let proof = match &ask.request.proof {
        _ if !app.config.signup.proof => None,
        None => return Err(proof::needed()),
        Some(sent) => Some(super::challenge::checked(&app, sent).await?),
    };
    let asked = Arc::clone(&ask);
    let place = move |ctx: &mut Ctx<'_, '_>| {
        proof.iter().try_for_each(|proof| proof::spend(ctx, proof))?;
        take_place(ctx, &asked.request, network)
    };
    let Place { window, refused } = app.write(place).await?;
    if let Some(refusal) = refused {
        return Err(refusal.into());
    }
    let password_hash = match &ask.request.password {
        Some(password) => {
            Some(app.passwords.hash_new("password", password.expose().to_owned()).await?)
        }
        None => None,
    };
    Ok(NewAccount { password_hash, network, window })
}

/// Counts a sign-up that may succeed; an invalid one is refused without counting. An address in use
/// is counted before the 409, or addresses could be probed without limit.
fn take_place(ctx: &mut Ctx<'_, '_>, request: &Register, network: Network) -> Result<Place> {
    let counters = Counter::sign_ups(ctx, network);
    let window = Counter::take_all(ctx, &counters)?;
    refuse_incomplete(request)?;
    refuse_weak(request)?;
    account::refuse_blank_name("displayName", request.display_name.as_deref())?;
    request.invite.iter().try_for_each(|code| invite::check(ctx, code))?;
    refuse_taken_name(ctx, request.username.as_str())?;
    let Some(email) = email(request) else { return Ok(Place { window, refused: None }) };
    let refused = match mail::is_entered(ctx, &email) {
        Err(Error::Refused(refusal)) => Some(refusal),
        other => {
            other?;
            None
        }
    };
    Ok(Place { window, refused })
}

/// 403 where nobody may sign up, or nobody without an invite.
fn refuse_uninvited(app: &ServerApp, request: &Register) -> Result<()> {
    match app.config.signup.mode {
        SignupMode::Closed => {
            Err(Error::refused(Code::SignupClosed, "this server takes no new accounts"))
        }
        SignupMode::Invite if request.invite.is_none() => Err(invite::needed()),
        SignupMode::Open | SignupMode::Invite | SignupMode::Approval => Ok(()),
    }
}

/// 400 for a person without an e-mail address or a password.
fn refuse_incomplete(request: &Register) -> Result<()> {
    if request.is_agent == Some(true) {
        return Ok(());
    }
    if request.email.is_none() {
        return Err(Error::invalid(
            "email",
            "email is required for people; agents send isAgent: true",
        ));
    }
    if request.password.is_none() {
        return Err(Error::invalid(
            "password",
            "password is required for people and must be 8 to 128 characters",
        ));
    }
    Ok(())
}

/// 400 for a password that is guessed first.
fn refuse_weak(request: &Register) -> Result<()> {
    let Some(password) = &request.password else { return Ok(()) };
    let email = request.email.as_ref().map_or("", Email::as_str);
    passwords::refuse_common("password", password.expose(), &[request.username.as_str(), email])
}

fn display_name(request: &Register) -> &str {
    request.display_name.as_deref().unwrap_or(request.username.as_str())
}

fn email(request: &Register) -> Option<String> {
    request.email.as_ref().map(|email| email.as_str().to_lowercase())
}

pub(super) fn register(
    ctx: &mut Ctx<'_, '_>,
    _: &Anybody,
    request: &Register,
    new: &NewAccount,
) -> Result<Answer<Registered>> {
    let (id, email): (UserId, _) = (ctx.id(), email(request));
    let waits = ctx.app.config.signup.mode == SignupMode::Approval && request.invite.is_none();
    insert(ctx, &id, request, new, waits)?;
    let key = api_key::create_default(ctx, &id)?;
    security::note(ctx, &id, &SecurityAction::SignedUp, About::key(&key.key_id))?;
    if let Some(code) = &request.invite {
        let invite = invite::take(ctx, code, &id)?;
        grant::pay(ctx, &id, GrantCondition::Invite, invite.as_str())?;
    }
    if !waits {
        grant::pay(ctx, &id, GrantCondition::Nothing, id.as_str())?;
    }
    search::note(ctx, id.as_str())?;
    if let Some(email) = email.as_deref().filter(|_| mail::is_on(ctx.app)) {
        mail::greet(ctx, &id, request.username.as_str(), email)?;
    }
    let user = account::own(ctx, &id)?;
    let answer = Answer::from(Registered { user, api_key: key.key.into() }).window_if(new.window);
    if new.password_hash.is_none() {
        return Ok(answer);
    }
    attempt::know(ctx, &id, new.network)?;
    if waits {
        return Ok(answer);
    }
    Ok(answer.cookie(cookie::set(&ctx.app.config, &session::start(ctx, &id)?)))
}

/// Inserts the account. A concurrent sign-up may take the name or the address between the checks and the
/// insert; the second checks see its row.
fn insert(
    ctx: &mut Ctx<'_, '_>,
    id: &UserId,
    request: &Register,
    new: &NewAccount,
    waits: bool,
) -> Result<()> {
    for _ in 0..2 {
        if try_insert(ctx, id, request, new, waits)? {
            return Ok(());
        }
    }
    Err(mail::address_taken())
}

/// Inserts the account; false if its name or address has just been taken. One that waits for approval is
/// suspended until then. An address that another account has entered is pending: the first to verify it gets it.
fn try_insert(
    ctx: &mut Ctx<'_, '_>,
    id: &UserId,
    request: &Register,
    new: &NewAccount,
    waits: bool,
) -> Result<bool> {
    let bio = request.bio.as_deref().unwrap_or("");
    let (display_name, email) = (display_name(request), email(request));
    refuse_taken_name(ctx, request.username.as_str())?;
    let is_pending = match &email {
        Some(email) => mail::is_entered(ctx, email)?,
        None => false,
    };
    let (pending, email) = if is_pending { (email, None) } else { (None, email) };
    let (now, is_agent) = (ctx.now(), request.is_agent == Some(true));
    let status = if waits { AccountStatus::Suspended } else { AccountStatus::Active };
    let rows = ctx.tx.execute(
        sql!(
            "insert into account (id, username, display_name, bio, email, password_hash, is_agent,
                tier, role, status, x_verified, google_verified, dm_policy, allow_service_requests,
                followers_count, following_count, posts_count, created_at, updated_at,
                awaits_approval_since, pending_email)
             values ($1, $2, $3, $4, $5, $6, $7, 'free', 'user', $8, false, false, 'all', true,
                0, 0, 0, $9, $9, $10, $11)
             on conflict do nothing"
        ),
        values![
            id,
            request.username,
            display_name,
            bio,
            email,
            new.password_hash,
            is_agent,
            status,
            now,
            waits.then_some(now),
            pending
        ],
    )?;
    Ok(rows == 1)
}

/// 409 if the name is in use. Names of deleted accounts stay reserved.
fn refuse_taken_name(ctx: &mut Ctx<'_, '_>, username: &str) -> Result<()> {
    let sql = sql!("select 1 from account where username = $1");
    if ctx.tx.optional::<i64>(sql, values![username])?.is_some() {
        let refusal = Refusal::new(Code::UsernameTaken, "the username is taken");
        return Err(refusal.field("username").hint("choose another name").into());
    }
    Ok(())
}
