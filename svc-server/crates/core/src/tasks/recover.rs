//! Goes on with recoveries of webhooks, also with those begun before a restart.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::Result;
use tokio::sync::watch;

use crate::app::App;
use crate::services::webhook::recover;

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
            tracing::warn!(%error, "recoveries of webhooks could not go on");
        }
    }
}

/// Goes on with all of them until they are done.
pub async fn once(app: &Arc<App>) -> Result<()> {
    while step(app).await? {}
    Ok(())
}

/// Queues the next events of each, in turn; whether there was any.
pub async fn step(app: &Arc<App>) -> Result<bool> {
    let running = app.read(recover::running).await?;
    let is_any = !running.is_empty();
    for id in running {
        app.write(move |ctx| recover::go_on(ctx, &id)).await?;
    }
    Ok(is_any)
}
