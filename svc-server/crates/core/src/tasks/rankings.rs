//! Computes the leaderboards every few minutes.
//!
//! No leader is needed. Any server computes the lists that are due; of two that do so at once, the
//! first stores its lists, and the second finds them fresh.

use std::sync::Arc;

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::Timestamp;
use svc_types::api::leaderboard::Metric;
use tokio_util::sync::CancellationToken;

use crate::app::{App, Ctx};
use crate::services::leaderboard::{self, Computed, EVERY, METRICS};
use crate::tasks::Task;

/// Computes the leaderboards that are due.
const TASK: Task =
    Task { name: "rankings", every: EVERY, failure: "failed to compute the leaderboard" };

/// Accounts per transaction, so that no other write waits long.
const BATCH: usize = 200;

/// Computes until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    TASK.note_done(&app);
    loop {
        let next = app.clock.now().plus(EVERY);
        let next = oldest(&app).await.map_or(next, |oldest| oldest.plus(EVERY).min(next));
        if stop.run_until_cancelled(app.clock.sleep_until(next)).await.is_none() {
            return;
        }
        if !TASK.round(&app, once(&app)).await {
            // The lists are still overdue, so that the next round would begin at once.
            let later = app.clock.now().plus(EVERY);
            if stop.run_until_cancelled(app.clock.sleep_until(later)).await.is_none() {
                return;
            }
        }
    }
}

/// When the oldest list was computed; `None` if there is none or it can't be read.
async fn oldest(app: &Arc<App>) -> Option<Timestamp> {
    let load = |ctx: &mut Ctx<'_, '_>| {
        ctx.tx
            .one::<Option<Timestamp>>(sql!("select min(generated_at) from leaderboard"), values![])
    };
    app.read(load).await.ok().flatten()
}

/// Computes the lists before the first request, unless there are some. If that fails, the rest is served all the same.
pub async fn at_start(app: &Arc<App>) {
    if oldest(app).await.is_none() {
        TASK.round(app, once(app)).await;
    }
}

/// Computes the lists that are due. If those of a metric fail, the round fails after the others.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let mut computed = Ok(());
    for metric in METRICS {
        computed = computed.and(of_metric(app, metric).await);
    }
    computed
}

/// Computes the lists of a metric that are due, on a snapshot of its own: no other read waits for all of them.
async fn of_metric(app: &Arc<App>, metric: Metric) -> Result<()> {
    let compute = move |ctx: &mut Ctx<'_, '_>| {
        let due = leaderboard::due(ctx, &metric)?;
        due.into_iter().map(|list| leaderboard::compute(ctx, list)).collect::<Result<Vec<_>>>()
    };
    let mut computed = app.snapshot(compute).await?;
    while !computed.is_empty() {
        let part = part(&mut computed);
        let keep = move |ctx: &mut Ctx<'_, '_>| {
            part.iter().try_for_each(|computed| leaderboard::keep(ctx, computed))
        };
        app.write(keep).await?;
    }
    Ok(())
}

/// Takes the next lists to write in one transaction.
fn part(computed: &mut Vec<Computed>) -> Vec<Computed> {
    let mut part: Vec<Computed> = Vec::new();
    while let Some(next) = computed.pop() {
        let is_full = part.iter().map(Computed::len).sum::<usize>() + next.len() > BATCH;
        if is_full && !part.is_empty() {
            computed.push(next);
            break;
        }
        part.push(next);
    }
    part
}
