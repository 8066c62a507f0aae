//! Erases the data of deleted accounts once their grace period is over.
//!
//! No leader is needed because every step is idempotent. A round that a stop interrupts starts
//! again with the next one.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::{Error, Result};
use svc_types::{Timestamp, UserId};
use tokio_util::sync::CancellationToken;

use super::index;
use crate::app::App;
use crate::due;
use crate::erasure_log::Entry;
use crate::services::erasure::{self, Gone, STEPS};
use crate::tasks::{self, Task};

/// Erases deleted accounts after their grace period.
const TASK: Task = Task {
    name: "erase",
    every: Duration::from_mins(10),
    failure: "failed to erase deleted accounts",
};

/// Time from the start to the first round.
const FIRST_AFTER: Duration = Duration::from_mins(1);

/// Accounts that are looked up in one job.
const BATCH: usize = 500;

/// Erases soon, and from then on until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    let work = || tasks::until_stopped(&stop, once(&app));
    TASK.repeat_from(&app, &stop, FIRST_AFTER, work).await;
}

/// Erases all accounts that are due, and removes the deleted rows from the database files. One that fails
/// is skipped; then the round fails after the others.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let (mut is_any, mut erased) = (false, Ok(()));
    let mut after = (Timestamp::from_millis(0), String::new());
    loop {
        let from = after.clone();
        let due = app.read(move |ctx| erasure::due(ctx, &from)).await?;
        let Some(last) = due.last() else { break };
        (is_any, after) = (true, last.place());
        for gone in due {
            let account = gone.id.clone();
            let done = erase(app, gone).await;
            if let Err(error) = &done {
                tracing::error!(%error, %account, "failed to erase an account");
            }
            erased = erased.and(done);
        }
    }
    if is_any {
        // Erasure only queues the texts for indexing; the index drops their words here.
        index::once(app).await?;
        let mut is_first = true;
        while app.write(move |ctx| ctx.tx.tidy_index(is_first)).await? {
            is_first = false;
        }
    }
    complete_log(app).await?;
    let db = app.db.clone();
    tokio::task::spawn_blocking(move || db.empty_log()).await.map_err(Error::internal)??;
    erased
}

async fn erase(app: &Arc<App>, gone: Gone) -> Result<()> {
    // What is erased can't be taken out of a count any more.
    tasks::counts::finish(app, &gone.id).await?;
    let account = gone.clone();
    if !app.write(move |ctx| erasure::begin(ctx, &account)).await? {
        return Ok(());
    }
    // From here on the account can't be restored, so the log never names one that lives on. A round
    // that ends before this line is repeated, so it names every one that was erased.
    let entry = Entry { account: gone.id.clone(), erased_at: app.clock.now() };
    app.erasures.add(vec![entry]).await?;
    for step in STEPS {
        let gone = gone.clone();
        tasks::in_batches(app, move |ctx, after| step(ctx, &gone, after)).await?;
    }
    app.write(move |ctx| erasure::finish(ctx, &gone)).await
}

/// Accounts that were erased within the horizon, a page at a time. Backups from before it are not restored, so
/// what was erased earlier need not be known.
pub struct Erased {
    app: Arc<App>,
    /// The place of the last one that was read.
    after: (Timestamp, String),
}

impl Erased {
    /// All of them, the earliest first.
    pub fn within_horizon(app: &Arc<App>) -> Self {
        let since = app.clock.now().minus(app.config.backup.horizon);
        Self { app: Arc::clone(app), after: (since, String::new()) }
    }

    /// The next page, if there is one.
    pub async fn next_page(&mut self) -> Result<Option<Vec<Entry>>> {
        let (since, after) = self.after.clone();
        let limit = i64::try_from(BATCH).map_err(Error::internal)?;
        let read = self.app.read(move |ctx| erasure::erased_since(ctx, since, &after, limit));
        let page = read.await?;
        let Some(last) = page.last() else { return Ok(None) };
        self.after = (last.erased_at, last.account.to_string());
        Ok(Some(page))
    }
}

/// Adds to the log of this node what other nodes erased.
pub async fn complete_log(app: &Arc<App>) -> Result<()> {
    let mut erased = Erased::within_horizon(app);
    while let Some(page) = erased.next_page().await? {
        app.erasures.add(page).await?;
    }
    Ok(())
}

/// Erases the accounts again that the log names and the database holds, because it was restored from an
/// older backup; the answer is how many.
pub async fn repeat(app: &Arc<App>) -> Result<usize> {
    let mut logged: Vec<UserId> = app.erasures.accounts().await?.into_iter().collect();
    logged.sort();
    let mut count = 0;
    for some in logged.chunks(BATCH) {
        let some = some.to_vec();
        for account in app.read(move |ctx| erasure::returned(ctx, &some)).await? {
            condemn(app, &account).await?;
            count += 1;
        }
    }
    if count > 0 {
        tracing::warn!(count, "the database held accounts that were erased; erasing them again");
        once(app).await?;
    }
    Ok(count)
}

/// Ends the deals of an account, then the account.
async fn condemn(app: &Arc<App>, account: &UserId) -> Result<()> {
    loop {
        let id = account.clone();
        let open = due::read(app, move |ctx| erasure::open_deals(ctx, &id)).await?;
        if open.is_empty() {
            break;
        }
        for deal in open {
            let id = account.clone();
            due::write(app, move |ctx| erasure::end_deal(ctx, &id, &deal)).await?;
        }
    }
    let id = account.clone();
    due::write(app, move |ctx| erasure::condemn(ctx, &id)).await
}
