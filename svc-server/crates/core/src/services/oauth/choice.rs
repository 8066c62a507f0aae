//! The account that a person chooses for a program.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::{Code, UserId};

use super::id_token;
use crate::app::Ctx;
use crate::identity::Account;
use crate::ids;
use crate::services::credential;

/// The account that a grant of `giver` acts for: itself, or an agent that it owns and that is neither
/// suspended nor paused, since nobody signs in as such an agent.
pub fn acted_for(ctx: &mut Ctx<'_, '_>, giver: &Account, asked: Option<&str>) -> Result<UserId> {
    let asked = asked.filter(|asked| giver.id.as_str() != *asked);
    if asked.is_some_and(|asked| !ids::can_exist(asked)) {
        return Err(not_yours());
    }
    // Before it is read who owns the agent: the ownership may be about to end.
    let lock = sql!("select id from account where id in ($1, $2) order by id for no key update");
    ctx.tx.lock(lock, values![giver.id, asked.unwrap_or(giver.id.as_str())])?;
    credential::hold(ctx, giver)?;
    let Some(asked) = asked else { return Ok(giver.id.clone()) };
    let agent = owned(ctx, giver, asked)?.ok_or_else(not_yours)?;
    if id_token::may_sign_in(ctx, &agent)? {
        return Ok(agent);
    }
    Err(unfit(Code::AgentDeactivated, "the account that you chose is suspended or paused"))
}

/// The agent of `giver` with this id, if somebody may sign in as it now.
pub fn agent(ctx: &mut Ctx<'_, '_>, giver: &Account, asked: &str) -> Result<Option<UserId>> {
    if !ids::can_exist(asked) {
        return Ok(None);
    }
    let Some(agent) = owned(ctx, giver, asked)? else { return Ok(None) };
    Ok(id_token::may_sign_in(ctx, &agent)?.then_some(agent))
}

fn owned(ctx: &mut Ctx<'_, '_>, giver: &Account, asked: &str) -> Result<Option<UserId>> {
    let sql = sql!("select id from account where id = $1 and owner = $2 and deleted_at is null");
    ctx.tx.optional(sql, values![asked, giver.id])
}

fn not_yours() -> Error {
    unfit(Code::NotFound, "the account that you chose is not yours any more")
}

fn unfit(code: Code, message: &str) -> Error {
    Refusal::new(code, message).hint("go back and choose another one").into()
}
