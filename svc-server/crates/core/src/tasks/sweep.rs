//! Deletes expired rows: sessions, tokens, counters, stored idempotent responses, events,
//! notifications, viewers and webhook deliveries.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::endpoint::REPEATABLE_FOR;
use svc_types::{EventId, NotificationId};
use tokio_util::sync::CancellationToken;

use crate::app::{App, Ctx};
use crate::services::{analytics, attempt, channel, webhook};
use crate::{ids, tasks};

/// Time between two sweeps.
const EVERY: Duration = Duration::from_mins(10);

/// Rows of one table removed in one transaction, so that no other write waits long.
const BATCH: i64 = 1_000;

/// How long an expired identity token is kept, so that its use is answered with "expired".
const EXPIRED_TOKEN_RETENTION: Duration = Duration::from_hours(24);

/// Sweeps until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    tasks::every(EVERY, &app.clock, &stop, || async {
        if let Err(error) = once(&app).await {
            tracing::warn!(%error, "failed to remove expired rows");
        }
    })
    .await;
}

/// Deletes everything that has expired by now.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let sweeps: [fn(&mut Ctx<'_, '_>) -> Result<u64>; 6] =
        [sessions, identity_tokens, login_failures, idempotency_keys, events, notifications];
    // Deliveries first: an event stays while a delivery refers to it.
    for sweep in webhook::retain::SWEEPS {
        while app.write(move |ctx| sweep(ctx, BATCH)).await? >= BATCH.unsigned_abs() {}
    }
    for sweep in sweeps {
        while app.write(sweep).await? >= BATCH.unsigned_abs() {}
    }
    let forgets = analytics::FORGETS.into_iter().chain(channel::SWEEPS).chain(attempt::SWEEPS);
    for forget in forgets.chain([anonymous_responses as fn(&mut Ctx<'_, '_>, i64) -> Result<u64>]) {
        while app.write(move |ctx| forget(ctx, BATCH)).await? >= BATCH.unsigned_abs() {}
    }
    Ok(())
}

fn sessions(ctx: &mut Ctx<'_, '_>) -> Result<u64> {
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "delete from session where token_hash in
             (select token_hash from session where expires_at <= $1 limit $2)"
        ),
        values![now, BATCH],
    )
}

fn identity_tokens(ctx: &mut Ctx<'_, '_>) -> Result<u64> {
    let before = ctx.now().minus(EXPIRED_TOKEN_RETENTION);
    ctx.tx.execute(
        sql!(
            "delete from identity_token where token_hash in
             (select token_hash from identity_token where expires_at <= $1 limit $2)"
        ),
        values![before, BATCH],
    )
}

fn login_failures(ctx: &mut Ctx<'_, '_>) -> Result<u64> {
    let limits = &ctx.app.config.limits;
    let windows = [
        limits.sign_in.account_window,
        limits.sign_in.address_window,
        limits.sign_in.everywhere_window,
        limits.sign_up.window,
        limits.apps.window,
        limits.uploads.window,
    ];
    let longest = windows.into_iter().max().unwrap_or_default();
    let before = ctx.now().minus(longest);
    ctx.tx.execute(
        sql!(
            "delete from login_failure where id in
             (select id from login_failure where at <= $1 limit $2)"
        ),
        values![before, BATCH],
    )
}

fn idempotency_keys(ctx: &mut Ctx<'_, '_>) -> Result<u64> {
    let before = ctx.now().minus(ctx.app.config.retention.idempotency);
    ctx.tx.execute(
        sql!(
            "delete from idempotency where (principal, key) in
             (select principal, key from idempotency where created_at <= $1 limit $2)"
        ),
        values![before, BATCH],
    )
}

/// Deletes events, oldest first: their ids begin with their time. An event with an open webhook
/// delivery stays until the delivery succeeds or is given up.
fn events(ctx: &mut Ctx<'_, '_>) -> Result<u64> {
    let before = ctx.now().minus(ctx.app.config.retention.events);
    let first: EventId = ids::first_of(before);
    ctx.tx.execute(
        sql!(
            "delete from event where id in
             (select id from event e
              where e.id < $1 and not exists (
                select 1 from webhook_delivery d
                where d.event = e.id and d.state in ('pending', 'sending', 'held'))
              order by e.id limit $2)"
        ),
        values![first, BATCH],
    )
}

/// Deletes notifications, oldest first.
fn notifications(ctx: &mut Ctx<'_, '_>) -> Result<u64> {
    let before = ctx.now().minus(ctx.app.config.retention.notifications);
    let first: NotificationId = ids::first_of(before);
    ctx.tx.execute(
        sql!(
            "delete from notification where id in
             (select id from notification where id < $1 order by id limit $2)"
        ),
        values![first, BATCH],
    )
}

/// Deletes expired idempotent responses to anonymous callers.
fn anonymous_responses(ctx: &mut Ctx<'_, '_>, limit: i64) -> Result<u64> {
    let before = ctx.now().minus(REPEATABLE_FOR);
    ctx.tx.execute(
        sql!(
            "delete from idempotency where (principal, key) in
             (select principal, key from idempotency
              where principal >= 'anyone ' and principal < 'anyone!' and created_at <= $1 limit $2)"
        ),
        values![before, limit],
    )
}
