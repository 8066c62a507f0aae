//! The credentials of a request, and the account or app behind them.
//!
//! A key wins over a session, and an invalid key is 401, never a fallback.

mod refusals;

use std::time::Duration;

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::users::{AccountStatus, Role, Tier};
use svc_types::{AppId, Code, GrantId, Scope, Scopes, Timestamp, UserId};

use self::refusals::{cross_site, malformed, wrong_address, wrong_key, wrong_resource};
pub use self::refusals::{ended_session, unauthorized, wrong_token};
use super::caller::{Account, DeveloperApp, SignedBy};
use crate::app::Ctx;
use crate::keys::{self, Hash};
use crate::services::developer_app::{APP_WORKS, OWNER_STANDS};
use crate::services::oauth::{GrantScopes, Resource};
use crate::services::spend::Caps;
use crate::services::trust::{Basis, Trust};
use crate::services::{account, api_key, approval, deletion};

/// A session that was last seen longer ago than this is marked as seen again.
const SEEN_STEP: Duration = Duration::from_hours(1);

/// How often at least a session is marked as seen within the time after which it ends without use.
const SEEN_TIMES: u32 = 8;

/// The credentials of a request.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The API key or developer key of a request.
    pub bearer: Bearer,
    /// Hash of the session cookie.
    pub session: Option<Hash>,
    /// Whether the request comes from the same site, so that its cookie counts.
    pub same_site: bool,
    /// Whether deleted accounts may call, to restore themselves.
    pub of_deleted: bool,
    /// The part of the server that is called, for which a token must have been given.
    pub resource: Resource,
}

impl Credentials {
    /// 401 for credentials that can't be valid, without a query.
    pub fn refuse_hopeless(&self) -> Result<()> {
        match &self.bearer {
            Bearer::Absent if self.session.is_none() => Err(unauthorized()),
            Bearer::Absent => Ok(()),
            Bearer::Malformed => Err(malformed()),
            Bearer::Key(key) => {
                let is = |prefix| keys::key_id(prefix, key).is_some();
                if key.starts_with(keys::ACCESS_TOKEN) {
                    return if is(keys::ACCESS_TOKEN) { Ok(()) } else { Err(wrong_token()) };
                }
                let is_hopeless = !is(keys::API_KEY) && !is(keys::DEVELOPER_KEY);
                if is_hopeless { Err(wrong_key()) } else { Ok(()) }
            }
        }
    }

    /// Whether there are none.
    pub fn is_absent(&self) -> bool {
        matches!(self.bearer, Bearer::Absent) && self.session.is_none()
    }
}

/// The API key or developer key of a request.
#[derive(Clone, Debug)]
pub enum Bearer {
    /// There is none.
    Absent,
    /// Anything other than `Bearer <key>`.
    Malformed,
    /// What follows `Bearer `: a key, or an access token.
    Key(String),
}

/// The account behind a header or a cookie.
pub fn account(ctx: &mut Ctx<'_, '_>, credentials: &Credentials) -> Result<Account> {
    let account = match (&credentials.bearer, &credentials.session) {
        (Bearer::Key(key), _) if key.starts_with(keys::ACCESS_TOKEN) => {
            by_token(ctx, key, credentials.resource)?
        }
        (Bearer::Key(key), _) => by_key(ctx, key)?,
        (Bearer::Malformed, _) => return Err(malformed()),
        (Bearer::Absent, None) => return Err(unauthorized()),
        (Bearer::Absent, Some(hash)) => {
            let account = by_session(ctx, hash)?;
            if !credentials.same_site {
                return Err(cross_site());
            }
            account
        }
    };
    if account.is_deleted && !credentials.of_deleted {
        return Err(deletion::refusal());
    }
    refuse_waiting(account)
}

/// 403 for an account that no moderator has approved yet.
fn refuse_waiting(account: Account) -> Result<Account> {
    if account.awaits_approval { Err(approval::refusal()) } else { Ok(account) }
}

/// Times instead of flags, and no conditions: what Rust decides costs SQLite's machine no steps.
struct AccountRow {
    id: UserId,
    username: String,
    display_name: String,
    avatar: Option<String>,
    role: Role,
    status: AccountStatus,
    tier: Tier,
    is_agent: bool,
    deleted_at: Option<Timestamp>,
    owner: Option<UserId>,
    paused_at: Option<Timestamp>,
    awaits_approval_since: Option<Timestamp>,
    trust: Option<Trust>,
    established_from: Option<Timestamp>,
}
row!(AccountRow {
    id: "a.id",
    username: "a.username",
    display_name: "a.display_name",
    avatar: "a.avatar",
    role: "a.role",
    status: "a.status",
    tier: "a.tier",
    is_agent: "a.is_agent",
    deleted_at: "a.deleted_at",
    owner: "a.owner",
    paused_at: "a.paused_at",
    awaits_approval_since: "a.awaits_approval_since",
    trust: "a.trust",
    established_from: "a.established_from",
});

