//! Notices that other nodes encrypt with a key that this one lacks: it would fail at what they wrote.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::Result;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::tasks::Task;

/// Checks whether this node lacks a key that others encrypt with.
const TASK: Task = Task {
    name: "sealing",
    every: Duration::from_secs(10),
    failure: "failed to read which keys are in use",
};

/// Checks until `stop` is cancelled; a node that lacks a key is not ready.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    TASK.repeat(&app, &stop, || once(&app)).await;
}

/// Checks now.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let lacks_key = app.encrypt.lacks_key(&app.db).await?;
    metrics::gauge!("svc_sealing_key_lacking").set(if lacks_key { 1.0 } else { 0.0 });
    let is_new = app.note_lack(lacks_key);
    if is_new && lacks_key {
        tracing::error!(
            "exchange.sealing_keys lacks the newest key of the other nodes: this one is not ready until \
             it is started with it"
        );
    } else if is_new {
        tracing::info!("this node has all sealing keys again");
    }
    Ok(())
}
