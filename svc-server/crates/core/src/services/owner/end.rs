//! How ownership ends: by release, or with one of the accounts. Pause and caps end with it, so that
//! nobody is left who could lift them; the pending request of an agent to leave ends as well.

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::pending::PENDING_FOR;
use svc_types::api::security::SecurityAction;
use svc_types::{Timestamp, UserId};

use super::claim::end_link;
use super::not_owner;
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::billing::payment;
use crate::services::billing::subscription::seat;
use crate::services::oauth::grant;
use crate::services::pending::{self, Change};
use crate::services::security::{self, About};
use crate::services::spend::{self, Caps, Covered};
use crate::services::{account, identity_token};

/// Ends the ownership of an agent, for its owner or for itself. An agent that confirms with nothing
/// but its key waits: until when.
pub fn release(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str) -> Result<Option<Timestamp>> {
    // Suspended owners may release, but a paused agent must not lift its pause by leaving.
    caller.require_unpaused()?;
    let found = account::find(ctx, handle)?;
    let found = found.ok_or_else(|| Error::not_found("account"))?;
    let owner = match &found.owner {
        Some(owner) if *owner == caller.id || found.id == caller.id => owner.clone(),
        _ if found.is_visible_to(Some(caller)) => return Err(not_owner()),
        _ => return Err(Error::not_found("account")),
    };
    if found.id == caller.id {
        if let Some(until) = pending::delay(ctx, caller, Change::OwnerRelease)? {
            return Ok(Some(until));
        }
        hold_unpaused(ctx, caller)?;
    }
    if end(ctx, &found.id, &owner, &caller.id)? { Ok(None) } else { Err(not_owner()) }
}

/// Ends the ownership of an agent that asked for it some time ago.
pub fn leave(ctx: &mut Ctx<'_, '_>, agent: &Account) -> Result<()> {
    let Some(owner) = &agent.owner else { return Ok(()) };
    hold_unpaused(ctx, agent)?;
    end(ctx, &agent.id, owner, &agent.id).map(drop)
}

/// 403 for an agent that its owner has just paused. Otherwise it is locked, so that a pause waits. On SQLite the
/// caller was read in this transaction.
pub fn hold_unpaused(ctx: &mut Ctx<'_, '_>, agent: &Account) -> Result<()> {
    let sql = sql!("select id from account where id = $1 and paused_at is null for no key update");
    if ctx.tx.lock_all(sql, values![agent.id], 1)? { Ok(()) } else { Err(Account::paused()) }
}

/// Ends an ownership that began lately, of an agent that is recovered: a thief of its key may have created the
/// claim link. What would wait for 72 hours if a key asked for it can be taken back for as long.
pub fn end_recent(ctx: &mut Ctx<'_, '_>, agent: &UserId) -> Result<()> {
    let since = ctx.now().minus(PENDING_FOR.duration());
    let sql =
        sql!("select owner from account where id = $1 and claimed_at > $2 and owner is not null");
    match ctx.tx.optional::<UserId>(sql, values![agent, since])? {
        Some(owner) => end(ctx, agent, &owner, agent).map(drop),
        None => Ok(()),
    }
}

/// Ends the ownership of an account that is about to be deleted, and of the agents it owns. Its row
/// is locked.
pub fn end_with(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<()> {
    end_link(ctx, &caller.id)?;
    if caller.is_agent {
        // Its row says who owns it by now, whatever it said when the request began.
        let sql = sql!("select owner from account where id = $1");
        if let Some(owner) = ctx.tx.one::<Option<UserId>>(sql, values![caller.id])? {
            end(ctx, &caller.id, &owner, &caller.id)?;
        }
        return Ok(());
    }
    let sql = sql!("select id from account where owner = $1 order by id");
    for agent in ctx.tx.all::<UserId>(sql, values![caller.id])? {
        end(ctx, &agent, &caller.id, &caller.id)?;
    }
    spend::set_caps(ctx, Covered::Owned(&caller.id), Caps::default())
}

/// Ends an ownership; false if it has ended before.
fn end(ctx: &mut Ctx<'_, '_>, agent: &UserId, owner: &UserId, actor: &UserId) -> Result<bool> {
    // Its owner may pause it at the same moment.
    ctx.tx.lock(sql!("select id from account where id = $1 for no key update"), values![agent])?;
    let sql = sql!("select paused_at is not null from account where id = $1 and owner = $2");
    let was_paused: Option<bool> = ctx.tx.optional(sql, values![agent, owner])?;
    payment::forget_receipts(ctx, agent, owner)?;
    let rows = ctx.tx.execute(
        sql!(
            "update account
             set owner = null, owner_visible = false, claimed_at = null, paused_at = null
             where id = $1 and owner = $2"
        ),
        values![agent, owner],
    )?;
    if rows == 0 {
        return Ok(false);
    }
    pending::forget_release(ctx, agent)?;
    seat::give_up(ctx, agent)?;
    spend::set_caps(ctx, Covered::Own(agent), Caps::default())?;
    if was_paused == Some(true) {
        // As when its owner resumes it.
        identity_token::revoke_all(ctx, agent)?;
    }
    grant::end_given(ctx, agent, owner)?;
    let (released, by_agent) = (SecurityAction::AgentReleased, agent == actor);
    let (of_agent, of_owner) = (About::default(), About::default().agent(agent));
    security::note(ctx, agent, &released, if by_agent { of_agent } else { of_agent.by(actor) })?;
    security::note(ctx, owner, &released, if by_agent { of_owner.by(actor) } else { of_owner })?;
    Ok(true)
}
