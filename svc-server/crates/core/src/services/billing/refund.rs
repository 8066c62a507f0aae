//! Refunds: asked for here, or made at the provider.
//!
//! Credits that go back are frozen until the money arrived. A refund that was made at the provider
//! can't be refused, so what is missing of its credits is owed.

use std::collections::HashMap;

use svc_store::db::{SLOTS, slots};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::billing::{BillingObject, PaymentStatus};
use svc_types::api::credits::TransferKind;
use svc_types::money::TOKEN;
use svc_types::{Code, Credits, Id, PaymentId, Timestamp, UserId};

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

/// What is gone of a payment: micro-credits, money, and its tax.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gone {
    /// Micro-credits of refunds.
    pub refunded: i64,
    /// Micro-credits of disputes that are open or lost.
    pub disputed: i64,
    /// Micro-credits of those that are lost.
    pub lost: i64,
    /// Money of both.
    pub amount: i64,
    /// The tax in the refunds.
    pub tax: i64,
}
row!(Gone {
    refunded: "cast(coalesce(sum(case when gone.kind = 'refund' then gone.credits else 0 end), 0) as bigint)",
    disputed: "cast(coalesce(sum(case when gone.kind <> 'refund' then gone.credits else 0 end), 0) as bigint)",
    lost: "cast(coalesce(sum(case when gone.kind = 'lost' then gone.credits else 0 end), 0) as bigint)",
    amount: "cast(coalesce(sum(gone.amount), 0) as bigint)",
    tax: "cast(coalesce(sum(gone.tax), 0) as bigint)",
});

/// What is gone of a payment.
pub fn gone(ctx: &mut Ctx<'_, '_>, payment: &PaymentId) -> Result<Gone> {
    let found = gone_of(ctx, std::slice::from_ref(payment))?;
    Ok(found.into_values().next().unwrap_or_default())
}

/// What is gone of each of these payments, unless nothing is.
pub(super) fn gone_of(
    ctx: &mut Ctx<'_, '_>,
    payments: &[PaymentId],
) -> Result<HashMap<PaymentId, Gone>> {
    let mut found = HashMap::with_capacity(payments.len());
    for some in payments.chunks(SLOTS) {
        let rows: Vec<(PaymentId, Gone)> = ctx.tx.all(
            sql!(
                "select gone.payment, ",
                Gone::COLUMNS,
                " from (
                    select payment, 'refund' as kind, credits, amount, tax from payment_refund
                    where payment in (",
                slots!(1),
                ") and status <> 'failed'
                    union all
                    select payment, status, credits, amount, 0 from payment_dispute
                    where payment in (",
                slots!(1),
                ") and status <> 'won'
                 ) gone group by gone.payment"
            ),
            &slots(some),
        )?;
        found.extend(rows);
    }
    Ok(found)
}

/// Micro-credits of an account that can be given back: those of the test mode, and those that money
/// stands behind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unspent {
    balance: i64,
    backed: i64,
}
row!(Unspent { balance: "balance", backed: "backed" });

/// What each of these accounts has.
pub(super) fn unspent_of(
    ctx: &mut Ctx<'_, '_>,
    accounts: &[UserId],
) -> Result<HashMap<UserId, Unspent>> {
    let mut found = HashMap::with_capacity(accounts.len());
    for some in accounts.chunks(SLOTS) {
        let holders: Vec<String> = some.iter().map(|user| Holder::User(user).id()).collect();
        let sql = sql!(
            "select substr(id, 6), ",
            Unspent::COLUMNS,
            " from ledger_account where id in (",
            slots!(1),
            ")"
        );
        let rows: Vec<(UserId, Unspent)> = ctx.tx.all(sql, &slots(&holders))?;
        found.extend(rows);
    }
    Ok(found)
}

/// The share of the money that these credits are; the last ones take what rounding left.
fn money_of(record: &Record, gone: Gone, credits: i64) -> Result<(i64, i64)> {
    let rest = record.credits.micros() - gone.refunded - gone.disputed;
    let (amount_rest, tax_rest) =
        (record.total() - gone.amount, record.tax.unwrap_or(0) - gone.tax);
    if credits >= rest {
        return Ok((amount_rest, tax_rest.clamp(0, amount_rest.max(0))));
    }
    let amount = share(record.total(), credits, record.credits.micros())?.min(amount_rest);
    let tax = share(record.tax.unwrap_or(0), amount, record.total())?.min(tax_rest.max(0));
    Ok((amount, tax))
}

