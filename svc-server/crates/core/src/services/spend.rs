//! What may be spent, per order, escrow or pass and in 24 hours: by an API key, by an agent with an
//! owner, and by all agents of an owner together.
//!
//! A hold is counted in its own transaction, behind the lock of the buyer's balance and of the rows
//! of its caps, so that of concurrent holds no more pass than one by one. Credits that came back no
//! longer count. A pass, which is paid at once, counts like a hold of which nothing comes back.

mod agents;

use std::time::Duration;

use svc_store::error::{Refusal, Result};
use svc_store::{sql, values};
use svc_types::{Balance, Code, PositiveCredits, Timestamp, UserId};

pub use agents::{
    Covered, as_changed, caps_if_any, caps_of, caps_to_api, forget_of_agents, overdue_of_agents,
    refuse_overdue_of_agents, set_caps,
};

use crate::app::Ctx;
use crate::identity::{Account, SignedBy};
use crate::services::ledger::{self, Holder};
use crate::services::overdue;

/// The time that a daily cap bounds.
const DAY: Duration = Duration::from_hours(24);

/// Caps in micro-credits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caps {
    /// Most for an order, escrow or pass.
    pub per_order: Option<i64>,
    /// Most in 24 hours.
    pub per_day: Option<i64>,
}

impl Caps {
    /// The caps that a request asks for.
    pub fn of(per_order: Option<PositiveCredits>, per_day: Option<PositiveCredits>) -> Self {
        let micros = PositiveCredits::micros;
        Self { per_order: per_order.map(micros), per_day: per_day.map(micros) }
    }

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

    /// 409 if `who` may not hold so much more; `spent` says what it holds already.
    fn refuse_beyond(
        self,
        ctx: &mut Ctx<'_, '_>,
        who: &str,
        micros: i64,
        spent: impl FnOnce(&mut Ctx<'_, '_>) -> Result<i64>,
    ) -> Result<()> {
        if let Some(most) = self.per_order.filter(|most| micros > *most) {
            let most = Balance::from_micros(most);
            let hint = "choose something cheaper, or have the limit raised";
            let message = format!("{who} may spend at most {most} an order");
            return Err(refusal(&message).hint(hint).into());
        }
        let Some(most) = self.per_day else { return Ok(()) };
        let left = most - spent(ctx)?;
        if micros <= left {
            return Ok(());
        }
        let (most, left) = (Balance::from_micros(most), Balance::from_micros(left.max(0)));
        let message = format!("{who} may spend at most {most} in 24 hours");
        Err(refusal(&message).hint(format!("{left} are left")).into())
    }
}

fn refusal(message: &str) -> Refusal {
    Refusal::new(Code::SpendLimit, message)
}

/// Counts what the caller is about to hold for an order or escrow, or to pay for a pass; 409 beyond the
/// caps of its key, of itself, and of its owner. Without caps and owner there is nothing to count.
pub fn charge(ctx: &mut Ctx<'_, '_>, buyer: &Account, reference: &str, micros: i64) -> Result<()> {
    let key_id = capped_key(buyer).map(|(key_id, _)| key_id);
    if key_id.is_none() && buyer.owner.is_none() {
        return Ok(());
    }
    ledger::available_locked(ctx, &buyer.id)?;
    if let Some(owner) = &buyer.owner {
        agents::lock(ctx, &buyer.id, owner)?;
    }
    refuse_beyond(ctx, buyer, micros)?;
    if let Some(key_id) = key_id {
        let now = ctx.now();
        let sql = sql!("insert into key_hold (ref, key_id, amount, at) values ($1, $2, $3, $4)");
        ctx.tx.write(sql, values![reference, key_id, micros, now])?;
    }
    match &buyer.owner {
        Some(owner) => agents::count(ctx, &buyer.id, owner, reference, micros),
        None => Ok(()),
    }
}

/// 409 beyond these caps as they are now. It counts nothing, before a person is asked to pay: what holds the
/// credits judges again.
///
/// What expired deals gave back no longer counts, including those of the owner's other agents. Their balances are not
/// locked, and nothing is locked before a person is asked: a refusal is judged again once nothing is overdue.
pub fn refuse_beyond(ctx: &mut Ctx<'_, '_>, buyer: &Account, micros: i64) -> Result<()> {
    overdue::judged(ctx, &buyer.id, buyer.owner.as_ref(), |ctx| judge(ctx, buyer, micros))
}

fn judge(ctx: &mut Ctx<'_, '_>, buyer: &Account, micros: i64) -> Result<()> {
    if let Some((key_id, who)) = capped_key(buyer) {
        let spent = |ctx: &mut Ctx<'_, '_>| spent(ctx, &buyer.id, key_id);
        buyer.caps.refuse_beyond(ctx, who, micros, spent)?;
    }
    match &buyer.owner {
        Some(owner) => agents::judge(ctx, &buyer.id, owner, micros),
        None => Ok(()),
    }
}

/// The key or grant of a caller that has caps of its own, and what it is called.
fn capped_key(buyer: &Account) -> Option<(&str, &'static str)> {
    match &buyer.method {
        SignedBy::ApiKey(key_id) if buyer.caps.is_any() => Some((key_id.as_str(), "this API key")),
        SignedBy::Token(grant) if buyer.caps.is_any() => Some((grant.as_str(), "this program")),
        _ => None,
    }
}

/// The bounds of what a daily cap counts. Later entries are of a clock that was far ahead, and would count until then.
fn counted(ctx: &Ctx<'_, '_>) -> (Timestamp, Timestamp) {
    (ctx.now().minus(DAY), ctx.now().plus(DAY))
}

/// What a key holds or has paid of the last 24 hours, without what came back.
pub fn spent(ctx: &mut Ctx<'_, '_>, buyer: &UserId, key_id: &str) -> Result<i64> {
    let (since, far) = counted(ctx);
    ctx.tx.one(
        sql!(
            "select cast(coalesce(sum(h.amount - coalesce((
                select sum(e.amount) from ledger_transfer t
                join ledger_entry e on e.transfer = t.id and e.account = $1
                where t.kind = 'settle' and t.ref = h.ref), 0)), 0) as bigint)
             from key_hold h where h.key_id = $2 and h.at > $3 and h.at < $4"
        ),
        values![Holder::User(buyer).id(), key_id, since, far],
    )
}

/// Deletes what no cap counts any more.
pub fn forget(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before = ctx.now().minus(DAY);
    ctx.tx.execute(
        sql!(
            "delete from key_hold where ref in
             (select ref from key_hold where at <= $1 order by at limit $2)"
        ),
        values![before, most],
    )
}
