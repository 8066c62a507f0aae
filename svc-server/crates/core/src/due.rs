//! What the clock moves: escrows, orders that nobody answered, what moderators did for a time, and
//! scheduled posts.
//!
//! No leader is needed. Whoever finds something overdue, a request or the sweeper of any server,
//! moves it in a guarded transaction; a second one then finds nothing to do.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::{Error, Overdue, Refusal, Result};
use svc_store::{sql, values};
use svc_types::{ActionId, Code, EscrowId, MessageId, ScheduledPostId, Timestamp};
use tokio::sync::watch;

use crate::app::{App, Ctx};
use crate::services::{escrow, moderation, scheduled, service_request};

/// Time between two sweeps.
const EVERY: Duration = Duration::from_secs(1);

/// Rows of one kind that a sweep looks up at once; each is moved in a transaction of its own.
const BATCH: i64 = 100;

/// Rows of one kind of an account moved before it is answered. The sweeper leaves few, so that this
/// is a bound for what it could not move in time.
const OF_ACCOUNT: i64 = 50;

/// How often a job is run anew because it found something overdue.
const TRIES: usize = 4;

/// Runs a job that only reads; what it finds overdue is moved before it runs again.
pub async fn read<T, F>(app: &Arc<App>, job: F) -> Result<T>
where
    T: Send + 'static,
    F: Fn(&mut Ctx<'_, '_>) -> Result<T> + Send + Sync + 'static,
{
    let job = Arc::new(job);
    let run = |due_by| {
        let job = Arc::clone(&job);
        app.read(move |ctx| job(ctx.due_by(due_by)))
    };
    until_advanced(app, run).await
}

/// Runs a job in a transaction of its own; what it finds overdue is moved, and that kept, before
/// it runs again.
pub async fn write<T, F>(app: &Arc<App>, job: F) -> Result<T>
where
    T: Send + 'static,
    F: Fn(&mut Ctx<'_, '_>) -> Result<T> + Send + Sync + 'static,
{
    let job = Arc::new(job);
    let run = |due_by| {
        let job = Arc::clone(&job);
        app.write(move |ctx| job(ctx.due_by(due_by)))
    };
    until_advanced(app, run).await
}

async fn until_advanced<T, R>(app: &Arc<App>, run: impl Fn(Option<Timestamp>) -> R) -> Result<T>
where
    R: Future<Output = Result<T>>,
{
    let mut due_by = None;
    for _ in 0..TRIES {
        match run(due_by).await {
            Err(Error::Overdue(overdue)) => due_by = advance_first(app, overdue, due_by).await?,
            done => return done,
        }
    }
    Err(not_advanced())
}

fn not_advanced() -> Error {
    let refusal = Refusal::new(Code::Overloaded, "too much falls due at this moment");
    refusal.retry_after(1).into()
}

/// Moves what a job found; the answer is the instant up to which the next try looks at lists and
/// balances. What falls due after the first try waits for the next call, or calls would not end.
async fn advance_first(
    app: &Arc<App>,
    overdue: Overdue,
    due_by: Option<Timestamp>,
) -> Result<Option<Timestamp>> {
    let due_by = due_by.unwrap_or_else(|| app.clock.now());
    advance(app, overdue).await?;
    Ok(Some(due_by))
}

/// Moves it. What an account has is moved one by one: a transaction that moved several would lock
/// the accounts of their other sides in no order.
async fn advance(app: &Arc<App>, overdue: Overdue) -> Result<()> {
    let Overdue::Account(account) = overdue else {
        return advance_one(app, overdue).await;
    };
    let load = move |ctx: &mut Ctx<'_, '_>| {
        let escrows = escrow::overdue(ctx, &account, OF_ACCOUNT)?.into_iter();
        let requests = service_request::overdue(ctx, &account, OF_ACCOUNT)?.into_iter();
        let posts = scheduled::overdue(ctx, &account, OF_ACCOUNT)?.into_iter();
        let deals = escrows.map(Overdue::Escrow).chain(requests.map(Overdue::Request));
        Ok(deals.chain(posts.map(Overdue::ScheduledPost)).collect::<Vec<_>>())
    };
    for overdue in app.read(load).await? {
        advance_one(app, overdue).await?;
    }
    Ok(())
}

