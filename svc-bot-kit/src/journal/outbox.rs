//! Calls to send: the same bytes under the same idempotency key until the platform accepts them.

use rusqlite::{OptionalExtension, Transaction, params};
use svc_types::Timestamp;

use super::journal::Journal;
use crate::error::Result;

/// A POST request to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewCall {
    /// The idempotency key, derived from the order.
    pub(crate) key: String,
    pub(crate) path: String,
    pub(crate) body: Vec<u8>,
}

/// A stored POST request that was not sent yet.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) id: i64,
    pub(crate) key: String,
    pub(crate) path: String,
    pub(crate) body: Vec<u8>,
}

impl Journal {
    /// The next unsent call of a job.
    pub(crate) async fn next_call(&self, job: &str) -> Result<Option<Call>> {
        let job = job.to_owned();
        let next = "select id, key, path, body from outbox
            where job = ?1 and closed_at is null order by id limit 1";
        self.write(move |tx| {
            tx.prepare_cached(next)?
                .query_row([job], |row| {
                    Ok(Call {
                        id: row.get(0)?,
                        key: row.get(1)?,
                        path: row.get(2)?,
                        body: row.get(3)?,
                    })
                })
                .optional()
        })
        .await
    }

    /// Records the outcome of a call. If calls replace it, the remaining unsent calls of the job are
    /// dropped; the replacements may include them again.
    pub(crate) async fn close_call(
        &self,
        id: i64,
        outcome: &str,
        instead: Vec<NewCall>,
        now: Timestamp,
    ) -> Result<()> {
        let outcome = outcome.to_owned();
        let close = "update outbox set outcome = ?2, closed_at = ?3 where id = ?1";
        let drop_waiting = "delete from outbox where job = ?1 and closed_at is null";
        self.write(move |tx| {
            tx.prepare_cached(close)?.execute(params![id, outcome, now.as_millis()])?;
            if instead.is_empty() {
                return Ok(());
            }
            let job: String =
                tx.query_row("select job from outbox where id = ?1", [id], |row| row.get(0))?;
            tx.execute(drop_waiting, [&job])?;
            insert(tx, &job, &instead, now)
        })
        .await
    }
}

/// Appends calls to those of a job.
pub(super) fn insert(
    tx: &Transaction<'_>,
    job: &str,
    calls: &[NewCall],
    now: Timestamp,
) -> rusqlite::Result<()> {
    let insert =
        "insert into outbox (key, job, path, body, created_at) values (?1, ?2, ?3, ?4, ?5)";
    for NewCall { key, path, body } in calls {
        let row = params![key, job, path, body, now.as_millis()];
        tx.prepare_cached(insert)?.execute(row)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000);

    fn call(key: &str) -> NewCall {
        NewCall { key: key.to_owned(), path: "/messages".to_owned(), body: vec![1, 2] }
    }

    async fn with(keys: &[&str]) -> Journal {
        let journal = Journal::memory().unwrap();
        let calls: Vec<NewCall> = keys.iter().map(|key| call(key)).collect();
        journal.write(move |tx| insert(tx, "msg_1", &calls, NOW)).await.unwrap();
        journal
    }

    async fn next(journal: &Journal) -> Option<String> {
        journal.next_call("msg_1").await.unwrap().map(|call| call.key)
    }

    #[tokio::test]
    async fn calls_of_a_job_are_sent_one_after_the_other() {
        let journal = with(&["deliver", "resp"]).await;
        let first = journal.next_call("msg_1").await.unwrap().unwrap();
        assert_eq!((first.key.as_str(), first.body.as_slice()), ("deliver", &[1, 2][..]));
        assert_eq!(next(&journal).await.unwrap(), "deliver", "until it is closed");
        journal.close_call(first.id, "sent", Vec::new(), NOW).await.unwrap();
        assert_eq!(next(&journal).await.unwrap(), "resp");
    }

    #[tokio::test]
    async fn a_replacement_replaces_all_remaining_calls() {
        let journal = with(&["deliver", "resp"]).await;
        let first = journal.next_call("msg_1").await.unwrap().unwrap();
        journal.close_call(first.id, "open_error", vec![call("error")], NOW).await.unwrap();
        let instead = journal.next_call("msg_1").await.unwrap().unwrap();
        assert_eq!(instead.key, "error");
        journal.close_call(instead.id, "sent", Vec::new(), NOW).await.unwrap();
        assert_eq!(next(&journal).await, None);
    }

    #[tokio::test]
    async fn a_replacement_may_repeat_remaining_calls() {
        let journal = with(&["resp", "decline"]).await;
        let first = journal.next_call("msg_1").await.unwrap().unwrap();
        let instead = vec![call("error"), call("decline")];
        journal.close_call(first.id, "open_error", instead, NOW).await.unwrap();
        for key in ["error", "decline"] {
            let call = journal.next_call("msg_1").await.unwrap().unwrap();
            assert_eq!(call.key, key);
            journal.close_call(call.id, "sent", Vec::new(), NOW).await.unwrap();
        }
        assert_eq!(next(&journal).await, None);
    }
}
