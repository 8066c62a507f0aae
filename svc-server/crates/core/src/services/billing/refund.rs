//! Refunds: asked for here, or made at the provider.
//!
//! Credits that go back are frozen until the money arrived. A refund that was made at the provider
//! can't be refused, so what is missing of its credits is owed.

mod refundable;

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::billing::BillingObject;
use svc_types::api::credits::TransferKind;
use svc_types::{Credits, Id, PaymentId, Timestamp, UserId};

pub use self::refundable::{Gone, gone, refundable};
pub(super) use self::refundable::{credits_of, gone_of, refundable_of, share, unspent_of};
use self::refundable::{money_of, not_refundable};

use super::facts::{self, RefundState};
use super::notify::{Change, notify};
use super::payment::{self, Record};
use super::queue::{self, Kind};
use super::{claim, debt, dispute};
use crate::app::Ctx;
use crate::services::ledger::money::{self, Money, MoneyKind};
use crate::services::ledger::{self, Cause, Holder};

/// Id of a refund that was asked for here.
struct RefundId(String);

impl From<String> for RefundId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Id for RefundId {
    const PREFIX: &'static str = "rfd_";
}

/// A stored refund.
#[derive(Clone, Debug)]
pub struct Refund {
    /// Our id, or the provider's if it was made there.
    pub id: String,
    /// The payment.
    pub payment: PaymentId,
    /// The provider's id, once it has one.
    pub provider_id: Option<String>,
    /// `asked`, `done` or `failed`.
    pub status: String,
    /// The credits that go back.
    pub credits: Credits,
    /// The money that goes back.
    pub amount: i64,
    tax: i64,
    /// When it was asked for.
    pub created_at: Timestamp,
}
row!(Refund {
    id: "id",
    payment: "payment",
    provider_id: "provider_id",
    status: "status",
    credits: "credits",
    amount: "amount",
    tax: "tax",
    created_at: "created_at",
});

/// Asks for a refund of some credits of a payment, or of all that can be given back.
pub fn ask(
    ctx: &mut Ctx<'_, '_>,
    id: &PaymentId,
    credits: Option<Credits>,
    by: &UserId,
) -> Result<Refund> {
    let record = payment::take(ctx, id)?;
    // Debts come first, and may not have been collected yet.
    debt::collect(ctx, &record.account)?;
    let most = refundable(ctx, &record)?;
    let micros = credits.map_or(most, Credits::micros);
    let gone = gone(ctx, id)?;
    let (amount, tax) = money_of(&record, gone, micros)?;
    if micros == 0 || micros > most || amount <= 0 {
        return Err(not_refundable(ctx, &record, gone, most));
    }
    let (own, now): (RefundId, _) = (ctx.id(), ctx.now());
    ctx.tx.write(
        sql!(
            "insert into payment_refund (id, payment, status, credits, amount, tax, created_at)
             values ($1, $2, 'asked', $3, $4, $5, $6)"
        ),
        values![own.0, id, micros, amount, tax, now],
    )?;
    freeze(ctx, &record, &own.0, micros, by)?;
    queue::raise(ctx, Kind::NewRefund, &own.0)?;
    let asked = written(ctx, &own.0)?;
    notify_of(ctx, &record, &asked, Some(by))?;
    Ok(asked)
}

/// Freezes the credits of a refund.
fn freeze(
    ctx: &mut Ctx<'_, '_>,
    record: &Record,
    id: &str,
    micros: i64,
    by: &UserId,
) -> Result<()> {
    let kind = TransferKind::Refund;
    let cause = Cause { kind, reference: id, reason: None, actor: Some(by) };
    let entries = [(Holder::User(&record.account), -micros), (Holder::Frozen(id), micros)];
    ledger::post(ctx, &cause, &entries).map(|_| ())
}

/// Notifies the buyer, and the person who owns it, of the status of a refund.
fn notify_of(
    ctx: &mut Ctx<'_, '_>,
    record: &Record,
    refund: &Refund,
    actor: Option<&UserId>,
) -> Result<()> {
    let change = Change {
        object: BillingObject::Refund,
        id: &refund.id,
        status: &refund.status,
        account: &record.account,
        person: None,
        payment: Some(&record.id),
        credits: Some(refund.credits),
    };
    notify(ctx, actor, &change)
}

