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

/// Holds what waits for a webhook that is locked and down. What has yet to follow from before stays noted.
pub(super) fn hold(ctx: &mut Ctx<'_, '_>, id: &WebhookId) -> Result<()> {
    let now = ctx.now();
    if hold_some(ctx, id)? { note_unsettled(ctx, id, now) } else { Ok(()) }
}

/// Lets what was held for less than 72 hours go on, and cancels the rest, of a webhook that is locked and up again.
pub(super) fn resume(ctx: &mut Ctx<'_, '_>, id: &WebhookId, held_since: Timestamp) -> Result<()> {
    if resume_some(ctx, id, held_since)? {
        note_unsettled(ctx, id, held_since)
    } else {
        mark_settled(ctx, id)
    }
}

/// Cancels what waits for a webhook that is locked and deleted.
pub(super) fn cancel(ctx: &mut Ctx<'_, '_>, id: &WebhookId) -> Result<()> {
    let now = ctx.now();
    if cancel_some(ctx, id)? { note_unsettled(ctx, id, now) } else { mark_settled(ctx, id) }
}

/// Notes since when a webhook was down that deliveries have yet to follow. If they had yet to follow it before, the
/// earlier time counts: some have been held since then.
fn note_unsettled(ctx: &mut Ctx<'_, '_>, id: &WebhookId, since: Timestamp) -> Result<()> {
    ctx.tx.write(
        sql!(
            "update webhook set unsettled_since = $1
             where id = $2 and (unsettled_since is null or unsettled_since > $1)"
        ),
        values![since, id],
    )
}

/// Notes that all deliveries have followed a webhook.
fn mark_settled(ctx: &mut Ctx<'_, '_>, id: &WebhookId) -> Result<()> {
    let sql = sql!(
        "update webhook set unsettled_since = null where id = $1 and unsettled_since is not null"
    );
    ctx.tx.write(sql, values![id])
}

/// A webhook that deliveries have yet to follow, and since when it was down.
pub type Waiting = (Timestamp, WebhookId);

/// The next webhook that deliveries have yet to follow, the one that was down first before others.
pub fn next(ctx: &mut Ctx<'_, '_>, after: &Waiting) -> Result<Option<Waiting>> {
    ctx.tx.optional(
        sql!(
            "select unsettled_since, id from webhook
             where unsettled_since is not null and (unsettled_since, id) > ($1, $2)
             order by unsettled_since, id limit 1"
        ),
        values![after.0, after.1],
    )
}

/// The state of such a webhook.
struct Unsettled {
    since: Timestamp,
    is_deleted: bool,
    disabled_at: Option<Timestamp>,
    suspended_at: Option<Timestamp>,
}
row!(Unsettled {
    since: "unsettled_since",
    is_deleted: "deleted_at is not null",
    disabled_at: "disabled_at",
    suspended_at: "suspended_at",
});

/// Lets some deliveries follow a webhook, where that is by now; whether there may be more.
pub fn go_on(ctx: &mut Ctx<'_, '_>, id: &WebhookId) -> Result<bool> {
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
    let Some(unsettled) = found else { return Ok(false) };
    let is_more = follow(ctx, id, &unsettled)?;
    if !is_more {
        mark_settled(ctx, id)?;
    }
    Ok(is_more)
}

/// Lets a batch follow; whether there may be more.
fn follow(ctx: &mut Ctx<'_, '_>, id: &WebhookId, webhook: &Unsettled) -> Result<bool> {
    if webhook.is_deleted {
        return cancel_some(ctx, id);
    }
    match webhook.disabled_at.into_iter().chain(webhook.suspended_at).min() {
        // It may have been up for a moment. What had been held for too long until then is cancelled.
        Some(down) => Ok(cancel_old(ctx, id, webhook.since, down)? || hold_some(ctx, id)?),
        None => resume_some(ctx, id, webhook.since),
    }
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
    Ok(is_full(rows) || is_left(ctx, id, &DeliveryState::Pending, ids::LAST)?)
}

/// Cancels a batch of what had been held for 72 hours at an instant; whether there may be more. What was there when
/// the webhook went down is held since then, the rest since it was made.
fn cancel_old(
    ctx: &mut Ctx<'_, '_>,
    id: &WebhookId,
    held_since: Timestamp,
    until: Timestamp,
) -> Result<bool> {
    let long_ago = until.minus(HELD_MAX);
    if held_since > long_ago {
        return Ok(false);
    }
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
    Ok(is_full(cancelled) || is_left(ctx, id, &DeliveryState::Held, kept.as_str())?)
}

/// Lets a batch go on, once what was held for too long is cancelled; whether there may be more.
fn resume_some(ctx: &mut Ctx<'_, '_>, id: &WebhookId, held_since: Timestamp) -> Result<bool> {
    let now = ctx.now();
    if cancel_old(ctx, id, held_since, now)? {
        // Some may never have been held.
        delivery::mark_due(ctx, id)?;
        return Ok(true);
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
        delivery::mark_due(ctx, id)?;
    }
    Ok(is_full(rows) || is_left(ctx, id, &DeliveryState::Held, ids::LAST)?)
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
        || is_left(ctx, id, &DeliveryState::Pending, ids::LAST)?
        || is_left(ctx, id, &DeliveryState::Held, ids::LAST)?)
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
