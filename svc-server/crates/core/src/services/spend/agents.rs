//! Caps that owners set: for a single agent, and for all their agents together.
//!
//! Every hold of an agent with an owner is a row, with or without caps, so that a new cap counts what
//! was held before.

use svc_store::error::{Error, Overdue, Result};
use svc_store::{row, sql, values};
use svc_types::api::owners::SpendCaps;
use svc_types::{Credits, EscrowId, MessageId, UserId};

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

/// Counts what an agent is about to hold.
pub(super) fn count(
    ctx: &mut Ctx<'_, '_>,
    agent: &UserId,
    owner: &UserId,
    reference: &str,
    micros: i64,
) -> Result<()> {
    let now = ctx.now();
    ctx.tx.write(
        sql!(
            "insert into agent_hold (ref, agent, owner, amount, at)
             values ($1, $2, $3, $4, $5)"
        ),
        values![reference, agent, owner, micros, now],
    )
}

/// 409 beyond the caps of an agent or those of its owner, as they are now.
pub(super) fn judge(
    ctx: &mut Ctx<'_, '_>,
    agent: &UserId,
    owner: &UserId,
    micros: i64,
) -> Result<()> {
    let rows: Vec<Row> = ctx.tx.all(
        sql!(
            "select ",
            Row::COLUMNS,
            " from spend_cap
             where account = $1 and covers = 'own' or account = $2 and covers = 'owned'
             order by covers"
        ),
        values![agent, owner],
    )?;
    for row in rows {
        let is_own = row.covers == "own";
        let covered = if is_own { Covered::Own(agent) } else { Covered::Owned(owner) };
        row.caps().refuse_beyond(ctx, covered.who(), micros, |ctx| covered.spent(ctx))?;
    }
    Ok(())
}

/// Locks the caps of an agent and of its owner until the transaction ends: what other agents of the
/// owner hold at the same time counts.
pub(super) fn lock(ctx: &mut Ctx<'_, '_>, agent: &UserId, owner: &UserId) -> Result<()> {
    ctx.tx.lock(
        sql!(
            "select account from spend_cap
             where account = $1 and covers = 'own' or account = $2 and covers = 'owned'
             order by account for update"
        ),
        values![agent, owner],
    )
}

/// Fails if deals are overdue that count towards the caps of an owner, so that they are advanced before a refusal.
pub fn refuse_overdue_of_agents(ctx: &mut Ctx<'_, '_>, owner: &UserId) -> Result<()> {
    if overdue_of_agents(ctx, owner, 1)?.is_empty() {
        Ok(())
    } else {
        Err(Error::Overdue(Overdue::AgentsOf(owner.clone())))
    }
}

/// Overdue escrows and orders of all agents of an owner that count towards its caps, at most `limit` of each.
pub fn overdue_of_agents(
    ctx: &mut Ctx<'_, '_>,
    owner: &UserId,
    limit: i64,
) -> Result<Vec<Overdue>> {
    let ((since, far), now) = (counted(ctx), ctx.due_by_now());
    let escrows: Vec<EscrowId> = ctx.tx.all(
        sql!(
            "select e.id from agent_hold h join escrow e on e.id = h.ref
             where h.owner = $1 and h.at > $2 and h.at < $3
                and e.due_at is not null and e.due_at <= $4
             order by e.due_at, e.id limit $5"
        ),
        values![owner, since, far, now, limit],
    )?;
    let orders: Vec<MessageId> = ctx.tx.all(
        sql!(
            "select q.id from agent_hold h join service_request q on q.id = h.ref
             where h.owner = $1 and h.at > $2 and h.at < $3
                and q.due_at is not null and q.due_at <= $4
             order by q.due_at, q.id limit $5"
        ),
        values![owner, since, far, now, limit],
    )?;
    let escrows = escrows.into_iter().map(Overdue::Escrow);
    Ok(escrows.chain(orders.into_iter().map(Overdue::Request)).collect())
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

/// The caps that a request sets. A cap that a person left as the form showed it keeps its current value, which the lock
/// of the caller protects.
pub fn as_changed(ctx: &mut Ctx<'_, '_>, covered: Covered<'_>, caps: Caps) -> Result<Caps> {
    if !ctx.is_of_changes() {
        return Ok(caps);
    }
    let now = caps_of(ctx, covered)?;
    Ok(Caps {
        per_order: if ctx.leaves("perOrder") { now.per_order } else { caps.per_order },
        per_day: if ctx.leaves("perDay") { now.per_day } else { caps.per_day },
    })
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

/// The same where there are any.
pub fn caps_if_any(
    ctx: &mut Ctx<'_, '_>,
    covered: Covered<'_>,
    caps: Caps,
) -> Result<Option<SpendCaps>> {
    if caps.is_any() { caps_to_api(ctx, covered, caps).map(Some) } else { Ok(None) }
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
