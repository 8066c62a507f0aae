//! Grants: what accounts allowed clients to do.
//!
//! Consent to a client that people return to over the network is remembered: one grant per account,
//! client and resource, which grows when more is asked for. It is of who agreed, the account itself or the owner of
//! an agent, and remembered for the [`Origins`] where they did. A local program, which any other program can
//! impersonate, gets a grant of its own each time, and it ends with its tokens.

mod end;

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::grants::{Grant, GrantClient};
use svc_types::api::keys::KeySpend;
use svc_types::api::owners::OWNED_MAX;
use svc_types::api::security::SecurityAction;
use svc_types::{Credits, GrantId, PositiveCredits, Timestamp, UserId};

pub use self::end::{end, end_all, end_given, forget};
pub(super) use self::end::{end_identity_tokens, end_if_over};
use self::end::{end_least_used, end_of_other};
use super::deleted_app::APP_NOT_DELETED;
use super::origins::Origins;
use super::{Client, GrantScopes, Resource};
use crate::app::Ctx;
use crate::key_uses::KeyUse;
use crate::services::account::{self, Short};
use crate::services::security::{self, About};
use crate::services::spend::Caps;
use crate::services::wrong_clock;

/// Most grants of an account; a further one ends the one that was not used for longest.
pub const GRANTS_MAX: i64 = 100;

/// What somebody agrees to.
#[derive(Clone, Debug)]
pub struct Agreement<'a> {
    /// The account that is acted for.
    pub account: &'a UserId,
    /// The account that agrees: the same one, or its owner.
    pub giver: &'a UserId,
    /// The program.
    pub client: &'a Client,
    /// The host that was shown.
    pub host: &'a str,
    /// What it may do.
    pub scopes: GrantScopes,
    /// Where its tokens work.
    pub resource: Resource,
    /// What it may spend.
    pub caps: Caps,
    /// Where people return to, if that is not asked for again.
    pub remembered_for: Option<String>,
}

/// What was agreed to before.
#[derive(Clone, Debug)]
pub struct Remembered {
    /// The grant.
    pub id: GrantId,
    /// What the client may do.
    pub scopes: GrantScopes,
    /// Where people agreed to that.
    origins: Origins,
}

impl Remembered {
    /// Whether these scopes were agreed to at this origin.
    pub fn covers(&self, scopes: GrantScopes, origin: &str) -> bool {
        self.scopes.holds(scopes) && self.origins.cover(scopes, origin)
    }
}

/// Stores what somebody agreed to; the answer is the grant.
pub fn give(ctx: &mut Ctx<'_, '_>, agreement: &Agreement<'_>) -> Result<GrantId> {
    let account = agreement.account;
    account::lock(ctx, account)?;
    let before = if agreement.remembered_for.is_some() {
        end_of_other(ctx, agreement)?;
        let parties = (account, agreement.giver);
        remembered(ctx, parties, &agreement.client.id, agreement.resource)?
    } else {
        None
    };
    let widened = match before {
        Some(before) => widen(ctx, &before, agreement)?,
        None => None,
    };
    let id = match widened {
        Some(id) => id,
        None => insert(ctx, agreement)?,
    };
    note(ctx, account, agreement.giver, &SecurityAction::GrantGiven)?;
    Ok(id)
}

/// Notes what happened to a grant, and who did it.
fn note(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    by: &UserId,
    action: &SecurityAction,
) -> Result<()> {
    if account == by {
        return security::note(ctx, account, action, About::default());
    }
    security::note(ctx, account, action, About::default().by(by))
}

fn insert(ctx: &mut Ctx<'_, '_>, agreement: &Agreement<'_>) -> Result<GrantId> {
    let Agreement { account, giver, client, host, scopes, resource, caps, remembered_for } =
        agreement;
    end_least_used(ctx, account)?;
    let (id, now): (GrantId, _) = (ctx.id(), ctx.now());
    let at = |origin: &str| Origins::default().with(*scopes, origin).to_string();
    let origins = remembered_for.as_deref().map(at);
    ctx.tx.execute(
        sql!(
            "insert into oauth_grant (id, account, giver, client_id, client_name, client_host, scopes,
                resource, spend_per_order, spend_per_day, remembered, origins, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
        ),
        values![
            id,
            account,
            giver,
            client.id,
            client.name,
            host,
            scopes.to_string(),
            resource.as_str(),
            caps.per_order,
            caps.per_day,
            remembered_for.is_some(),
            origins,
            now
        ],
    )?;
    Ok(id)
}

/// Adds to a remembered grant; `None` if it has ended since it was read. Caps are those of the latest
/// consent to spending.
fn widen(
    ctx: &mut Ctx<'_, '_>,
    before: &Remembered,
    agreement: &Agreement<'_>,
) -> Result<Option<GrantId>> {
    let Agreement { giver, client, host, scopes, caps, remembered_for, .. } = agreement;
    lock(ctx, &before.id)?;
    let at = remembered_for.iter();
    let origins = at.fold(before.origins.clone(), |all, origin| all.with(*scopes, origin));
    let all = before.scopes.with(*scopes).to_string();
    let rows = ctx.tx.execute(
        sql!(
            "update oauth_grant set giver = $1, client_name = $2, client_host = $3, scopes = $4,
                origins = $5
             where id = $6"
        ),
        values![giver, client.name, host, all, origins.to_string(), before.id],
    )?;
    if rows == 0 {
        return Ok(None);
    }
    if scopes.spends() {
        ctx.tx.execute(
            sql!("update oauth_grant set spend_per_order = $1, spend_per_day = $2 where id = $3"),
            values![caps.per_order, caps.per_day, before.id],
        )?;
    }
    Ok(Some(before.id.clone()))
}

