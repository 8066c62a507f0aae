//! Step-up: a session or key confirms who it is.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::attempt::SignIn;
use svc_core::services::{factor, step_up};
use svc_store::error::{Error, Refusal, Result};
use svc_types::Code;
use svc_types::api::auth::{StepUp, SteppedUp};

use super::password;
use crate::app::ServerApp;
use crate::http::pipeline::Call;

/// A counted attempt whose password, if there was one, is right.
pub(super) struct Attempt(SignIn);

/// Counts the attempt and verifies the password. The code is checked in the transaction, because it
/// counts once.
pub(super) async fn prepare(app: Arc<ServerApp>, ask: Arc<Call<StepUp>>) -> Result<Attempt> {
    if ask.request.password.is_none() && ask.request.code.is_none() {
        return Err(step_up::incomplete());
    }
    let (stored, attempt) = password::attempt(&app, &ask.caller, ask.address).await?;
    let Some(password) = &ask.request.password else { return Ok(Attempt(attempt)) };
    let typed = password.expose().to_owned();
    password::verify(&app, typed, stored, attempt, wrong_password).await.map(Attempt)
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
    match (factor::is_on(ctx, &caller.id)?, &request.code) {
        (true, Some(code)) => factor::accept(ctx, &caller.id, code)?,
        (true, None) => return Err(factor::code_needed()),
        (false, _) if request.password.is_none() => return Err(step_up::incomplete()),
        (false, _) => {}
    }
    attempt.0.succeeded(ctx, &caller.id)?;
    Ok(SteppedUp { until: step_up::confirm(ctx, caller)? })
}
