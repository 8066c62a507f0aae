//! Advances what is overdue because time has passed: escrows, unanswered orders, temporary moderation measures,
//! scheduled posts and pending changes of accounts.
//!
//! No leader is needed. A request or the sweeper of any server that finds an overdue item advances
//! it in a guarded transaction; a second one then finds nothing to do.

use std::sync::Arc;
use std::time::Duration;

use svc_store::db::{Freshness, Sql};
use svc_store::error::{Error, Overdue, Refusal, Result};
use svc_store::{sql, values};
use svc_types::{Code, Timestamp, UserId};
use tokio_util::sync::CancellationToken;

use crate::app::{App, Ctx};
use crate::job::{Job, Outcome, erased, typed};
use crate::services::{escrow, moderation, pending, scheduled, service_request, spend};
use crate::tasks::{Task, debts, tiers};

/// Does what fell due.
pub const TASK: Task =
    Task { name: "due", every: Duration::from_secs(1), failure: "failed to find overdue items" };

/// Rows of one kind that a sweep loads at once; each is advanced in a separate transaction.
const BATCH: i64 = 100;

/// Rows of one kind that are advanced for an account before its request is answered. The sweeper
/// leaves few, so this only bounds a backlog.
const OF_ACCOUNT: i64 = 50;

/// How often a job is run, counting the runs that find something overdue.
const TRIES: usize = 4;

/// A job that may run again.
type Repeatable = Arc<dyn Fn(&mut Ctx<'_, '_>) -> Result<Outcome> + Send + Sync>;

/// Runs a read-only job. What it finds overdue is advanced, and the job runs again.
pub async fn read<T, F>(app: &Arc<App>, job: F) -> Result<T>
where
    T: Send + 'static,
    F: Fn(&mut Ctx<'_, '_>) -> Result<T> + Send + Sync + 'static,
{
    read_erased(app, Arc::new(erased(job))).await.map(typed)
}

async fn read_erased(app: &Arc<App>, job: Repeatable) -> Result<Outcome> {
    let run = |due_by| app.read_erased(again(&job, due_by));
    until_advanced(app, run).await
}

/// The same for a caller who waits, within a limit of time.
pub async fn read_in_time<T, F>(app: &Arc<App>, job: F) -> Result<T>
where
    T: Send + 'static,
    F: Fn(&mut Ctx<'_, '_>) -> Result<T> + Send + Sync + 'static,
{
    read_as_fresh(app, Freshness::Latest, job).await
}

/// The same for a caller who need not see the latest. What is overdue is read again where it was advanced.
pub async fn read_as_fresh<T, F>(app: &Arc<App>, freshness: Freshness, job: F) -> Result<T>
where
    T: Send + 'static,
    F: Fn(&mut Ctx<'_, '_>) -> Result<T> + Send + Sync + 'static,
{
    read_as_fresh_erased(app, freshness, Arc::new(erased(job))).await.map(typed)
}

async fn read_as_fresh_erased(
    app: &Arc<App>,
    freshness: Freshness,
    job: Repeatable,
) -> Result<Outcome> {
    let run = |due_by: Option<Timestamp>| {
        let freshness = if due_by.is_none() { freshness } else { Freshness::Latest };
        app.read_in_time_erased(freshness, again(&job, due_by))
    };
    until_advanced(app, run).await
}

/// Runs a job in a transaction. What it finds overdue is advanced and committed, and the job runs
/// again.
pub async fn write<T, F>(app: &Arc<App>, job: F) -> Result<T>
where
    T: Send + 'static,
    F: Fn(&mut Ctx<'_, '_>) -> Result<T> + Send + Sync + 'static,
{
    write_erased(app, Arc::new(erased(job))).await.map(typed)
}

async fn write_erased(app: &Arc<App>, job: Repeatable) -> Result<Outcome> {
    let run = |due_by| app.write_erased(again(&job, due_by));
    until_advanced(app, run).await
}

/// One more run of a job, which considers what falls due up to this instant.
fn again(job: &Repeatable, due_by: Option<Timestamp>) -> Job {
    let job = Arc::clone(job);
    Box::new(move |ctx| job(ctx.due_by(due_by)))
}

async fn until_advanced<R>(app: &Arc<App>, run: impl Fn(Option<Timestamp>) -> R) -> Result<Outcome>
where
    R: Future<Output = Result<Outcome>>,
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

/// Advances what a job found. Returns the instant up to which the next try considers lists and
/// balances: what falls due after the first try is left to the next call, or calls would not end.
async fn advance_first(
    app: &Arc<App>,
    overdue: Overdue,
    due_by: Option<Timestamp>,
) -> Result<Option<Timestamp>> {
    let due_by = due_by.unwrap_or_else(|| app.clock.now());
    advance(app, overdue).await?;
    Ok(Some(due_by))
}

