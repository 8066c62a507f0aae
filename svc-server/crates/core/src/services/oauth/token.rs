//! Families of tokens: an access token for an hour, and a refresh token that is replaced at every
//! use.
//!
//! A refresh token begins with the id of its family. One that is not the family's current one was
//! used before: somebody has a copy, so the family ends, unless it is the one that the current one has just replaced:
//! then the client repeats a request whose answer it lost.

mod seen;

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::{GrantId, Timestamp, UserId};

pub use self::seen::{Seen, is_live, report, see};
use super::{Client, Denied, GrantScopes, OauthError, Outcome, Resource, client, grant, successor};
use crate::app::Ctx;
use crate::keys::{self, ACCESS_TOKEN, Hash, NewKey, REFRESH_TOKEN};

/// How long an access token lives.
pub const ACCESS_LIFE: Duration = Duration::from_hours(1);

/// How long a refresh token lives without use.
pub const REFRESH_LIFE: Duration = Duration::from_hours(30 * 24);

/// How long a repeated refresh token is taken for a lost answer.
const LOST_ANSWER: Duration = Duration::from_secs(10);

/// Most access tokens of a family; further ones replace the oldest.
const ACCESS_MAX: i64 = 10;

/// Most families of a grant; a further one ends those that were used longest ago. Each sign-in by a remembered consent
/// brings one.
const FAMILIES_MAX: i64 = 50;

/// The families of a grant that a new one leaves no room for.
const BEYOND: &str = "(select id from oauth_family where grant_id = $1 and id <> $2
    order by rotated_at desc, id limit 1000 offset $3)";

/// New tokens.
#[derive(Clone, Debug)]
pub struct Issued {
    /// The access token.
    pub access: String,
    /// The refresh token.
    pub refresh: String,
    /// What the access token may do.
    pub scopes: GrantScopes,
    /// The account.
    pub account: UserId,
    /// When the person signed in.
    pub auth_time: Timestamp,
    /// What the client repeats to itself in the ID token.
    pub nonce: Option<String>,
}

/// What a family begins with.
#[derive(Clone, Debug)]
pub(super) struct Beginning<'a> {
    pub(super) family: &'a str,
    pub(super) grant: &'a GrantId,
    pub(super) client: &'a Client,
    pub(super) scopes: GrantScopes,
    pub(super) auth_time: Timestamp,
    pub(super) nonce: Option<String>,
}

/// Begins a family of a locked grant.
pub(super) fn begin(ctx: &mut Ctx<'_, '_>, begin: Beginning<'_>) -> Result<Issued> {
    let Beginning { family, grant, client, scopes, auth_time, nonce } = begin;
    let NewKey { key: refresh, hash, .. } = keys::generate_for(REFRESH_TOKEN, family);
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "insert into oauth_family
                (id, grant_id, client_id, scopes, auth_time, refresh_hash, rotated_at, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8)"
        ),
        values![
            family,
            grant,
            client.id,
            scopes.to_string(),
            auth_time,
            hash,
            now,
            now.plus(REFRESH_LIFE)
        ],
    )?;
    make_room(ctx, family, grant)?;
    client::mark_used(ctx, &client.id)?;
    let sql = sql!("select account from oauth_grant where id = $1");
    let account = ctx.tx.one(sql, values![grant])?;
    let access = access(ctx, family, grant, scopes)?;
    Ok(Issued { access, refresh, scopes, account, auth_time, nonce })
}

/// Ends the families that a new one leaves no room for.
fn make_room(ctx: &mut Ctx<'_, '_>, new: &str, grant: &GrantId) -> Result<()> {
    let kept = FAMILIES_MAX - 1;
    let sql = sql!("delete from oauth_access where family in ", BEYOND);
    ctx.tx.execute(sql, values![grant, new, kept])?;
    let sql = sql!("delete from oauth_family where id in ", BEYOND);
    if ctx.tx.execute(sql, values![grant, new, kept])? > 0 {
        check_streams(ctx, grant)?;
    }
    Ok(())
}

/// Issues an access token of a family.
fn access(
    ctx: &mut Ctx<'_, '_>,
    family: &str,
    grant: &GrantId,
    scopes: GrantScopes,
) -> Result<String> {
    let NewKey { key, hash, .. } = keys::generate(ACCESS_TOKEN);
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "insert into oauth_access (token_hash, family, grant_id, scopes, issued_at, expires_at)
             values ($1, $2, $3, $4, $5, $6)"
        ),
        values![hash, family, grant, scopes.to_string(), now, now.plus(ACCESS_LIFE)],
    )?;
    ctx.tx.execute(
        sql!(
            "delete from oauth_access where token_hash in
             (select token_hash from oauth_access where family = $1
              order by issued_at desc, token_hash limit 1000 offset $2)"
        ),
        values![family, ACCESS_MAX],
    )?;
    Ok(key)
}

struct Family {
    id: String,
    grant: GrantId,
    scopes: String,
    auth_time: Timestamp,
    refresh_hash: Vec<u8>,
    rotated_at: Timestamp,
    expires_at: Timestamp,
    account: UserId,
    resource: String,
}
row!(Family {
    id: "f.id",
    grant: "f.grant_id",
    scopes: "f.scopes",
    auth_time: "f.auth_time",
    refresh_hash: "f.refresh_hash",
    rotated_at: "f.rotated_at",
    expires_at: "f.expires_at",
    account: "g.account",
    resource: "g.resource",
});

