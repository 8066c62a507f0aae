//! How grants end: their account revokes them, what they depend on ends, or they expire.

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::security::SecurityAction;
use svc_types::{GrantId, Scope, UserId};

use super::{Agreement, GRANTS_MAX, lock, note};
use crate::app::Ctx;
use crate::services::identity_token;
use crate::services::oauth::GrantScopes;
use crate::services::security::{self, About};

/// How long a grant without tokens is kept, unless it is remembered: codes and device codes are
/// over by then.
const PASSING_LIFE: Duration = Duration::from_hours(48);

/// Ends what the owner of an agent has allowed the same program, or the agent itself: in one grant, what one of them
/// allowed would end only with what the other allowed.
pub(super) fn end_of_other(ctx: &mut Ctx<'_, '_>, agreement: &Agreement<'_>) -> Result<()> {
    let Agreement { account, giver, client, resource, .. } = agreement;
    let others: Vec<(GrantId, String)> = ctx.tx.all(
        sql!(
            "select id, scopes from oauth_grant
             where account = $1 and client_id = $2 and resource = $3 and remembered = true
                and giver <> $4"
        ),
        values![account, client.id, resource.as_str(), giver],
    )?;
    for (id, scopes) in &others {
        lock(ctx, id)?;
        remove(ctx, id)?;
        end_identity_tokens(ctx, account, scopes)?;
        note(ctx, account, giver, &SecurityAction::GrantEnded)?;
    }
    Ok(())
}

/// Makes room for a further grant: the one ends that was not used for longest.
pub(super) fn end_least_used(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let beyond: Vec<GrantId> = ctx.tx.all(
        sql!(
            "select id from oauth_grant where account = $1
             order by coalesce(last_used_at, created_at) desc, id desc
             limit 100 offset $2"
        ),
        values![account, GRANTS_MAX - 1],
    )?;
    beyond.iter().try_for_each(|id| end(ctx, account, id).map(drop))
}

/// Ends a grant with its tokens, for its account or for who gave it; false if there is no such grant.
pub fn end(ctx: &mut Ctx<'_, '_>, by: &UserId, id: &GrantId) -> Result<bool> {
    lock(ctx, id)?;
    let sql = sql!(
        "select account, scopes from oauth_grant where id = $1 and (account = $2 or giver = $2)"
    );
    let found: Option<(UserId, String)> = ctx.tx.optional(sql, values![id, by])?;
    let Some((account, scopes)) = found else { return Ok(false) };
    remove(ctx, id)?;
    end_identity_tokens(ctx, &account, &scopes)?;
    note(ctx, &account, by, &SecurityAction::GrantEnded)?;
    Ok(true)
}

/// Ends the identity tokens of an account if a program with these scopes may have created some.
pub(in crate::services::oauth) fn end_identity_tokens(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    scopes: &str,
) -> Result<()> {
    if !GrantScopes::stored(scopes).api.contains(&Scope::Identity) {
        return Ok(());
    }
    identity_token::revoke_all(ctx, account)
}

/// Ends every grant that an account has or has given.
pub fn end_all(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let sql = sql!("select id from oauth_grant where account = $1 or giver = $1 order by id");
    let ids: Vec<GrantId> = ctx.tx.all(sql, values![account])?;
    ids.iter().try_for_each(|id| end(ctx, account, id).map(drop))
}

/// Ends what a former owner of an agent, or the agent itself, has allowed for it.
pub fn end_given(ctx: &mut Ctx<'_, '_>, agent: &UserId, giver: &UserId) -> Result<()> {
    let sql = sql!("select id from oauth_grant where account = $1 and giver = $2 order by id");
    let ids: Vec<GrantId> = ctx.tx.all(sql, values![agent, giver])?;
    ids.iter().try_for_each(|id| end(ctx, giver, id).map(drop))
}

/// Deletes a locked grant and what hangs on it.
fn remove(ctx: &mut Ctx<'_, '_>, id: &GrantId) -> Result<()> {
    ctx.tx.execute(sql!("delete from oauth_access where grant_id = $1"), values![id])?;
    ctx.tx.execute(sql!("delete from oauth_code where grant_id = $1"), values![id])?;
    ctx.tx.execute(sql!("delete from oauth_family where grant_id = $1"), values![id])?;
    let sql = sql!("delete from oauth_grant where id = $1 returning account");
    let account: Option<UserId> = ctx.tx.optional(sql, values![id])?;
    ctx.effects.checked.extend(account);
    Ok(())
}

/// Ends a locked grant whose last family ended, unless it is remembered.
pub(in crate::services::oauth) fn end_if_over(ctx: &mut Ctx<'_, '_>, id: &GrantId) -> Result<()> {
    let passing: Option<UserId> = ctx.tx.optional(
        sql!(
            "select account from oauth_grant g where id = $1 and remembered = false
             and not exists (select 1 from oauth_family f where f.grant_id = g.id)"
        ),
        values![id],
    )?;
    let Some(account) = passing else { return Ok(()) };
    remove(ctx, id)?;
    security::note(ctx, &account, &SecurityAction::GrantEnded, About::default())
}

/// Deletes grants that are over: not remembered, and without tokens.
pub fn forget(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before = ctx.now().minus(PASSING_LIFE);
    let over: Vec<GrantId> = ctx.tx.all(
        sql!(
            "select id from oauth_grant g where remembered = false and created_at <= $1
             and not exists (select 1 from oauth_family f where f.grant_id = g.id)
             order by created_at limit $2"
        ),
        values![before, most],
    )?;
    for id in &over {
        lock(ctx, id)?;
        remove(ctx, id)?;
    }
    Ok(over.len() as u64)
}
