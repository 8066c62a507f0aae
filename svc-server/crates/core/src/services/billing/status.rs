//! Payments and payouts of the whole platform, for the operator.

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::Balance;
use svc_types::api::payouts::{BillingStatus, CreditSum, MoneySum};

use super::{debt, payout, queue, state};
use crate::app::Ctx;

/// Payouts that are shown at once.
const PAYOUTS_MAX: i64 = 100;

/// Accounts of money and kinds of credits that are shown; there are fewer.
const SUMS_MAX: i64 = 100;

struct Sum {
    kind: String,
    micros: i64,
}
row!(Sum { kind: "kind", micros: "cast(sum(balance) as bigint)" });

impl From<Sum> for CreditSum {
    fn from(sum: Sum) -> Self {
        let credits = Balance::from_micros(sum.micros.saturating_abs());
        Self { kind: sum.kind, is_source: sum.micros < 0, credits }
    }
}

/// What the operator watches.
pub fn of(ctx: &mut Ctx<'_, '_>) -> Result<BillingStatus> {
    let sql =
        sql!("select ", Sum::COLUMNS, " from ledger_account group by kind order by kind limit $1");
    let sums: Vec<Sum> = ctx.tx.all(sql, values![SUMS_MAX])?;
    let sql =
        sql!("select kind, currency, balance from money_account order by currency, kind limit $1");
    let money: Vec<(String, String, i64)> = ctx.tx.all(sql, values![SUMS_MAX])?;
    let sql = sql!(
        "select (select count(*) from payment_dispute where status = 'open')
            + (select count(*) from invoice_dispute where status = 'open')"
    );
    let disputes_open = ctx.tx.one(sql, values![])?;
    let sql = sql!("select count(*) from ledger_account d where ", debt::OWED);
    let debtors = ctx.tx.one(sql, values![])?;
    let (waiting, waiting_since) = queue::backlog(ctx)?;
    let (payouts, in_test) = (payout::requested(ctx, PAYOUTS_MAX)?, state::in_test(ctx)?);
    let billing = &ctx.app.config.billing;
    let sum = |(account, currency, amount)| MoneySum { account, currency, amount };
    Ok(BillingStatus {
        currency: billing.currency.clone(),
        decimals: billing.decimals(),
        in_test,
        credits: sums.into_iter().map(CreditSum::from).collect(),
        money: money.into_iter().map(sum).collect(),
        disputes_open,
        debtors,
        waiting,
        waiting_since,
        payouts,
    })
}
