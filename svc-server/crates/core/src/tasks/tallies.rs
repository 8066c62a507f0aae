//! Adds up the counts of days that no series of analytics shows any more, and deletes counts that nobody can read.
//!
//! No leader is needed: a row is deleted once, and what it held is added to the total in the same transaction.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::Result;
use tokio_util::sync::CancellationToken;

use crate::app::{App, Ctx};
use crate::services::analytics::fold::{self, Found};
use crate::tasks::{self, Task};

/// Adds up old counts. After a failure, the next round begins at the first subject again.
const TASK: Task = Task {
    name: "tallies",
    every: Duration::from_hours(12),
    failure: "failed to add up the counts of old days",
};

/// Time from the start to the first round.
const FIRST_AFTER: Duration = Duration::from_mins(5);

/// Most subjects of one transaction, so that no other write waits long.
const SUBJECTS: usize = 20;

/// Does a first round soon after the start, and further ones until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    let work = || tasks::until_stopped(&stop, once(&app));
    TASK.repeat_from(&app, &stop, FIRST_AFTER, work).await;
}

/// Looks at all subjects, and writes only where there is something to do.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let mut after = String::new();
    loop {
        let from = after.clone();
        let found = app.read(move |ctx| fold::find(ctx, &from)).await?;
        let Some(Found { last, old, gone }) = found else { return Ok(()) };
        each(app, &gone, fold::forget).await?;
        each(app, &old, fold::fold).await?;
        after = last;
    }
}

/// Runs a step for these subjects, in transactions of a few each.
async fn each(
    app: &Arc<App>,
    subjects: &[String],
    step: fn(&mut Ctx<'_, '_>, &[String]) -> Result<()>,
) -> Result<()> {
    for few in subjects.chunks(SUBJECTS) {
        let few = few.to_vec();
        app.write(move |ctx| step(ctx, &few)).await?;
    }
    Ok(())
}
