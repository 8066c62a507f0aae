//! Computes who leads, every few minutes.
//!
//! No leader is needed. Any server computes what is due; of two that do so at once, the first one
//! keeps its lists, and the second finds that theirs are fresh.

use std::sync::Arc;

use svc_store::error::Result;
use svc_store::{sql, values};
use tokio::sync::watch;

use crate::app::{App, Ctx};
use crate::services::leaderboard::{self, Computed, EVERY, METRICS};

/// Accounts written in one transaction, so that no other write waits long.
const BATCH: usize = 200;

/// Computes until `stop` turns true.
pub async fn run(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    loop {
        let next = app.clock.now().plus(EVERY);
        let next = oldest(&app).await.map_or(next, |oldest| oldest.plus(EVERY).min(next));
        tokio::select! {
            () = app.clock.sleep_until(next) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
        if let Err(error) = once(&app).await {
            tracing::warn!(%error, "the leaderboard could not be computed");
            // The next try is not made at once.
            let later = app.clock.now().plus(EVERY);
            tokio::select! {
                () = app.clock.sleep_until(later) => {}
                _ = stop.wait_for(|stop| *stop) => return,
            }
        }
    }
}

/// When the list that was computed first was; none when that can't be told.
async fn oldest(app: &Arc<App>) -> Option<svc_types::Timestamp> {
    let load = |ctx: &mut Ctx<'_, '_>| {
        ctx.tx.one::<Option<svc_types::Timestamp>>(
            sql!("select min(generated_at) from leaderboard"),
            values![],
        )
    };
    app.read(load).await.ok().flatten()
}

/// Computes what no server ever did, before the first question.
pub async fn at_start(app: &Arc<App>) -> Result<()> {
    if oldest(app).await.is_none() { once(app).await } else { Ok(()) }
}

/// Computes the lists whose time has come.
pub async fn once(app: &Arc<App>) -> Result<()> {
    for metric in METRICS {
        // A snapshot for each metric, so that no other read waits for all of them.
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
    }
    Ok(())
}

/// The next lists that are written together.
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
