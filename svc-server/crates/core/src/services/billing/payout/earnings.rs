//! How many credits can be paid out.
//!
//! What an account earned and still has, without what it earned too recently, and without a part of
//! the last months as a reserve. What is spent counts against the oldest earnings.

use std::time::Duration;

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::owners::OWNED_MAX;
use svc_types::api::payouts::Earnings;
use svc_types::{Balance, Timestamp, UserId};

use crate::app::Ctx;
use crate::identity::Account;
use crate::services::ledger::earning::first_day;

/// The time whose earnings the reserve is a part of.
const RESERVED: Duration = Duration::from_hours(90 * 24);

/// What an account earned, in micro-credits.
#[derive(Clone, Debug)]
pub struct Earned {
    account: UserId,
    username: String,
    total: i64,
    held: i64,
    reserve: i64,
}
row!(Earned {
    account: "a.id",
    username: "a.username",
    total: "coalesce(l.earned, 0)",
    held:
        "cast(coalesce((
        select sum(e.credits) from earning e where e.account = a.id and e.day >= $1), 0) as bigint)",
    reserve: "cast(coalesce((
        select sum(e.credits) from earning e where e.account = a.id and e.day >= $2), 0) as bigint)
        * $3 / 100",
});

impl Earned {
    /// What can be paid out.
    pub fn redeemable(&self) -> i64 {
        self.total.saturating_sub(self.held).saturating_sub(self.reserve).max(0)
    }
}

impl From<Earned> for Earnings {
    fn from(earned: Earned) -> Self {
        let redeemable = Balance::from_micros(earned.redeemable());
        Self {
            account: earned.account,
            username: earned.username,
            earned: Balance::from_micros(earned.total),
            held: Balance::from_micros(earned.held.min(earned.total)),
            reserve: Balance::from_micros(earned.reserve),
            redeemable,
        }
    }
}

/// When the first days of the hold and of the reserve began, and its percentage.
fn bounds(ctx: &Ctx<'_, '_>) -> (Timestamp, Timestamp, i64) {
    let (now, payouts) = (ctx.now(), &ctx.app.config.payouts);
    (first_day(now, payouts.hold), first_day(now, RESERVED), i64::from(payouts.reserve))
}

/// What an account earned.
pub(super) fn of(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Earned> {
    let (held, reserved, percent) = bounds(ctx);
    let sql = sql!(
        "select ",
        Earned::COLUMNS,
        " from account a left join ledger_account l on l.id = 'user:' || a.id where a.id = $4"
    );
    let found = ctx.tx.optional(sql, values![held, reserved, percent, account])?;
    found.ok_or_else(|| Error::not_found("account"))
}

/// What a person and their agents earned.
pub fn of_all(ctx: &mut Ctx<'_, '_>, person: &Account) -> Result<Vec<Earnings>> {
    let (held, reserved, percent) = bounds(ctx);
    let most = i64::try_from(OWNED_MAX).map_err(Error::internal)? + 1;
    let found: Vec<Earned> = ctx.tx.all(
        sql!(
            "select ",
            Earned::COLUMNS,
            " from account a left join ledger_account l on l.id = 'user:' || a.id
             where a.id in (select $4 union all select id from account where owner = $4)
             order by a.is_agent, a.username limit $5"
        ),
        values![held, reserved, percent, person.id, most],
    )?;
    Ok(found.into_iter().map(Earnings::from).collect())
}
