//! Ending an order: by an answer, by the clock, or with the escrow that pays.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::credits::TransferKind;
use svc_types::api::escrow::CloseReason;
use svc_types::api::messages::RequestStatus;
use svc_types::{Credits, EscrowId, MessageId, UserId};

use super::close::is_over;
use super::record::{Ended, Record, by_id, take};
use crate::app::Ctx;
use crate::services::ledger::{self, Cause, Holder};
use crate::services::{figure, message, notification};

/// How an order ends.
pub(super) struct End<'a> {
    pub(super) outcome: &'a RequestStatus,
    pub(super) charged: Option<Credits>,
    /// The answer that ends it.
    pub(super) message: Option<&'a MessageId>,
    /// Who ends it; none for the clock.
    pub(super) by: Option<&'a UserId>,
}

/// Ends an order whose time is over; nothing happens when it is not, or somebody was quicker.
pub fn expire(ctx: &mut Ctx<'_, '_>, id: &MessageId) -> Result<()> {
    match take(ctx, id)?.filter(|order| order.is_overdue(ctx.now())) {
        Some(order) => {
            let outcome = &RequestStatus::Expired;
            end(ctx, &order, &End { outcome, charged: None, message: None, by: None })
        }
        None => Ok(()),
    }
}

/// Ends an open order of an account that is erased; the credits go back. Nothing happens when it is
/// closed.
pub fn abandon(ctx: &mut Ctx<'_, '_>, id: &MessageId, by: &UserId) -> Result<()> {
    let Some(order) = take(ctx, id)?.filter(|order| order.state == RequestStatus::Open) else {
        return Ok(());
    };
    let is_requester = order.requester == *by;
    let outcome = &if is_requester { RequestStatus::Cancelled } else { RequestStatus::Rejected };
    end(ctx, &order, &End { outcome, charged: None, message: None, by: Some(by) })
}

/// Cancels an open order for its buyer; the credits go back.
pub fn cancel(ctx: &mut Ctx<'_, '_>, order: &Record, reason: Option<&str>) -> Result<Ended> {
    let outcome = &RequestStatus::Cancelled;
    let end = End { outcome, charged: None, message: None, by: Some(&order.requester) };
    write(ctx, order, &end)?;
    advance(ctx, order, &end)?;
    note_reason(ctx, &order.id, reason)?;
    Ok(Ended::new(order.clone(), outcome, None))
}

/// Notes why an order was cancelled.
pub fn note_reason(ctx: &mut Ctx<'_, '_>, id: &MessageId, reason: Option<&str>) -> Result<()> {
    if reason.is_none() {
        return Ok(());
    }
    let sql = sql!("update service_request set cancel_reason = $1 where id = $2");
    ctx.tx.write(sql, values![reason, id])
}

/// Ends the order for which an escrow pays, now that the escrow is over, so that the two never
/// contradict each other. `paid` is what the provider was paid. The caller has locked the escrow, and so the
/// order, and sends the notifications.
pub fn end_with_escrow(
    ctx: &mut Ctx<'_, '_>,
    escrow: &EscrowId,
    reason: &CloseReason,
    paid: Credits,
    by: Option<&UserId>,
) -> Result<Option<Ended>> {
    let open: Option<MessageId> = ctx.tx.optional(
        sql!(
            "select id from service_request
             where escrow = $1 and escrow is not null and state = 'open'"
        ),
        values![escrow],
    )?;
    let Some(order) = open.map_or(Ok(None), |id| by_id(ctx, &id))? else {
        return Ok(None);
    };
    let outcome = outcome(reason);
    let charged = (outcome == RequestStatus::Completed).then_some(paid);
    write(ctx, &order, &End { outcome: &outcome, charged, message: None, by })?;
    Ok(Some(Ended::new(order, &outcome, charged)))
}

/// What the end of its escrow makes of an order.
fn outcome(reason: &CloseReason) -> RequestStatus {
    match reason {
        CloseReason::Released
        | CloseReason::AutoReleased
        | CloseReason::DisputeReleased
        | CloseReason::Split => RequestStatus::Completed,
        CloseReason::ProviderDeclined => RequestStatus::Rejected,
        CloseReason::BuyerCancelled => RequestStatus::Cancelled,
        CloseReason::Expired => RequestStatus::Expired,
        _ => RequestStatus::Error,
    }
}

/// Ends an order, settles its credits, and notifies the parties except the one that ended it.
pub(super) fn end(ctx: &mut Ctx<'_, '_>, order: &Record, end: &End<'_>) -> Result<()> {
    write(ctx, order, end)?;
    advance(ctx, order, end)?;
    count(ctx, order, end)?;
    let ended = Ended::new(order.clone(), end.outcome, end.charged);
    notification::notify(ctx, end.by, ended.notifications().into())
}

/// Counts an order that no escrow pays for; any other is counted with its escrow.
fn count(ctx: &mut Ctx<'_, '_>, order: &Record, end: &End<'_>) -> Result<()> {
    if order.escrow.is_some() {
        return Ok(());
    }
    let earned = end.charged.map_or(0, Credits::micros);
    match figure::of_request(end.outcome, ctx.now().since(order.created_at)) {
        Some(outcome) => figure::count(ctx, &order.service, &order.provider, outcome, earned),
        None => Ok(()),
    }
}

/// The guarded update: it changes the row only while the order is open. A message that both parties
/// deleted until then is emptied.
fn write(ctx: &mut Ctx<'_, '_>, order: &Record, end: &End<'_>) -> Result<()> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update service_request
             set state = $1, charged = $2, closed_at = $3, closed_by = $4, response_message = $5,
                due_at = null, version = version + 1
             where id = $6 and state = 'open'"
        ),
        values![end.outcome, end.charged, now, end.by, end.message, order.id],
    )?;
    if rows != 1 {
        return Err(is_over(&order.state));
    }
    // Nobody who holds this message waits for the ledger, whose accounts may be locked already.
    message::empty_if_gone(ctx, &order.id)?;
    ctx.effects.changed.push(order.id.to_string());
    Ok(())
}

/// Pays what is charged out of the hold, and gives the rest back.
fn advance(ctx: &mut Ctx<'_, '_>, order: &Record, end: &End<'_>) -> Result<()> {
    let offered = order.offered.micros();
    if order.escrow.is_some() || offered == 0 {
        return Ok(());
    }
    let charged = end.charged.map_or(0, Credits::micros);
    let (kind, reference) = (TransferKind::Settle, order.id.as_str());
    let cause = Cause { kind, reference, reason: None, actor: end.by };
    let entries = [
        (Holder::Hold(reference), -offered),
        (Holder::Seller(&order.provider), charged),
        (Holder::User(&order.requester), offered - charged),
    ];
    ledger::post(ctx, &cause, &entries).map(|_| ())
}