/// The credits of a part of the money; the last part takes what rounding left.
pub(super) fn credits_of(record: &Record, gone: Gone, amount: i64) -> Result<i64> {
    let rest = record.credits.micros() - gone.refunded - gone.disputed;
    if amount >= record.total() - gone.amount {
        return Ok(rest);
    }
    Ok(share(record.credits.micros(), amount, record.total())?.min(rest))
}

/// `whole · part / of`, rounded towards 0.
pub(super) fn share(whole: i64, part: i64, of: i64) -> Result<i64> {
    let exact = i128::from(whole) * i128::from(part) / i128::from(of.max(1));
    i64::try_from(exact).map_err(Error::internal)
}

/// Micro-credits of a payment that can be refunded: not refunded before, unspent, and backed by money.
pub fn refundable(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<i64> {
    let gone = gone(ctx, &record.id)?;
    let unspent = unspent_of(ctx, std::slice::from_ref(&record.account))?;
    let unspent = unspent.into_values().next().unwrap_or_default();
    Ok(refundable_of(ctx, record, gone, unspent))
}

/// [`refundable`], of what is known.
pub(super) fn refundable_of(
    ctx: &Ctx<'_, '_>,
    record: &Record,
    gone: Gone,
    unspent: Unspent,
) -> i64 {
    // Tokens can't be taken back, so what they paid is final.
    if record.currency == TOKEN {
        return 0;
    }
    if record.status != PaymentStatus::Paid || !is_in_time(ctx, record) || gone.disputed > 0 {
        return 0;
    }
    // No money stands behind a payment of the test mode, which can be tried out all the same.
    let unspent = if record.in_test { unspent.balance } else { unspent.backed };
    unspent.min(record.credits.micros() - gone.refunded).max(0)
}

/// Whether a payment was made lately enough.
fn is_in_time(ctx: &Ctx<'_, '_>, record: &Record) -> bool {
    let window = ctx.app.config.credits.refund_window;
    record.paid_at.is_some_and(|paid_at| ctx.now().since(paid_at) <= window)
}

/// 409 that says why this much of a payment can't be given back.
fn not_refundable(ctx: &Ctx<'_, '_>, record: &Record, gone: Gone, most: i64) -> Error {
    let message = if most > 0 {
        "a refund must be more than nothing, and at most what the payment can still give back"
    } else if record.currency == TOKEN {
        "what was paid with tokens is final"
    } else if record.status != PaymentStatus::Paid {
        "only a completed payment can be refunded"
    } else if gone.disputed > 0 {
        "the payment is disputed at the bank"
    } else if is_in_time(ctx, record) {
        "nothing is left to refund: the credits were spent or already given back"
    } else {
        "the refund period of this payment is over"
    };
    let refusal = Refusal::new(Code::NotRefundable, message);
    refusal.hint(Credits::from_micros(most).to_string()).into()
}

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
    let kind = TransferKind::Refund;
    let cause = Cause { kind, reference: &own.0, reason: None, actor: Some(by) };
    let entries = [(Holder::User(&record.account), -micros), (Holder::Frozen(&own.0), micros)];
    ledger::post(ctx, &cause, &entries)?;
    queue::raise(ctx, Kind::NewRefund, &own.0)?;
    let asked = by_id(ctx, &own.0)?;
    let asked =
        asked.ok_or_else(|| Error::internal("a refund is not found after it was written"))?;
    notify_of(ctx, &record, &asked, Some(by))?;
    Ok(asked)
}

/// Tells the buyer, and the person who owns it, how far a refund is.
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
    let refund = by_id(ctx, &fact.id)?;
    let refund =
        refund.ok_or_else(|| Error::internal("a refund is not found after it was written"))?;
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
    money::post(ctx, (MoneyKind::Refund, &refund.id), &record.currency, &entries)?;
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
        money::post(ctx, (MoneyKind::RefundFailed, &refund.id), &record.currency, &entries)?;
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
