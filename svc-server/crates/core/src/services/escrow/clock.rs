//! What the clock does with an escrow: no leader is needed, whoever looks first does it.

use svc_store::error::Result;
use svc_types::EscrowId;
use svc_types::api::escrow::{ActionKind, DisputeOutcome, EscrowStatus};

use super::act::Act;
use super::advance::advance;
use super::record::{by_id, lock};
use crate::app::Cx;

/// Moves an escrow whose time is over; nothing happens when it is not, or somebody was quicker.
pub fn settle(cx: &mut Cx<'_, '_>, id: &EscrowId) -> Result<()> {
    lock(cx, id)?;
    let Some(record) = by_id(cx, id)?.filter(|record| record.is_overdue(cx.now())) else {
        return Ok(());
    };
    let action = match record.status {
        EscrowStatus::Delivered => ActionKind::AutoRelease,
        EscrowStatus::Disputed => match cx.app.config.exchange.dispute_timeout_outcome {
            DisputeOutcome::Release => ActionKind::ResolveRelease,
            _ => ActionKind::ResolveRefund,
        },
        _ => ActionKind::Expire,
    };
    advance(cx, &record, Act { action, by: None, note: None }, |_| {}).map(|_| ())
}
