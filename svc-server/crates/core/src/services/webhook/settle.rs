//! What waits for a webhook follows it, some deliveries at a time: it is held while the webhook is down, goes
//! on when that is up again, and is cancelled with it.
//!
//! No delivery is sent before its webhook may be called, whatever its state. So the first batch is in the
//! transaction that changes the webhook, and a task does the others.

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::webhooks::DeliveryState;
use svc_types::{DeliveryId, Timestamp, WebhookId};

use super::delivery;
use super::hold::HELD_MAX;
use crate::app::Ctx;
use crate::ids;

/// Deliveries that change in one transaction, so that no other write waits long.
const BATCH: i64 = 1_000;

/// Larger than every id.
const ABOVE_ALL: &str = "~";

/// Holds what waits for a webhook that is locked and down.
pub(super) fn hold(ctx: &mut Ctx<'_, '_>, id: &WebhookId) -> Result<()> {
    let (now, is_more) = (ctx.now(), hold_some(ctx, id)?);
    note(ctx, id, is_more.then_some(now))
}

/// Lets what was held for less than 72 hours go on, and cancels the rest, of a webhook that is locked and up again.
pub(super) fn resume(ctx: &mut Ctx<'_, '_>, id: &WebhookId, down_since: Timestamp) -> Result<()> {
    let is_more = resume_some(ctx, id, down_since)?;
    note(ctx, id, is_more.then_some(down_since))
}

/// Cancels what waits for a webhook that is locked and deleted.
pub(super) fn cancel(ctx: &mut Ctx<'_, '_>, id: &WebhookId) -> Result<()> {
    let (now, is_more) = (ctx.now(), cancel_some(ctx, id)?);
    note(ctx, id, is_more.then_some(now))
}

/// Notes since when a webhook was down, while deliveries have yet to follow it.
fn note(ctx: &mut Ctx<'_, '_>, id: &WebhookId, unsettled_since: Option<Timestamp>) -> Result<()> {
    ctx.tx.write(
        sql!(
            "update webhook set unsettled_since = $1
             where id = $2 and coalesce(unsettled_since, cast($1 as bigint)) is not null"
        ),
        values![unsettled_since, id],
    )
}

/// A webhook that deliveries have yet to follow.
struct Unsettled {
    since: Timestamp,
    is_deleted: bool,
    is_down: bool,
}
row!(Unsettled {
    since: "unsettled_since",
    is_deleted: "deleted_at is not null",
    is_down: "status <> 'active' or suspended_at is not null",
});

/// Whether deliveries have yet to follow a webhook.
pub fn is_any(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    Ok(first(ctx)?.is_some())
}

fn first(ctx: &mut Ctx<'_, '_>) -> Result<Option<WebhookId>> {
    ctx.tx.optional(
        sql!(
            "select id from webhook where unsettled_since >= 0
             order by unsettled_since, id limit 1"
        ),
        values![],
    )
}

/// Lets some deliveries follow their webhook, where that is by now.
pub fn go_on(ctx: &mut Ctx<'_, '_>) -> Result<()> {
    let Some(id) = first(ctx)? else { return Ok(()) };
    ctx.tx.lock(sql!("select id from webhook where id = $1 for no key update"), values![id])?;
    // Another node may have settled it before the lock was free.
    let found: Option<Unsettled> = ctx.tx.optional(
        sql!(
            "select ",
            Unsettled::COLUMNS,
            " from webhook where id = $1 and unsettled_since is not null"
        ),
        values![id],
    )?;
    let Some(Unsettled { since, is_deleted, is_down }) = found else { return Ok(()) };
    let is_more = if is_deleted {
        cancel_some(ctx, &id)?
    } else if is_down {
        hold_some(ctx, &id)?
    } else {
        resume_some(ctx, &id, since)?
    };
    if is_more { Ok(()) } else { note(ctx, &id, None) }
}

/// Holds a batch; whether there may be more. `||` keeps SQLite from reading all that is pending.
fn hold_some(ctx: &mut Ctx<'_, '_>, id: &WebhookId) -> Result<bool> {
    let rows = ctx.tx.execute(
        sql!(
            "update webhook_delivery set state = 'held', next_attempt_at = null
             where state || '' = 'pending' and id in (
                select id from webhook_delivery where webhook = $1 and state = 'pending'
                order by id limit $2)"
        ),
        values![id, BATCH],
    )?;
    Ok(is_full(rows) || is_left(ctx, id, &DeliveryState::Pending, ABOVE_ALL)?)
}

/// What was there when the webhook went down is held since then, the rest since it was made.
fn resume_some(ctx: &mut Ctx<'_, '_>, id: &WebhookId, down_since: Timestamp) -> Result<bool> {
    let now = ctx.now();
    let long_ago = now.minus(HELD_MAX);
    if down_since <= long_ago {
        let kept: DeliveryId = ids::first_of(long_ago.plus(Duration::from_millis(1)));
        let cancelled = ctx.tx.execute(
            sql!(
                "update webhook_delivery set state = 'cancelled'
                 where state || '' = 'held' and id in (
                    select id from webhook_delivery
                    where webhook = $1 and state = 'held' and created_at <= $2
                    order by id limit $3)"
            ),
            values![id, long_ago, BATCH],
        )?;
        if is_full(cancelled) || is_left(ctx, id, &DeliveryState::Held, kept.as_str())? {
            // Some may never have been held.
            delivery::is_due(ctx, id)?;
            return Ok(true);
        }
    }
    let rows = ctx.tx.execute(
        sql!(
            "update webhook_delivery set state = 'pending', next_attempt_at = $1
             where state || '' = 'held' and id in (
                select id from webhook_delivery where webhook = $2 and state = 'held'
                order by id limit $3)"
        ),
        values![now, id, BATCH],
    )?;
    if rows > 0 {
        delivery::is_due(ctx, id)?;
    }
    Ok(is_full(rows) || is_left(ctx, id, &DeliveryState::Held, ABOVE_ALL)?)
}

fn cancel_some(ctx: &mut Ctx<'_, '_>, id: &WebhookId) -> Result<bool> {
    let rows = ctx.tx.execute(
        sql!(
            "update webhook_delivery set state = 'cancelled', next_attempt_at = null
             where state || '' in ('pending', 'held') and id in (
                select id from webhook_delivery
                where webhook = $1 and state in ('pending', 'held') limit $2)"
        ),
        values![id, BATCH],
    )?;
    Ok(is_full(rows)
        || is_left(ctx, id, &DeliveryState::Pending, ABOVE_ALL)?
        || is_left(ctx, id, &DeliveryState::Held, ABOVE_ALL)?)
}

/// Whether a delivery before an id is still in this state. A sweep may have changed some of a batch before the batch
/// could, so one that is not full need not be the last.
fn is_left(
    ctx: &mut Ctx<'_, '_>,
    id: &WebhookId,
    state: &DeliveryState,
    before: &str,
) -> Result<bool> {
    let found: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from webhook_delivery where webhook = $1 and state = $2 and id < $3 limit 1"
        ),
        values![id, state, before],
    )?;
    Ok(found.is_some())
}

const fn is_full(rows: u64) -> bool {
    rows >= BATCH.unsigned_abs()
}
