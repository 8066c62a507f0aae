//! Our books, as they are compared with those of the provider.

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::{PaymentId, PayoutId, SubscriptionId, Timestamp};

use super::payment;
use super::subscription::invoice;
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
    /// It was never applied, and will be once it has succeeded.
    Uncounted,
    /// It was applied.
    Known {
        /// Its amount.
        amount: i64,
        /// Its status.
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
    let sql = sql!(
        "select id from payment where created_at >= $1 and status = 'paid' and session is not null
            order by id"
    );
    ctx.tx.all(sql, values![since])
}

/// A refund of a payment or a bill, which is named as the provider calls it; none if it is not ours.
pub fn refund(ctx: &mut Ctx<'_, '_>, intent: &str, id: &str) -> Result<Option<Settled>> {
    let is_sale = payment::by_intent(ctx, intent)?.is_some();
    let sql = if is_sale {
        sql!("select amount, status from payment_refund where provider_id = $1")
    } else if invoice::is_known(ctx, intent)? {
        sql!(
            "select -e.amount, case when exists (
                select 1 from money_transfer f where f.kind = 'refund_failed' and f.ref = t.ref
             ) then 'failed' else 'done' end
             from money_transfer t join money_entry e on e.transfer = t.id
             where t.kind = 'refund' and t.ref = $1 and e.account = 'receivable:' || t.currency"
        )
    } else {
        return Ok(None);
    };
    Ok(Some(match Settled::from(ctx.tx.optional(sql, values![id])?) {
        Settled::Unknown if !is_sale => Settled::Uncounted,
        found => found,
    }))
}

/// A dispute of a payment or a bill, likewise.
pub fn dispute(ctx: &mut Ctx<'_, '_>, intent: &str, id: &str) -> Result<Option<Settled>> {
    let sql = if payment::by_intent(ctx, intent)?.is_some() {
        sql!("select amount, status from payment_dispute where id = $1")
    } else if invoice::is_known(ctx, intent)? {
        sql!("select amount, status from invoice_dispute where id = $1")
    } else {
        return Ok(None);
    };
    Ok(Some(Settled::from(ctx.tx.optional(sql, values![id])?)))
}

/// A subscription and its seats.
#[derive(Clone, Debug)]
pub struct Seats {
    /// Its status.
    pub status: String,
    /// How many are paid.
    pub quantity: i64,
    /// What the provider calls it.
    pub provider_id: Option<String>,
}
row!(Seats { status: "status", quantity: "quantity", provider_id: "provider_id" });

/// A subscription, if it exists.
pub fn seats(ctx: &mut Ctx<'_, '_>, id: &SubscriptionId) -> Result<Option<Seats>> {
    let sql = sql!("select ", Seats::COLUMNS, " from subscription where id = $1");
    ctx.tx.optional(sql, values![id])
}

/// Subscriptions that run, as the provider calls them.
pub fn running(ctx: &mut Ctx<'_, '_>) -> Result<Vec<String>> {
    let sql = sql!(
        "select provider_id from subscription
         where status in ('active', 'past_due') and provider_id is not null order by id"
    );
    ctx.tx.all(sql, values![])
}

/// What was paid of a bill, with tax; none if it is unknown.
pub fn bill(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<Option<i64>> {
    ctx.tx.optional(sql!("select amount from subscription_invoice where id = $1"), values![id])
}

/// Bills that were entered since then.
pub fn bills_since(ctx: &mut Ctx<'_, '_>, since: Timestamp) -> Result<Vec<String>> {
    let sql = sql!("select id from subscription_invoice where paid_at >= $1 order by id");
    ctx.tx.all(sql, values![since])
}

/// A change of the balance at the provider, as it was counted.
#[derive(Clone, Debug)]
pub struct Counted {
    /// What came in, or went out if it is below 0.
    pub amount: i64,
    /// What the provider keeps.
    pub fee: i64,
    /// The currency.
    pub currency: String,
}
row!(Counted {
    amount: "coalesce((select -e.amount from money_entry e
        where e.transfer = t.id and e.account = 'receivable:' || t.currency), 0)",
    fee: "coalesce((select e.amount from money_entry e
        where e.transfer = t.id and e.account = 'provider_fee:' || t.currency), 0)",
    currency: "t.currency",
});

/// A change of the balance, if it was counted.
pub fn counted(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<Option<Counted>> {
    let sql = sql!(
        "select ",
        Counted::COLUMNS,
        " from money_transfer t where t.kind = 'cash' and t.ref = $1"
    );
    ctx.tx.optional(sql, values![id])
}

/// Changes of the balance that were counted since then.
pub fn counted_since(ctx: &mut Ctx<'_, '_>, since: Timestamp) -> Result<Vec<String>> {
    let sql = sql!(
        "select ref from money_transfer where kind = 'cash' and at >= $1 and currency <> 'usdc'
            order by ref"
    );
    ctx.tx.all(sql, values![since])
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
