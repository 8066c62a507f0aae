//! Empties what is left of deleted accounts when their time has come.
//!
//! No leader is needed: every step may be repeated. What a stop interrupts begins again with the
//! next round.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::{Error, Result};
use tokio::sync::watch;

use super::index;
use crate::app::App;
use crate::services::erasure::{self, Gone, STEPS};

/// Time between two rounds.
const EVERY: Duration = Duration::from_mins(10);

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
            tracing::warn!(%error, "deleted accounts could not be erased");
        }
    }
}

/// Erases all accounts whose time has come, and takes what was deleted out of the files.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let mut is_any = false;
    loop {
        let due = app.read(erasure::due).await?;
        if due.is_empty() {
            break;
        }
        is_any = true;
        for gone in due {
            erase(app, gone).await?;
        }
    }
    if is_any {
        // The index of words is emptied by what it is told to look at again.
        index::once(app).await?;
        let mut is_first = true;
        while app.write(move |ctx| ctx.tx.tidy_index(is_first)).await? {
            is_first = false;
        }
    }
    let db = app.db.clone();
    tokio::task::spawn_blocking(move || db.empty_log()).await.map_err(Error::internal)?
}

async fn erase(app: &Arc<App>, gone: Gone) -> Result<()> {
    for step in STEPS {
        let mut after = Some(String::new());
        while let Some(from) = after {
            let gone = gone.clone();
            after = app.write(move |ctx| step(ctx, &gone, &from)).await?;
        }
    }
    app.write(move |ctx| erasure::finish(ctx, &gone)).await
}
