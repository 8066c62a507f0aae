//! Asks the embedder for the vectors of services, a few seconds after their texts have changed.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::{Error, Result};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::embeddings::{self, Embedder, Vector};
use crate::services::discovery::meaning::{self, Waiting};
use crate::tasks::{self, Task};

/// Asks for the vectors of changed services. After a failure, the next round is the next attempt.
const TASK: Task =
    Task { name: "embed", every: Duration::from_secs(5), failure: "failed to embed services" };

/// A text that every embedder takes.
const PLAIN: &str = "a translation of a text";

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
        let vectors = vectors(embedder.as_ref(), &waiting).await.map_err(Error::internal)?;
        let source = embedder.source().to_owned();
        app.write(move |ctx| {
            let mut pairs = waiting.iter().zip(&vectors);
            pairs.try_for_each(|(service, vector)| {
                meaning::keep(ctx, service, &source, vector.as_ref())
            })
        })
        .await?;
    }
}

/// The vectors of services. Where a text is at fault, its service has none until it changes: the others must not wait
/// for it.
async fn vectors(
    embedder: &dyn Embedder,
    waiting: &[Waiting],
) -> Result<Vec<Option<Vector>>, String> {
    let texts: Vec<String> = waiting.iter().map(Waiting::text).collect();
    if let Ok(vectors) = embeddings::embed(embedder, &texts).await {
        return Ok(vectors.into_iter().map(Some).collect());
    }
    let mut vectors = Vec::with_capacity(texts.len());
    for (of, text) in waiting.iter().zip(&texts) {
        let vector = vector(embedder, text).await?;
        if vector.is_none() {
            let service = of.service();
            tracing::warn!(%service, "search.embedder fails at the texts of a service");
        }
        vectors.push(vector);
    }
    Ok(vectors)
}

/// The vector of a text; none if the embedder fails at it, but not at another one. It is asked twice: it may have been
/// down for a moment, and would not be asked again before the text changes.
async fn vector(embedder: &dyn Embedder, text: &str) -> Result<Option<Vector>, String> {
    let text = [text.to_owned()];
    if let Ok(vectors) = embeddings::embed(embedder, &text).await {
        return Ok(vectors.into_iter().next());
    }
    embeddings::embed(embedder, &[PLAIN.to_owned()]).await?;
    let again = embeddings::embed(embedder, &text).await.unwrap_or_default();
    Ok(again.into_iter().next())
}
