//! Deletes expired rows: sessions, tokens, ceremonies, counters, stored idempotent responses, events,
//! notifications, viewers and webhook deliveries. It also ends grants of deleted apps, takes back reactions of
//! blocked accounts, makes work due that a wrong clock put off, gives tiers back that it ended, gives open disputes the
//! time that the settings say, and makes and drops partitions on PostgreSQL.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use svc_store::db::{IDEMPOTENCY, PARTITIONED, WEBHOOK_ATTEMPTS};
use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::{Code, EventId, UserId};
use tokio_util::sync::CancellationToken;

use crate::app::{App, Ctx};
use crate::expired::Sweep;
use crate::ids;
use crate::services::notification::unread;
use crate::services::oauth::{self, deleted_app, signing};
use crate::services::{
    analytics, attempt, channel, developer_app, escrow, export, invite, link, login_step, mail,
    media, order, owner, passkey, proof, relation, revocation, sale, security, spend, webhook,
    wrong_clock,
};
use crate::tasks::{Task, node, tiers};

/// Removes what expired.
pub const TASK: Task = Task {
    name: "sweep",
    every: Duration::from_mins(10),
    failure: "failed to remove expired rows",
};

/// Rows of one table removed in one transaction, so that no other write waits long.
const BATCH: i64 = 1_000;

/// How long an expired identity token is kept, so that its use is answered with "expired".
const EXPIRED_TOKEN_RETENTION: Duration = Duration::from_hours(24);

/// Sweeps of one table each, in this order.
const OWN: [Sweep; 22] = [
    wrong_clock::make_due,
    escrow::reschedule_disputes,
    sessions,
    identity_tokens,
    anonymous_responses,
    link::forget_expired,
    passkey::forget,
    login_step::forget,
    developer_app::forget_old_keys,
    mail::forget,
    mail::forget_unsent,
    mail::forget_entry_mails,
    media::forget_unattached,
    security::forget,
    spend::forget,
    spend::forget_of_agents,
    owner::forget_links,
    invite::forget_expired,
    proof::forget,
    revocation::forget,
    order::forget_partials,
    sale::forget_hours,
];

/// Sweeps until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    let round = || {
        node::warn_of_standing_clock(&app);
        once(&app)
    };
    TASK.repeat(&app, &stop, round).await;
}

/// Deletes everything that has expired by now. A step that fails stops no other; then the round fails after them.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let mut round = Ok(());
    make_partitions(app).await;
    let make_due = |ctx: &mut Ctx<'_, '_>| wrong_clock::make_webhook_due(ctx, BATCH);
    note(&mut round, until_none(app, make_due).await)?;
    // Deliveries first: an event stays while one waits.
    let next: [Sweep; 3] = [login_failures, events, notifications];
    for sweep in webhook::retain::SWEEPS.into_iter().chain(next) {
        note(&mut round, sweep_all(app, sweep).await)?;
    }
    note(&mut round, tiers::give_back(app).await)?;
    for step in [export::expire, deleted_app::end_some, relation::finish_block] {
        note(&mut round, until_none(app, step).await)?;
    }
    note(&mut round, renew_signing_keys(app).await)?;
    let shared = analytics::SWEEPS.into_iter().chain(channel::SWEEPS).chain(attempt::SWEEPS);
    let shared = shared.chain(oauth::SWEEPS);
    for sweep in shared.chain(OWN) {
        note(&mut round, sweep_all(app, sweep).await)?;
    }
    note(&mut round, sweep_partitions(app).await)?;
    round
}

/// Keeps the first failure of a round, and logs the others. Without a database the round ends here.
fn note(round: &mut Result<()>, done: Result<()>) -> Result<()> {
    let Err(error) = done else { return Ok(()) };
    if error.code() == Code::StorageUnavailable {
        return Err(error);
    }
    if round.is_ok() {
        *round = Err(error);
    } else {
        tracing::warn!(%error, task = TASK.name, "{}", TASK.failure);
    }
    Ok(())
}

/// Repeats a step until nothing is left for it.
async fn until_none(app: &Arc<App>, step: fn(&mut Ctx<'_, '_>) -> Result<bool>) -> Result<()> {
    while app.write(step).await? {}
    Ok(())
}

/// Makes the next signing keys, where there are some.
async fn renew_signing_keys(app: &Arc<App>) -> Result<()> {
    if app.read(signing::is_any).await? { signing::ensure(app).await } else { Ok(()) }
}

/// Drops partitions, then rows. If that fails, what is in partitions is not deleted row by row instead: a later sweep
/// drops them.
async fn sweep_partitions(app: &Arc<App>) -> Result<()> {
    drop_partitions(app).await?;
    for sweep in webhook::retain::LAST_SWEEPS.into_iter().chain([idempotency_keys as Sweep]) {
        sweep_all(app, sweep).await?;
    }
    Ok(())
}

/// Repeats a sweep until it finds less than a full batch.
async fn sweep_all(app: &Arc<App>, sweep: Sweep) -> Result<()> {
    while app.write(move |ctx| sweep(ctx, BATCH)).await? >= BATCH.unsigned_abs() {}
    Ok(())
}