/// The family of a refresh token of this client, its grant locked.
fn family(ctx: &mut Ctx<'_, '_>, client: &Client, token: &str) -> Result<Option<Family>> {
    let Some(id) = keys::key_id(REFRESH_TOKEN, token) else { return Ok(None) };
    let sql = sql!("select grant_id from oauth_family where id = $1 and client_id = $2");
    let Some(grant) = ctx.tx.optional::<GrantId>(sql, values![id, client.id])? else {
        return Ok(None);
    };
    grant::lock(ctx, &grant)?;
    ctx.tx.optional(
        sql!(
            "select ",
            Family::COLUMNS,
            " from oauth_family f join oauth_grant g on g.id = f.grant_id where f.id = $1"
        ),
        values![id],
    )
}

/// Exchanges a refresh token for new tokens. Fewer scopes may be asked for; the family keeps its own.
pub fn refresh(
    ctx: &mut Ctx<'_, '_>,
    client: &Client,
    token: &str,
    scope: Option<&str>,
    resource: Option<Resource>,
) -> Outcome<Issued> {
    let now = ctx.now();
    let found = family(ctx, client, token)?.filter(|family| family.expires_at > now);
    let Some(family) = found else { return Ok(Err(unknown())) };
    if !keys::same(&family.refresh_hash, &keys::hash(token)) {
        let is_previous = successor::is_next(ctx, &family.id, token, &family.refresh_hash);
        if !is_previous || now.since(family.rotated_at) > LOST_ANSWER {
            end(ctx, &family.id, &family.grant)?;
        }
        return Ok(Err(Denied::grant("the refresh token was used before")));
    }
    if resource.is_some_and(|asked| asked != Resource::stored(&family.resource)) {
        let message = "the tokens were given for another resource";
        return Ok(Err(Denied::new(OauthError::InvalidTarget, message)));
    }
    let own = GrantScopes::stored(&family.scopes);
    let scopes = match scope.map(|scope| GrantScopes::asked(Some(scope), client)) {
        None => own,
        Some(Ok(asked)) if own.holds(asked) => asked,
        Some(Ok(_)) => {
            let message = "a refresh can't ask for more than what was agreed to";
            return Ok(Err(Denied::new(OauthError::InvalidScope, message)));
        }
        Some(Err(denied)) => return Ok(Err(denied)),
    };
    let NewKey { key: refresh, hash, .. } = successor::next(ctx, &family.id, token);
    rotate(ctx, &family, &hash)?;
    client::mark_used(ctx, &client.id)?;
    let access = access(ctx, &family.id, &family.grant, scopes)?;
    let Family { account, auth_time, .. } = family;
    Ok(Ok(Issued { access, refresh, scopes, account, auth_time, nonce: None }))
}

fn unknown() -> Denied {
    Denied::grant("the refresh token is not valid: it has ended, or belongs to another client")
}

fn rotate(ctx: &mut Ctx<'_, '_>, family: &Family, hash: &Hash) -> Result<()> {
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "update oauth_family set refresh_hash = $1, rotated_at = $2, expires_at = $3
             where id = $4 and refresh_hash = $5"
        ),
        values![hash, now, now.plus(REFRESH_LIFE), family.id, family.refresh_hash],
    )?;
    Ok(())
}

/// Ends a family of a locked grant, and the grant if that is over with it.
pub(super) fn end(ctx: &mut Ctx<'_, '_>, family: &str, grant: &GrantId) -> Result<()> {
    ctx.tx.execute(sql!("delete from oauth_access where family = $1"), values![family])?;
    let sql = sql!("delete from oauth_family where id = $1 returning scopes");
    let scopes: Option<String> = ctx.tx.optional(sql, values![family])?;
    let account = check_streams(ctx, grant)?;
    if let (Some(account), Some(scopes)) = (account, scopes) {
        grant::end_identity_tokens(ctx, &account, &scopes)?;
    }
    grant::end_if_over(ctx, grant)
}

/// Lets streams of a grant's account, which is returned, authenticate again.
fn check_streams(ctx: &mut Ctx<'_, '_>, grant: &GrantId) -> Result<Option<UserId>> {
    let sql = sql!("select account from oauth_grant where id = $1");
    let account: Option<UserId> = ctx.tx.optional(sql, values![grant])?;
    ctx.effects.checked.extend(account.clone());
    Ok(account)
}

/// Ends a token of this client: an access token by itself, a refresh token with its family. That holds for a refresh
/// token that was replaced, too: the client may have lost its successor, or somebody else may have got it.
pub fn revoke(ctx: &mut Ctx<'_, '_>, client: &Client, token: &str) -> Result<()> {
    if keys::key_id(ACCESS_TOKEN, token).is_some() {
        let grant: Option<GrantId> = ctx.tx.optional(
            sql!(
                "delete from oauth_access where token_hash = $1 and exists (
                    select 1 from oauth_family f
                    where f.id = oauth_access.family and f.client_id = $2)
                 returning grant_id"
            ),
            values![keys::hash(token), client.id],
        )?;
        return grant.map_or(Ok(()), |grant| check_streams(ctx, &grant).map(drop));
    }
    match family(ctx, client, token)? {
        Some(family) => end(ctx, &family.id, &family.grant),
        None => Ok(()),
    }
}

forget_expired! {
    /// Deletes access tokens that have expired.
    pub fn forget_access: "oauth_access" by "token_hash"
}

/// Deletes families that were not used for long. Their access tokens have expired before.
pub fn forget_families(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before = ctx.now();
    // Like `forget_expired!`, it keeps what is renewed meanwhile.
    ctx.tx.execute(
        sql!(
            "delete from oauth_family where +expires_at <= $1 and id in
             (select id from oauth_family f where expires_at <= $1
              and not exists (select 1 from oauth_access t where t.family = f.id) limit $2)"
        ),
        values![before, most],
    )
}