impl AccountRow {
    fn account(self, method: SignedBy, scopes: Scopes, caps: Caps) -> Account {
        Account {
            id: self.id,
            username: self.username,
            display_name: self.display_name,
            avatar: self.avatar,
            role: self.role,
            status: self.status,
            tier: self.tier,
            is_agent: self.is_agent,
            is_deleted: self.deleted_at.is_some(),
            owner: self.owner,
            is_paused: self.paused_at.is_some(),
            awaits_approval: self.awaits_approval_since.is_some(),
            trust: Basis { set: self.trust, established_from: self.established_from },
            method,
            scopes,
            reads_email: true,
            caps,
        }
    }
}

/// What the row of a key says about its use.
struct KeyRow {
    hash: Vec<u8>,
    is_default: bool,
    scopes: String,
    allow_from: Option<String>,
    per_order: Option<i64>,
    per_day: Option<i64>,
    expires_at: Option<Timestamp>,
}
row!(KeyRow {
    hash: "k.hash",
    is_default: "k.is_default",
    scopes: "k.scopes",
    allow_from: "k.allow_from",
    per_order: "k.spend_per_order",
    per_day: "k.spend_per_day",
    expires_at: "k.expires_at",
});

fn by_key(ctx: &mut Ctx<'_, '_>, key: &str) -> Result<Account> {
    if developer(ctx, key)?.is_some() {
        return Err(Error::refused(
            Code::DeveloperKeyRefused,
            "a developer key works only for verify-identity and its own app",
        ));
    }
    let key_id = keys::key_id(keys::API_KEY, key).ok_or_else(wrong_key)?;
    let now = ctx.now();
    let found: Option<(AccountRow, KeyRow)> = ctx.tx.optional(
        sql!(
            "select ",
            AccountRow::COLUMNS,
            ", ",
            KeyRow::COLUMNS,
            " from api_key k join account a on a.id = k.account
             where k.key_id = $1"
        ),
        values![key_id],
    )?;
    let stored = found.as_ref().map_or(&[0; 32][..], |(_, row)| &row.hash);
    let same = keys::same(stored, &keys::hash(key));
    let (account, row) = found.filter(|_| same).ok_or_else(wrong_key)?;
    if row.expires_at.is_some_and(|end| end <= now) {
        return Err(wrong_key());
    }
    if let Some(networks) = &row.allow_from
        && !api_key::is_allowed_from(networks, ctx.address())
    {
        return Err(wrong_address());
    }
    let scopes = api_key::scopes(row.is_default, &row.scopes);
    let caps = Caps { per_order: row.per_order, per_day: row.per_day };
    let mut account = account.account(SignedBy::ApiKey(key_id.to_owned()), scopes, caps);
    account.reads_email = scopes.intersects([Scope::Read, Scope::Account].iter().collect());
    Ok(account)
}

/// What the rows of an access token and its grant say about its use.
struct TokenRow {
    grant: GrantId,
    scopes: String,
    resource: String,
    per_order: Option<i64>,
    per_day: Option<i64>,
}
row!(TokenRow {
    grant: "g.id",
    scopes: "t.scopes",
    resource: "g.resource",
    per_order: "g.spend_per_order",
    per_day: "g.spend_per_day",
});

fn by_token(ctx: &mut Ctx<'_, '_>, token: &str, called: Resource) -> Result<Account> {
    let (account, _, resource) = token_of(ctx, token)?;
    if resource == called { Ok(account) } else { Err(wrong_resource(called)) }
}

/// The account behind an access token, what the token may do, and where it works. Tokens of a deleted app
/// are refused before its grants have ended, and those of an app whose account is suspended or deleted meanwhile.
pub fn token_of(ctx: &mut Ctx<'_, '_>, token: &str) -> Result<(Account, GrantScopes, Resource)> {
    keys::key_id(keys::ACCESS_TOKEN, token).ok_or_else(wrong_token)?;
    let now = ctx.now();
    // The `+` keeps SQLite from searching the index of ends instead of the primary key.
    let found: Option<(AccountRow, TokenRow)> = ctx.tx.optional(
        sql!(
            "select ",
            AccountRow::COLUMNS,
            ", ",
            TokenRow::COLUMNS,
            " from oauth_access t join oauth_grant g on g.id = t.grant_id
             join account a on a.id = g.account
             where t.token_hash = $1 and +t.expires_at > $2 and ",
            APP_WORKS
        ),
        values![keys::hash(token), now],
    )?;
    let (account, row) = found.ok_or_else(wrong_token)?;
    let scopes = GrantScopes::stored(&row.scopes);
    let caps = Caps { per_order: row.per_order, per_day: row.per_day };
    let mut account = account.account(SignedBy::Token(row.grant), scopes.api, caps);
    account.reads_email = scopes.reads_email();
    Ok((account, scopes, Resource::stored(&row.resource)))
}

