//! Claims to credits that a failed refund sets free.
//!
//! A refund that was asked for here holds its credits before the provider knows of it. A dispute or a
//! refund at the dashboard that comes meanwhile takes the money of these credits, but finds them held.
//! The provider then refuses our refund, and its credits belong to what took the money. So do those of
//! a refund that a bank sends back, if something else took the money before we knew.

use svc_store::error::Result;
use svc_store::{row, sql, values};

use super::payment::Record;
use super::refund::{self, Gone};
use crate::app::Ctx;
use crate::services::ledger::Holder;

/// What took money of a payment.
struct Taken {
    id: String,
    kind: String,
    status: String,
    credits: i64,
    amount: i64,
}
row!(Taken { id, kind, status, credits, amount });

/// Micro-credits that come free, and who gets them.
pub(super) struct Shares {
    /// What each open dispute holds from now on.
    frozen: Vec<(String, i64)>,
    /// What goes back to where the credits came from, for what is over.
    pub(super) gone: i64,
    /// What is left for the buyer.
    pub(super) buyer: i64,
}

impl Shares {
    /// What each open dispute gets.
    pub(super) fn frozen(&self) -> impl Iterator<Item = (Holder<'_>, i64)> {
        self.frozen.iter().map(|(id, micros)| (Holder::Frozen(id), *micros))
    }
}

/// Shares credits that come free: what took money of the payment first gets the credits that it is short
/// of. The caller moves them.
pub(super) fn share(ctx: &mut Ctx<'_, '_>, record: &Record, free: i64) -> Result<Shares> {
    let mut shares = Shares { frozen: Vec::new(), gone: 0, buyer: free };
    for taken in taken(ctx, record)? {
        let short = shortfall(record, &taken)?.min(shares.buyer);
        if short > 0 {
            raise(ctx, &taken, short)?;
            shares.buyer -= short;
            if taken.status == "open" {
                shares.frozen.push((taken.id, short));
            } else {
                shares.gone += short;
            }
        }
    }
    Ok(shares)
}

/// Disputes that are not won, and refunds that were made. A refund that is asked for took its credits.
fn taken(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<Vec<Taken>> {
    ctx.tx.all(
        sql!(
            "select id, 'dispute' as kind, status, credits, amount from payment_dispute
             where payment = $1 and status <> 'won'
             union all
             select id, 'refund', status, credits, amount from payment_refund
             where payment = $1 and status = 'done'
             order by id"
        ),
        values![record.id],
    )
}

/// How many micro-credits of its money it did not find. Less than the credits of the smallest amount of
/// money is what rounding left.
fn shortfall(record: &Record, taken: &Taken) -> Result<i64> {
    let credits = |amount| refund::credits_of(record, Gone::default(), amount);
    let short = credits(taken.amount)? - taken.credits;
    Ok(if short < credits(1)? { 0 } else { short })
}

fn raise(ctx: &mut Ctx<'_, '_>, taken: &Taken, micros: i64) -> Result<()> {
    let sql = if taken.kind == "dispute" {
        sql!("update payment_dispute set credits = credits + $1 where id = $2")
    } else {
        sql!("update payment_refund set credits = credits + $1 where id = $2")
    };
    ctx.tx.write(sql, values![micros, taken.id])
}
