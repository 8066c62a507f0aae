//! Sign-up, sign-in and API keys (spec §5).

mod challenge;
mod password;
mod register;
mod step_up;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::identity::SignedBy;
use svc_core::keys::NewKey;
use svc_core::services::{account, api_key, deletion, session};
use svc_store::error::Result;
use svc_types::api::auth::{
    GetSession, LoggedOut, Logout, NewApiKey, RegenerateApiKey, Restore, Restored, Session,
};

use crate::http::{Answer, Routes, cookie};

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .write_prepared(register::prepare, register::register)
        .answer(challenge::get)
        .write_prepared(password::prepare_login, password::login)
        .write(logout)
        .allow_suspended()
        .allow_deleted()
        .read(read)
        .allow_deleted()
        .write(restore)
        .allow_deleted()
        .write_prepared(step_up::prepare, step_up::confirm)
        // Suspended accounts confirm that they want an export, or another key for an agent.
        .allow_suspended()
        .write_prepared(password::prepare_change, password::change)
        .allow_suspended()
        .write(regenerate)
        .allow_suspended()
}

fn logout(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &Logout) -> Result<Answer<LoggedOut>> {
    let answer = Answer::from(LoggedOut { logged_out: true });
    let SignedBy::Session { hash, .. } = &caller.method else {
        return Ok(answer);
    };
    session::sign_out(ctx, &caller.id, hash)?;
    Ok(answer.cookie(cookie::clear(&ctx.app.config)))
}

fn read(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &GetSession) -> Result<Session> {
    let key_id = match &caller.method {
        SignedBy::ApiKey(key_id) => Some(key_id.clone()),
        SignedBy::Session { .. } | SignedBy::Token(_) | SignedBy::Clock => None,
    };
    Ok(Session {
        user: account::me(ctx, caller)?,
        auth_method: caller.auth_method(),
        key_id,
        erased_at: deletion::erases_at(ctx, &caller.id)?,
    })
}

fn restore(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &Restore) -> Result<Restored> {
    deletion::restore(ctx, caller)?;
    Ok(Restored { user: account::me(ctx, caller)? })
}

fn regenerate(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &RegenerateApiKey) -> Result<NewApiKey> {
    caller.require_unpaused()?;
    api_key::count_change(ctx, caller)?;
    let NewKey { key, key_id, .. } = api_key::replace_default(ctx, caller)?;
    Ok(NewApiKey { api_key: key.into(), key_id, created_at: ctx.now() })
}
