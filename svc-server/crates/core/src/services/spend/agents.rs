//! Caps that owners set: of an agent alone, and of all their agents together.
//!
//! Every hold of an agent with an owner is a row, with or without caps, so that a new cap counts what
//! was held before.

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::owners::SpendCaps;
use svc_types::{Credits, UserId};

use super::{Caps, DAY, counted};
use crate::app::Ctx;

/// Whose spending caps bound.
#[derive(Clone, Copy, Debug)]
pub enum Covered<'a> {
    /// That of this agent.
    Own(&'a UserId),
    /// That of all agents of this owner together.
    Owned(&'a UserId),
}

impl<'a> Covered<'a> {
    /// The key of their row.
    const fn key(self) -> (&'a UserId, &'static str) {
        match self {
            Self::Own(account) => (account, "own"),
            Self::Owned(account) => (account, "owned"),
        }
    }

    /// What a refusal calls them.
    const fn who(self) -> &'static str {
        match self {
            Self::Own(_) => "this agent",
            Self::Owned(_) => "the agents of this owner together",
        }
    }

    /// What is held or was paid of the last 24 hours, without what came back.
    fn spent(self, ctx: &mut Ctx<'_, '_>) -> Result<i64> {
        let (since, far) = counted(ctx);
        match self {
            Self::Own(agent) => ctx.tx.one(
                sql!(
                    "select cast(coalesce(sum(h.amount - coalesce((
                        select sum(e.amount) from ledger_transfer t
                        join ledger_entry e on e.transfer = t.id and e.account = 'user:' || h.agent
                        where t.kind = 'settle' and t.ref = h.ref), 0)), 0) as bigint)
                     from agent_hold h where h.agent = $1 and h.at > $2 and h.at < $3"
                ),
                values![agent, since, far],
            ),
            Self::Owned(owner) => ctx.tx.one(
                sql!(
                    "select cast(coalesce(sum(h.amount - coalesce((
                        select sum(e.amount) from ledger_transfer t
                        join ledger_entry e on e.transfer = t.id and e.account = 'user:' || h.agent
                        where t.kind = 'settle' and t.ref = h.ref), 0)), 0) as bigint)
                     from agent_hold h where h.owner = $1 and h.at > $2 and h.at < $3"
                ),
                values![owner, since, far],
            ),
        }
    }
}

/// The caps of a row.
struct Row {
    covers: String,
    per_order: Option<i64>,
    per_day: Option<i64>,
}
row!(Row { covers: "covers", per_order: "per_order", per_day: "per_day" });

impl Row {
    const fn caps(&self) -> Caps {
        Caps { per_order: self.per_order, per_day: self.per_day }
    }
}

/// Counts what an agent is about to hold, whose balance is locked; 409 beyond its caps or those of
/// its owner.
pub(super) fn charge(
    ctx: &mut Ctx<'_, '_>,
    agent: &UserId,
    owner: &UserId,
    reference: &str,
    micros: i64,
) -> Result<()> {
    for row in locked(ctx, agent, owner)? {
        let is_own = row.covers == "own";
        let covered = if is_own { Covered::Own(agent) } else { Covered::Owned(owner) };
        row.caps().refuse_beyond(ctx, covered.who(), micros, |ctx| covered.spent(ctx))?;
    }
    let now = ctx.now();
    ctx.tx.write(
        sql!(
            "insert into agent_hold (ref, agent, owner, amount, at)
             values ($1, $2, $3, $4, $5)"
        ),
        values![reference, agent, owner, micros, now],
    )?;
    Ok(())
}

/// 409 beyond the caps of an agent or those of its owner, as they are now.
pub(super) fn refuse_beyond(
    ctx: &mut Ctx<'_, '_>,
    agent: &UserId,
    owner: &UserId,
    micros: i64,
) -> Result<()> {
    for covered in [Covered::Own(agent), Covered::Owned(owner)] {
        let caps = caps_of(ctx, covered)?;
        caps.refuse_beyond(ctx, covered.who(), micros, |ctx| covered.spent(ctx))?;
    }
    Ok(())
}

/// The caps of an agent and of its owner, locked until the transaction ends: what other agents of the
/// owner hold at the same time counts.
fn locked(ctx: &mut Ctx<'_, '_>, agent: &UserId, owner: &UserId) -> Result<Vec<Row>> {
    ctx.tx.lock(
        sql!(
            "select account from spend_cap
             where account = $1 and covers = 'own' or account = $2 and covers = 'owned'
             order by account for update"
        ),
        values![agent, owner],
    )?;
    ctx.tx.all(
        sql!(
            "select ",
            Row::COLUMNS,
            " from spend_cap
             where account = $1 and covers = 'own' or account = $2 and covers = 'owned'
             order by covers"
        ),
        values![agent, owner],
    )
}

/// The caps that are set.
pub fn caps_of(ctx: &mut Ctx<'_, '_>, covered: Covered<'_>) -> Result<Caps> {
    let (account, covers) = covered.key();
    let found: Option<Row> = ctx.tx.optional(
        sql!("select ", Row::COLUMNS, " from spend_cap where account = $1 and covers = $2"),
        values![account, covers],
    )?;
    Ok(found.map_or_else(Caps::default, |row| row.caps()))
}

/// Replaces both caps.
pub fn set_caps(ctx: &mut Ctx<'_, '_>, covered: Covered<'_>, caps: Caps) -> Result<()> {
    let (account, covers) = covered.key();
    if !caps.is_any() {
        let sql = sql!("delete from spend_cap where account = $1 and covers = $2");
        return ctx.tx.write(sql, values![account, covers]);
    }
    ctx.tx.write(
        sql!(
            "insert into spend_cap (account, covers, per_order, per_day) values ($1, $2, $3, $4)
             on conflict (account, covers) do update
             set per_order = excluded.per_order, per_day = excluded.per_day"
        ),
        values![account, covers, caps.per_order, caps.per_day],
    )?;
    Ok(())
}

/// Caps as the API shows them, with what counts towards them.
pub fn caps_to_api(ctx: &mut Ctx<'_, '_>, covered: Covered<'_>, caps: Caps) -> Result<SpendCaps> {
    Ok(SpendCaps {
        per_order: caps.per_order.map(Credits::from_micros),
        per_day: caps.per_day.map(Credits::from_micros),
        spent_today: Credits::from_micros(covered.spent(ctx)?),
    })
}

/// Deletes what no cap counts any more.
pub fn forget_of_agents(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before = ctx.now().minus(DAY);
    ctx.tx.execute(
        sql!(
            "delete from agent_hold where ref in
             (select ref from agent_hold where at <= $1 order by at limit $2)"
        ),
        values![before, most],
    )
}