/// What somebody agreed to for an account and a client, if that is remembered.
pub fn remembered(
    ctx: &mut Ctx<'_, '_>,
    (account, giver): (&UserId, &UserId),
    client_id: &str,
    resource: Resource,
) -> Result<Option<Remembered>> {
    let found: Option<(GrantId, String, Option<String>)> = ctx.tx.optional(
        sql!(
            "select id, scopes, origins from oauth_grant
             where account = $1 and client_id = $2 and resource = $3 and remembered = true
                and giver = $4"
        ),
        values![account, client_id, resource.as_str(), giver],
    )?;
    Ok(found.map(|(id, scopes, origins)| {
        let origins = Origins::stored(&origins.unwrap_or_default());
        Remembered { id, scopes: GrantScopes::stored(&scopes), origins }
    }))
}

/// The grant, locked, by which somebody agreed to these scopes for an account at this origin, if that is remembered.
pub fn still_remembered(
    ctx: &mut Ctx<'_, '_>,
    parties: (&UserId, &UserId),
    client_id: &str,
    resource: Resource,
    (scopes, origin): (GrantScopes, &str),
) -> Result<Option<GrantId>> {
    let Some(before) = remembered(ctx, parties, client_id, resource)? else { return Ok(None) };
    lock(ctx, &before.id)?;
    // Again behind the lock: it may have ended meanwhile.
    let again = remembered(ctx, parties, client_id, resource)?;
    let again = again.filter(|again| again.id == before.id && again.covers(scopes, origin));
    Ok(again.map(|again| again.id))
}

/// Lets nobody else issue tokens of a grant or end it until the transaction ends.
pub fn lock(ctx: &mut Ctx<'_, '_>, id: &GrantId) -> Result<()> {
    ctx.tx.lock(sql!("select id from oauth_grant where id = $1 for update"), values![id])
}

struct Record {
    id: GrantId,
    client_id: String,
    client_name: String,
    client_host: String,
    scopes: String,
    resource: String,
    per_order: Option<i64>,
    per_day: Option<i64>,
    created_at: Timestamp,
    last_used_at: Option<Timestamp>,
}
row!(Record {
    id: "g.id",
    client_id: "g.client_id",
    client_name: "g.client_name",
    client_host: "g.client_host",
    scopes: "g.scopes",
    resource: "g.resource",
    per_order: "g.spend_per_order",
    per_day: "g.spend_per_day",
    created_at: "g.created_at",
    last_used_at: "g.last_used_at",
});

impl Record {
    fn into_api(self, ctx: &Ctx<'_, '_>, user: Short) -> Grant {
        let scopes = GrantScopes::stored(&self.scopes);
        let most = |micros: Option<i64>| {
            micros.map(|micros| -> PositiveCredits { Credits::from_micros(micros).bounded() })
        };
        let caps = KeySpend { per_order: most(self.per_order), per_day: most(self.per_day) };
        let has_caps = caps.per_order.is_some() || caps.per_day.is_some();
        Grant {
            grant_id: self.id,
            client: GrantClient {
                client_id: self.client_id,
                name: self.client_name,
                host: self.client_host,
            },
            user: user.into_api(ctx.app),
            scopes: scopes.words(),
            resource: Resource::stored(&self.resource).url(ctx.app),
            caps: has_caps.then_some(caps),
            created_at: self.created_at,
            last_used_at: self.last_used_at,
        }
    }
}

/// What an account allowed, for itself or for its agents, newest first; without grants of deleted apps,
/// which end soon.
pub fn list(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Vec<Grant>> {
    // As many for each of its agents as for itself.
    let most = GRANTS_MAX.saturating_mul(i64::try_from(OWNED_MAX + 1).unwrap_or(i64::MAX));
    let found: Vec<(Record, Short)> = ctx.tx.all(
        sql!(
            "select ",
            Record::COLUMNS,
            ", ",
            Short::COLUMNS,
            " from oauth_grant g join account a on a.id = g.account
             where (g.account = $1 or g.giver = $1) and ",
            APP_NOT_DELETED,
            " order by g.id desc limit $2"
        ),
        values![account, most],
    )?;
    Ok(found.into_iter().map(|(record, user)| record.into_api(ctx, user)).collect())
}

/// Writes when grants were used.
pub fn note_uses(ctx: &mut Ctx<'_, '_>, uses: &[(String, KeyUse)]) -> Result<()> {
    let far = wrong_clock::far_ahead(ctx.now());
    for (id, last) in uses {
        ctx.tx.execute(
            sql!(
                "update oauth_grant set last_used_at = $1
                 where id = $2
                    and (last_used_at is null or last_used_at < $1 or last_used_at > $3)"
            ),
            values![last.at, id, far],
        )?;
    }
    Ok(())
}