/// A refund, by our id or the provider's.
pub fn by_id(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<Option<Refund>> {
    ctx.tx.optional(
        sql!("select ", Refund::COLUMNS, " from payment_refund where id = $1 or provider_id = $1"),
        values![id],
    )
}

/// A refund that this transaction has written.
fn written(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<Refund> {
    let found = by_id(ctx, id)?;
    found.ok_or_else(|| Error::internal("a refund is not found after it was written"))
}

/// Applies what a refund is now. Repeated, it does nothing.
pub fn apply(ctx: &mut Ctx<'_, '_>, fact: &facts::Refund) -> Result<()> {
    let Some(record) = payment::take_paid(ctx, &fact.payment)? else { return Ok(()) };
    if fact.currency != record.currency {
        return Err(Error::internal("a refund is in another currency than its payment"));
    }
    let known = match by_id(ctx, fact.ours.as_deref().unwrap_or(&fact.id))? {
        Some(known) => known,
        None if fact.state == RefundState::Failed => return Ok(()),
        None => made_elsewhere(ctx, &record, fact)?,
    };
    note_provider_id(ctx, &known, &fact.id)?;
    match (known.status.as_str(), fact.state) {
        ("asked", RefundState::Succeeded) => succeed(ctx, &record, &known).map(|_| ()),
        ("asked" | "done", RefundState::Failed) => fail(ctx, &record, &known),
        _ => Ok(()),
    }
}

/// Ends a refund that the provider refuses to make; its credits are the buyer's again.
pub fn give_up(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<()> {
    let missing = || Error::not_found("refund");
    let payment = by_id(ctx, id)?.ok_or_else(missing)?.payment;
    let record = payment::take(ctx, &payment)?;
    let known = by_id(ctx, id)?.ok_or_else(missing)?;
    if known.status == "asked" && known.provider_id.is_none() {
        fail(ctx, &record, &known)?;
    }
    Ok(())
}

fn note_provider_id(ctx: &mut Ctx<'_, '_>, known: &Refund, provider_id: &str) -> Result<()> {
    if known.provider_id.as_deref() == Some(provider_id) {
        return Ok(());
    }
    let sql = sql!("update payment_refund set provider_id = $1 where id = $2");
    ctx.tx.write(sql, values![provider_id, known.id])
}

/// Takes the credits of a refund that was made at the provider. It counts as done at once, since
/// nothing here can stop it.
fn made_elsewhere(ctx: &mut Ctx<'_, '_>, record: &Record, fact: &facts::Refund) -> Result<Refund> {
    let gone = gone(ctx, &record.id)?;
    let micros = credits_of(record, gone, fact.amount)?;
    let tax_rest = (record.tax.unwrap_or(0) - gone.tax).max(0);
    let tax = share(record.tax.unwrap_or(0), fact.amount, record.total())?.min(tax_rest);
    let now = ctx.now();
    ctx.tx.write(
        sql!(
            "insert into payment_refund (id, payment, provider_id, status, credits, amount, tax,
                created_at)
             values ($1, $2, $1, 'asked', $3, $4, $5, $6)"
        ),
        values![fact.id, record.id, micros, fact.amount, tax, now],
    )?;
    dispute::claw(ctx, record, &fact.id, micros)?;
    let refund = written(ctx, &fact.id)?;
    succeed(ctx, record, &refund)
}

/// The money arrived: the frozen credits are gone.
fn succeed(ctx: &mut Ctx<'_, '_>, record: &Record, refund: &Refund) -> Result<Refund> {
    let done = close(ctx, refund, "done")?;
    let entries = [
        (Money::Receivable, -refund.amount),
        (Money::Sales, refund.amount - refund.tax),
        (Money::Tax, refund.tax),
    ];
    money::post(ctx, MoneyKind::Refund, &refund.id, &record.currency, &entries)?;
    let micros = refund.credits.micros();
    if micros > 0 {
        let kind = TransferKind::Refunded;
        let cause = Cause { kind, reference: &refund.id, reason: None, actor: None };
        let entries = [(Holder::Frozen(&refund.id), -micros), (record.source(), micros)];
        ledger::post(ctx, &cause, &entries)?;
    }
    notify_of(ctx, record, &done, None)?;
    Ok(done)
}

/// The money did not arrive, which a bank may say days later: the credits are the buyer's again, unless
/// the money went another way meanwhile.
fn fail(ctx: &mut Ctx<'_, '_>, record: &Record, refund: &Refund) -> Result<()> {
    let was_done = refund.status == "done";
    let failed = close(ctx, refund, "failed")?;
    if was_done {
        let entries = [
            (Money::Receivable, refund.amount),
            (Money::Sales, refund.tax - refund.amount),
            (Money::Tax, -refund.tax),
        ];
        money::post(ctx, MoneyKind::RefundFailed, &refund.id, &record.currency, &entries)?;
    }
    free(ctx, record, refund, was_done)?;
    notify_of(ctx, record, &failed, None)
}

/// Gives the credits of a refund that failed to whom they belong now.
fn free(ctx: &mut Ctx<'_, '_>, record: &Record, refund: &Refund, was_done: bool) -> Result<()> {
    let micros = refund.credits.micros();
    if micros == 0 {
        return Ok(());
    }
    ledger::available_locked(ctx, &record.account)?;
    let kind = TransferKind::RefundFailed;
    let cause = Cause { kind, reference: &refund.id, reason: None, actor: None };
    let shares = claim::share(ctx, record, micros)?;
    if was_done && shares.gone == micros {
        // Another refund took all of it, so the credits stay where they are.
        return Ok(());
    }
    let (from, given) = if was_done {
        (record.source(), shares.gone - micros)
    } else {
        (Holder::Frozen(&refund.id), -micros)
    };
    let mut entries = vec![(from, given), (Holder::User(&record.account), shares.buyer)];
    entries.extend(shares.frozen());
    if !was_done {
        entries.push((record.source(), shares.gone));
    }
    ledger::post(ctx, &cause, &entries).map(|_| ())
}

/// Ends a refund; as it is then.
fn close(ctx: &mut Ctx<'_, '_>, refund: &Refund, status: &str) -> Result<Refund> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!("update payment_refund set status = $1, closed_at = $2 where id = $3 and status = $4"),
        values![status, now, refund.id, refund.status],
    )?;
    if rows != 1 {
        return Err(Error::internal("a refund changed while it was locked"));
    }
    Ok(Refund { status: status.to_owned(), ..refund.clone() })
}
