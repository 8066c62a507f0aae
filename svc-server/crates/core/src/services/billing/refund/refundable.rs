//! How much of a payment is gone, and how much of it can be refunded.

use std::collections::HashMap;

use svc_store::db::{SLOTS, slots};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql};
use svc_types::api::billing::PaymentStatus;
use svc_types::money::TOKEN;
use svc_types::{Code, Credits, PaymentId, UserId};

use crate::app::Ctx;
use crate::services::billing::payment::Record;
use crate::services::ledger::Holder;

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
pub(in crate::services::billing) fn gone_of(
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
/// stands behind and that were bought. What was earned is paid out, with the time and the reserve of payouts.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::services::billing) struct Unspent {
    balance: i64,
    backed: i64,
}
row!(Unspent { balance: "balance", backed: "backed - earned" });

/// What each of these accounts has.
pub(in crate::services::billing) fn unspent_of(
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
pub(super) fn money_of(record: &Record, gone: Gone, credits: i64) -> Result<(i64, i64)> {
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
pub(in crate::services::billing) fn credits_of(
    record: &Record,
    gone: Gone,
    amount: i64,
) -> Result<i64> {
    let rest = record.credits.micros() - gone.refunded - gone.disputed;
    if amount >= record.total() - gone.amount {
        return Ok(rest);
    }
    Ok(share(record.credits.micros(), amount, record.total())?.min(rest))
}

/// `whole · part / of`, rounded towards 0.
pub(in crate::services::billing) fn share(whole: i64, part: i64, of: i64) -> Result<i64> {
    let exact = i128::from(whole) * i128::from(part) / i128::from(of.max(1));
    i64::try_from(exact).map_err(Error::internal)
}

/// Micro-credits of a payment that can be refunded: not refunded before, unspent, and bought.
pub fn refundable(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<i64> {
    let gone = gone(ctx, &record.id)?;
    let unspent = unspent_of(ctx, std::slice::from_ref(&record.account))?;
    let unspent = unspent.into_values().next().unwrap_or_default();
    Ok(refundable_of(ctx, record, gone, unspent))
}

/// [`refundable`], of what is known.
pub(in crate::services::billing) fn refundable_of(
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
    let most = unspent.min(record.credits.micros() - gone.refunded).max(0);
    // What is worth less than the smallest amount of money can't be sent back.
    if money_of(record, gone, most).is_ok_and(|(amount, _)| amount > 0) { most } else { 0 }
}

/// Whether a payment was made lately enough.
fn is_in_time(ctx: &Ctx<'_, '_>, record: &Record) -> bool {
    let window = ctx.app.config.credits.refund_window;
    record.paid_at.is_some_and(|paid_at| ctx.now().since(paid_at) <= window)
}

/// 409 that says why this much of a payment can't be given back.
pub(super) fn not_refundable(ctx: &Ctx<'_, '_>, record: &Record, gone: Gone, most: i64) -> Error {
    let message = if most > 0 {
        "a refund must be at least the smallest coin, and at most what the payment still gives back"
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
