//! Brings search and hashtags up to date with what was written, about a second later.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::acts::hashtag::count;
use crate::acts::search;
use crate::app::App;
use crate::error::Result;

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

/// Indexes and counts all that waits by now.
pub async fn once(app: &Arc<App>) -> Result<()> {
    while app.read(search::is_waiting).await? {
        app.write(search::index).await?;
    }
    loop {
        let counted = app.read(|cx| {
            let due = count::due(cx)?;
            due.into_iter().map(|due| count::count(cx, due)).collect::<Result<Vec<_>>>()
        });
        let counted = counted.await?;
        if counted.is_empty() {
            return Ok(());
        }
        let keep = move |cx: &mut crate::app::Cx<'_, '_>| {
            counted.iter().try_for_each(|counted| count::keep(cx, counted))
        };
        app.write(keep).await?;
    }
}
