//! What is given up and forgotten with time, some rows at a time.

use std::time::Duration;

use svc_store::db::WEBHOOK_ATTEMPTS;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::{DeliveryId, RecoveryId};

use super::hold::HELD_MAX;
use crate::app::Ctx;
use crate::expired::Sweep;
use crate::ids;

/// Whether a delivery waits no more.
const IS_OVER: &str = "state not in ('pending', 'sending', 'held')";

/// How long a delivery is tried.
pub const OPEN_MAX: Duration = Duration::from_hours(7 * 24);

/// What is given up, and recoveries.
pub const SWEEPS: [Sweep; 3] = [cancel_held, fail_open, recoveries];

/// What goes after the partitions of attempts.
pub const LAST_SWEEPS: [Sweep; 2] = [deliveries, webhooks];

/// Cancels what was held for 72 hours. `cross join` keeps SQLite from reading all deliveries.
fn cancel_held(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let long_ago = ctx.now().minus(HELD_MAX);
    let first: DeliveryId = ids::first_of(long_ago.plus(Duration::from_millis(1)));
    ctx.tx.execute(
        sql!(
            "update webhook_delivery set state = 'cancelled'
             where state = 'held' and id in (
                select d.id from webhook w cross join webhook_delivery d
                where (w.disabled_at <= $1 or w.suspended_at <= $1)
                    and d.webhook = w.id and d.state = 'held' and d.id < $2
                limit $3)"
        ),
        values![long_ago, first, most],
    )
}

/// Ends what has not arrived within seven days.
fn fail_open(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let first: DeliveryId = ids::first_of(ctx.now().minus(OPEN_MAX));
    ctx.tx.execute(
        sql!(
            "update webhook_delivery set state = 'failed', next_attempt_at = null
             where state = 'pending' and id in (
                select d.id from webhook w cross join webhook_delivery d
                where d.webhook = w.id and d.state = 'pending' and d.id < $1
                limit $2)"
        ),
        values![first, most],
    )
}

/// Forgets old deliveries with their attempts: on PostgreSQL when the partition of the attempts was dropped, so
/// that only those outside of it are deleted here. What waits is not forgotten before it is given up.
fn deliveries(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before = ctx.now().minus(ctx.app.config.retention.deliveries);
    let first: DeliveryId = ids::first_of(ctx.tx.first_kept(WEBHOOK_ATTEMPTS, before));
    let old: Vec<DeliveryId> = ctx.tx.all(
        sql!(
            "select id from webhook_delivery where id < $1 and ",
            IS_OVER,
            " order by id limit $2"
        ),
        values![first, most],
    )?;
    let Some(last) = old.last() else { return Ok(0) };
    ctx.tx.execute(
        sql!(
            "delete from webhook_attempt where delivery in (
                select id from webhook_delivery where id <= $1 and ",
            IS_OVER,
            ")"
        ),
        values![last],
    )?;
    ctx.tx.execute(sql!("delete from webhook_delivery where id <= $1 and ", IS_OVER), values![last])
}

/// Forgets old recoveries.
fn recoveries(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before = ctx.now().minus(ctx.app.config.retention.deliveries);
    let first: RecoveryId = ids::first_of(before);
    ctx.tx.execute(
        sql!(
            "delete from webhook_recovery where id in (
                select id from webhook_recovery where id < $1 order by id limit $2)"
        ),
        values![first, most],
    )
}

/// Deletes the rows of deleted webhooks to which no delivery refers.
fn webhooks(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    ctx.tx.execute(
        sql!(
            "delete from webhook_recovery where webhook in (
                select id from webhook where deleted_at is not null)"
        ),
        values![],
    )?;
    ctx.tx.execute(
        sql!(
            "delete from webhook where id in (
                select w.id from webhook w
                where w.deleted_at is not null and not exists (
                    select 1 from webhook_delivery d where d.webhook = w.id)
                limit $1)"
        ),
        values![most],
    )
}
