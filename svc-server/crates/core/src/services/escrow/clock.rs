//! Deadlines of an escrow. No leader is needed: the first request or sweep that finds one passed
//! advances it.

use svc_store::error::Result;
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
