//! Writes collected views, and uses of API keys and apps, to the database, about once a second.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::Result;
use svc_types::{GrantId, Id};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::services::oauth::grant;
use crate::services::{analytics, api_key, developer_app};
use crate::tasks::Task;
use crate::views::Notes;

/// Writes collected views and uses of keys to the database.
const TASK: Task = Task {
    name: "flush",
    every: Duration::from_secs(1),
    failure: "failed to write views and uses of keys",
};

/// Notes of one kind per transaction, so that no other write waits long.
const BATCH: usize = 200;

/// Flushes until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    // Reads counted after the stop are flushed by the server once its last request is answered.
    TASK.repeat(&app, &stop, || once(&app)).await;
}

/// Writes all collected notes; logs a failure, which loses them.
pub async fn once_or_warn(app: &Arc<App>) {
    TASK.round(app, once(app)).await;
}

/// Writes all collected notes. A part that can't be written is lost; then the round fails after the others.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let _flushing = app.views.flushing.lock().await;
    let notes = app.views.take();
    if notes.lost > 0 {
        tracing::warn!(lost = notes.lost, "dropped views over the limit");
    }
    let mut written = Ok(());
    for part in parts(notes) {
        written = written.and(app.write(move |ctx| analytics::write(ctx, &part)).await);
    }
    let uses = app.key_uses.take(app.clock.now());
    let (grants, keys) = uses.into_iter().partition(|(id, _)| id.starts_with(GrantId::PREFIX));
    for part in split(keys) {
        written = written.and(app.write(move |ctx| api_key::note_uses(ctx, &part)).await);
    }
    for part in split(grants) {
        written = written.and(app.write(move |ctx| grant::note_uses(ctx, &part)).await);
    }
    for part in split(app.app_uses.take()) {
        written = written.and(app.write(move |ctx| developer_app::note_uses(ctx, &part)).await);
    }
    written
}

/// Splits notes into parts, one per transaction.
fn parts(notes: Notes) -> impl Iterator<Item = Notes> + Send {
    let Notes { mut reads, shown, changed, .. } = notes;
    // Posts before profiles: a profile view counts as a click of the post that led to it.
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
