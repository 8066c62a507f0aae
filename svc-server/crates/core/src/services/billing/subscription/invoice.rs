//! Months and seats that were paid, and what of them went back.

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::{SubscriptionId, Timestamp};

use super::super::facts::RefundState;
use super::super::queue::{self, Kind};
use super::super::refund::share;
use super::{find, take};
use crate::app::Ctx;
use crate::services::ledger::money::{self, Money, MoneyKind};

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
    let sql = sql!("update subscription set refunded_at = null where id = $1");
    ctx.tx.write(sql, values![fact.subscription])?;
    let entries = [
        (Money::Receivable, fact.total),
        (Money::Subscriptions, fact.tax - fact.total),
        (Money::Tax, -fact.tax),
    ];
    money::post(ctx, (MoneyKind::Invoice, &fact.id), &fact.currency, &entries)
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
    /// How far it is.
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
    let kind = match refund.state {
        RefundState::Succeeded => MoneyKind::Refund,
        RefundState::Failed if is_posted(ctx, MoneyKind::Refund, &refund.id)? => {
            MoneyKind::RefundFailed
        }
        // Nothing was entered of it yet.
        RefundState::Pending | RefundState::Failed => return Ok(()),
    };
    if is_posted(ctx, kind, &refund.id)? {
        return Ok(());
    }
    let amount = if kind == MoneyKind::Refund { refund.amount } else { -refund.amount };
    let tax = share(invoice.tax, amount, invoice.amount)?;
    let entries =
        [(Money::Receivable, -amount), (Money::Subscriptions, amount - tax), (Money::Tax, tax)];
    money::post(ctx, (kind, &refund.id), &refund.currency, &entries)?;
    ctx.tx.write(
        sql!("update subscription_invoice set refunded = refunded + $1 where id = $2"),
        values![amount, invoice.id],
    )?;
    note_returned(ctx, &invoice, (kind == MoneyKind::Refund).then_some(refund.at))
}

/// Notes when the last payment went back, or that it didn't. Until when the seats are kept follows from
/// that, and from what the subscription is now.
pub(super) fn note_returned(
    ctx: &mut Ctx<'_, '_>,
    invoice: &Invoice,
    at: Option<Timestamp>,
) -> Result<()> {
    ctx.tx.write(
        sql!("update subscription set refunded_at = $1 where id = $2"),
        values![at, invoice.subscription],
    )?;
    match find(ctx, &invoice.subscription)?.provider_id {
        Some(id) => queue::raise(ctx, Kind::Subscription, &id),
        None => Ok(()),
    }
}

fn is_posted(ctx: &mut Ctx<'_, '_>, kind: MoneyKind, reference: &str) -> Result<bool> {
    let sql = sql!("select 1 from money_transfer where kind = $1 and ref = $2");
    Ok(ctx.tx.optional::<i64>(sql, values![kind.as_str(), reference])?.is_some())
}