async fn advance_one(app: &Arc<App>, overdue: Overdue) -> Result<()> {
    let move_it = move |ctx: &mut Ctx<'_, '_>| match &overdue {
        Overdue::Escrow(id) => escrow::advance_due(ctx, id),
        Overdue::Request(id) => service_request::expire(ctx, id),
        Overdue::ScheduledPost(id) => scheduled::publish_due(ctx, id),
        Overdue::Account(_) => Ok(()),
        Overdue::Measure(action) => moderation::expire(ctx, action),
    };
    app.write(move_it).await
}

/// Sweeps until `stop` turns true.
pub async fn run(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    loop {
        let next = app.clock.now().plus(EVERY);
        tokio::select! {
            () = app.clock.sleep_until(next) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
        if let Err(error) = sweep(&app).await {
            tracing::warn!(%error, "what is overdue could not be moved");
        }
    }
}

/// Moves all that is overdue by now. What can't be moved is logged, and stops nothing else.
pub async fn sweep(app: &Arc<App>) -> Result<()> {
    sweep_kind(app, escrows, |id| Overdue::Escrow(EscrowId::from(id))).await?;
    sweep_kind(app, requests, |id| Overdue::Request(MessageId::from(id))).await?;
    sweep_kind(app, measures, |id| Overdue::Measure(ActionId::from(id))).await?;
    sweep_kind(app, scheduled_posts, |id| Overdue::ScheduledPost(ScheduledPostId::from(id))).await
}

async fn sweep_kind(
    app: &Arc<App>,
    find: fn(&mut Ctx<'_, '_>, &Due) -> Result<Vec<Due>>,
    kind: fn(String) -> Overdue,
) -> Result<()> {
    let mut after = (Timestamp::from_millis(0), String::new());
    loop {
        let from = after.clone();
        let found = app.read(move |ctx| find(ctx, &from)).await?;
        let Some(last) = found.last() else { return Ok(()) };
        after = last.clone();
        for (_, id) in found {
            let overdue = kind(id);
            if let Err(error) = advance(app, overdue.clone()).await {
                tracing::error!(%error, ?overdue, "what is overdue stays so");
            }
        }
    }
}

/// When something falls due, and its id.
type Due = (Timestamp, String);

fn escrows(ctx: &mut Ctx<'_, '_>, after: &Due) -> Result<Vec<Due>> {
    let now = ctx.now();
    ctx.tx.all(
        sql!(
            "select due_at, id from escrow
             where due_at is not null and due_at <= $1 and (due_at, id) > ($2, $3)
             order by due_at, id limit $4"
        ),
        values![now, after.0, after.1, BATCH],
    )
}

fn requests(ctx: &mut Ctx<'_, '_>, after: &Due) -> Result<Vec<Due>> {
    let now = ctx.now();
    ctx.tx.all(
        sql!(
            "select due_at, id from service_request
             where due_at is not null and due_at <= $1 and (due_at, id) > ($2, $3)
             order by due_at, id limit $4"
        ),
        values![now, after.0, after.1, BATCH],
    )
}

fn measures(ctx: &mut Ctx<'_, '_>, after: &Due) -> Result<Vec<Due>> {
    let now = ctx.now();
    ctx.tx.all(
        sql!(
            "select expires_at, action from measure
             where expires_at is not null and expires_at <= $1 and (expires_at, action) > ($2, $3)
             order by expires_at, action limit $4"
        ),
        values![now, after.0, after.1, BATCH],
    )
}

fn scheduled_posts(ctx: &mut Ctx<'_, '_>, after: &Due) -> Result<Vec<Due>> {
    let now = ctx.now();
    ctx.tx.all(
        sql!(
            "select due_at, id from scheduled_post
             where due_at is not null and due_at <= $1 and (due_at, id) > ($2, $3)
             order by due_at, id limit $4"
        ),
        values![now, after.0, after.1, BATCH],
    )
}
