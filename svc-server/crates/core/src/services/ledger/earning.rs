//! What sellers earned of credits that money stands behind, by days.
//!
//! Earnings of the last days are not paid out yet, and a part of those of the last months stays. A row
//! per seller and day answers both with as many rows as days are asked for. Sales that are paid with
//! granted credits write nothing here.
//!
//! What a seller holds for a deal of their own is not earned any more, unless the deal gives it back.

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::Timestamp;
use svc_types::api::credits::TransferKind;

use super::{Cause, Holder, Side, lock_account};
use crate::app::Ctx;
use crate::utc::day_of;

/// Notes what a settled deal brings its seller. The seller's account of the ledger is locked.
pub(super) fn note(ctx: &mut Ctx<'_, '_>, cause: &Cause<'_>, gets: &[Side<'_>]) -> Result<()> {
    if cause.kind != TransferKind::Settle {
        return Ok(());
    }
    let day = day_of(ctx.now());
    for side in gets {
        let Holder::Seller(seller) = side.holder else { continue };
        if side.backed == 0 {
            continue;
        }
        ctx.tx.write(
            sql!(
                "insert into earning (account, day, credits) values ($1, $2, $3)
                 on conflict (account, day) do update
                 set credits = earning.credits + excluded.credits"
            ),
            values![seller, day, side.backed],
        )?;
    }
    Ok(())
}

/// The earned credits of the account that gives, if a deal holds or settles credits. Where no credits are sold by card,
/// none are refunded or paid out, so nothing is asked: that spares orders two statements.
pub(super) fn of_giver(
    ctx: &mut Ctx<'_, '_>,
    cause: &Cause<'_>,
    gives: &[Side<'_>],
) -> Result<Option<i64>> {
    let is_deal = matches!(cause.kind, TransferKind::Hold | TransferKind::Settle);
    let [from] = gives else { return Ok(None) };
    if !is_deal || !ctx.app.config.billing.is_on() {
        return Ok(None);
    }
    // Nobody earns or spends between this and the movement.
    lock_account(ctx, &from.id)?;
    ctx.tx.optional(sql!("select earned from ledger_account where id = $1"), values![from.id])
}

/// Keeps what was earned in a hold, and returns it from there with what the deal does not take. Of what is
/// spent, earned credits are the last ones. `earned` is what the account that gives had of them.
pub(super) fn keep(earned: Option<i64>, gives: &[Side<'_>], gets: &mut [Side<'_>]) {
    let (Some(earned), [from]) = (earned, gives) else { return };
    let (balance, _) = from.after;
    let moved = (earned - balance).max(0);
    let kept =
        gets.iter_mut().find(|side| matches!(side.holder, Holder::Hold(_) | Holder::User(_)));
    if let Some(side) = kept {
        side.earned = moved.min(side.backed);
    }
}

/// When the first day began that a time up to now touches.
pub fn first_day(now: Timestamp, time: Duration) -> Timestamp {
    day_of(now.minus(time))
}
