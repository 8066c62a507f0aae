//! What an owner does with an agent. Every change is in the security logs of both.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::owners::{NewAgentKey, OwnedAgent, SpendCaps};
use svc_types::api::security::SecurityAction;
use svc_types::{PositiveCredits, UserId};

use super::{lock, owned, refuse_agent, seen};
use crate::app::Ctx;
use crate::identity::Account;
use crate::keys::NewKey;
use crate::services::oauth::grant;
use crate::services::security::{self, About};
use crate::services::spend::{self, Caps, Covered};
use crate::services::{api_key, pending, session};

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
        revoke_tokens(ctx, &agent)?;
        note(ctx, caller, &agent, &SecurityAction::AgentResumed, About::default())?;
    }
    seen(ctx, caller, &agent)
}

/// Ends the identity tokens of an agent that was paused: as after a suspension, those from before
/// stay revoked.
pub(super) fn revoke_tokens(ctx: &mut Ctx<'_, '_>, agent: &UserId) -> Result<()> {
    let sql = sql!("update identity_token set revoked = true where account = $1");
    ctx.tx.execute(sql, values![agent]).map(drop)
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
    spend::set_caps(ctx, Covered::Own(&agent), caps)?;
    note(ctx, caller, &agent, &SecurityAction::CapsChanged, About::default())?;
    spend::caps_to_api(ctx, Covered::Own(&agent), caps)
}

/// Sets what all agents of the caller may spend together.
pub fn set_owned_caps(ctx: &mut Ctx<'_, '_>, caller: &Account, caps: Caps) -> Result<SpendCaps> {
    refuse_agent(caller)?;
    let pot = Covered::Owned(&caller.id);
    spend::set_caps(ctx, pot, caps)?;
    security::note(ctx, &caller.id, &SecurityAction::CapsChanged, About::default())?;
    spend::caps_to_api(ctx, pot, caps)
}

/// Caps as they are stored.
impl From<(Option<PositiveCredits>, Option<PositiveCredits>)> for Caps {
    fn from((per_order, per_day): (Option<PositiveCredits>, Option<PositiveCredits>)) -> Self {
        let micros = |credits: PositiveCredits| credits.micros();
        Self { per_order: per_order.map(micros), per_day: per_day.map(micros) }
    }
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
