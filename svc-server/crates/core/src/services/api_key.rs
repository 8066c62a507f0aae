//! API keys: the default one, and named ones with scopes, networks, caps on spending and an end.
//!
//! A key's row is all there is of it: deleting the row ends the key. The default key has every
//! scope, including those that are added later.

mod change;
mod end;
mod rights;

use svc_store::error::{Error, Refusal, Result, Window};
use svc_store::{row, sql, values};
use svc_types::api::keys::{ApiKeyInfo, KEY_LIFE, KEYS_MAX, KeySpending};
use svc_types::api::security::SecurityAction;
use svc_types::{Code, Credits, Scope, Scopes, Span, Timestamp, UserId};

pub use self::change::{allow_from, cap, limit, refuse_last, rename};
use self::end::end_opened;
pub use self::end::{delete, end_all, replace_all, revoke, revoke_all, revoke_named};
pub use self::rights::{Change, Rights, is_allowed_from, scopes};

use crate::app::Ctx;
use crate::identity::{Account, SignedBy};
use crate::key_uses::KeyUse;
use crate::keys::{self, API_KEY, NewKey};
use crate::services::attempt::Counter;
use crate::services::security::{self, About};
use crate::services::spend::{self, Caps};
use crate::services::{account, credential, step_up, wrong_clock};

/// Name of the key that registration and regeneration return.
pub const DEFAULT: &str = "default";

