//! Brings search and hashtags up to date with what was written, about a second later.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::Result;
use tokio::sync::watch;

use crate::app::App;
use crate::services::hashtag::count;
use crate::services::search;

/// Time between two looks.
const EVERY: Duration = Duration::from_secs(1);

/// Goes on until `stop` turns true.
pub async fn run(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    loop {
        let next = app.clock.now().plus(EVERY);
        tokio::select! {
            () = app.clock.sleep_until(next) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
        let done = tokio::select! {
            done = once(&app) => done,
            _ = stop.wait_for(|stop| *stop) => return,
        };
        if let Err(error) = done {
            tracing::warn!(%error, "search and hashtags could not be brought up to date");
        }
    }
}

/// Batches that are indexed, and counted, before it is the other's turn: neither keeps the other
/// waiting for ever.
const TURN: usize = 10;

/// Indexes and counts all that waits by now.
pub async fn once(app: &Arc<App>) -> Result<()> {
    loop {
        let is_indexed = index(app).await?;
        if count(app).await? && is_indexed {
            return Ok(());
        }
    }
}

/// Indexes some of what waits; whether nothing is left.
async fn index(app: &Arc<App>) -> Result<bool> {
    for _ in 0..TURN {
        if !app.read(search::is_waiting).await? {
            return Ok(true);
        }
        app.write(search::index).await?;
    }
    Ok(false)
}

/// Counts some of the hashtags that are due; whether nothing is left.
async fn count(app: &Arc<App>) -> Result<bool> {
    for _ in 0..TURN {
        let counted = app.read(|ctx| {
            let due = count::due(ctx)?;
            due.into_iter().map(|due| count::count(ctx, due)).collect::<Result<Vec<_>>>()
        });
        let counted = counted.await?;
        if counted.is_empty() {
            return Ok(true);
        }
        let keep = move |ctx: &mut crate::app::Ctx<'_, '_>| {
            counted.iter().try_for_each(|counted| count::keep(ctx, counted))
        };
        app.write(keep).await?;
    }
    Ok(false)
}
