//! Deletes objects which no row refers to: of files that were removed, and uploads that no transaction used.
//!
//! The database is the queue. A node takes some objects for the time of a lease; what is still there when it ends is
//! tried again, after a longer pause each time.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use svc_core::services::blob;
use svc_core::tasks::{self, Task};
use svc_store::error::Result;
use tokio_util::sync::CancellationToken;

use super::store::{Failure, Store};
use crate::app::ServerApp;

/// Deletes objects that no row refers to.
const TASK: Task =
    Task { name: "blobs", every: Duration::from_secs(5), failure: "failed to delete objects" };

/// Objects taken at once, and deleted at the same time.
const BATCH: i64 = 50;
const AT_ONCE: usize = 10;

/// Deletes until `stop` is cancelled; ends at once without a store.
pub(crate) async fn run(app: Arc<ServerApp>, stop: CancellationToken) {
    if app.store().is_none() {
        return;
    }
    TASK.repeat(&app, &stop, || tasks::until_stopped(&stop, once(&app))).await;
}

/// Deletes every object that is due. Whether the store answers is tried with one.
pub(crate) async fn once(app: &Arc<ServerApp>) -> Result<()> {
    let Some(store) = app.store() else { return Ok(()) };
    let mut batch = 1;
    while app.read(blob::is_due).await? {
        let names = app.write(move |ctx| blob::lease(ctx, batch)).await?;
        // Other nodes may have taken them.
        if names.is_empty() || !delete(app, store, names).await? {
            break;
        }
        batch = BATCH;
    }
    measure(app).await
}

/// Deletes objects; false if one could not be.
async fn delete(app: &Arc<ServerApp>, store: &Store, names: Vec<String>) -> Result<bool> {
    let deleting = names.into_iter().map(|name| async move {
        let done = store.delete(&name).await;
        (name, done)
    });
    let done: Vec<(String, Result<(), Failure>)> =
        stream::iter(deleting).buffer_unordered(AT_ONCE).collect().await;
    if let Some((name, Err(error))) = done.iter().find(|(_, done)| done.is_err()) {
        tracing::warn!(%name, %error, "an object could not be deleted, and is tried again");
    }
    let count = done.len();
    let gone = done.into_iter().filter(|(_, done)| done.is_ok()).map(|(name, _)| name);
    let gone: Vec<String> = gone.collect();
    let is_all = gone.len() == count;
    app.write(move |ctx| blob::forget(ctx, &gone)).await?;
    Ok(is_all)
}

/// Tells the metrics how many objects wait.
async fn measure(app: &Arc<ServerApp>) -> Result<()> {
    if app.config.metrics_listen.is_none() {
        return Ok(());
    }
    let waiting = app.read(blob::waiting).await?;
    let waiting = u32::try_from(waiting).unwrap_or(u32::MAX);
    metrics::gauge!("svc_blobs_waiting").set(f64::from(waiting));
    Ok(())
}
