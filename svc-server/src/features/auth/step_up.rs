//! Step-up: a session or key confirms who it is.

use std::sync::Arc;

use serde_json::{Map, Value};
use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::network::Network;
use svc_core::services::attempt::{Guesser, SignIn};
use svc_core::services::passkey::{self, Answer, Kind, Used};
use svc_core::services::{factor, step_up};
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::auth::{StepUp, SteppedUp};
use svc_types::{CeremonyId, Code};

use super::password;
use crate::app::ServerApp;
use crate::attempts;
use crate::http::pipeline::Call;

/// A counted attempt whose password or passkey, if there was one, is right.
pub(super) struct Attempt {
    counted: SignIn,
    passkey: Option<Used>,
}

/// Counts the attempt and verifies the password or the passkey. The code is accepted in the
/// transaction, because it counts once.
pub(super) async fn prepare(app: Arc<ServerApp>, ask: Arc<Call<StepUp>>) -> Result<Attempt> {
    let StepUp { password, code, ceremony_id, credential } = &ask.request;
    match (ceremony_id, credential) {
        (None, None) if password.is_none() && code.is_none() => return Err(step_up::incomplete()),
        (None, None) => {}
        (Some(ceremony), Some(credential)) if password.is_none() && code.is_none() => {
            return by_passkey(&app, &ask, ceremony, credential).await;
        }
        _ => return Err(mixed()),
    }
    let (stored, counted) = password::attempt(&app, &ask.caller, ask.address).await?;
    let counted = match password {
        None => counted,
        Some(_) if stored.is_none() => {
            attempts::give_back(&app, counted).await?;
            return Err(step_up::no_password());
        }
        Some(password) => {
            let typed = password.expose().to_owned();
            password::verify(&app, typed, stored, counted, wrong_password).await?
        }
    };
    let counted = complete(&app, &ask, counted).await?;
    Ok(Attempt { counted, passkey: None })
}

/// Refuses an attempt without the code or the password that it needs, which is not a guess, and a wrong code.
async fn complete(app: &Arc<ServerApp>, ask: &Call<StepUp>, counted: SignIn) -> Result<SignIn> {
    let account = ask.caller.id.clone();
    let has_factor = app.read(move |ctx| factor::is_on(ctx, &account)).await;
    let (has_factor, counted) = attempts::judged(app, counted, has_factor).await?;
    let lacking = match (has_factor, &ask.request.code) {
        (true, Some(code)) => {
            return attempts::refuse_wrong_code(app, counted, &ask.caller.id, code).await;
        }
        (true, None) => factor::code_needed(),
        (false, _) if ask.request.password.is_none() => step_up::incomplete(),
        (false, _) => return Ok(counted),
    };
    attempts::give_back(app, counted).await?;
    Err(lacking)
}

fn mixed() -> Error {
    let message = "send ceremonyId and credential of a passkey, or else a password or a code";
    Error::invalid("credential", message)
}

/// Ends the ceremony, and verifies that a passkey of the caller signed its challenge.
async fn by_passkey(
    app: &Arc<ServerApp>,
    ask: &Arc<Call<StepUp>>,
    ceremony: &CeremonyId,
    credential: &Map<String, Value>,
) -> Result<Attempt> {
    let answer: Answer = passkey::parse(credential)?;
    let network = Network::of(ask.address);
    let (ceremony, caller) = (ceremony.clone(), Arc::clone(ask));
    let key = answer.get_credential_id().to_vec();
    let begin = move |ctx: &mut Ctx<'_, '_>| {
        let caller = &caller.caller;
        let counted =
            SignIn::start(ctx, &caller.username, network, Some(&caller.id), Guesser::Holder)?;
        let stored = passkey::find(ctx, &key)?.filter(|stored| stored.account == caller.id);
        Ok((counted, stored, passkey::take(ctx, Kind::Confirming, &ceremony, Some(&caller.id))?))
    };
    let (counted, stored, taken) = app.write(begin).await?;
    let Some((stored, ceremony)) = stored.zip(taken) else {
        return Err(attempts::failed(app, counted, passkey::refused()).await);
    };
    let check = move |ctx: &mut Ctx<'_, '_>| {
        passkey::check_confirmation(ctx.app, &ceremony, &stored, &answer)
    };
    let (used, counted) = attempts::judged(app, counted, app.read(check).await).await?;
    Ok(Attempt { counted, passkey: Some(used) })
}

fn wrong_password() -> Error {
    let refusal = Refusal::new(Code::InvalidCredentials, "the password is wrong");
    refusal.field("password").into()
}

pub(super) fn confirm(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &StepUp,
    attempt: &Attempt,
) -> Result<SteppedUp> {
    if let Some(used) = &attempt.passkey {
        passkey::accept(ctx, used)?;
    } else {
        accept_typed(ctx, caller, request)?;
    }
    attempt.counted.succeeded(ctx, &caller.id)?;
    Ok(SteppedUp { until: step_up::confirm(ctx, caller)? })
}

/// Accepts the code, or the password where no code is needed.
fn accept_typed(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &StepUp) -> Result<()> {
    match (factor::is_on(ctx, &caller.id)?, &request.code) {
        (true, Some(code)) => factor::accept(ctx, &caller.id, code),
        (true, None) => Err(factor::code_needed()),
        (false, _) if request.password.is_none() => Err(step_up::incomplete()),
        (false, _) => Ok(()),
    }
}
