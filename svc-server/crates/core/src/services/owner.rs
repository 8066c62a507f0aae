//! Owners of agents: people who claimed them.
//!
//! Who owns an agent stands in its own row, so that one guarded update decides every race.

mod act;
mod claim;
mod end;

use std::collections::HashMap;

use svc_store::db::{SLOTS, slots};
use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::owners::{OWNED_MAX, OwnedAgent, OwnedAgentList, Owner};
use svc_types::api::security::SecurityAction;
use svc_types::api::users::Tier;
use svc_types::{Code, Timestamp, UserId};

pub use act::{pause, resume, rotate_key, set_caps, set_owned_caps, set_visible, sign_out};
pub use claim::{claim, claimable, create_link, end_link, forget_links};
pub use end::{end_recent, end_with, hold_unpaused, leave, release};

use crate::app::Ctx;
use crate::identity::Account;
use crate::services::account;
use crate::services::spend::{self, Caps, Covered};

/// An agent and its owner.
#[derive(Clone, Debug)]
struct Record {
    id: UserId,
    username: String,
    display_name: String,
    avatar: Option<String>,
    tier: Tier,
    owner: Option<UserId>,
    is_visible: bool,
    is_paused: bool,
    claimed_at: Option<Timestamp>,
    per_order: Option<i64>,
    per_day: Option<i64>,
}
row!(Record {
    id: "a.id",
    username: "a.username",
    display_name: "a.display_name",
    avatar: "a.avatar",
    tier: "a.tier",
    owner: "a.owner",
    is_visible: "a.owner_visible",
    is_paused: "a.paused_at is not null",
    claimed_at: "a.claimed_at",
    per_order: "c.per_order",
    per_day: "c.per_day",
});

impl Record {
    fn into_api(self, ctx: &mut Ctx<'_, '_>) -> Result<OwnedAgent> {
        let caps = Caps { per_order: self.per_order, per_day: self.per_day };
        let caps = spend::caps_if_any(ctx, Covered::Own(&self.id), caps)?;
        Ok(OwnedAgent {
            avatar: account::avatar(ctx.app, &self.id, self.avatar.as_deref()),
            id: self.id,
            username: self.username,
            display_name: self.display_name,
            tier: self.tier,
            visible: self.is_visible,
            paused: self.is_paused,
            claimed_at: self
                .claimed_at
                .ok_or_else(|| Error::internal("an agent has an owner since never"))?,
            caps,
        })
    }
}

/// Whether a person has released one of these accounts since then, as far back as the security log goes.
pub fn has_released(
    ctx: &mut Ctx<'_, '_>,
    person: &UserId,
    [one, other]: [&UserId; 2],
    since: Timestamp,
) -> Result<bool> {
    let released: i64 = ctx.tx.one(
        sql!(
            "select count(*) from security_entry
             where account = $1 and action = $2 and agent in ($3, $4) and at >= $5"
        ),
        values![person, SecurityAction::AgentReleased, one, other, since],
    )?;
    Ok(released > 0)
}

/// Whether one person is behind two accounts: owns both, or is one of them and owns the other.
pub fn are_of_one(ctx: &mut Ctx<'_, '_>, [one, other]: [&UserId; 2]) -> Result<bool> {
    let sql = sql!(
        "select 1 from account a cross join account b
         where a.id = $1 and b.id = $2 and coalesce(a.owner, a.id) = coalesce(b.owner, b.id)"
    );
    Ok(ctx.tx.optional::<i64>(sql, values![one, other])?.is_some())
}

