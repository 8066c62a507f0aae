//! What money stands behind: the part `backed` of a balance and of an entry.
//!
//! Sold credits are backed, granted ones are not, and no movement turns one into the other. What
//! people spend is taken from the unbacked part first, so that they keep what can be refunded. What
//! goes back to the buyer's bank is taken from the backed part first.
//!
//! Of the backed part, `earned` is what a sale brought. Only that is paid out, and whatever else takes
//! backed credits takes those first that were not earned.

use svc_store::db::Returning;
use svc_store::error::Result;
use svc_store::{returning, sql, values};
use svc_types::api::credits::TransferKind;

use super::holder::Holder;
use super::{Cause, Side};
use crate::app::Ctx;

/// Takes $1, which is below 0, from account $2 down to $3: the unbacked part first.
const UNBACKED_FIRST: Returning = returning!(
    "update ledger_account set balance = balance + $1, entries = entries + 1,
        backed_moved = case when backed > balance + $1 then balance + $1 - backed else 0 end,
        backed = case when backed > balance + $1 then balance + $1 else backed end,
        earned = case when earned > balance + $1 then balance + $1 else earned end
     where id = $2 and balance + $1 >= $3",
    "balance, entries, backed_moved",
    "ledger_account where id = $1",
);

/// The same, the backed part first.
const BACKED_FIRST: Returning = returning!(
    "update ledger_account set balance = balance + $1, entries = entries + 1,
        backed_moved = case when backed + $1 < 0 then 0 - backed else $1 end,
        backed = case when backed + $1 < 0 then 0 else backed + $1 end,
        earned = case when backed + $1 < 0 then 0 when earned > backed + $1 then backed + $1
            else earned end
     where id = $2 and balance + $1 >= $3",
    "balance, entries, backed_moved",
    "ledger_account where id = $1",
);

/// The same, of those that were earned.
const EARNED: Returning = returning!(
    "update ledger_account set balance = balance + $1, entries = entries + 1, backed_moved = $1,
        backed = backed + $1, earned = earned + $1
     where id = $2 and balance + $1 >= $3 and earned + $1 >= 0",
    "balance, entries, backed_moved",
    "ledger_account where id = $1",
);

/// From an account without backed credits.
const UNBACKED: Returning = returning!(
    "update ledger_account set balance = balance + $1, entries = entries + 1, backed_moved = 0
     where id = $2 and balance + $1 >= $3",
    "balance, entries, backed_moved",
    "ledger_account where id = $1",
);

/// How credits leave an account; none for an account that a first movement opens below 0.
pub(super) const fn giving(holder: Holder<'_>, kind: &TransferKind) -> Option<Returning> {
    match (holder, kind) {
        (Holder::Issuance, _) => Some(UNBACKED),
        _ if holder.is_contra() => None,
        (Holder::User(_), TransferKind::Payout) => Some(EARNED),
        (_, TransferKind::Refund | TransferKind::Claw | TransferKind::Collect) => {
            Some(BACKED_FIRST)
        }
        _ => Some(UNBACKED_FIRST),
    }
}

/// The backed part of what leaves a contra account: all that is sold, and nothing of a debt. A
/// disputed purchase may have been spent before; the credits that were not there to take were paid
/// to somebody, who keeps what stands behind them.
pub(super) fn given_by_contra(
    ctx: &mut Ctx<'_, '_>,
    holder: Holder<'_>,
    micros: i64,
    cause: &Cause<'_>,
) -> Result<i64> {
    match (holder, &cause.kind) {
        (Holder::Sold, TransferKind::RefundFailed) => Ok(-returned(ctx, -micros, cause.reference)?),
        (Holder::Sold, TransferKind::Won) => Ok(-lost(ctx, cause.reference)?),
        (Holder::Sold, _) => Ok(micros),
        _ => Ok(0),
    }
}

/// The backed part of what a dispute returns that was lost and is won now: as it was when it left.
fn lost(ctx: &mut Ctx<'_, '_>, dispute: &str) -> Result<i64> {
    let sql = sql!(
        "select e.backed from ledger_transfer t
         join ledger_entry e on e.transfer = t.id and e.account = $1
         where t.kind = 'lost' and t.ref = $2"
    );
    let backed: Option<i64> = ctx.tx.optional(sql, values![Holder::Sold.id(), dispute])?;
    Ok(backed.unwrap_or(0))
}

/// The backed part of what a failed refund returns: as it was when it left, but for what another refund
/// took since, which takes the backed part first. The other one may fail, too, and returns no more than
/// what is still out.
fn returned(ctx: &mut Ctx<'_, '_>, micros: i64, refund: &str) -> Result<i64> {
    let sold = Holder::Sold.id();
    let sql = sql!(
        "select e.amount, e.backed from ledger_transfer t
         join ledger_entry e on e.transfer = t.id and e.account = $1
         where t.kind = 'refunded' and t.ref = $2"
    );
    let found: Option<(i64, i64)> = ctx.tx.optional(sql, values![sold, refund])?;
    // None of it left by this refund if all its credits are those of one that failed before.
    let (left, backed) = found.unwrap_or_default();
    let stays = left - micros;
    Ok((backed - stays).min(out(ctx, refund)?).max(0))
}

/// The backed part of what left by refunds of the same payment that failed, and has not returned.
fn out(ctx: &mut Ctx<'_, '_>, refund: &str) -> Result<i64> {
    let sql = sql!(
        "select cast(coalesce(sum(e.backed), 0) as bigint) from ledger_transfer t
         join ledger_entry e on e.transfer = t.id and e.account = $1
         where t.kind in ('refunded', 'refund_failed') and t.ref in (
            select id from payment_refund
            where payment = (select payment from payment_refund where id = $2)
                and status = 'failed')"
    );
    ctx.tx.one(sql, values![Holder::Sold.id(), refund])
}

/// Shares what was given among those who get: the first gets the unbacked part, as far as it goes.
pub(super) fn share(gives: &[Side<'_>], gets: &mut [Side<'_>]) {
    let mut unbacked: i64 = gives.iter().map(|side| side.backed - side.micros).sum();
    for side in gets {
        let part = side.micros.min(unbacked);
        side.backed = side.micros - part;
        unbacked -= part;
    }
}
