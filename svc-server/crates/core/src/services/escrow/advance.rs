//! One move of an escrow: a row of [`TRANSITIONS`](svc_types::api::escrow::TRANSITIONS), the
//! credits it moves, its line in the log, the order it ends, and its notifications.

use std::time::Duration;

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::credits::TransferKind;
use svc_types::api::escrow::{
    self as table, ActionKind, CloseReason, Dispute, DisputeOutcome, EscrowStatus, Movement,
    Transition,
};
use svc_types::{Code, Credits, EscrowId, MessageId, Timestamp, TransferId};

use super::act::Act;
use super::log;
use super::notify::{self, Move};
use super::record::{Record, Side, by_id, take};
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::billing::debt;
use crate::services::ledger::{self, Cause, Holder};
use crate::services::service::{self, Rated};
use crate::services::service_request::Ended;
use crate::services::{figure, overdue, service_request, spend};

/// An escrow after a move.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The escrow.
    pub record: Record,
    /// How its credits moved, if they did.
    pub transfer: Option<TransferId>,
}

/// Cancels an escrow as its buyer if nothing was delivered, and if it pays for this order, or for none. An
/// order that was placed with it meanwhile keeps it.
pub fn give_back(
    ctx: &mut Ctx<'_, '_>,
    buyer: &Account,
    id: &EscrowId,
    order: Option<&MessageId>,
    note: &str,
) -> Result<()> {
    let (record, side) = take(ctx, id, buyer)?;
    let is_open = matches!(record.status, EscrowStatus::Created | EscrowStatus::Funded);
    if side == Side::Buyer && is_open && record.order.as_ref() == order {
        let act = Act { action: ActionKind::Cancel, by: Some(buyer), note: Some(note) };
        advance(ctx, &record, act, |_| {})?;
    }
    Ok(())
}

/// Moves an escrow that was taken; `edit` sets what the move brings along.
///
/// 409 when the move is not possible in its state.
pub fn advance(
    ctx: &mut Ctx<'_, '_>,
    record: &Record,
    act: Act<'_>,
    edit: impl FnOnce(&mut Record),
) -> Result<Moved> {
    let row = table::can(&record.status, act.action).ok_or_else(|| wrong_state(&record.status))?;
    let mut next = record.clone();
    edit(&mut next);
    step(ctx, row, act, &mut next)?;
    let transfer = move_credits(ctx, row, act, &next)?;
    write(ctx, record, &next)?;
    ctx.effects.changed.extend(next.order.as_ref().map(ToString::to_string));
    log::append(ctx, &next, row, act, transfer.as_ref())?;
    let order = match &next.close_reason {
        Some(reason) => close(ctx, row, act, &next, reason)?,
        None => None,
    };
    let happened = Move { action: &row.told_as, previous: Some(&row.from), order: order.as_ref() };
    notify::parties(ctx, &next, &happened, act.by)?;
    Ok(Moved { record: next, transfer })
}

/// Ends the order of an escrow that has ended, and counts both.
///
/// Its end locks the account that ended it, and a rating locks the buyer: both before figures, as in a suspension.
fn close(
    ctx: &mut Ctx<'_, '_>,
    row: &Transition,
    act: Act<'_>,
    ended: &Record,
    reason: &CloseReason,
) -> Result<Option<Ended>> {
    let by = act.by.map(|account| &account.id);
    let earned = earned(row, ended);
    let paid = Credits::from_micros(earned);
    let order = service_request::end_with_escrow(ctx, &ended.id, reason, paid, by)?;
    let rating = ended.rating().filter(|_| act.action == ActionKind::Release);
    if rating.is_some() {
        service::hold_buyer(ctx, &ended.buyer)?;
    }
    count(ctx, ended, reason, earned)?;
    if let Some(rating) = rating {
        let (rated, now) = (Rated::Release(&ended.id), ctx.now());
        service::rate(ctx, &ended.service, &ended.buyer, rated, rating, now)?;
    }
    Ok(order)
}

/// What the provider is paid when an escrow ends.
fn earned(row: &Transition, escrow: &Record) -> i64 {
    match row.moves {
        Movement::PayProvider => escrow.amount.micros(),
        Movement::Split => escrow.split_amount.unwrap_or_default(),
        Movement::None | Movement::Hold | Movement::PayBack => 0,
    }
}

/// Counts what its end is for the figures of the service.
fn count(ctx: &mut Ctx<'_, '_>, ended: &Record, reason: &CloseReason, earned: i64) -> Result<()> {
    let closed = figure::Closed {
        status: &ended.status,
        reason,
        took: took(ctx, ended)?,
        was_funded: ended.funded_at.is_some(),
        order: ended.order.as_ref(),
    };
    match figure::of_escrow(ctx, closed)? {
        Some(outcome) => figure::count(ctx, &ended.service, &ended.provider, outcome, earned),
        None => Ok(()),
    }
}

/// How long the work took: from the payment, or from the order if that came later, as with a milestone that is paid
/// long before.
fn took(ctx: &mut Ctx<'_, '_>, ended: &Record) -> Result<Option<Duration>> {
    let Some((funded, delivered)) = ended.funded_at.zip(ended.delivered_at) else {
        return Ok(None);
    };
    let ordered: Option<Timestamp> = match &ended.order {
        Some(order) => {
            let sql = sql!("select created_at from service_request where id = $1");
            ctx.tx.optional(sql, values![order])?
        }
        None => None,
    };
    Ok(Some(delivered.since(ordered.map_or(funded, |ordered| ordered.max(funded)))))
}

