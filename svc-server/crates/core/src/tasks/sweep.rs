//! Removes what has expired: sessions, tokens, counters, answers kept for their keys, events,
//! notices, who viewed what, what was sent to webhooks.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::endpoint::REPEATABLE_FOR;
use svc_types::{EventId, NotificationId};
use tokio::sync::watch;

use crate::app::{App, Ctx};
use crate::ids;
use crate::services::{analytics, attempt, channel, webhook};

/// Time between two sweeps.
const EVERY: Duration = Duration::from_mins(10);

/// Rows of one table removed in one transaction, so that no other write waits long.
const BATCH: i64 = 1_000;

/// Time an expired identity token is kept, so that "expired" can be said.
const EXPIRED_TOKEN_KEPT: Duration = Duration::from_hours(24);

/// Sweeps until `stop` turns true.
pub async fn run(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    loop {
        let next = app.clock.now().plus(EVERY);
        tokio::select! {
            () = app.clock.sleep_until(next) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
        if let Err(error) = once(&app).await {
            tracing::warn!(%error, "expired rows could not be removed");
        }
    }
}

/// Removes all that has expired by now.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let scripts: [fn(&mut Ctx<'_, '_>) -> Result<u64>; 6] =
        [sessions, identity_tokens, login_failures, idempotency_keys, events, notifications];
    // Deliveries first: an event is kept while it is on its way.
    for sweep in webhook::retain::SWEEPS {
        while app.write(move |ctx| sweep(ctx, BATCH)).await? >= BATCH.unsigned_abs() {}
    }
    for script in scripts {
        while app.write(script).await? >= BATCH.unsigned_abs() {}
    }
    let forgets = analytics::FORGETS.into_iter().chain(channel::SWEEPS).chain(attempt::SWEEPS);
    for forget in forgets.chain([repeatable_answers as fn(&mut Ctx<'_, '_>, i64) -> Result<u64>]) {
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
    let before = ctx.now().minus(EXPIRED_TOKEN_KEPT);
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

/// Events, oldest first: their ids begin with their instant. One that is on its way to a webhook
/// stays until it has arrived or was given up.
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

/// Notices, oldest first.
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

/// Forgets the answers to anonymous callers whose time is over.
fn repeatable_answers(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before = ctx.now().minus(REPEATABLE_FOR);
    ctx.tx.execute(
        sql!(
            "delete from idempotency where (principal, key) in
             (select principal, key from idempotency
              where principal >= 'anyone ' and principal < 'anyone!' and created_at <= $1 limit $2)"
        ),
        values![before, most],
    )
}
