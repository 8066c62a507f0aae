//! Writes what was noted of reads, about once a second.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::Result;
use tokio::sync::watch;

use crate::app::App;
use crate::services::analytics;
use crate::views::Notes;

/// Time between two flushes.
const EVERY: Duration = Duration::from_secs(1);

/// Notes of one kind written in one transaction, so that no other write waits long.
const BATCH: usize = 200;

/// Flushes until `stop` turns true, and then what is left.
pub async fn run(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    loop {
        let next = app.clock.now().plus(EVERY);
        let stopped = tokio::select! {
            () = app.clock.sleep_until(next) => false,
            _ = stop.wait_for(|stop| *stop) => true,
        };
        // What is noted after the stop is flushed by the server, when its last request is answered.
        if stopped {
            return;
        }
        once_or_warn(&app).await;
    }
}

/// Writes all that was noted; what can't be written is lost, and that is logged.
pub async fn once_or_warn(app: &Arc<App>) {
    if let Err(error) = once(app).await {
        tracing::warn!(%error, "reads could not be counted");
    }
}

/// Writes all that was noted.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let _flushing = app.views.flushing.lock().await;
    let notes = app.views.take();
    if notes.lost > 0 {
        tracing::warn!(lost = notes.lost, "there were more reads than could be noted");
    }
    for part in parts(notes) {
        app.write(move |ctx| analytics::write(ctx, &part)).await?;
    }
    Ok(())
}

/// Notes in parts that are written one by one.
fn parts(notes: Notes) -> impl Iterator<Item = Notes> + Send {
    let Notes { mut reads, shown, changed, .. } = notes;
    // A post before the profile of its author, so that a click is known to come from it.
    reads.sort_unstable_by_key(|read| read.target.post().is_none());
    let reads = split(reads).map(|reads| Notes { reads, ..Notes::default() });
    let shown = split(shown).map(|shown| Notes { shown, ..Notes::default() });
    let changed = split(changed).map(|changed| Notes { changed, ..Notes::default() });
    reads.chain(shown).chain(changed)
}

fn split<T>(mut rest: Vec<T>) -> impl Iterator<Item = Vec<T>> {
    std::iter::from_fn(move || {
        let part: Vec<T> = rest.drain(..rest.len().min(BATCH)).collect();
        (!part.is_empty()).then_some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_everything_once() {
        let sizes: Vec<usize> =
            split((0..450).collect::<Vec<_>>()).map(|part| part.len()).collect();
        assert_eq!(sizes, [BATCH, BATCH, 50]);
        assert_eq!(split(Vec::<u8>::new()).count(), 0);
    }
}
