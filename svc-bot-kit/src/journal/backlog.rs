//! The unfinished work in a journal.

use super::journal::Journal;
use crate::error::Result;

/// The unfinished work in a journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backlog {
    /// The number of queued and running orders, messages and events.
    pub jobs: u32,
    /// The number of calls, such as answers, that the platform has not accepted yet.
    pub calls: u32,
}

impl Journal {
    /// Counts the unfinished work, which survives a restart.
    ///
    /// ```
    /// # async fn show() -> svc_bot_kit::Result<()> {
    /// let journal = svc_bot_kit::Journal::open("wordbot.db")?;
    /// println!("{} calls to send", journal.backlog().await?.calls);
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
