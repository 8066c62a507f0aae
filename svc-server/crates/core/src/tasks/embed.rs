//! Asks the embedder for the vectors of services, a few seconds after their texts have changed.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::{Error, Result};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::embeddings;
use crate::services::discovery::meaning;
use crate::tasks::{self, Task};

/// Asks for the vectors of changed services. After a failure, the next round is the next attempt.
const TASK: Task =
    Task { name: "embed", every: Duration::from_secs(5), failure: "failed to embed services" };

/// Embeds until `stop` is cancelled; ends at once without an embedder.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    if app.embeddings.embedder().is_none() {
        return;
    }
    TASK.repeat(&app, &stop, || tasks::until_stopped(&stop, once(&app))).await;
}

/// Embeds every service that waits now.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let Some(embedder) = app.embeddings.embedder().map(Arc::clone) else { return Ok(()) };
    loop {
        let source = embedder.source().to_owned();
        let waiting = app.read(move |ctx| meaning::waiting(ctx, &source)).await?;
        if waiting.is_empty() {
            return Ok(());
        }
        let texts: Vec<String> = waiting.iter().map(meaning::Waiting::text).collect();
        let vectors =
            embeddings::embed(embedder.as_ref(), &texts).await.map_err(Error::internal)?;
        let source = embedder.source().to_owned();
        app.write(move |ctx| {
            let mut pairs = waiting.iter().zip(&vectors);
            pairs.try_for_each(|(service, vector)| meaning::keep(ctx, service, &source, vector))
        })
        .await?;
    }
}
