//! The balance at the provider: what of the payments arrived there, and what the provider keeps.

use svc_store::error::Result;
use svc_store::{sql, values};

use super::facts::BalanceChange;
use crate::app::Ctx;
use crate::services::ledger::money::{self, Money, MoneyKind};

/// Records a change of the balance that one of our payments, refunds or disputes caused; once.
pub fn apply(ctx: &mut Ctx<'_, '_>, change: &BalanceChange) -> Result<()> {
    let sql = sql!("select 1 from money_transfer where kind = 'cash' and ref = $1");
    if ctx.tx.optional::<i64>(sql, values![change.id])?.is_some() {
        return Ok(());
    }
    let entries = [
        (Money::Cash, change.amount - change.fee),
        (Money::ProviderFee, change.fee),
        (Money::Receivable, -change.amount),
    ];
    money::post(ctx, (MoneyKind::Cash, &change.id), &change.currency, &entries)
}