/// 409: not in this state, which the hint names.
fn wrong_state(status: &EscrowStatus) -> Error {
    let refusal = Refusal::new(Code::WrongState, format!("the escrow is {status}"));
    refusal.hint(status.as_str()).into()
}

/// State, version and clocks after the move.
fn step(ctx: &Ctx<'_, '_>, row: &Transition, act: Act<'_>, next: &mut Record) -> Result<()> {
    let now = ctx.now();
    next.status = row.to.clone();
    next.version += 1;
    match act.action {
        ActionKind::Fund => next.funded_at = Some(now),
        ActionKind::Deliver => {
            let review_ends = now.plus(ctx.app.config.exchange.review_window);
            next.deliverable_version += 1;
            next.delivered_at = Some(now);
            next.review_ends_at = Some(review_ends);
            next.due_at = Some(review_ends);
            // The offer was for the work before.
            (next.split_amount, next.split_by) = (None, None);
            (next.split_version, next.split_at) = (None, None);
        }
        ActionKind::OfferSplit | ActionKind::ResolveSplit => {
            next.split_version = Some(next.version);
        }
        ActionKind::Dispute => {
            let timeout = ctx.app.config.exchange.dispute_timeout;
            next.due_at = timeout.map(|timeout| now.plus(timeout));
        }
        _ => {}
    }
    if table::is_terminal(&row.to) {
        next.due_at = None;
        next.closed_at = Some(now);
        next.close_reason.clone_from(&row.close_reason);
        next.access_token = None;
        end_dispute(next, row, act, now)?;
    }
    Ok(())
}

/// Writes down how a dispute ended.
fn end_dispute(next: &mut Record, row: &Transition, act: Act<'_>, now: Timestamp) -> Result<()> {
    let Some(json) = &next.dispute else {
        return Ok(());
    };
    let mut dispute: Dispute = serde_json::from_str(json).map_err(Error::internal)?;
    dispute.outcome = Some(match row.moves {
        Movement::PayProvider => DisputeOutcome::Release,
        Movement::Split => DisputeOutcome::Split,
        _ => DisputeOutcome::Refund,
    });
    dispute.note = act.note.map(str::to_owned);
    dispute.resolved_at = Some(now);
    next.dispute = Some(serde_json::to_string(&dispute).map_err(Error::internal)?);
    Ok(())
}

fn move_credits(
    ctx: &mut Ctx<'_, '_>,
    row: &Transition,
    act: Act<'_>,
    escrow: &Record,
) -> Result<Option<TransferId>> {
    let (buyer, provider) = (Holder::User(&escrow.buyer), Holder::Seller(&escrow.provider));
    let hold = Holder::Hold(escrow.id.as_str());
    let micros = escrow.amount.micros();
    let (kind, entries) = match row.moves {
        Movement::None => return Ok(None),
        Movement::Hold => (TransferKind::Hold, vec![(buyer, -micros), (hold, micros)]),
        Movement::PayProvider => (TransferKind::Settle, vec![(hold, -micros), (provider, micros)]),
        Movement::PayBack => (TransferKind::Settle, vec![(hold, -micros), (buyer, micros)]),
        Movement::Split => {
            let part = escrow.split_amount.filter(|part| (1..micros).contains(part));
            let part = part.ok_or_else(|| Error::internal("a split must leave both a part"))?;
            let rest = micros - part;
            (TransferKind::Settle, vec![(hold, -micros), (provider, part), (buyer, rest)])
        }
    };
    if let (Movement::Hold, Some(buyer)) = (&row.moves, act.by) {
        debt::refuse(ctx, &buyer.id)?;
        spend::charge(ctx, buyer, escrow.id.as_str(), micros)?;
    }
    let actor = act.by.map(|account| &account.id);
    let cause = Cause { kind, reference: escrow.id.as_str(), reason: None, actor };
    let moved = ledger::post(ctx, &cause, &entries);
    overdue::before_refusal(ctx, &escrow.buyer, moved).map(Some)
}

/// The guarded update: it changes the row only if nobody else moved it.
fn write(ctx: &mut Ctx<'_, '_>, before: &Record, next: &Record) -> Result<()> {
    let rows = ctx.tx.execute(
        sql!(
            "update escrow
             set status = $1, version = $2, due_at = $3, funded_at = $4, delivered_at = $5,
                review_ends_at = $6, closed_at = $7, close_reason = $8, deliverable = $9,
                deliverable_version = $10, access_token = $11, notes = $12, dispute = $13,
                rating_half = $14, feedback = $15, expires_at = $16, split_amount = $17,
                split_by = $18, split_version = $19, split_at = $20
             where id = $21 and status = $22 and version = $23"
        ),
        values![
            next.status,
            next.version,
            next.due_at,
            next.funded_at,
            next.delivered_at,
            next.review_ends_at,
            next.closed_at,
            next.close_reason,
            next.deliverable,
            next.deliverable_version,
            next.access_token,
            next.notes,
            next.dispute,
            next.rating_half,
            next.feedback,
            next.expires_at,
            next.split_amount,
            next.split_by,
            next.split_version,
            next.split_at,
            before.id,
            before.status,
            before.version
        ],
    )?;
    if rows == 1 {
        return Ok(());
    }
    let found = by_id(ctx, &before.id)?;
    Err(wrong_state(&found.map_or_else(|| before.status.clone(), |found| found.status)))
}
