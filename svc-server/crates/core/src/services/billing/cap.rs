//! How much an account can buy in a day, by card or with tokens.

use std::time::Duration;

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::{Code, PaymentId, UserId};

use crate::app::Ctx;
use crate::identity::Account;
use crate::ids;
use crate::services::trust::{self, Trust};

/// The time that the cap counts.
const DAY: Duration = Duration::from_hours(24);

/// How much an account can spend on credits in 24 hours, in the smallest unit of the currency.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cap {
    /// How much in all.
    most: i64,
    /// How much of that is left.
    pub(super) left: i64,
    /// Whether it is that of an owner and its agents together.
    is_shared: bool,
}

impl Cap {
    /// The cap at this level of trust, less what was bought.
    fn new(ctx: &Ctx<'_, '_>, trust: Trust, bought: i64, is_shared: bool) -> Self {
        let config = &ctx.app.config;
        let most = config.credits.per_day(trust, &config.billing);
        Self { most, left: most.saturating_sub(bought).max(0), is_shared }
    }

    /// 409 for a price beyond what is left.
    fn refusal(self, ctx: &Ctx<'_, '_>) -> Error {
        let billing = &ctx.app.config.billing;
        let most = self.most / billing.minor_units();
        let currency = billing.currency.to_uppercase();
        let hint = if self.is_shared {
            format!(
                "at most {most} {currency} in 24 hours, an owner and its agents together; open payments count"
            )
        } else {
            format!("at most {most} {currency} in 24 hours; open payments count")
        };
        let message =
            "the price must be at most what the account can still spend on credits in 24 hours";
        Refusal::new(Code::LimitReached, message).hint(hint).into()
    }
}

/// Locks the buyer and its owner, so that purchases under one cap begin one after another and count each
/// other. Returns the buyer with its present owner; 404 if it was deleted.
pub(super) fn lock(ctx: &mut Ctx<'_, '_>, buyer: &Account) -> Result<Account> {
    let known = owner_of(ctx, &buyer.id)?;
    ctx.tx.lock(
        sql!("select id from account where id in ($1, $2) order by id for no key update"),
        values![buyer.id, known],
    )?;
    // Again behind the lock, without which no account gets or loses an owner.
    let owner = owner_of(ctx, &buyer.id)?;
    if owner != known {
        let sql = sql!("select id from account where id = $1 for no key update");
        ctx.tx.lock(sql, values![owner])?;
    }
    Ok(Account { owner, ..buyer.clone() })
}

/// The owner of an account that was not deleted.
fn owner_of(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Option<UserId>> {
    let sql = sql!("select owner from account where id = $1 and deleted_at is null");
    let found: Option<Option<UserId>> = ctx.tx.optional(sql, values![account])?;
    found.ok_or_else(|| Error::not_found("account"))
}

/// 409 beyond what an account can buy in 24 hours, for a price in the smallest unit.
pub(super) fn refuse_beyond(ctx: &mut Ctx<'_, '_>, buyer: &Account, amount: i64) -> Result<()> {
    let cap = of(ctx, buyer)?;
    if amount <= cap.left { Ok(()) } else { Err(cap.refusal(ctx)) }
}

/// The tighter of an account's caps. What an owner and its agents buy counts together, up to what the
/// more trusted of owner and buyer can buy; an agent has a cap of its own besides.
pub(super) fn of(ctx: &mut Ctx<'_, '_>, buyer: &Account) -> Result<Cap> {
    let own = trust::of(ctx, buyer)?;
    let shared = match &buyer.owner {
        Some(owner) => own.max(trust::of_owner(ctx, owner)?),
        None => own,
    };
    let (alone, together) = bought(ctx, buyer)?;
    let alone = Cap::new(ctx, own, alone, false);
    let together = Cap::new(ctx, shared, together, true);
    Ok(if together.left < alone.left { together } else { alone })
}

/// What an account bought in the last 24 hours, and what it, its owner and the owner's agents bought
/// together. Open payments count. Those dated by a clock that was far ahead don't: they would count until then.
fn bought(ctx: &mut Ctx<'_, '_>, buyer: &Account) -> Result<(i64, i64)> {
    // Ids stay ahead after a clock was, so they don't tell which payments are old.
    let (since, far) = (ctx.now().minus(DAY), ctx.now().plus(DAY));
    let first: PaymentId = ids::first_of(since.plus(Duration::from_millis(1)));
    let owner = buyer.owner.as_ref().unwrap_or(&buyer.id);
    ctx.tx.one(
        sql!(
            "select cast(coalesce(sum(case when account = $1 then price else 0 end), 0) as bigint),
                cast(coalesce(sum(price), 0) as bigint)
             from (
                select account, case when currency = 'usdc' then (amount + 9999) / 10000
                    else amount end as price
                from payment
                where account in (select $2 union all select id from account where owner = $2)
                    and id >= $3 and created_at > $4 and created_at < $5 and status <> 'expired'
             ) bought"
        ),
        values![buyer.id, owner, first, since, far],
    )
}
