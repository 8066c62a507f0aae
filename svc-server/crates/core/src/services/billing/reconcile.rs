//! Our books, as they are compared with those of the provider.

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::{PaymentId, PayoutId, Timestamp};

use super::payment;
use crate::app::Ctx;

/// A payment.
#[derive(Clone, Debug)]
pub struct Paid {
    /// Its status.
    pub status: String,
    /// Whether its credits were added.
    pub is_paid: bool,
    /// The price without tax.
    pub amount: i64,
    /// The currency.
    pub currency: String,
}
row!(Paid { status: "status", is_paid: "status = 'paid'", amount: "amount", currency: "currency" });

impl Paid {
    /// Whether another amount was paid, about which the operator decides.
    pub fn is_mismatch(&self) -> bool {
        self.status == "mismatch"
    }
}

/// A refund or a dispute of one of our payments.
#[derive(Clone, Debug)]
pub enum Settled {
    /// It was never applied.
    Unknown,
    /// It was applied.
    Known {
        /// Its amount.
        amount: i64,
        /// How far it is.
        status: String,
    },
}

impl From<Option<(i64, String)>> for Settled {
    fn from(row: Option<(i64, String)>) -> Self {
        row.map_or(Self::Unknown, |(amount, status)| Self::Known { amount, status })
    }
}

/// A payment, if it exists.
pub fn payment(ctx: &mut Ctx<'_, '_>, id: &PaymentId) -> Result<Option<Paid>> {
    ctx.tx.optional(sql!("select ", Paid::COLUMNS, " from payment where id = $1"), values![id])
}

/// Payments that were begun since then and paid.
pub fn paid_since(ctx: &mut Ctx<'_, '_>, since: Timestamp) -> Result<Vec<PaymentId>> {
    let sql = sql!("select id from payment where created_at >= $1 and status = 'paid' order by id");
    ctx.tx.all(sql, values![since])
}

/// A refund of a payment, which is named as the provider calls it; none if the payment is not ours.
pub fn refund(ctx: &mut Ctx<'_, '_>, intent: &str, id: &str) -> Result<Option<Settled>> {
    if payment::by_intent(ctx, intent)?.is_none() {
        return Ok(None);
    }
    let sql = sql!("select amount, status from payment_refund where provider_id = $1");
    Ok(Some(Settled::from(ctx.tx.optional(sql, values![id])?)))
}

/// A dispute of a payment, likewise.
pub fn dispute(ctx: &mut Ctx<'_, '_>, intent: &str, id: &str) -> Result<Option<Settled>> {
    if payment::by_intent(ctx, intent)?.is_none() {
        return Ok(None);
    }
    let sql = sql!("select amount, status from payment_dispute where id = $1");
    Ok(Some(Settled::from(ctx.tx.optional(sql, values![id])?)))
}

/// A payout.
#[derive(Clone, Debug)]
pub struct PaidOut {
    /// Its status.
    pub status: String,
    /// The amount.
    pub amount: i64,
    /// The currency.
    pub currency: String,
    /// What the provider calls its transfer.
    pub transfer: Option<String>,
}
row!(PaidOut { status: "status", amount: "amount", currency: "currency", transfer: "provider_id" });

/// A payout, if it exists.
pub fn payout(ctx: &mut Ctx<'_, '_>, id: &PayoutId) -> Result<Option<PaidOut>> {
    ctx.tx.optional(sql!("select ", PaidOut::COLUMNS, " from payout where id = $1"), values![id])
}

/// Payouts that were requested since then, and sent.
pub fn sent_since(ctx: &mut Ctx<'_, '_>, since: Timestamp) -> Result<Vec<PayoutId>> {
    let sql = sql!(
        "select id from payout
         where created_at >= $1 and status in ('sent', 'returned') and provider_id is not null
         order by id"
    );
    ctx.tx.all(sql, values![since])
}
