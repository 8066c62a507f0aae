//! Second factors: an authenticator app and recovery codes.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::network::Network;
use svc_core::services::attempt::{Guesser, SignIn};
use svc_core::services::factor;
use svc_store::error::{Error, Result};
use svc_types::api::Deleted;
use svc_types::api::factors::{
    ConfirmTotp, CreateRecoveryCodes, CreateTotp, DeleteTotp, Factors, GetFactors, NewTotp,
    RecoveryCodes,
};

use crate::app::ServerApp;
use crate::attempts;
use crate::http::Routes;
use crate::http::pipeline::Call;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .read(get)
        .write(create_totp)
        .write_prepared(prepare_confirm, confirm_totp)
        .write(delete_totp)
        .write(create_recovery_codes)
}

fn get(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &GetFactors) -> Result<Factors> {
    factor::list(ctx, &caller.id)
}

fn create_totp(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &CreateTotp) -> Result<NewTotp> {
    Ok(NewTotp { uri: factor::begin(ctx, caller)? })
}

/// Counts the guess at a code like one at the password, and judges it.
async fn prepare_confirm(app: Arc<ServerApp>, ask: Arc<Call<ConfirmTotp>>) -> Result<SignIn> {
    let (id, name) = (ask.caller.id.clone(), ask.caller.username.clone());
    let network = Network::of(ask.address);
    let start =
        move |ctx: &mut Ctx<'_, '_>| SignIn::start(ctx, &name, network, Some(&id), Guesser::Holder);
    let attempt = app.write(start).await?;
    let check =
        move |ctx: &mut Ctx<'_, '_>| factor::check_first(ctx, &ask.caller.id, &ask.request.code);
    let ((), attempt) = attempts::judged(&app, attempt, app.read(check).await).await?;
    Ok(attempt)
}

fn confirm_totp(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ConfirmTotp,
    attempt: &SignIn,
) -> Result<RecoveryCodes> {
    let recovery_codes = factor::turn_on(ctx, caller, &request.code)?;
    attempt.succeeded(ctx, &caller.id)?;
    Ok(RecoveryCodes { recovery_codes })
}

fn delete_totp(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &DeleteTotp) -> Result<Deleted> {
    if factor::remove(ctx, &caller.id)? {
        Ok(Deleted { deleted: true })
    } else {
        Err(Error::not_found("authenticator app"))
    }
}

fn create_recovery_codes(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    _: &CreateRecoveryCodes,
) -> Result<RecoveryCodes> {
    Ok(RecoveryCodes { recovery_codes: factor::renew_recovery_codes(ctx, &caller.id)? })
}
