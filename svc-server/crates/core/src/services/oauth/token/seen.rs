//! What a token says to those who have it: its client, or somebody who found it.

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::security::SecurityAction;
use svc_types::{GrantId, Timestamp, UserId};

use super::end;
use crate::app::Ctx;
use crate::keys::{self, ACCESS_TOKEN, REFRESH_TOKEN};
use crate::services::oauth::{Client, GrantScopes, Resource, grant};
use crate::services::security::{self, About};

/// What a client may learn about its own token.
#[derive(Clone, Debug)]
pub struct Seen {
    /// What it may do.
    pub scopes: GrantScopes,
    /// The account.
    pub account: UserId,
    /// The account's username.
    pub username: String,
    /// Where it works.
    pub resource: Resource,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// Whether it is an access token.
    pub is_access: bool,
}

struct SeenRow {
    scopes: String,
    account: UserId,
    username: String,
    resource: String,
    issued_at: Timestamp,
    expires_at: Timestamp,
}
row!(SeenRow { scopes, account, username, resource, issued_at, expires_at });

/// A valid token of this client.
pub fn see(ctx: &mut Ctx<'_, '_>, client: &Client, token: &str) -> Result<Option<Seen>> {
    let now = ctx.now();
    let is_access = keys::key_id(ACCESS_TOKEN, token).is_some();
    let sql = if is_access {
        sql!(
            "select t.scopes, g.account, a.username, g.resource, t.issued_at, t.expires_at
             from oauth_access t join oauth_grant g on g.id = t.grant_id
             join account a on a.id = g.account
             where t.token_hash = $1 and g.client_id = $2 and +t.expires_at > $3"
        )
    } else {
        sql!(
            "select f.scopes, g.account, a.username, g.resource, f.rotated_at, f.expires_at
             from oauth_family f join oauth_grant g on g.id = f.grant_id
             join account a on a.id = g.account
             where f.refresh_hash = $1 and f.client_id = $2 and +f.expires_at > $3 and f.id = $4"
        )
    };
    let hash = keys::hash(token);
    let found: Option<SeenRow> = if is_access {
        ctx.tx.optional(sql, values![hash, client.id, now])?
    } else {
        let Some(family) = keys::key_id(REFRESH_TOKEN, token) else { return Ok(None) };
        ctx.tx.optional(sql, values![hash, client.id, now, family])?
    };
    Ok(found.map(|row| Seen {
        scopes: GrantScopes::stored(&row.scopes),
        account: row.account,
        username: row.username,
        resource: Resource::stored(&row.resource),
        issued_at: row.issued_at,
        expires_at: row.expires_at,
        is_access,
    }))
}

/// A token that is valid: its family, and the grant with its account.
type Valid = (String, GrantId, UserId);

/// The valid token that somebody found in a text. The `+` keeps SQLite from searching the indexes of ends.
fn valid(ctx: &mut Ctx<'_, '_>, token: &str) -> Result<Option<Valid>> {
    let (hash, now) = (keys::hash(token), ctx.now());
    match keys::key_id(REFRESH_TOKEN, token) {
        None => ctx.tx.optional(
            sql!(
                "select t.family, t.grant_id, g.account
                 from oauth_access t join oauth_grant g on g.id = t.grant_id
                 where t.token_hash = $1 and +t.expires_at > $2"
            ),
            values![hash, now],
        ),
        Some(family) => ctx.tx.optional(
            sql!(
                "select f.id, f.grant_id, g.account
                 from oauth_family f join oauth_grant g on g.id = f.grant_id
                 where f.id = $1 and f.refresh_hash = $2 and +f.expires_at > $3"
            ),
            values![family, hash, now],
        ),
    }
}

/// Whether a token is valid, for texts that would make it public.
pub fn is_live(ctx: &mut Ctx<'_, '_>, token: &str) -> Result<bool> {
    Ok(valid(ctx, token)?.is_some())
}

/// Ends the family of a valid token that somebody found in public, if there is one.
pub fn report(ctx: &mut Ctx<'_, '_>, token: &str) -> Result<()> {
    let Some((family, grant, account)) = valid(ctx, token)? else { return Ok(()) };
    grant::lock(ctx, &grant)?;
    security::note(ctx, &account, &SecurityAction::KeyReported, About::default())?;
    end(ctx, &family, &grant)
}
