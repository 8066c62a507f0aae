//! Deadlines of an escrow. No leader is needed: the first request or sweep that finds one passed
//! advances it.

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::EscrowId;
use svc_types::api::escrow::{ActionKind, DisputeOutcome, EscrowStatus};

use super::act::Act;
use super::advance::advance;
use super::record::{by_id, lock};
use crate::app::Ctx;

/// Moves an escrow whose time is over; nothing happens when it is not, or somebody was quicker.
pub fn advance_due(ctx: &mut Ctx<'_, '_>, id: &EscrowId) -> Result<()> {
    lock(ctx, id)?;
    let Some(record) = by_id(ctx, id)?.filter(|record| record.is_overdue(ctx.now())) else {
        return Ok(());
    };
    let action = match record.status {
        EscrowStatus::Delivered => ActionKind::AutoRelease,
        EscrowStatus::Disputed => match ctx.app.config.exchange.dispute_timeout_outcome {
            DisputeOutcome::Release => ActionKind::ResolveRelease,
            _ => ActionKind::ResolveRefund,
        },
        _ => ActionKind::Expire,
    };
    advance(ctx, &record, Act { action, by: None, note: None }, |_| {}).map(|_| ())
}

/// Gives open disputes the end that the settings say now, counted from when they were opened: one that was opened under
/// other settings has another end, or none. Returns how many were changed, `most` at most.
pub fn reschedule_disputes(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let timeout = ctx.app.config.exchange.dispute_timeout;
    let millis = timeout.map(|timeout| i64::try_from(timeout.as_millis())).transpose();
    let millis = millis.map_err(Error::internal)?;
    ctx.tx.execute(
        sql!(
            "update escrow
             set due_at = cast($1 as bigint) + (
                select max(v.at) from escrow_event v
                where v.escrow = escrow.id and v.action = 'disputed')
             where status = 'disputed' and id in (
                select e.id from escrow e
                where e.status = 'disputed' and coalesce(e.due_at, -1) <> coalesce(
                    cast($1 as bigint) + (
                        select max(v.at) from escrow_event v
                        where v.escrow = e.id and v.action = 'disputed'), -1)
                order by e.id limit $2)"
        ),
        values![millis, most],
    )
}
