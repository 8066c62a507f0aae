//! Disputes: a buyer's bank takes a payment back, and decides later whose the money is.
//!
//! The credits are frozen until then. What was spent of them is owed: sellers keep what they earned,
//! because they delivered.

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::Credits;
use svc_types::api::billing::BillingObject;
use svc_types::api::credits::TransferKind;

use super::facts::{self, DisputeState};
use super::notify::{Change, notify};
use super::payment::{self, Record};
use super::{debt, refund};
use crate::app::Ctx;
use crate::services::ledger::money::{self, Money, MoneyKind};
use crate::services::ledger::{self, Cause, Holder};

struct Dispute {
    id: String,
    status: String,
    credits: Credits,
    amount: i64,
}
row!(Dispute { id: "id", status: "status", credits: "credits", amount: "amount" });

/// Applies what a dispute is now. Repeated, it does nothing.
pub fn apply(ctx: &mut Ctx<'_, '_>, fact: &facts::Dispute) -> Result<()> {
    let Some(record) = payment::take_paid(ctx, &fact.payment)? else { return Ok(()) };
    if fact.currency != record.currency {
        return Err(Error::internal("a dispute is in another currency than its payment"));
    }
    let known = match (find(ctx, &fact.id)?, fact.state) {
        (None, DisputeState::Inquiry | DisputeState::Won) => return Ok(()),
        (None, _) => open(ctx, &record, fact)?,
        (Some(known), _) => known,
    };
    match (known.status.as_str(), fact.state) {
        // A bank may decide for the operator after it has decided for the buyer.
        ("open" | "lost", DisputeState::Won) => {
            win(ctx, &record, &known)?;
            notify_of(ctx, &record, &known, "won")
        }
        ("open", DisputeState::Lost) => {
            lose(ctx, &record, &known)?;
            notify_of(ctx, &record, &known, "lost")
        }
        _ => Ok(()),
    }
}

fn notify_of(
    ctx: &mut Ctx<'_, '_>,
    record: &Record,
    dispute: &Dispute,
    status: &str,
) -> Result<()> {
    let change = Change {
        object: BillingObject::Dispute,
        id: &dispute.id,
        status,
        account: &record.account,
        person: None,
        payment: Some(&record.id),
        credits: Some(dispute.credits),
    };
    notify(ctx, None, &change)
}

fn find(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<Option<Dispute>> {
    let sql = sql!("select ", Dispute::COLUMNS, " from payment_dispute where id = $1");
    ctx.tx.optional(sql, values![id])
}

fn open(ctx: &mut Ctx<'_, '_>, record: &Record, fact: &facts::Dispute) -> Result<Dispute> {
    let gone = refund::gone(ctx, &record.id)?;
    let micros = refund::credits_of(record, gone, fact.amount)?;
    let now = ctx.now();
    ctx.tx.write(
        sql!(
            "insert into payment_dispute (id, payment, status, credits, amount, created_at)
             values ($1, $2, 'open', $3, $4, $5)"
        ),
        values![fact.id, record.id, micros, fact.amount, now],
    )?;
    claw(ctx, record, &fact.id, micros)?;
    enter(ctx, MoneyKind::Dispute, &fact.id, &record.currency, fact.amount)?;
    let dispute = Dispute {
        id: fact.id.clone(),
        status: "open".to_owned(),
        credits: Credits::from_micros(micros),
        amount: fact.amount,
    };
    notify_of(ctx, record, &dispute, "open")?;
    Ok(dispute)
}

/// Moves the money of a dispute as it begins or is lost.
pub(super) fn enter(
    ctx: &mut Ctx<'_, '_>,
    kind: MoneyKind,
    id: &str,
    currency: &str,
    amount: i64,
) -> Result<()> {
    let (from, to) = match kind {
        MoneyKind::Lost => (Money::Disputed, Money::Loss),
        _ => (Money::Receivable, Money::Disputed),
    };
    money::post(ctx, kind, id, currency, &[(from, -amount), (to, amount)])
}

/// Moves the money of a dispute that is won, after it was open or lost.
pub(super) fn regain(
    ctx: &mut Ctx<'_, '_>,
    was: &str,
    id: &str,
    currency: &str,
    amount: i64,
) -> Result<()> {
    let from = if was == "lost" { Money::Loss } else { Money::Disputed };
    let entries = [(from, -amount), (Money::Receivable, amount)];
    money::post(ctx, MoneyKind::Won, id, currency, &entries)
}

/// Takes credits back, as far as the buyer still has them; the rest is owed.
pub(super) fn claw(
    ctx: &mut Ctx<'_, '_>,
    record: &Record,
    reference: &str,
    micros: i64,
) -> Result<()> {
    if micros == 0 {
        return Ok(());
    }
    let available = ledger::available_locked(ctx, &record.account)?;
    let taken = available.min(micros);
    let kind = TransferKind::Claw;
    let cause = Cause { kind, reference, reason: None, actor: None };
    let entries = [
        (Holder::User(&record.account), -taken),
        (Holder::Debt(&record.account), taken - micros),
        (Holder::Frozen(reference), micros),
    ];
    ledger::post(ctx, &cause, &entries).map(|_| ())
}

/// The money is the operator's again: the credits pay what the buyer owes, and the rest is theirs.
fn win(ctx: &mut Ctx<'_, '_>, record: &Record, dispute: &Dispute) -> Result<()> {
    close(ctx, dispute, "won")?;
    regain(ctx, &dispute.status, &dispute.id, &record.currency, dispute.amount)?;
    let micros = dispute.credits.micros();
    if micros == 0 {
        return Ok(());
    }
    ledger::available_locked(ctx, &record.account)?;
    let owed = debt::of(ctx, &record.account)?.min(micros);
    let was_lost = dispute.status == "lost";
    let from = if was_lost { record.source() } else { Holder::Frozen(&dispute.id) };
    let kind = TransferKind::Won;
    let cause = Cause { kind, reference: &dispute.id, reason: None, actor: None };
    let entries = [
        (from, -micros),
        (Holder::Debt(&record.account), owed),
        (Holder::User(&record.account), micros - owed),
    ];
    ledger::post(ctx, &cause, &entries).map(|_| ())
}

/// The money is gone, and so are the frozen credits. A debt stays.
fn lose(ctx: &mut Ctx<'_, '_>, record: &Record, dispute: &Dispute) -> Result<()> {
    close(ctx, dispute, "lost")?;
    enter(ctx, MoneyKind::Lost, &dispute.id, &record.currency, dispute.amount)?;
    let micros = dispute.credits.micros();
    if micros == 0 {
        return Ok(());
    }
    let kind = TransferKind::Lost;
    let cause = Cause { kind, reference: &dispute.id, reason: None, actor: None };
    let entries = [(Holder::Frozen(&dispute.id), -micros), (record.source(), micros)];
    ledger::post(ctx, &cause, &entries).map(|_| ())
}

fn close(ctx: &mut Ctx<'_, '_>, dispute: &Dispute, status: &str) -> Result<()> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update payment_dispute set status = $1, closed_at = $2
             where id = $3 and status = $4"
        ),
        values![status, now, dispute.id, dispute.status],
    )?;
    if rows == 1 { Ok(()) } else { Err(Error::internal("a dispute changed while it was locked")) }
}
