//! Notices that other nodes encrypt with a key that this one lacks: it would fail at what they wrote.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::tasks;

/// Time between two checks.
const EVERY: Duration = Duration::from_secs(10);

/// Checks until `stop` is cancelled; a node that lacks a key is not ready.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    tasks::every(EVERY, &app.clock, &stop, || once(&app)).await;
}

/// Checks now.
pub async fn once(app: &Arc<App>) {
    let lacks_key = match app.encrypt.lacks_key(&app.db).await {
        Ok(lacks_key) => lacks_key,
        Err(error) => return tracing::warn!(%error, "failed to read which keys are in use"),
    };
    metrics::gauge!("svc_sealing_key_lacking").set(if lacks_key { 1.0 } else { 0.0 });
    if !app.note_lack(lacks_key) {
        return;
    }
    if lacks_key {
        tracing::error!(
            "exchange.sealing_keys lacks the newest key of the other nodes: this one is not ready until \
             it is started with it"
        );
    } else {
        tracing::info!("this node has all sealing keys again");
    }
}