/// The account of this key, for callers outside HTTP.
pub fn account_of_key(ctx: &mut Ctx<'_, '_>, key: &str) -> Result<Account> {
    let account = by_key(ctx, key)?;
    if account.is_deleted { Err(deletion::refusal()) } else { refuse_waiting(account) }
}

fn by_session(ctx: &mut Ctx<'_, '_>, hash: &Hash) -> Result<Account> {
    let now = ctx.now();
    let idle = ctx.app.config.session.idle;
    let idle_since = now.minus(idle);
    // The `+` keeps SQLite from searching the index of ends instead of the primary key.
    let found: Option<(AccountRow, Timestamp)> = ctx.tx.optional(
        sql!(
            "select ",
            AccountRow::COLUMNS,
            ", s.last_seen_at
             from session s join account a on a.id = s.account
             where s.token_hash = $1 and +s.expires_at > $2 and s.last_seen_at > $3"
        ),
        values![hash, now, idle_since],
    )?;
    let (account, seen_at) = found.ok_or_else(ended_session)?;
    let step = SEEN_STEP.min(idle / SEEN_TIMES);
    // A clock that was far ahead may have marked it: without a new mark, it would not end as idle until that time.
    let stale = now.since(seen_at) > step || seen_at.since(now) > step;
    Ok(account.account(SignedBy::Session { hash: *hash, stale }, Scopes::ALL, Caps::default()))
}

/// An account that a timer acts for; `None` once it is deleted.
pub fn acting(ctx: &mut Ctx<'_, '_>, id: &UserId) -> Result<Option<Account>> {
    let found: Option<AccountRow> = ctx.tx.optional(
        sql!(
            "select ",
            AccountRow::COLUMNS,
            " from account a where a.id = $1 and a.deleted_at is null"
        ),
        values![id],
    )?;
    Ok(found.map(|row| row.account(SignedBy::Clock, Scopes::ALL, Caps::default())))
}

/// Locks an account, and refuses one that was suspended, paused or deleted while its call did other work.
pub fn hold_active(ctx: &mut Ctx<'_, '_>, id: &UserId) -> Result<()> {
    account::lock(ctx, id)?;
    acting(ctx, id)?.ok_or_else(deletion::refusal)?.require_active()
}

/// The app behind a valid developer key, or an old one that still works.
pub fn developer(ctx: &mut Ctx<'_, '_>, key: &str) -> Result<Option<DeveloperApp>> {
    let Some(key_id) = keys::key_id(keys::DEVELOPER_KEY, key) else {
        return Ok(None);
    };
    let found: Option<(AppId, Vec<u8>, bool)> = ctx.tx.optional(
        sql!(
            "select d.id, d.key_hash, ",
            OWNER_STANDS,
            " from developer_app d where d.key_id = $1 and d.deleted_at is null"
        ),
        values![key_id],
    )?;
    let found = match found {
        Some(found) => Some(found),
        None => by_old_key(ctx, key_id)?,
    };
    let hash = keys::hash(key);
    let found = found.filter(|(_, stored, _)| keys::same(stored, &hash));
    let key_id = key_id.to_owned();
    Ok(found.map(|(id, _, stands)| DeveloperApp { id, key_id, is_barred: !stands }))
}

/// The app of a key that was replaced and still works, its hash, and whether the app's account stands.
fn by_old_key(ctx: &mut Ctx<'_, '_>, key_id: &str) -> Result<Option<(AppId, Vec<u8>, bool)>> {
    let now = ctx.now();
    ctx.tx.optional(
        sql!(
            "select d.id, k.key_hash, ",
            OWNER_STANDS,
            " from developer_old_key k join developer_app d on d.id = k.app
             where k.key_id = $1 and +k.expires_at > $2 and d.deleted_at is null"
        ),
        values![key_id, now],
    )
}

/// Marks a session as seen, so that it does not end as idle.
pub fn mark_seen(ctx: &mut Ctx<'_, '_>, hash: &Hash) -> Result<()> {
    let now = ctx.now();
    let sql = sql!("update session set last_seen_at = $1 where token_hash = $2");
    ctx.tx.execute(sql, values![now, hash]).map(|_| ())
}