/// Makes partitions ahead of time. Until that succeeds, rows without one lie in the default partition.
async fn make_partitions(app: &Arc<App>) {
    for table in PARTITIONED {
        if let Err(error) = app.write(move |ctx| ctx.tx.make_partitions(table)).await {
            tracing::warn!(%error, table = table.name(), "failed to make partitions");
        }
    }
}

/// Drops the partitions whose every row has expired.
async fn drop_partitions(app: &Arc<App>) -> Result<()> {
    let retention = &app.config.retention;
    for (table, time) in
        [(IDEMPOTENCY, retention.idempotency), (WEBHOOK_ATTEMPTS, retention.deliveries)]
    {
        let drop_one = move |ctx: &mut Ctx<'_, '_>| {
            let kept = ctx.now().minus(time);
            ctx.tx.drop_partition(table, kept)
        };
        while app.write(drop_one).await? {}
    }
    Ok(())
}

forget_expired! {
    /// Deletes sessions that have ended.
    fn sessions: "session" by "token_hash"
}

forget_expired! {
    /// Deletes identity tokens whose use is no longer answered with "expired".
    fn identity_tokens: "identity_token" by "token_hash" after EXPIRED_TOKEN_RETENTION
}

/// Deletes attempts that no window counts any more.
fn login_failures(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let limits = &ctx.app.config.limits;
    let windows = [
        limits.sign_in.account_window,
        limits.sign_in.address_window,
        limits.sign_in.everywhere_window,
        limits.sign_up.window,
        limits.apps.window,
        limits.mails.window,
        limits.resets.window,
        limits.uploads.window,
        attempt::HOUR,
    ];
    let longest = windows.into_iter().max().unwrap_or_default();
    let before = ctx.now().minus(longest);
    ctx.tx.execute(
        sql!(
            "delete from login_failure where id in
             (select id from login_failure where at <= $1 limit $2)"
        ),
        values![before, most],
    )
}

/// Deletes stored responses; those in a partition of PostgreSQL wait until it is dropped.
fn idempotency_keys(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before = ctx.now().minus(ctx.app.config.retention.idempotency);
    let before = ctx.tx.first_kept(IDEMPOTENCY, before);
    ctx.tx.execute(
        sql!(
            "delete from idempotency where id in
             (select id from (select id, created_at from idempotency order by id limit $1) as oldest
              where created_at <= $2)"
        ),
        values![most, before],
    )
}

/// Deletes events, oldest first: their ids begin with their time. An event with an open webhook
/// delivery stays until the delivery succeeds or is given up.
fn events(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before = ctx.now().minus(ctx.app.config.retention.events);
    let first: EventId = ids::first_of(before);
    let swept: Vec<(String, i64)> = ctx.tx.all(
        sql!(
            "delete from event where id in
             (select id from event e
              where e.id < $1 and not exists (
                select 1 from webhook_delivery d
                where d.event = e.id and d.state in ('pending', 'sending', 'held'))
              order by e.id limit $2)
             returning stream, seq"
        ),
        values![first, most],
    )?;
    let count = swept.len() as u64;
    // In one order, so that two servers do not deadlock.
    let mut last: BTreeMap<String, i64> = BTreeMap::new();
    for (stream, seq) in swept {
        let last = last.entry(stream).or_default();
        *last = seq.max(*last);
    }
    for (stream, seq) in last {
        let sql = sql!("update event_head set swept_seq = $1 where stream = $2 and swept_seq < $1");
        ctx.tx.execute(sql, values![seq, stream])?;
    }
    Ok(count)
}

/// Deletes notifications, oldest first, with the numbers of events that were swept before. One whose event stays, for
/// a webhook, stays too: numbers have no gaps.
fn notifications(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before = ctx.now().minus(ctx.app.config.retention.notifications);
    let first: EventId = ids::first_of(before);
    // Counters of events are locked before the rows, in one order, as when they are marked as read.
    ctx.tx.lock(
        sql!(
            "select stream from event_head where stream in (
                select n.account from account_event n
                where n.event < $1 and not exists (select 1 from event e where e.id = n.event)
                order by n.event limit $2)
             order by stream for update"
        ),
        values![first, most],
    )?;
    let swept: Vec<Swept> = ctx.tx.all(
        sql!(
            "delete from account_event where event in
             (select n.event from account_event n
              where n.event < $1 and not exists (select 1 from event e where e.id = n.event)
              order by n.event limit $2)
             returning account, type, listed = true and read = false and seq > (
                select read_seq from event_head where stream = account_event.account)"
        ),
        values![first, most],
    )?;
    let count = swept.len() as u64;
    let unread = swept.into_iter().filter(|swept| swept.is_unread);
    unread::subtract_each(ctx, unread.map(|swept| (swept.account, swept.kind)))?;
    Ok(count)
}

/// A notification that was deleted.
struct Swept {
    account: UserId,
    kind: String,
    is_unread: bool,
}
row!(Swept { account, kind, is_unread });

/// Deletes expired idempotent responses to anonymous callers.
fn anonymous_responses(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "delete from idempotency where id in
             (select id from idempotency where expires_at <= $1 limit $2)"
        ),
        values![now, most],
    )
}
