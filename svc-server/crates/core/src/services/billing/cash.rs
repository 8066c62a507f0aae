//! The balance at the provider: what of the payments arrived there, and what the provider keeps.

use svc_store::error::Result;
use svc_store::{sql, values};

use super::facts::BalanceChange;
use crate::app::Ctx;
use crate::services::ledger::money::{self, Money, MoneyKind};

/// Records a change of the balance that one of our payments, refunds or disputes caused; once.
pub fn apply(ctx: &mut Ctx<'_, '_>, change: &BalanceChange) -> Result<()> {
    if is_recorded(ctx, change)? {
        return Ok(());
    }
    let entries = [
        (Money::Cash, change.amount - change.fee),
        (Money::ProviderFee, change.fee),
        (Money::Receivable, -change.amount),
    ];
    money::post(ctx, MoneyKind::Cash, &change.id, &change.currency, &entries)
}

/// Whether one of these changes is still to be recorded.
pub fn is_any_new(ctx: &mut Ctx<'_, '_>, changes: &[BalanceChange]) -> Result<bool> {
    for change in changes {
        if !is_recorded(ctx, change)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_recorded(ctx: &mut Ctx<'_, '_>, change: &BalanceChange) -> Result<bool> {
    let sql = sql!("select 1 from money_transfer where kind = 'cash' and ref = $1");
    Ok(ctx.tx.optional::<i64>(sql, values![change.id])?.is_some())
}
