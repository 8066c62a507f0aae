//! What the provider says of a payment, applied to it.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::PaymentId;
use svc_types::api::billing::PaymentStatus;
use svc_types::api::credits::TransferKind;

use super::{Record, known, take};
use crate::app::Ctx;
use crate::services::billing::debt;
use crate::services::billing::facts::{Session, SessionState};
use crate::services::ledger::money::{self, Money, MoneyKind};
use crate::services::ledger::{self, Cause, Holder};

/// Applies what a page is now: its URL, and the credits if it was paid. Repeated, it does nothing.
pub fn apply(ctx: &mut Ctx<'_, '_>, id: &PaymentId, session: &Session) -> Result<()> {
    if known(ctx, id)?.is_none() {
        note_unknown(id, session);
        return Ok(());
    }
    let record = take(ctx, id)?;
    if record.session.as_ref().is_some_and(|known| *known != session.id) {
        return alarm(ctx, &record, "another page names the payment");
    }
    match (&record.status, session.state) {
        (PaymentStatus::Creating, SessionState::Unpaid) => open(ctx, &record, session),
        (PaymentStatus::Open, SessionState::Unpaid) if session.url.is_none() => {
            complete(ctx, &record)
        }
        (PaymentStatus::Creating | PaymentStatus::Open, SessionState::Expired) => {
            expire(ctx, &record, session)
        }
        // A page that was paid in its last second may have been counted as expired.
        (
            PaymentStatus::Creating | PaymentStatus::Open | PaymentStatus::Expired,
            SessionState::Paid,
        ) => pay(ctx, &record, session),
        _ => Ok(()),
    }
}

fn open(ctx: &mut Ctx<'_, '_>, record: &Record, session: &Session) -> Result<()> {
    ctx.tx.write(
        sql!(
            "update payment set status = 'open', session = $1, url = $2
             where id = $3 and status = 'creating'"
        ),
        values![session.id, session.url, record.id],
    )?;
    record.notify_owner(ctx)
}

/// Records that the payer has completed the page, which has no URL any more: the money is on its way.
fn complete(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<()> {
    let sql = sql!("update payment set url = null where id = $1 and status = 'open'");
    ctx.tx.write(sql, values![record.id])
}

fn expire(ctx: &mut Ctx<'_, '_>, record: &Record, session: &Session) -> Result<()> {
    ctx.tx.write(
        sql!(
            "update payment set status = 'expired', session = $1
             where id = $2 and status in ('creating', 'open')"
        ),
        values![session.id, record.id],
    )?;
    record.notify(ctx, &PaymentStatus::Expired)
}

/// Ends a payment whose page the provider refuses to make.
pub fn give_up(ctx: &mut Ctx<'_, '_>, id: &PaymentId) -> Result<()> {
    let record = take(ctx, id)?;
    if record.status != PaymentStatus::Creating {
        return Ok(());
    }
    let sql = sql!("update payment set status = 'expired' where id = $1 and status = 'creating'");
    ctx.tx.write(sql, values![id])?;
    record.notify(ctx, &PaymentStatus::Expired)
}

/// Adds the credits, if the amount is the one that was asked for.
fn pay(ctx: &mut Ctx<'_, '_>, record: &Record, session: &Session) -> Result<()> {
    let is_right = session.currency == record.currency
        && session.subtotal == record.amount
        && session.tax >= 0
        && session.total == session.subtotal.saturating_add(session.tax);
    if !is_right {
        return alarm(ctx, record, "another amount or currency was paid");
    }
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update payment set status = 'paid', paid_at = $1, tax = $2, session = $3, intent = $4,
                receipt_url = coalesce(receipt_url, $5)
             where id = $6 and status in ('creating', 'open', 'expired')"
        ),
        values![now, session.tax, session.id, session.intent, session.receipt_url, record.id],
    )?;
    if rows != 1 {
        return Ok(());
    }
    let amounts = [session.total, -session.subtotal, -session.tax];
    credit(ctx, record, amounts)?;
    record.notify(ctx, &PaymentStatus::Paid)
}

/// Adds the credits of a payment, and enters its money: the total, and less the price and the tax.
pub(in crate::services::billing) fn credit(
    ctx: &mut Ctx<'_, '_>,
    record: &Record,
    [total, price, tax]: [i64; 3],
) -> Result<()> {
    let reference = record.id.as_str();
    // The buyer's account is locked before the one that all purchases share.
    ledger::available_locked(ctx, &record.account)?;
    let kind = TransferKind::Purchase;
    let cause = Cause { kind, reference, reason: None, actor: Some(&record.account) };
    let micros = record.credits.micros();
    ledger::post(
        ctx,
        &cause,
        &[(record.source(), -micros), (Holder::User(&record.account), micros)],
    )?;
    let entries = [(Money::Receivable, total), (Money::Sales, price), (Money::Tax, tax)];
    money::post(ctx, MoneyKind::Purchase, reference, &record.currency, &entries)?;
    debt::collect(ctx, &record.account)?;
    Ok(())
}

/// Notes that a payment was made that is not known. Nobody gets its credits; the operator decides.
fn note_unknown(id: &PaymentId, session: &Session) {
    if session.state == SessionState::Paid {
        tracing::error!(payment = %id, "a payment was made that this database does not know");
        metrics::counter!("svc_billing_mismatches_total").increment(1);
    }
}

/// Notes that a payment is not what was asked for. No credits are added; the operator decides.
fn alarm(ctx: &mut Ctx<'_, '_>, record: &Record, why: &'static str) -> Result<()> {
    tracing::error!(payment = %record.id, why, "a payment does not match");
    metrics::counter!("svc_billing_mismatches_total").increment(1);
    let rows = ctx.tx.execute(
        sql!(
            "update payment set status = 'mismatch'
             where id = $1 and status in ('creating', 'open', 'expired')"
        ),
        values![record.id],
    )?;
    if rows == 1 { record.notify(ctx, &PaymentStatus::Mismatch) } else { Ok(()) }
}
