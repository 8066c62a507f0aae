//! What an API key may spend: per order or escrow, and in 24 hours.
//!
//! A hold is counted in its own transaction, behind the lock of the buyer's balance, so that of
//! concurrent holds no more pass than one by one. Credits that came back no longer count.

use std::time::Duration;

use svc_store::error::{Refusal, Result};
use svc_store::{sql, values};
use svc_types::{Balance, Code, Timestamp, UserId};

use crate::app::Ctx;
use crate::identity::{Account, SignedBy};
use crate::services::ledger::{self, Holder};

/// The time that a daily cap bounds.
const DAY: Duration = Duration::from_hours(24);

/// Caps of a key, in micro-credits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caps {
    /// Most for an order or escrow.
    pub per_order: Option<i64>,
    /// Most in 24 hours.
    pub per_day: Option<i64>,
}

impl Caps {
    /// Whether there is a cap.
    pub const fn is_any(self) -> bool {
        self.per_order.is_some() || self.per_day.is_some()
    }

    /// Whether more may be spent than within `other`.
    pub fn exceeds(self, other: Self) -> bool {
        let more = |own: Option<i64>, other: Option<i64>| {
            other.is_some_and(|most| own.is_none_or(|own| own > most))
        };
        more(self.per_order, other.per_order) || more(self.per_day, other.per_day)
    }
}

/// Counts what the caller's key is about to hold for an order or escrow; 409 beyond its caps.
pub fn charge(ctx: &mut Ctx<'_, '_>, buyer: &Account, reference: &str, micros: i64) -> Result<()> {
    let SignedBy::ApiKey(key_id) = &buyer.method else { return Ok(()) };
    if !buyer.caps.is_any() {
        return Ok(());
    }
    if let Some(most) = buyer.caps.per_order
        && micros > most
    {
        let most = Balance::from_micros(most);
        return Err(refusal(&format!("this API key may spend at most {most} an order")).into());
    }
    ledger::available_locked(ctx, &buyer.id)?;
    if let Some(most) = buyer.caps.per_day {
        let left = most - spent(ctx, &buyer.id, key_id)?;
        if micros > left {
            let (most, left) = (Balance::from_micros(most), Balance::from_micros(left.max(0)));
            let message = format!("this API key may spend at most {most} in 24 hours");
            return Err(refusal(&message).hint(format!("{left} are left")).into());
        }
    }
    let now = ctx.now();
    let sql = sql!("insert into key_hold (ref, key_id, amount, at) values ($1, $2, $3, $4)");
    ctx.tx.execute(sql, values![reference, key_id, micros, now]).map(drop)
}

fn refusal(message: &str) -> Refusal {
    Refusal::new(Code::SpendLimit, message)
}

/// What a key holds or has paid of the last 24 hours, without what came back.
pub fn spent(ctx: &mut Ctx<'_, '_>, buyer: &UserId, key_id: &str) -> Result<i64> {
    let since = ctx.now().minus(DAY);
    ctx.tx.one(
        sql!(
            "select cast(coalesce(sum(h.amount - coalesce((
                select sum(e.amount) from ledger_transfer t
                join ledger_entry e on e.transfer = t.id and e.account = $1
                where t.kind = 'settle' and t.ref = h.ref), 0)), 0) as bigint)
             from key_hold h where h.key_id = $2 and h.at > $3"
        ),
        values![Holder::User(buyer).id(), key_id, since],
    )
}

/// Deletes what no cap counts any more.
pub fn forget(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before: Timestamp = ctx.now().minus(DAY);
    ctx.tx.execute(
        sql!(
            "delete from key_hold where ref in
             (select ref from key_hold where at <= $1 order by at limit $2)"
        ),
        values![before, most],
    )
}
