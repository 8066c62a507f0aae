//! Months and seats that were paid, and what of them went back.

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::{SubscriptionId, Timestamp};

use super::super::facts::RefundState;
use super::super::refund::share;
use super::{known, look_again, take};
use crate::app::Ctx;
use crate::services::ledger::money::{self, Money, MoneyKind};

/// When the last payment for the subscription `$1` was noted.
pub(super) const LAST_PAID_AT: &str = "(select max(p.paid_at) from subscription_invoice p
    where p.subscription = $1 and p.amount > 0)";

/// A bill that was paid.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The provider's id.
    pub id: String,
    /// The subscription.
    pub subscription: SubscriptionId,
    /// The currency, in lower case.
    pub currency: String,
    /// What was paid.
    pub total: i64,
    /// How much of that is tax.
    pub tax: i64,
    /// What the provider calls the payment.
    pub intent: Option<String>,
}

/// A bill that is known.
pub(super) struct Invoice {
    pub(super) id: String,
    pub(super) subscription: SubscriptionId,
    amount: i64,
    tax: i64,
}
row!(Invoice { id: "id", subscription: "subscription", amount: "amount", tax: "tax" });

/// Enters a bill that was paid, once.
pub fn apply(ctx: &mut Ctx<'_, '_>, fact: &Fact) -> Result<()> {
    if known(ctx, &fact.subscription)?.is_none() {
        return Ok(());
    }
    take(ctx, &fact.subscription)?;
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "insert into subscription_invoice (id, subscription, intent, amount, tax, refunded,
                paid_at)
             values ($1, $2, $3, $4, $5, 0, $6) on conflict (id) do nothing"
        ),
        values![fact.id, fact.subscription, fact.intent, fact.total, fact.tax, now],
    )?;
    if rows == 0 || fact.total == 0 {
        return Ok(());
    }
    let entries = [
        (Money::Receivable, fact.total),
        (Money::Subscriptions, fact.tax - fact.total),
        (Money::Tax, -fact.tax),
    ];
    money::post(ctx, MoneyKind::Invoice, &fact.id, &fact.currency, &entries)
}

pub(super) fn by_intent(ctx: &mut Ctx<'_, '_>, intent: &str) -> Result<Option<Invoice>> {
    let sql = sql!("select ", Invoice::COLUMNS, " from subscription_invoice where intent = $1");
    ctx.tx.optional(sql, values![intent])
}

/// Whether a payment is that of a bill.
pub fn is_known(ctx: &mut Ctx<'_, '_>, intent: &str) -> Result<bool> {
    Ok(by_intent(ctx, intent)?.is_some())
}

/// Money of a bill that went back.
#[derive(Clone, Debug)]
pub struct Returned {
    /// The provider's id of the refund.
    pub id: String,
    /// The currency, in lower case.
    pub currency: String,
    /// How much.
    pub amount: i64,
    /// Its state.
    pub state: RefundState,
    /// When it was made.
    pub at: Timestamp,
}

/// Applies a refund of a bill, which the operator made at the provider. Its subscription keeps no unpaid
/// seats any more.
pub fn refunded(ctx: &mut Ctx<'_, '_>, intent: &str, refund: &Returned) -> Result<()> {
    let missing = || Error::internal("a refund comes before its bill");
    let invoice = by_intent(ctx, intent)?.ok_or_else(missing)?;
    take(ctx, &invoice.subscription)?;
    let (kind, amount) = match refund.state {
        RefundState::Succeeded => (MoneyKind::Refund, refund.amount),
        RefundState::Failed if is_posted(ctx, MoneyKind::Refund, &refund.id)? => {
            (MoneyKind::RefundFailed, -refund.amount)
        }
        // Nothing was entered of it yet.
        RefundState::Pending | RefundState::Failed => return Ok(()),
    };
    if is_posted(ctx, kind, &refund.id)? {
        return Ok(());
    }
    let tax = share(invoice.tax, amount, invoice.amount)?;
    let entries =
        [(Money::Receivable, -amount), (Money::Subscriptions, amount - tax), (Money::Tax, tax)];
    money::post(ctx, kind, &refund.id, &refund.currency, &entries)?;
    if kind == MoneyKind::Refund {
        note_refund(ctx, &invoice, refund)?;
    } else {
        remove_refund(ctx, &invoice, refund)?;
    }
    look_again(ctx, &invoice.subscription)
}

/// Whether money of a subscription went back since its last payment: of the bill that was paid then, or
/// later of another one.
pub(super) fn is_refunded_since_payment(
    ctx: &mut Ctx<'_, '_>,
    id: &SubscriptionId,
) -> Result<bool> {
    let sql = sql!(
        "select 1 from subscription_invoice i
         where i.subscription = $1 and i.refunded > 0 and i.refunded_at >= ",
        LAST_PAID_AT,
        " limit 1"
    );
    Ok(ctx.tx.optional::<i64>(sql, values![id])?.is_some())
}

/// Notes a refund of a bill, and when: the last of its refunds counts, in whatever order they are
/// reported. The provider may have made it before the payment was known here.
fn note_refund(ctx: &mut Ctx<'_, '_>, invoice: &Invoice, refund: &Returned) -> Result<()> {
    ctx.tx.write(
        sql!(
            "update subscription_invoice set refunded = refunded + $1,
                refunded_at = case when coalesce(refunded_at, paid_at) > $2
                    then coalesce(refunded_at, paid_at) else $2 end
             where id = $3"
        ),
        values![refund.amount, refund.at, invoice.id],
    )
}

/// Removes the note of a failed refund. The time stays while another refund of the bill counts.
fn remove_refund(ctx: &mut Ctx<'_, '_>, invoice: &Invoice, refund: &Returned) -> Result<()> {
    ctx.tx.write(
        sql!(
            "update subscription_invoice set refunded = refunded - $1,
                refunded_at = case when refunded > $1 then refunded_at end
             where id = $2"
        ),
        values![refund.amount, invoice.id],
    )
}

fn is_posted(ctx: &mut Ctx<'_, '_>, kind: MoneyKind, reference: &str) -> Result<bool> {
    let sql = sql!("select 1 from money_transfer where kind = $1 and ref = $2");
    Ok(ctx.tx.optional::<i64>(sql, values![kind.as_str(), reference])?.is_some())
}
