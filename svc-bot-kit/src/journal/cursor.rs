//! How far the account's events were ingested.

use rusqlite::{OptionalExtension, Transaction, params};
use svc_types::Timestamp;

use super::jobs::{NewJob, insert};
use super::journal::Journal;
use crate::error::{Error, Result};

/// A position in the account's events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// The sequence number of the last event before it.
    pub(crate) seq: u64,
    /// When that event happened, by the platform's clock, if known.
    pub(crate) occurred_at: Option<Timestamp>,
}

/// How to set the cursor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    /// Only forward.
    Forward,
    /// To any position.
    Reset,
}

impl Journal {
    /// The position after the last ingested event. Fails if the journal belongs to another account.
    pub(crate) async fn cursor(&self, account: &str) -> Result<Option<Position>> {
        let account = account.to_owned();
        let (others, position) = self
            .write(move |tx| {
                let others = "select count(*) from cursor where account <> ?1";
                let others: u32 = tx.query_row(others, [&account], |row| row.get(0))?;
                let mine = "select seq, told_at from cursor where account = ?1";
                let position = tx.query_row(mine, [&account], |row| {
                    let occurred_at = row.get::<_, Option<i64>>(1)?.map(Timestamp::from_millis);
                    Ok(Position { seq: row.get::<_, i64>(0)?.cast_unsigned(), occurred_at })
                });
                Ok((others, position.optional()?))
            })
            .await?;
        if others > 0 {
            let problem = "belongs to another account; use one journal per account";
            return Err(Error::journal::<rusqlite::Error>(problem, None));
        }
        Ok(position)
    }

    /// Stores new jobs and moves the cursor forward, in one transaction.
    pub(crate) async fn ingest(
        &self,
        account: &str,
        upto: Position,
        jobs: Vec<NewJob>,
        now: Timestamp,
    ) -> Result<()> {
        self.set(account, upto, Set::Forward, jobs, now).await
    }

    /// Stores new jobs and resets the cursor, backwards too, because the platform does not know it. A
    /// platform restored from a backup assigns sequence numbers again, to other events.
    pub(crate) async fn reset_cursor(
        &self,
        account: &str,
        upto: Position,
        jobs: Vec<NewJob>,
        now: Timestamp,
    ) -> Result<()> {
        self.set(account, upto, Set::Reset, jobs, now).await
    }

    async fn set(
        &self,
        account: &str,
        upto: Position,
        set: Set,
        jobs: Vec<NewJob>,
        now: Timestamp,
    ) -> Result<()> {
        let account = account.to_owned();
        self.write(move |tx| {
            insert_all(tx, &jobs, now)?;
            let occurred_at = upto.occurred_at.map(Timestamp::as_millis);
            let row = params![account, upto.seq.cast_signed(), occurred_at, set == Set::Reset];
            let statement = "insert into cursor (account, seq, told_at) values (?1, ?2, ?3)
                on conflict (account) do update set
                    seq = excluded.seq, told_at = coalesce(excluded.told_at, told_at)
                where excluded.seq > seq or ?4";
            tx.prepare_cached(statement)?.execute(row).map(|_| ())
        })
        .await
    }
}

fn insert_all(tx: &Transaction<'_>, jobs: &[NewJob], now: Timestamp) -> rusqlite::Result<()> {
    jobs.iter().try_for_each(|job| insert(tx, job, now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Kind;

    const NOW: Timestamp = Timestamp::from_millis(1_000);

    fn at(seq: u64, millis: i64) -> Position {
        Position { seq, occurred_at: Some(Timestamp::from_millis(millis)) }
    }

    async fn with(seq: u64, millis: i64) -> Journal {
        let journal = Journal::memory().unwrap();
        journal.ingest("usr_1", at(seq, millis), Vec::new(), NOW).await.unwrap();
        journal
    }

    fn message(id: &str) -> NewJob {
        NewJob {
            id: id.to_owned(),
            kind: Kind::Message,
            conversation: "conv_1".to_owned(),
            event: "{}".to_owned(),
        }
    }

    #[tokio::test]
    async fn repeated_jobs_are_ingested_once_and_the_cursor_does_not_go_back() {
        let journal = with(7, 70).await;
        let jobs = || vec![message("msg_1"), message("msg_2")];
        journal.ingest("usr_1", at(5, 50), jobs(), NOW).await.unwrap();
        journal.ingest("usr_1", at(7, 70), jobs(), NOW).await.unwrap();
        assert_eq!(journal.open_after(0).await.unwrap().len(), 2);
        assert_eq!(journal.cursor("usr_1").await.unwrap(), Some(at(7, 70)));
    }

    #[tokio::test]
    async fn a_cursor_that_the_platform_does_not_know_is_set_back() {
        let journal = with(7, 70).await;
        let unknown = Position { seq: 4, occurred_at: None };
        journal.reset_cursor("usr_1", unknown, Vec::new(), NOW).await.unwrap();
        assert_eq!(journal.cursor("usr_1").await.unwrap(), Some(at(4, 70)));
        journal.ingest("usr_1", at(5, 80), Vec::new(), NOW).await.unwrap();
        assert_eq!(journal.cursor("usr_1").await.unwrap(), Some(at(5, 80)));
    }

    #[tokio::test]
    async fn the_journal_of_another_account_is_refused() {
        let problem = with(7, 70).await.cursor("usr_2").await.unwrap_err().to_string();
        assert!(problem.contains("another account"), "{problem}");
    }
}
