//! Passkeys: adding, renaming and removing them, and signing in with one.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use svc_core::app::Ctx;
use svc_core::identity::{Account, Anybody};
use svc_core::network::Network;
use svc_core::services::account;
use svc_core::services::attempt::{Guesser, SignIn};
use svc_core::services::passkey::{self, Answer as Signed, Enrolment, Kind, New, Used};
use svc_core::services::session;
use svc_store::error::Result;
use svc_types::api::Deleted;
use svc_types::api::auth::LoggedIn;
use svc_types::api::passkeys::{
    BeginPasskey, BeginPasskeyLogin, BeginPasskeyStepUp, CreatePasskey, DeletePasskey,
    LoginWithPasskey, PasskeyCeremony, PasskeyEnvelope, UpdatePasskey,
};

use crate::app::ServerApp;
use crate::attempts;
use crate::http::pipeline::Call;
use crate::http::{Answer, Routes, cookie};

/// The endpoints of this feature. Passkeys may be renamed and removed where they don't work.
pub fn routes() -> Routes {
    Routes::new()
        .write(update)
        .write(delete)
        .allow_suspended()
        .requiring(passkey::require)
        .write(begin)
        .write_prepared(prepare_create, create)
        .write(begin_login)
        .write_prepared(prepare_login, login)
        .write(begin_step_up)
        .allow_suspended()
}

fn begin(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &BeginPasskey) -> Result<PasskeyCeremony> {
    passkey::begin_adding(ctx, caller)
}

/// Ends the ceremony, whether or not the device's answer belongs to it, and verifies the answer
/// outside of the transaction.
async fn prepare_create(app: Arc<ServerApp>, ask: Arc<Call<CreatePasskey>>) -> Result<New> {
    account::refuse_blank_name("name", Some(&*ask.request.name))?;
    let enrolment: Enrolment = passkey::parse(&ask.request.credential)?;
    let (id, account) = (ask.request.ceremony_id.clone(), ask.caller.id.clone());
    let taken = app.write(move |ctx| passkey::take(ctx, Kind::Adding, &id, Some(&account))).await?;
    let ceremony = taken.ok_or_else(passkey::refused)?;
    app.read(move |ctx| passkey::check_new(ctx.app, &ceremony, &enrolment)).await
}

fn create(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreatePasskey,
    new: &New,
) -> Result<PasskeyEnvelope> {
    Ok(PasskeyEnvelope { passkey: passkey::add(ctx, caller, &request.name, new)? })
}

fn update(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &UpdatePasskey,
) -> Result<PasskeyEnvelope> {
    account::refuse_blank_name("name", Some(&*request.name))?;
    let renamed = passkey::rename(ctx, &caller.id, &request.passkey_id, &request.name)?;
    Ok(PasskeyEnvelope { passkey: renamed })
}

fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DeletePasskey) -> Result<Deleted> {
    caller.require_unpaused()?;
    passkey::delete(ctx, &caller.id, &request.passkey_id)?;
    Ok(Deleted { deleted: true })
}

fn begin_login(
    ctx: &mut Ctx<'_, '_>,
    _: &Anybody,
    request: &BeginPasskeyLogin,
) -> Result<PasskeyCeremony> {
    passkey::begin_signing_in(ctx, request.username.as_deref())
}

/// A verified signature of a passkey, and the attempt that it completes.
struct SigningIn {
    used: Used,
    attempt: SignIn,
}

/// Counts the attempt and ends the ceremony, then verifies the signature outside of the transaction.
async fn prepare_login(app: Arc<ServerApp>, ask: Arc<Call<LoginWithPasskey>>) -> Result<SigningIn> {
    let signed: Signed = passkey::parse(&ask.request.credential)?;
    let network = Network::of(ask.address);
    let (id, credential) = (ask.request.ceremony_id.clone(), signed.get_credential_id().to_vec());
    // Guesses at a passkey are counted apart from those at the password of its account.
    let name = format!("passkey {}", URL_SAFE_NO_PAD.encode(&credential));
    let begin = move |ctx: &mut Ctx<'_, '_>| {
        let stored = passkey::find(ctx, &credential)?;
        let account = stored.as_ref().map(|stored| &stored.account);
        let attempt = SignIn::start(ctx, &name, network, account, Guesser::Holder)?;
        Ok((stored, attempt, passkey::take(ctx, Kind::SigningIn, &id, None)?))
    };
    let (stored, attempt, ceremony) = app.write(begin).await?;
    let Some((stored, ceremony)) = stored.zip(ceremony) else {
        return Err(attempts::failed(&app, attempt, passkey::refused()).await);
    };
    let check =
        move |ctx: &mut Ctx<'_, '_>| passkey::check_sign_in(ctx.app, &ceremony, &stored, &signed);
    let (used, attempt) = attempts::judged(&app, attempt, app.read(check).await).await?;
    Ok(SigningIn { used, attempt })
}

fn login(
    ctx: &mut Ctx<'_, '_>,
    _: &Anybody,
    _: &LoginWithPasskey,
    by: &SigningIn,
) -> Result<Answer<LoggedIn>> {
    passkey::accept(ctx, &by.used)?;
    let (signed_in, token) = session::sign_in(ctx, &by.used.account)?;
    by.attempt.succeeded(ctx, &by.used.account)?;
    Ok(Answer::from(signed_in).cookie(cookie::set(&ctx.app.config, &token)))
}

fn begin_step_up(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    _: &BeginPasskeyStepUp,
) -> Result<PasskeyCeremony> {
    passkey::begin_confirming(ctx, caller)
}
