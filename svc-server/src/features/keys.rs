//! API keys of an account.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::{Account, SignedBy};
use svc_core::keys::NewKey;
use svc_core::services::account;
use svc_core::services::api_key::{self, Change, Record, Rights};
use svc_core::services::credential;
use svc_core::services::owner;
use svc_core::services::secrets;
use svc_core::services::security::{self, About};
use svc_core::services::step_up;
use svc_store::error::{Error, Result};
use svc_types::api::Deleted;
use svc_types::api::keys::{
    ApiKeyEnvelope, ApiKeyList, ApiKeyReported, CreateApiKey, CreatedApiKey, DeleteApiKey,
    GetCurrentApiKey, ListApiKeys, ReportApiKey, UpdateApiKey,
};
use svc_types::api::security::SecurityAction;

use crate::app::ServerApp;
use crate::http::{Answer, Routes};

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .read(list)
        .read(current)
        .write(create)
        .write(update)
        .write(delete)
        .allow_suspended()
        .answer(report)
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &ListApiKeys) -> Result<ApiKeyList> {
    let records = api_key::list(ctx, &caller.id)?;
    let keys = records.into_iter().map(|record| record.into_api(ctx, &caller.id));
    Ok(ApiKeyList { keys: keys.collect::<Result<_>>()? })
}

fn current(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    _: &GetCurrentApiKey,
) -> Result<ApiKeyEnvelope> {
    let SignedBy::ApiKey(key_id) = &caller.method else {
        return Err(Error::not_found("API key"));
    };
    envelope(ctx, caller, key_id)
}

fn envelope(ctx: &mut Ctx<'_, '_>, caller: &Account, key_id: &str) -> Result<ApiKeyEnvelope> {
    let record = api_key::of(ctx, &caller.id, key_id)?;
    Ok(ApiKeyEnvelope { key: record.into_api(ctx, &caller.id)? })
}

fn create(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreateApiKey,
) -> Result<Answer<CreatedApiKey>> {
    api_key::refuse_limited(ctx, caller)?;
    account::refuse_blank_name("name", Some(&*request.name))?;
    let window = api_key::count_change(ctx, caller)?;
    let rights = Rights::of(caller, request)?;
    let new = api_key::create(ctx, caller, &request.name, &rights, request.expires_in)?;
    let NewKey { key, key_id, .. } = new;
    security::note(ctx, &caller.id, &SecurityAction::KeyCreated, About::key(&key_id))?;
    let ApiKeyEnvelope { key: shown } = envelope(ctx, caller, &key_id)?;
    Ok(Answer::from(CreatedApiKey { key: shown, api_key: key.into() }).window_if(window))
}

fn update(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &UpdateApiKey,
) -> Result<ApiKeyEnvelope> {
    let UpdateApiKey { key_id, name, .. } = request;
    api_key::refuse_limited(ctx, caller)?;
    account::refuse_blank_name("name", name.as_deref())?;
    api_key::count_change(ctx, caller)?;
    // Whether it gets wider is decided by what the changes before have left.
    account::lock(ctx, &caller.id)?;
    credential::hold(ctx, caller)?;
    let key = api_key::of(ctx, &caller.id, key_id)?;
    let change = Change::of(caller, request)?;
    if key.is_widened_by(&change) {
        step_up::require(ctx, caller)?;
    }
    api_key::refuse_last(ctx, &caller.id, &key, &change)?;
    if let Some(name) = name {
        api_key::rename(ctx, &caller.id, &key, name)?;
    }
    apply(ctx, caller, key_id, &key, change)?;
    // Open connections were admitted, and a claim link was created, by what the key could do before, and from where.
    if request.scopes.is_some() || request.allow_from.is_some() {
        owner::end_link(ctx, &caller.id)?;
        ctx.effects.ended.push(caller.id.clone());
    }
    security::note(ctx, &caller.id, &SecurityAction::KeyChanged, About::key(key_id))?;
    envelope(ctx, caller, key_id)
}

/// Changes what a key may do.
fn apply(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    key_id: &str,
    key: &Record,
    change: Change,
) -> Result<()> {
    if let Some(scopes) = change.scopes {
        api_key::limit(ctx, &caller.id, key, scopes)?;
    }
    if let Some(networks) = change.allow_from {
        refuse_lockout(ctx, caller, key_id, networks.as_deref())?;
        api_key::allow_from(ctx, key, networks.as_deref())?;
    }
    if let Some(caps) = change.caps {
        api_key::cap(ctx, key, caps)?;
    }
    Ok(())
}

/// 400 for networks that end the use of the key that sends them.
fn refuse_lockout(
    ctx: &Ctx<'_, '_>,
    caller: &Account,
    key_id: &str,
    networks: Option<&str>,
) -> Result<()> {
    let is_own = matches!(&caller.method, SignedBy::ApiKey(own) if own == key_id);
    match networks {
        Some(networks) if is_own && !api_key::is_allowed_from(networks, ctx.address()) => {
            let message = "allowFrom must include the address that this key is used from";
            Err(Error::invalid("allowFrom", message))
        }
        _ => Ok(()),
    }
}

fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DeleteApiKey) -> Result<Deleted> {
    caller.require_unpaused()?;
    let key = api_key::of(ctx, &caller.id, &request.key_id)?;
    api_key::delete(ctx, &caller.id, &key)?;
    Ok(Deleted { deleted: true })
}

/// Ends a key or token that somebody found. Only a valid one costs a write.
async fn report(app: Arc<ServerApp>, request: ReportApiKey) -> Result<ApiKeyReported> {
    let (token, found) = (request.token.clone(), request.token);
    if app.read(move |ctx| secrets::is_reportable(ctx, token.expose())).await? {
        app.write(move |ctx| secrets::report(ctx, found.expose())).await?;
    }
    Ok(ApiKeyReported { received: true })
}