/// 403 for a key that expires, or is limited to networks or in spending: a key that it made or
/// changed could be used beyond its own limits.
pub fn refuse_limited(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<()> {
    let SignedBy::ApiKey(key_id) = &caller.method else {
        // A token ends with its grant, and a key that it made would not.
        return match &caller.method {
            SignedBy::Token(_) if caller.caps.is_any() => Err(limited()),
            _ => Ok(()),
        };
    };
    let key = of(ctx, &caller.id, key_id)?;
    if key.expires_at.is_none() && key.allow_from.is_none() && !caller.caps.is_any() {
        return Ok(());
    }
    Err(limited())
}

/// Counts a change of the caller's keys; 429 if there were too many. Ending keys is not limited. Returns what is left,
/// if changes are limited.
pub fn count_change(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<Option<Window>> {
    let counter = Counter::key_changes(ctx, caller);
    Counter::take_all(ctx, counter.as_slice())
}

fn limited() -> Error {
    let message = "a credential with an end, networks or caps can't create or change keys";
    let refusal = Refusal::new(Code::InsufficientScope, message);
    refusal.hint("use the default key, or sign in").into()
}

/// A stored key.
#[derive(Clone, Debug)]
pub struct Record {
    key_id: String,
    name: String,
    is_default: bool,
    scopes: String,
    allow_from: Option<String>,
    per_order: Option<i64>,
    per_day: Option<i64>,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
    last_used_at: Option<Timestamp>,
    last_used_from: Option<String>,
}
row!(Record {
    key_id: "key_id",
    name: "name",
    is_default: "is_default",
    scopes: "scopes",
    allow_from: "allow_from",
    per_order: "spend_per_order",
    per_day: "spend_per_day",
    created_at: "created_at",
    expires_at: "expires_at",
    last_used_at: "last_used_at",
    last_used_from: "last_used_from",
});

impl Record {
    /// The key as the API shows it.
    pub fn into_api(self, ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<ApiKeyInfo> {
        let spend = self.spending(ctx, account)?;
        let networks = self.allow_from.as_deref().unwrap_or_default().split_whitespace();
        Ok(ApiKeyInfo {
            spend,
            scopes: scopes(self.is_default, &self.scopes).iter().collect(),
            allow_from: networks.map(str::to_owned).collect(),
            key_id: self.key_id,
            name: self.name,
            is_default: self.is_default,
            created_at: self.created_at,
            expires_at: self.expires_at,
            last_used_at: self.last_used_at,
            last_used_from: self.last_used_from,
        })
    }

    /// Whether the key could do more after a change.
    pub fn is_widened_by(&self, change: &Change) -> bool {
        let caps = Caps { per_order: self.per_order, per_day: self.per_day };
        let scopes = scopes(self.is_default, &self.scopes);
        change.is_wider(scopes, self.allow_from.as_deref(), caps)
    }

    /// Its caps, and what counts towards them.
    fn spending(&self, ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Option<KeySpending>> {
        let caps = Caps { per_order: self.per_order, per_day: self.per_day };
        if !caps.is_any() {
            return Ok(None);
        }
        let spent = spend::spent(ctx, account, &self.key_id)?;
        Ok(Some(KeySpending {
            per_order: caps.per_order.map(Credits::from_micros),
            per_day: caps.per_day.map(Credits::from_micros),
            spent_today: Credits::from_micros(spent),
        }))
    }
}

/// The keys of an account: the default one, then the others by name.
pub fn list(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Vec<Record>> {
    ctx.tx.all(
        sql!(
            "select ",
            Record::COLUMNS,
            " from api_key where account = $1 order by is_default desc, name"
        ),
        values![account],
    )
}

/// A key of an account; 404 for others.
pub fn of(ctx: &mut Ctx<'_, '_>, account: &UserId, key_id: &str) -> Result<Record> {
    let found = ctx.tx.optional(
        sql!("select ", Record::COLUMNS, " from api_key where key_id = $1 and account = $2"),
        values![key_id, account],
    )?;
    found.ok_or_else(|| Error::not_found("API key"))
}

/// Stores the default key of a new account.
pub fn create_default(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<NewKey> {
    let new = insert_default(ctx, account)?;
    // Signing up is a confirmation.
    let until = ctx.now().plus(step_up::LIFE);
    let sql = sql!("update api_key set confirmed_until = $1 where key_id = $2");
    ctx.tx.execute(sql, values![until, new.key_id])?;
    Ok(new)
}

/// Replaces the default key. Of two concurrent calls with the same old key, the second finds it
/// replaced.
pub fn replace_default(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<NewKey> {
    require_all(ctx, caller)?;
    account::lock(ctx, &caller.id)?;
    credential::hold(ctx, caller)?;
    renew_default(ctx, &caller.id)
}

/// Replaces the default key of an account that is locked, and ends what was opened with it: connections,
/// identity tokens and the claim link.
pub fn renew_default(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<NewKey> {
    let old: Option<String> = ctx.tx.optional(
        sql!("delete from api_key where account = $1 and is_default = true returning key_id"),
        values![account],
    )?;
    if let Some(old) = old {
        security::note(ctx, account, &SecurityAction::KeyEnded, About::key(&old))?;
    }
    end_opened(ctx, account)?;
    let new = insert_default(ctx, account)?;
    security::note(ctx, account, &SecurityAction::KeyCreated, About::key(&new.key_id))?;
    Ok(new)
}

/// 403 for a key that may do less than a default key, which it is about to get.
pub fn require_all(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<()> {
    if caller.scopes != Scopes::ALL {
        let message = "only the default key, a session or a key with every scope may do this";
        return Err(Error::refused(Code::InsufficientScope, message));
    }
    refuse_limited(ctx, caller)
}

/// Creates a named key.
pub fn create(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    name: &str,
    rights: &Rights,
    life: Option<Span>,
) -> Result<NewKey> {
    if life.is_some_and(|life| !KEY_LIFE.contains(&life)) {
        return Err(Error::invalid("expiresIn", "expiresIn must be 1h to 365d"));
    }
    refuse_name_of_default(name)?;
    account::lock(ctx, &caller.id)?;
    credential::hold(ctx, caller)?;
    let sql = sql!("select count(*) from api_key where account = $1 and is_default = false");
    let keys: i64 = ctx.tx.one(sql, values![caller.id])?;
    if usize::try_from(keys).is_ok_and(|keys| keys >= KEYS_MAX) {
        let message = format!("an account has at most {KEYS_MAX} keys beside the default one");
        return Err(Refusal::new(Code::LimitReached, message).hint("delete one").into());
    }
    insert(ctx, &caller.id, name, rights, life)
}

fn insert_default(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<NewKey> {
    insert(ctx, account, DEFAULT, &Rights::all(), None)
}

fn insert(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    name: &str,
    rights: &Rights,
    life: Option<Span>,
) -> Result<NewKey> {
    let is_default = name == DEFAULT;
    let new = keys::generate(API_KEY);
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "insert into api_key (key_id, account, name, is_default, hash, scopes, allow_from,
                spend_per_order, spend_per_day, created_at, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
             on conflict (account, name) do nothing"
        ),
        values![
            new.key_id,
            account,
            name,
            is_default,
            new.hash,
            rights.scopes.to_string(),
            rights.allow_from,
            rights.caps.per_order,
            rights.caps.per_day,
            now,
            life.map(|life| now.plus(life.duration()))
        ],
    )?;
    if rows == 0 { Err(name_taken()) } else { Ok(new) }
}

fn name_taken() -> Error {
    let refusal = Refusal::new(Code::AlreadyExists, "one of your keys has this name");
    refusal.field("name").hint("choose another name").into()
}

/// 409 for the name of the default key, also while an account has none: a key under it would keep the
/// account from getting one.
fn refuse_name_of_default(name: &str) -> Result<()> {
    if name != DEFAULT {
        return Ok(());
    }
    let refusal = Refusal::new(Code::AlreadyExists, "only the default key has this name");
    Err(refusal.field("name").hint("choose another name").into())
}

/// Whether an account has a valid key of this id with this scope.
pub fn may(ctx: &mut Ctx<'_, '_>, account: &UserId, key_id: &str, scope: &Scope) -> Result<bool> {
    let now = ctx.now();
    let found: Option<(bool, String)> = ctx.tx.optional(
        sql!(
            "select is_default, scopes from api_key
             where key_id = $1 and account = $2 and (expires_at is null or expires_at > $3)"
        ),
        values![key_id, account, now],
    )?;
    Ok(found.is_some_and(|(is_default, stored)| scopes(is_default, &stored).contains(scope)))
}

/// Accounts with a key that expired after `since` and by now.
pub fn expired_since(ctx: &mut Ctx<'_, '_>, since: Timestamp) -> Result<Vec<UserId>> {
    let now = ctx.now();
    ctx.tx.all(
        sql!("select distinct account from api_key where expires_at > $1 and expires_at <= $2"),
        values![since, now],
    )
}

/// Writes when and from where keys were used.
pub fn note_uses(ctx: &mut Ctx<'_, '_>, uses: &[(String, KeyUse)]) -> Result<()> {
    let far = wrong_clock::far_ahead(ctx.now());
    for (key_id, last) in uses {
        ctx.tx.execute(
            sql!(
                "update api_key set last_used_at = $1, last_used_from = $2
                 where key_id = $3
                    and (last_used_at is null or last_used_at < $1 or last_used_at > $4)"
            ),
            values![last.at, last.from.to_string(), key_id, far],
        )?;
    }
    Ok(())
}

/// The account and id of a valid key.
pub fn find(ctx: &mut Ctx<'_, '_>, key: &str) -> Result<Option<(UserId, String)>> {
    let Some(key_id) = keys::key_id(API_KEY, key) else { return Ok(None) };
    let now = ctx.now();
    ctx.tx.optional(
        sql!(
            "select account, key_id from api_key
             where key_id = $1 and hash = $2 and (expires_at is null or expires_at > $3)"
        ),
        values![key_id, keys::hash(key), now],
    )
}
