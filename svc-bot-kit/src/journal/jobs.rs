//! What there is to do, and how far it is.

use std::collections::HashSet;
use std::time::Duration;

use rusqlite::{OptionalExtension, Transaction, params};
use svc_types::{EscrowId, Timestamp};

use super::Journal;
use super::outbox::{self, NewCall};
use crate::error::{Error, Result};

/// How long what is finished is kept: events are kept by the platform for as long.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// What a job is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An order, to be answered.
    Request,
    /// Any other direct message.
    Message,
}

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Its handler does not run.
    Queued,
    /// Its handler was started. After a restart: and never came to its end.
    Running,
    /// It is finished, but for calls that wait.
    Done,
}

/// Something to do, as it came in.
#[derive(Clone, Debug)]
pub(crate) struct NewJob {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    /// Jobs of one conversation are done one after the other.
    pub(crate) conversation: String,
    /// The message as JSON.
    pub(crate) event: String,
}

/// Where a job stands among the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) arrived: i64,
    pub(crate) id: String,
    pub(crate) conversation: String,
}

/// Something to do.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    pub(crate) state: State,
    /// How often its handler was started.
    pub(crate) starts: u32,
    pub(crate) event: String,
    /// The escrow an order is tied to.
    pub(crate) escrow: Option<EscrowId>,
}

impl Journal {
    /// The number of the last event that was taken in; fails for the journal of another account.
    pub(crate) async fn cursor(&self, account: &str) -> Result<Option<u64>> {
        let account = account.to_owned();
        let (others, seq) = self
            .write(move |tx| {
                let others = "select count(*) from cursor where account <> ?1";
                let others: u32 = tx.query_row(others, [&account], |row| row.get(0))?;
                let seq = "select seq from cursor where account = ?1";
                let seq = tx.query_row(seq, [&account], |row| row.get::<_, i64>(0)).optional()?;
                Ok((others, seq))
            })
            .await?;
        if others > 0 {
            let problem = "is that of another account; each account needs a journal of its own";
            return Err(Error::journal::<rusqlite::Error>(problem, None));
        }
        Ok(seq.map(i64::cast_unsigned))
    }

    /// Takes in what there is to do, each once, and moves the cursor, in one transaction.
    pub(crate) async fn take_in(
        &self,
        account: &str,
        seq: u64,
        jobs: Vec<NewJob>,
        now: Timestamp,
    ) -> Result<()> {
        let account = account.to_owned();
        self.write(move |tx| {
            for job in &jobs {
                insert(tx, job, now)?;
            }
            let moved = "insert into cursor (account, seq) values (?1, ?2)
                on conflict (account) do update set seq = max(seq, excluded.seq)";
            tx.execute(moved, params![account, seq.cast_signed()]).map(|_| ())
        })
        .await
    }

    /// What is not finished and arrived behind this one, in order.
    pub(crate) async fn open_after(&self, arrived: i64) -> Result<Vec<Place>> {
        let open = "select arrived, id, conversation from job
            where arrived > ?1 and (state <> 'done' or exists (
                select 1 from outbox where job = job.id and closed_at is null))
            order by arrived";
        self.write(move |tx| {
            let mut open = tx.prepare_cached(open)?;
            let rows = open.query_map([arrived], |row| {
                Ok(Place { arrived: row.get(0)?, id: row.get(1)?, conversation: row.get(2)? })
            })?;
            rows.collect()
        })
        .await
    }

    /// A job by its id.
    pub(crate) async fn job(&self, id: &str) -> Result<Option<Job>> {
        let id = id.to_owned();
        let job = "select kind, state, starts, event, escrow from job where id = ?1";
        self.write(move |tx| {
            tx.query_row(job, [&id], |row| {
                Ok(Job {
                    kind: Kind::of(&row.get::<_, String>(0)?),
                    state: State::of(&row.get::<_, String>(1)?),
                    starts: row.get(2)?,
                    event: row.get(3)?,
                    escrow: row.get::<_, Option<String>>(4)?.map(EscrowId::from),
                    id: id.clone(),
                })
            })
            .optional()
        })
        .await
    }