/// Advances one item, or those of an account or of the agents of an owner one by one: a transaction that advanced
/// several would lock the accounts of their other parties in arbitrary order.
async fn advance(app: &Arc<App>, overdue: Overdue) -> Result<()> {
    let items = match overdue {
        Overdue::Account(account) => app.read(move |ctx| of_account(ctx, &account)).await?,
        Overdue::AgentsOf(owner) => {
            app.read(move |ctx| spend::overdue_of_agents(ctx, &owner, OF_ACCOUNT)).await?
        }
        Overdue::Term(term) => {
            app.embeddings.learn(term, &app.clock).await;
            return Ok(());
        }
        _ => return advance_one(app, overdue).await,
    };
    for overdue in items {
        advance_one(app, overdue).await?;
    }
    Ok(())
}

/// What is overdue of an account.
fn of_account(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Vec<Overdue>> {
    let escrows = escrow::overdue(ctx, account, OF_ACCOUNT)?.into_iter();
    let requests = service_request::overdue(ctx, account, OF_ACCOUNT)?.into_iter();
    let posts = scheduled::overdue(ctx, account, OF_ACCOUNT)?.into_iter();
    let deals = escrows.map(Overdue::Escrow).chain(requests.map(Overdue::Request));
    Ok(deals.chain(posts.map(Overdue::ScheduledPost)).collect())
}

async fn advance_one(app: &Arc<App>, overdue: Overdue) -> Result<()> {
    let advance = move |ctx: &mut Ctx<'_, '_>| match &overdue {
        Overdue::Escrow(id) => escrow::advance_due(ctx, id),
        Overdue::Request(id) => service_request::expire(ctx, id),
        Overdue::ScheduledPost(id) => scheduled::publish_due(ctx, id),
        Overdue::Change(id) => pending::carry_out(ctx, id),
        Overdue::Account(_) | Overdue::AgentsOf(_) | Overdue::Term(_) => Ok(()),
        Overdue::Measure(action) => moderation::expire(ctx, action),
    };
    app.write(advance).await
}

/// Sweeps until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    TASK.repeat(&app, &stop, || sweep(&app)).await;
}

/// Something that falls due by itself: the statement that finds it, and what it is.
struct Kind {
    /// Finds when rows fell due and their ids, after `($2, $3)` and in that order.
    find: Sql,
    of_id: fn(String) -> Overdue,
}

macro_rules! kind {
    ($overdue:path: $table:literal, $due_at:literal, $id:literal) => {
        Kind {
            find: sql!(
                "select ",
                $due_at,
                ", ",
                $id,
                " from ",
                $table,
                " where ",
                $due_at,
                " is not null and ",
                $due_at,
                " <= $1
                    and (",
                $due_at,
                ", ",
                $id,
                ") > ($2, $3)
                 order by ",
                $due_at,
                ", ",
                $id,
                " limit $4"
            ),
            of_id: |id| $overdue(id.into()),
        }
    };
}

const KINDS: [Kind; 5] = [
    kind!(Overdue::Escrow: "escrow", "due_at", "id"),
    kind!(Overdue::Request: "service_request", "due_at", "id"),
    kind!(Overdue::Measure: "measure", "expires_at", "action"),
    kind!(Overdue::ScheduledPost: "scheduled_post", "due_at", "id"),
    kind!(Overdue::Change: "pending_change", "due_at", "id"),
];

/// Advances everything that is overdue by now. An item that fails is logged and skipped.
pub async fn sweep(app: &Arc<App>) -> Result<()> {
    for kind in &KINDS {
        sweep_kind(app, kind).await?;
    }
    debts::sweep(app).await?;
    tiers::sweep(app).await
}

async fn sweep_kind(app: &Arc<App>, kind: &'static Kind) -> Result<()> {
    let mut after = (Timestamp::from_millis(0), String::new());
    loop {
        let from = after.clone();
        let found: Vec<(Timestamp, String)> = app
            .read(move |ctx| ctx.tx.all(kind.find, values![ctx.now(), from.0, from.1, BATCH]))
            .await?;
        let Some(last) = found.last() else { return Ok(()) };
        after = last.clone();
        for (_, id) in found {
            let overdue = (kind.of_id)(id);
            if let Err(error) = advance(app, overdue.clone()).await {
                tracing::error!(%error, ?overdue, "failed to process an overdue item");
            }
        }
    }
}
