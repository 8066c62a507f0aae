//! Claim links: an agent makes one, and a person who opens it becomes its owner.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::owners::{CLAIM_LINK_LIFE, NewClaimLink, OWNED_MAX, OwnedAgent};
use svc_types::api::security::SecurityAction;
use svc_types::{ClaimLink, Code, UserId};

use super::{refuse_agent, seen};
use crate::app::Ctx;
use crate::identity::Account;
use crate::keys::{self, Hash};
use crate::services::security::{self, About};
use crate::services::{api_key, credential};

/// Creates the claim link of an agent without an owner; an earlier one ends. An owner can replace the default key, so
/// a key that may do less than that one must not create a link.
pub fn create_link(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<NewClaimLink> {
    if !caller.is_agent {
        return Err(Error::refused(Code::NotAnAgent, "only agents can be claimed"));
    }
    api_key::require_all(ctx, caller)?;
    let is_free = ctx.tx.lock_all(
        sql!("select id from account where id = $1 and owner is null for no key update"),
        values![caller.id],
        1,
    )?;
    credential::hold(ctx, caller)?;
    if caller.owner.is_some() || !is_free {
        let refusal = Refusal::new(Code::WrongState, "the agent has an owner");
        return Err(refusal.hint("DELETE /v1/agents/{username}/owner ends the ownership").into());
    }
    let (token, hash) = keys::claim_token();
    let expires_at = ctx.now().plus(CLAIM_LINK_LIFE.duration());
    ctx.tx.execute(
        sql!(
            "insert into claim (agent, token_hash, expires_at) values ($1, $2, $3)
             on conflict (agent) do update
             set token_hash = excluded.token_hash, expires_at = excluded.expires_at"
        ),
        values![caller.id, hash, expires_at],
    )?;
    security::note(ctx, &caller.id, &SecurityAction::ClaimLinkCreated, About::default())?;
    let url = format!("{}/claim/{token}", ctx.app.public_url);
    Ok(NewClaimLink { url: url.into(), expires_at })
}

/// Ends the link of an agent: the credential that created it may have ended.
pub fn end_link(ctx: &mut Ctx<'_, '_>, agent: &UserId) -> Result<()> {
    ctx.tx.execute(sql!("delete from claim where agent = $1"), values![agent]).map(drop)
}

/// The username of the agent that created a link, while the link is valid. A suspended agent is
/// unknown to others, and so is its link.
pub fn claimable(ctx: &mut Ctx<'_, '_>, link: &str) -> Result<Option<String>> {
    let (hash, now) = (keys::hash(token_of(link)), ctx.now());
    ctx.tx.optional(
        sql!(
            "select a.username
             from claim c
             join account a on a.id = c.agent
             where c.token_hash = $1 and c.expires_at > $2
                and a.owner is null and a.deleted_at is null and a.status <> 'suspended'"
        ),
        values![hash, now],
    )
}

/// Makes the caller the owner of the agent that created a link. Of several who open it, one does.
pub fn claim(ctx: &mut Ctx<'_, '_>, caller: &Account, link: &ClaimLink) -> Result<OwnedAgent> {
    refuse_agent(caller)?;
    let hash = keys::hash(token_of(link.expose()));
    let now = ctx.now();
    let agent: Option<UserId> = ctx.tx.optional(
        sql!("select agent from claim where token_hash = $1 and expires_at > $2"),
        values![hash, now],
    )?;
    let agent = agent.ok_or_else(used)?;
    lock_both(ctx, &caller.id, &agent)?;
    take(ctx, &hash)?;
    refuse_full(ctx, &caller.id)?;
    let rows = ctx.tx.execute(
        sql!(
            "update account set owner = $1, owner_visible = false, claimed_at = $2
             where id = $3 and owner is null and deleted_at is null and status <> 'suspended'"
        ),
        values![caller.id, now, agent],
    )?;
    if rows == 0 {
        return Err(used());
    }
    let claimed = SecurityAction::AgentClaimed;
    security::note(ctx, &agent, &claimed, About::default().by(&caller.id))?;
    seen(ctx, caller, &agent)
}

/// The token of a link, or the text itself.
fn token_of(link: &str) -> &str {
    let link = link.trim().trim_end_matches('/');
    link.rsplit('/').next().unwrap_or(link)
}

fn used() -> Error {
    let refusal = Refusal::new(Code::NotFound, "the claim link is unknown, used or expired");
    refusal.field("token").hint("ask the agent for a new one").into()
}

/// Locks owner and agent in the order of their ids, so that neither is deleted and claims by the same
/// person count each other.
fn lock_both(ctx: &mut Ctx<'_, '_>, owner: &UserId, agent: &UserId) -> Result<()> {
    let are_there = ctx.tx.lock_all(
        sql!(
            "select id from account where id in ($1, $2) and deleted_at is null
             order by id for no key update"
        ),
        values![owner, agent],
        2,
    )?;
    if are_there { Ok(()) } else { Err(used()) }
}

/// Uses up a link, which only one caller can.
fn take(ctx: &mut Ctx<'_, '_>, hash: &Hash) -> Result<()> {
    let sql = sql!("delete from claim where token_hash = $1");
    if ctx.tx.execute(sql, values![hash])? == 1 { Ok(()) } else { Err(used()) }
}

/// 409 for an owner of as many agents as allowed, whose row is locked.
fn refuse_full(ctx: &mut Ctx<'_, '_>, owner: &UserId) -> Result<()> {
    let sql = sql!("select count(*) from account where owner = $1");
    let agents: i64 = ctx.tx.one(sql, values![owner])?;
    if usize::try_from(agents).is_ok_and(|agents| agents < OWNED_MAX) {
        return Ok(());
    }
    let message = format!("a person owns at most {OWNED_MAX} agents");
    Err(Refusal::new(Code::LimitReached, message).hint("release one").into())
}

forget_expired! {
    /// Deletes expired links.
    pub fn forget_links: "claim" by "agent"
}

#[cfg(test)]
mod tests {
    use super::token_of;

    #[test]
    fn a_link_is_read_to_its_token() {
        for link in ["abc-_9", "https://a.example/claim/abc-_9", " http://[::1]:80/claim/abc-_9/\n"]
        {
            assert_eq!(token_of(link), "abc-_9");
        }
    }
}
