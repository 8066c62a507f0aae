//! Updates the search index and the hashtag counts, about a second after a write.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::{Error, Result};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::services::hashtag::count;
use crate::services::search;
use crate::tasks::{self, Task};

/// Updates the search index and the hashtag counts.
const TASK: Task = Task {
    name: "index",
    every: Duration::from_secs(1),
    failure: "failed to update search and hashtags",
};

/// Indexes and counts until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    TASK.repeat(&app, &stop, || tasks::until_stopped(&stop, once(&app))).await;
}

/// Batches that one kind of work takes before the other's turn, so that neither starves.
const TURN: usize = 10;

/// Indexes and counts everything that is pending now.
pub async fn once(app: &Arc<App>) -> Result<()> {
    loop {
        let indexed = index(app).await;
        // Texts that can't be indexed keep no hashtag from being counted.
        if count(app).await? && indexed? {
            return Ok(());
        }
    }
}

/// Indexes some pending texts; returns whether none is left, but for those of other nodes.
async fn index(app: &Arc<App>) -> Result<bool> {
    for _ in 0..TURN {
        if !app.read(search::is_waiting).await? {
            return Ok(true);
        }
        match app.write(search::index).await {
            Ok(0) => return Ok(true),
            Ok(_) => {}
            Err(Error::Internal(_)) => return index_each(app).await.map(|()| true),
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

/// Indexes each pending text in a transaction of its own. One that fails is logged, and tried again by the next round.
async fn index_each(app: &Arc<App>) -> Result<()> {
    let mut after = String::new();
    loop {
        let from = after.clone();
        let waiting = app.read(move |ctx| search::waiting(ctx, &from)).await?;
        let Some(last) = waiting.last() else { return Ok(()) };
        after.clone_from(last);
        for id in waiting {
            let text = id.clone();
            if let Err(error) = app.write(move |ctx| search::index_one(ctx, &text)).await {
                tracing::error!(%error, id, "failed to index a text");
            }
        }
    }
}

/// Counts some of the hashtags that are due; returns whether none is left.
async fn count(app: &Arc<App>) -> Result<bool> {
    for _ in 0..TURN {
        let counted = app.read(|ctx| {
            let due = count::due(ctx)?;
            due.into_iter().map(|due| count::count(ctx, due)).collect::<Result<Vec<_>>>()
        });
        let mut counted = counted.await?;
        if counted.is_empty() {
            return Ok(true);
        }
        // In the order in which every act locks hashtags.
        counted.sort_by(|one, other| one.name().cmp(other.name()));
        app.write(move |ctx| counted.iter().try_for_each(|counted| count::keep(ctx, counted)))
            .await?;
    }
    Ok(false)
}
