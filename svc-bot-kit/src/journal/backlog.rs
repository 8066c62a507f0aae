//! What is not finished.

use super::Journal;
use crate::error::Result;

/// What a journal holds that is not finished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backlog {
    /// Orders, messages and events that wait or are being handled.
    pub jobs: u32,
    /// Calls, such as answers, that the platform has not taken yet.
    pub calls: u32,
}

impl Journal {
    /// Counts what is not finished; nothing of it is lost by a restart.
    ///
    /// ```
    /// # async fn show() -> svc_bot_kit::Result<()> {
    /// let journal = svc_bot_kit::Journal::open("wordbot.db")?;
    /// println!("{} calls wait", journal.backlog().await?.calls);
    /// # Ok(()) }
    /// ```
    pub async fn backlog(&self) -> Result<Backlog> {
        let count = "select
                (select count(*) from job where state <> 'done'),
                (select count(*) from outbox where closed_at is null)";
        self.write(move |tx| {
            tx.query_row(count, [], |row| Ok(Backlog { jobs: row.get(0)?, calls: row.get(1)? }))
        })
        .await
    }
}