    /// Notes that a job's handler is started, for the time after `starts` others.
    pub(crate) async fn start(&self, id: &str, starts: u32) -> Result<()> {
        let id = id.to_owned();
        let start = "update job set state = 'running', starts = starts + 1
            where id = ?1 and starts = ?2 and state <> 'done'";
        self.guarded(move |tx| tx.execute(start, params![id, starts])).await
    }

    /// Finishes a job, and stores the calls that follow from it, in one transaction.
    pub(crate) async fn finish(
        &self,
        id: &str,
        starts: u32,
        calls: Vec<NewCall>,
        now: Timestamp,
    ) -> Result<()> {
        let id = id.to_owned();
        let finish = "update job set state = 'done', done_at = ?3
            where id = ?1 and starts = ?2 and state <> 'done'";
        self.guarded(move |tx| {
            let finished = tx.execute(finish, params![id, starts, now.as_millis()])?;
            if finished == 1 {
                outbox::insert(tx, &id, &calls, now)?;
                tx.execute("delete from step where job = ?1", [&id])?;
            }
            Ok(finished)
        })
        .await
    }

    /// Ties an order to its escrow; false when the escrow belongs to another order.
    pub(crate) async fn tie(&self, id: &str, escrow: &str) -> Result<bool> {
        let (id, escrow) = (id.to_owned(), escrow.to_owned());
        let tie = "update job set escrow = ?2 where id = ?1
            and not exists (select 1 from job where escrow = ?2 and id <> ?1)";
        self.write(move |tx| Ok(tx.execute(tie, [&id, &escrow])? == 1)).await
    }

    /// Finishes orders that are no longer open on the platform, and forgets what is old.
    pub(crate) async fn tidy(&self, open: HashSet<String>, now: Timestamp) -> Result<()> {
        self.write(move |tx| {
            let waiting = "select id from job where kind = 'request' and state <> 'done'";
            let ids: Vec<String> =
                tx.prepare(waiting)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
            let close = "update job set state = 'done', done_at = ?2 where id = ?1";
            for id in ids.iter().filter(|id| !open.contains(*id)) {
                tx.execute(close, params![id, now.as_millis()])?;
            }
            forget(tx, now.minus(KEPT).as_millis())
        })
        .await
    }

    /// A change of exactly one row. None means that somebody else works with this journal.
    async fn guarded(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<usize> + Send + 'static,
    ) -> Result<()> {
        match self.write(work).await? {
            1 => Ok(()),
            _ => Err(Error::journal::<rusqlite::Error>("is worked with by another bot", None)),
        }
    }
}

fn insert(tx: &Transaction<'_>, job: &NewJob, now: Timestamp) -> rusqlite::Result<()> {
    let insert = "insert into job (id, kind, conversation, arrived, event, state, created_at)
        values (?1, ?2, ?3, (select coalesce(max(arrived), 0) + 1 from job), ?4, 'queued', ?5)
        on conflict (id) do nothing";
    let NewJob { id, kind, conversation, event } = job;
    tx.execute(insert, params![id, kind.as_str(), conversation, event, now.as_millis()])?;
    Ok(())
}

/// Forgets what was finished before this instant and has no call waiting.
fn forget(tx: &Transaction<'_>, before: i64) -> rusqlite::Result<()> {
    let calls = "delete from outbox where closed_at < ?1";
    tx.execute(calls, [before])?;
    let jobs = "delete from job where state = 'done' and done_at < ?1
        and not exists (select 1 from outbox where job = job.id)";
    tx.execute(jobs, [before])?;
    Ok(())
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Message => "message",
        }
    }

    fn of(word: &str) -> Self {
        if word == "request" { Self::Request } else { Self::Message }
    }
}

impl State {
    fn of(word: &str) -> Self {
        match word {
            "queued" => Self::Queued,
            "running" => Self::Running,
            _ => Self::Done,
        }
    }
}

#[cfg(test)]
#[path = "jobs_tests.rs"]
mod tests;
