//! Removes what is no longer needed.

use std::collections::HashSet;
use std::time::Duration;

use rusqlite::params;
use svc_types::Timestamp;

use super::journal::Journal;
use crate::error::Result;

/// How long finished jobs are kept: as long as the platform keeps events.
const RETENTION: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How long a dialogue is kept that does not change.
const DIALOGUE_RETENTION: Duration = Duration::from_secs(30 * 24 * 60 * 60);

impl Journal {
    /// Finishes orders that are no longer open on the platform, and returns their ids.
    pub(crate) async fn close_missing(
        &self,
        open: HashSet<String>,
        now: Timestamp,
    ) -> Result<Vec<String>> {
        self.write(move |tx| {
            let waiting = "select id from job where kind = 'request' and state <> 'done'";
            let mut over: Vec<String> =
                tx.prepare(waiting)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
            over.retain(|id| !open.contains(id));
            let close = "update job set state = 'done', done_at = ?2 where id = ?1";
            for id in &over {
                tx.execute(close, params![id, now.as_millis()])?;
                tx.execute("delete from step where job = ?1", [id])?;
            }
            Ok(over)
        })
        .await
    }

    /// Deletes jobs that finished before the retention time and have no unsent call, with everything
    /// that belongs to them.
    ///
    /// The last job to arrive stays, because the arrival number of the next one follows from its own:
    /// a number used twice would be invisible to readers that have passed it.
    pub(crate) async fn prune(&self, now: Timestamp) -> Result<()> {
        let before = now.minus(RETENTION).as_millis();
        let untouched = now.minus(DIALOGUE_RETENTION).as_millis();
        let calls = "delete from outbox where closed_at < ?1";
        let jobs = "delete from job where state = 'done' and done_at < ?1
            and arrived < (select max(arrived) from job)
            and not exists (select 1 from outbox where job = job.id)";
        let steps = "delete from step where not exists (
            select 1 from job where id = step.job and state <> 'done')";
        self.write(move |tx| {
            tx.execute(calls, [before])?;
            tx.execute(jobs, [before])?;
            tx.execute(steps, [])?;
            tx.execute("delete from dialogue where changed_at < ?1", [untouched]).map(|_| ())
        })
        .await
    }

    /// Returns those of the ids that the journal does not know.
    pub(crate) async fn unknown(&self, ids: Vec<String>) -> Result<Vec<String>> {
        let known = "select exists (select 1 from job where id = ?1)";
        self.write(move |tx| {
            let mut unknown = Vec::new();
            for id in ids {
                if !tx.query_row(known, [&id], |row| row.get::<_, bool>(0))? {
                    unknown.push(id);
                }
            }
            Ok(unknown)
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::super::jobs::tests::{NOW, answer, open, with};
    use super::*;

    #[tokio::test]
    async fn orders_closed_on_the_platform_are_finished() {
        let journal = with(&["msg_1", "msg_2"]).await;
        let over = journal.close_missing(HashSet::from(["msg_2".to_owned()]), NOW).await.unwrap();
        assert_eq!(over, ["msg_1"]);
        assert_eq!(open(&journal).await, ["msg_2"]);
        let asked = ["msg_1", "msg_2", "msg_3"].map(str::to_owned).to_vec();
        assert_eq!(journal.unknown(asked).await.unwrap(), ["msg_3"]);
    }

    #[tokio::test]
    async fn finished_jobs_are_kept_for_seven_days_and_unsent_calls_forever() {
        let journal = with(&["msg_1", "msg_2", "msg_3"]).await;
        journal.finish("msg_1", 0, answer("resp:msg_1"), NOW).await.unwrap();
        journal.finish("msg_2", 0, answer("resp:msg_2"), NOW).await.unwrap();
        let call = journal.next_call("msg_1").await.unwrap().unwrap();
        journal.close_call(call.id, "sent", Vec::new(), NOW).await.unwrap();
        journal.prune(NOW.plus(RETENTION)).await.unwrap();
        assert!(journal.job("msg_1").await.unwrap().is_some());
        journal.prune(NOW.plus(RETENTION + Duration::from_millis(1))).await.unwrap();
        assert!(journal.job("msg_1").await.unwrap().is_none());
        assert_eq!(open(&journal).await, ["msg_2", "msg_3"]);
    }

    #[tokio::test]
    async fn jobs_that_arrive_after_pruning_are_seen() {
        let journal = with(&["msg_1", "msg_2"]).await;
        let last = journal.open_after(0).await.unwrap().pop().unwrap().arrived;
        for id in ["msg_1", "msg_2"] {
            journal.finish(id, 0, Vec::new(), NOW).await.unwrap();
        }
        journal.prune(NOW.plus(2 * RETENTION)).await.unwrap();
        assert!(journal.job("msg_1").await.unwrap().is_none());
        super::super::jobs::tests::ingest(&journal, &["msg_3"]).await;
        assert_eq!(journal.open_after(last).await.unwrap()[0].id, "msg_3");
    }

    #[tokio::test]
    async fn steps_are_deleted_with_their_orders() {
        let journal = with(&["msg_1", "msg_2"]).await;
        for id in ["msg_0", "msg_1", "msg_2"] {
            journal.save_step(id, "paper", "7".to_owned()).await.unwrap();
        }
        journal.close_missing(HashSet::from(["msg_2".to_owned()]), NOW).await.unwrap();
        assert_eq!(journal.step("msg_1", "paper").await.unwrap(), None);
        journal.prune(NOW).await.unwrap();
        assert_eq!(journal.step("msg_0", "paper").await.unwrap(), None);
        assert_eq!(journal.step("msg_2", "paper").await.unwrap().as_deref(), Some("7"));
    }
}
