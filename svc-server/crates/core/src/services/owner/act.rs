//! What an owner does with an agent. Every change is in the security logs of both.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::UserId;
use svc_types::api::owners::{NewAgentKey, OwnedAgent, SpendCaps};
use svc_types::api::security::SecurityAction;

use super::{lock, owned, refuse_agent, seen};
use crate::app::Ctx;
use crate::identity::Account;
use crate::keys::NewKey;
use crate::services::oauth::grant;
use crate::services::security::{self, About};
use crate::services::spend::{self, Caps, Covered};
use crate::services::{account, api_key, identity_token, pending, session};

/// Replaces all keys of an agent by a new default one, and ends what a thief of the old ones may have added.
pub fn rotate_key(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str) -> Result<NewAgentKey> {
    api_key::require_all(ctx, caller)?;
    let agent = owned(ctx, caller, handle)?;
    lock(ctx, caller, &agent)?;
    let NewKey { key, key_id, .. } = api_key::replace_all(ctx, &agent)?;
    end_passkey_sessions(ctx, caller, &agent)?;
    pending::cancel_all(ctx, &agent, Some(&caller.id))?;
    note(ctx, caller, &agent, &SecurityAction::KeysRotated, About::key(&key_id))?;
    Ok(NewAgentKey { api_key: key.into(), key_id })
}

/// Ends the sessions of an agent without a password, which only a passkey can have started, and what they
/// allowed programs.
fn end_passkey_sessions(ctx: &mut Ctx<'_, '_>, caller: &Account, agent: &UserId) -> Result<()> {
    let sql = sql!("select password_hash is not null from account where id = $1");
    if ctx.tx.one(sql, values![agent])? {
        return Ok(());
    }
    if session::end_all(ctx, agent)? {
        note(ctx, caller, agent, &SecurityAction::SessionEnded, About::default())?;
    }
    grant::end_given(ctx, agent, agent)
}

/// Ends the sessions and connections of an agent.
pub fn sign_out(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str) -> Result<OwnedAgent> {
    let agent = owned(ctx, caller, handle)?;
    lock(ctx, caller, &agent)?;
    ctx.effects.ended.push(agent.clone());
    grant::end_all(ctx, &agent)?;
    if session::end_all(ctx, &agent)? {
        note(ctx, caller, &agent, &SecurityAction::SessionEnded, About::default())?;
    }
    seen(ctx, caller, &agent)
}

/// Keeps an agent from everything but reading and finishing what is open.
pub fn pause(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str) -> Result<OwnedAgent> {
    let agent = owned(ctx, caller, handle)?;
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update account set paused_at = $1
             where id = $2 and owner = $3 and paused_at is null and deleted_at is null"
        ),
        values![now, agent, caller.id],
    )?;
    if rows == 1 {
        note(ctx, caller, &agent, &SecurityAction::AgentPaused, About::default())?;
    }
    seen(ctx, caller, &agent)
}

/// Lets a paused agent go on.
pub fn resume(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str) -> Result<OwnedAgent> {
    let agent = owned(ctx, caller, handle)?;
    let rows = ctx.tx.execute(
        sql!(
            "update account set paused_at = null
             where id = $1 and owner = $2 and paused_at is not null"
        ),
        values![agent, caller.id],
    )?;
    if rows == 1 {
        // As after a suspension, those from before stay revoked.
        identity_token::revoke_all(ctx, &agent)?;
        note(ctx, caller, &agent, &SecurityAction::AgentResumed, About::default())?;
    }
    seen(ctx, caller, &agent)
}

/// Shows or hides who owns an agent.
pub fn set_visible(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    handle: &str,
    visible: bool,
) -> Result<OwnedAgent> {
    let agent = owned(ctx, caller, handle)?;
    let rows = ctx.tx.execute(
        sql!(
            "update account set owner_visible = $1
             where id = $2 and owner = $3 and owner_visible <> $1"
        ),
        values![visible, agent, caller.id],
    )?;
    if rows == 1 {
        let action = if visible { SecurityAction::OwnerShown } else { SecurityAction::OwnerHidden };
        note(ctx, caller, &agent, &action, About::default())?;
    }
    seen(ctx, caller, &agent)
}

/// Sets what an agent may spend.
pub fn set_caps(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    handle: &str,
    caps: Caps,
) -> Result<SpendCaps> {
    let agent = owned(ctx, caller, handle)?;
    lock(ctx, caller, &agent)?;
    let own = Covered::Own(&agent);
    let caps = spend::as_changed(ctx, own, caps)?;
    spend::set_caps(ctx, own, caps)?;
    note(ctx, caller, &agent, &SecurityAction::CapsChanged, About::default())?;
    spend::caps_to_api(ctx, own, caps)
}

/// Sets what all agents of the caller may spend together.
pub fn set_owned_caps(ctx: &mut Ctx<'_, '_>, caller: &Account, caps: Caps) -> Result<SpendCaps> {
    refuse_agent(caller)?;
    // Two forms that each change one cap are handled one after the other.
    account::lock(ctx, &caller.id)?;
    let pot = Covered::Owned(&caller.id);
    let caps = spend::as_changed(ctx, pot, caps)?;
    spend::set_caps(ctx, pot, caps)?;
    security::note(ctx, &caller.id, &SecurityAction::CapsChanged, About::default())?;
    spend::caps_to_api(ctx, pot, caps)
}

/// Writes what an owner did into the log of the agent, which says who did it.
fn note(
    ctx: &mut Ctx<'_, '_>,
    owner: &Account,
    agent: &UserId,
    action: &SecurityAction,
    about: About<'_>,
) -> Result<()> {
    security::note(ctx, agent, action, about.by(&owner.id))
}
