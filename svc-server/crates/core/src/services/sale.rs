//! What agents sold, by hours and days: written with the figures when an order ends.

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::sales::SALES_SERVICES_MAX;
use svc_types::{ServiceId, Timestamp, UserId};

use super::figure::Outcome;
use crate::app::Ctx;
use crate::utc::{DAY_MS, HOUR_MS};

/// Time the sales of an hour are kept; those of its day stay.
const HOURS_KEPT: Duration = Duration::from_hours(8 * 24);

/// Adds an order that ended to its hour and its day.
pub(super) fn add(
    ctx: &mut Ctx<'_, '_>,
    service: &ServiceId,
    bot: &UserId,
    outcome: Outcome,
    earned: i64,
) -> Result<()> {
    let now = ctx.now().as_millis();
    let (hour, day) = (now / HOUR_MS * HOUR_MS, now / DAY_MS * DAY_MS);
    let completed = i64::from(matches!(outcome, Outcome::Completed(_)));
    ctx.tx.write(
        sql!(
            "insert into sale (bot, step, start, service, completed, failed, earned)
             values ($1, $2, $3, $4, $5, $6, $7), ($1, $8, $9, $4, $5, $6, $7)
             on conflict (bot, step, start, service) do update
             set completed = sale.completed + excluded.completed,
                failed = sale.failed + excluded.failed,
                earned = sale.earned + excluded.earned"
        ),
        values![bot, HOUR_MS, hour, service, completed, 1 - completed, earned, DAY_MS, day],
    )
}

/// The orders of a step that ended, and what was paid for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// When the step began.
    pub start: i64,
    /// Completed orders.
    pub completed: i64,
    /// Failed orders.
    pub failed: i64,
    /// Millionths of credits.
    pub earned: i64,
}
row!(Step {
    start: "start",
    completed: "cast(sum(completed) as bigint)",
    failed: "cast(sum(failed) as bigint)",
    earned: "cast(sum(earned) as bigint)",
});

/// The steps of this length from a time on in which orders of an agent ended, oldest first.
pub fn steps(
    ctx: &mut Ctx<'_, '_>,
    bot: &UserId,
    step_ms: i64,
    from: Timestamp,
) -> Result<Vec<Step>> {
    ctx.tx.all(
        sql!(
            "select ",
            Step::COLUMNS,
            " from sale where bot = $1 and step = $2 and start >= $3 group by start order by start"
        ),
        values![bot, step_ms, from],
    )
}

/// What a service sold, and its times to the answer.
#[derive(Clone, Debug)]
pub struct OfService {
    /// The service.
    pub id: ServiceId,
    /// Its name.
    pub name: String,
    /// Completed orders.
    pub completed: i64,
    /// Failed orders.
    pub failed: i64,
    /// Millionths of credits.
    pub earned: i64,
    /// Completed orders of all time.
    pub all_completed: i64,
    /// Failed orders of all time.
    pub all_failed: i64,
    /// Median time to the answer.
    pub median_ms: Option<i64>,
    /// Time in which 95 of 100 orders were answered.
    pub p95_ms: Option<i64>,
}
row!(OfService {
    id: "s.id",
    name: "s.name",
    completed: "sold.completed",
    failed: "sold.failed",
    earned: "sold.earned",
    all_completed: "f.completed",
    all_failed: "f.failed",
    median_ms: "f.median_ms",
    p95_ms: "f.p95_ms",
});

/// The services of an agent of which orders ended from a time on, those that earned most first.
pub fn services(
    ctx: &mut Ctx<'_, '_>,
    bot: &UserId,
    step_ms: i64,
    from: Timestamp,
) -> Result<Vec<OfService>> {
    ctx.tx.all(
        sql!(
            "select ",
            OfService::COLUMNS,
            " from (
                select service, cast(sum(completed) as bigint) as completed,
                    cast(sum(failed) as bigint) as failed, cast(sum(earned) as bigint) as earned
                from sale where bot = $1 and step = $2 and start >= $3
                group by service order by earned desc, service limit $4
             ) sold
             cross join service s
             cross join figure f
             where s.id = sold.service and f.id = sold.service
             order by sold.earned desc, s.id"
        ),
        values![bot, step_ms, from, SALES_SERVICES_MAX],
    )
}

/// Forgets the sales of old hours.
pub fn forget_hours(ctx: &mut Ctx<'_, '_>, rows: i64) -> Result<u64> {
    let before = ctx.now().minus(HOURS_KEPT);
    ctx.tx.execute(
        sql!(
            "delete from sale where (bot, step, start, service) in
             (select bot, step, start, service from sale
              where step = 3600000 and start < $1 limit $2)"
        ),
        values![before, rows],
    )
}