/// The agents that the caller owns, and what they may spend together.
pub fn list(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<OwnedAgentList> {
    refuse_agent(caller)?;
    let records: Vec<Record> = ctx.tx.all(
        sql!(
            "select ",
            Record::COLUMNS,
            " from account a left join spend_cap c on c.account = a.id and c.covers = 'own'
             where a.owner = $1 order by a.username limit $2"
        ),
        values![caller.id, i64::try_from(OWNED_MAX).unwrap_or(i64::MAX)],
    )?;
    let agents = records.into_iter().map(|record| record.into_api(ctx)).collect::<Result<_>>()?;
    let pot = Covered::Owned(&caller.id);
    let caps = spend::caps_of(ctx, pot)?;
    let caps = spend::caps_if_any(ctx, pot, caps)?;
    Ok(OwnedAgentList { agents, caps })
}

/// The owners of accounts as somebody sees them, by agent: only the agent itself sees one that is not
/// shown, or that is suspended. Where no account has one to show, this costs no statement.
pub fn load_visible(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&UserId>,
    records: &[account::Record],
) -> Result<HashMap<UserId, Owner>> {
    let is_own = |record: &account::Record| viewer == Some(&record.id);
    let owned = records.iter().filter(|record| is_own(record) || record.owner_visible);
    let owned = owned.filter_map(|record| Some((record, record.owner.clone()?)));
    let owned: Vec<(&account::Record, UserId)> = owned.collect();
    let mut ids: Vec<UserId> = owned.iter().map(|(_, owner)| owner.clone()).collect();
    ids.sort();
    ids.dedup();
    let owners = load(ctx, &ids)?;
    let shown = owned.into_iter().filter_map(|(record, owner)| {
        let found = owners.get(&owner).filter(|found| found.is_visible || is_own(record))?;
        Some((record.id.clone(), found.to_api()))
    });
    Ok(shown.collect())
}

/// An owner as others may see it.
struct Shown {
    id: UserId,
    username: String,
    display_name: String,
    x_verified: bool,
    google_verified: bool,
    is_visible: bool,
}
row!(Shown {
    id: "id",
    username: "username",
    display_name: "display_name",
    x_verified: "x_verified",
    google_verified: "google_verified",
    is_visible: "status <> 'suspended'",
});

impl Shown {
    fn to_api(&self) -> Owner {
        Owner {
            username: self.username.clone(),
            display_name: self.display_name.clone(),
            x_verified: self.x_verified,
            google_verified: self.google_verified,
        }
    }
}

fn load(ctx: &mut Ctx<'_, '_>, ids: &[UserId]) -> Result<HashMap<UserId, Shown>> {
    let mut found = HashMap::with_capacity(ids.len());
    for some in ids.chunks(SLOTS) {
        let owners: Vec<Shown> = ctx.tx.all(
            sql!(
                "select ",
                Shown::COLUMNS,
                " from account where deleted_at is null and id in (",
                slots!(1),
                ")"
            ),
            &slots(some),
        )?;
        found.extend(owners.into_iter().map(|owner| (owner.id.clone(), owner)));
    }
    Ok(found)
}

/// The agent with this name, for itself and its owner; 404 and 403 as for any other agent.
pub fn acting_for(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str) -> Result<UserId> {
    let is_itself = handle == caller.id.as_str() || handle.eq_ignore_ascii_case(&caller.username);
    if caller.is_agent && is_itself { Ok(caller.id.clone()) } else { owned(ctx, caller, handle) }
}

/// The agent with this name that the caller owns: 404 if there is none that the caller may know of,
/// 403 if somebody else or nobody owns it.
fn owned(ctx: &mut Ctx<'_, '_>, caller: &Account, handle: &str) -> Result<UserId> {
    let found = account::find(ctx, handle)?;
    let found = found.ok_or_else(|| Error::not_found("account"))?;
    if found.owner.as_ref() == Some(&caller.id) {
        return Ok(found.id);
    }
    if found.is_visible_to(Some(caller)) {
        Err(not_owner())
    } else {
        Err(Error::not_found("account"))
    }
}

fn not_owner() -> Error {
    Error::refused(Code::Forbidden, "only the owner of the agent may do this")
}

/// Locks an agent that the caller owns; 403 if that has just ended.
fn lock(ctx: &mut Ctx<'_, '_>, caller: &Account, agent: &UserId) -> Result<()> {
    let is_owned = ctx.tx.lock_all(
        sql!("select id from account where id = $1 and owner = $2 for no key update"),
        values![agent, caller.id],
        1,
    )?;
    if is_owned { Ok(()) } else { Err(not_owner()) }
}

/// An agent as the caller, its owner, sees it after a change.
fn seen(ctx: &mut Ctx<'_, '_>, caller: &Account, agent: &UserId) -> Result<OwnedAgent> {
    let found: Option<Record> = ctx.tx.optional(
        sql!(
            "select ",
            Record::COLUMNS,
            " from account a left join spend_cap c on c.account = a.id and c.covers = 'own'
             where a.id = $1"
        ),
        values![agent],
    )?;
    let found = found.filter(|record| record.owner.as_ref() == Some(&caller.id));
    found.ok_or_else(not_owner)?.into_api(ctx)
}

/// 403 for agents, which own nothing.
fn refuse_agent(caller: &Account) -> Result<()> {
    if caller.is_agent {
        return Err(Error::refused(Code::NotAPerson, "only people own agents"));
    }
    Ok(())
}
