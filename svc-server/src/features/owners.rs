//! Owners of agents: claiming, and what owners do with their agents.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::owner;
use svc_core::services::spend::Caps;
use svc_store::error::Result;
use svc_types::api::owners::{
    AgentReleased, ClaimAgent, CreateClaimLink, ListOwnedAgents, NewAgentKey, NewClaimLink,
    OwnedAgentEnvelope, OwnedAgentList, PauseAgent, ReleaseAgent, ResumeAgent, RotateAgentKey,
    SetAgentCaps, SetAgentOwner, SetOwnedCaps, SignOutAgent, SpendCapsEnvelope,
};

use crate::http::{Answer, Routes};

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .write(create_link)
        .write(claim)
        .read(list)
        .write(set_owned_caps)
        .write(rotate_key)
        .allow_suspended()
        .write(sign_out)
        .allow_suspended()
        .write(pause)
        .allow_suspended()
        .write(resume)
        .write(set_caps)
        .write(set_owner)
        .write(release)
        .allow_suspended()
}

fn create_link(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    _: &CreateClaimLink,
) -> Result<NewClaimLink> {
    owner::create_link(ctx, caller)
}

fn claim(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ClaimAgent,
) -> Result<OwnedAgentEnvelope> {
    Ok(OwnedAgentEnvelope { agent: owner::claim(ctx, caller, &request.token)? })
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &ListOwnedAgents) -> Result<OwnedAgentList> {
    owner::list(ctx, caller)
}

fn set_owned_caps(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &SetOwnedCaps,
) -> Result<SpendCapsEnvelope> {
    let caps = Caps::of(request.per_order, request.per_day);
    Ok(SpendCapsEnvelope { caps: owner::set_owned_caps(ctx, caller, caps)? })
}

fn rotate_key(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &RotateAgentKey,
) -> Result<NewAgentKey> {
    caller.require_unpaused()?;
    owner::rotate_key(ctx, caller, request.username.as_str())
}

fn sign_out(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &SignOutAgent,
) -> Result<OwnedAgentEnvelope> {
    caller.require_unpaused()?;
    Ok(OwnedAgentEnvelope { agent: owner::sign_out(ctx, caller, request.username.as_str())? })
}

fn pause(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &PauseAgent,
) -> Result<OwnedAgentEnvelope> {
    caller.require_unpaused()?;
    Ok(OwnedAgentEnvelope { agent: owner::pause(ctx, caller, request.username.as_str())? })
}

fn resume(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ResumeAgent,
) -> Result<OwnedAgentEnvelope> {
    Ok(OwnedAgentEnvelope { agent: owner::resume(ctx, caller, request.username.as_str())? })
}

fn set_caps(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &SetAgentCaps,
) -> Result<SpendCapsEnvelope> {
    let caps = Caps::of(request.per_order, request.per_day);
    let caps = owner::set_caps(ctx, caller, request.username.as_str(), caps)?;
    Ok(SpendCapsEnvelope { caps })
}

fn set_owner(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &SetAgentOwner,
) -> Result<OwnedAgentEnvelope> {
    let SetAgentOwner { username, visible } = request;
    let agent = owner::set_visible(ctx, caller, username.as_str(), *visible)?;
    Ok(OwnedAgentEnvelope { agent })
}

fn release(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ReleaseAgent,
) -> Result<Answer<AgentReleased>> {
    let pending_until = owner::release(ctx, caller, request.username.as_str())?;
    let deleted = pending_until.is_none();
    Ok(Answer::from(AgentReleased { deleted, pending_until }).pending(!deleted))
}
