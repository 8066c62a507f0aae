//! What sellers earned of credits that money stands behind, by days.
//!
//! Earnings of the last days are not paid out yet, and a part of those of the last months stays. A row
//! per seller and day answers both with as many rows as days are asked for. Sales that are paid with
//! granted credits write nothing here.

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::Timestamp;
use svc_types::api::credits::TransferKind;

use super::{Cause, Holder, Side};
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

/// When the first day began that a time up to now touches.
pub fn first_day(now: Timestamp, time: Duration) -> Timestamp {
    day_of(now.minus(time))
}
