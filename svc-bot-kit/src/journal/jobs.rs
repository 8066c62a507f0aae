//! Jobs and their state.

use rusqlite::{OptionalExtension, Transaction, params};
use svc_types::{EscrowId, Timestamp};

use super::dialogues::{self, DialogueChange};
use super::journal::Journal;
use super::outbox::{self, NewCall};
use crate::error::{Error, Result};

/// The kind of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An order.
    Request,
    /// Any other direct message.
    Message,
    /// A message in a channel.
    Channel,
    /// Any other event.
    Event,
}

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// The handler has not started.
    Queued,
    /// The handler has started. After a restart, this means that it was interrupted.
    Running,
    /// The job is decided; calls may be unsent.
    Done,
}

/// A job to store.
#[derive(Clone, Debug)]
pub(crate) struct NewJob {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    /// Jobs of one conversation run one after the other.
    pub(crate) conversation: String,
    /// The message, or the event, as JSON.
    pub(crate) event: String,
}

/// What a finished job leaves.
#[derive(Debug, Default)]
pub(crate) struct Ending {
    /// Calls to send.
    pub(crate) calls: Vec<NewCall>,
    pub(crate) dialogue: Option<DialogueChange>,
}

/// A job in the queue, with its arrival number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QueuedJob {
    pub(crate) arrived: i64,
    pub(crate) id: String,
    pub(crate) conversation: String,
}

/// A stored job.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    pub(crate) state: State,
    /// How often the handler was started.
    pub(crate) starts: u32,
    pub(crate) event: String,
    pub(crate) ingested_at: Timestamp,
    /// The escrow that pays for the order.
    pub(crate) escrow: Option<EscrowId>,
    /// How often the handler failed and was postponed.
    pub(crate) failures: u32,
    /// When the handler first failed.
    pub(crate) failed_at: Option<Timestamp>,
    /// The earliest time for the next attempt.
    pub(crate) retry_at: Option<Timestamp>,
}

impl Journal {
    /// Unfinished jobs with a higher arrival number than this, in order.
    pub(crate) async fn open_after(&self, arrived: i64) -> Result<Vec<QueuedJob>> {
        let open = "select arrived, id, conversation from job
            where arrived > ?1 and (state <> 'done' or exists (
                select 1 from outbox where job = job.id and closed_at is null))
            order by arrived";
        self.write(move |tx| {
            let mut open = tx.prepare_cached(open)?;
            let rows = open.query_map([arrived], |row| {
                Ok(QueuedJob { arrived: row.get(0)?, id: row.get(1)?, conversation: row.get(2)? })
            })?;
            rows.collect()
        })
        .await
    }

    /// A job by its id.
    pub(crate) async fn job(&self, id: &str) -> Result<Option<Job>> {
        let id = id.to_owned();
        let job =
            "select kind, state, starts, event, escrow, created_at, failures, failed_at, retry_at
            from job where id = ?1";
        self.write(move |tx| {
            tx.prepare_cached(job)?
                .query_row([&id], |row| {
                    Ok(Job {
                        kind: Kind::of(&row.get::<_, String>(0)?),
                        state: State::of(&row.get::<_, String>(1)?),
                        starts: row.get(2)?,
                        event: row.get(3)?,
                        escrow: row.get::<_, Option<String>>(4)?.map(EscrowId::from),
                        ingested_at: Timestamp::from_millis(row.get(5)?),
                        failures: row.get(6)?,
                        failed_at: row.get::<_, Option<i64>>(7)?.map(Timestamp::from_millis),
                        retry_at: row.get::<_, Option<i64>>(8)?.map(Timestamp::from_millis),
                        id: id.clone(),
                    })
                })
                .optional()
        })
        .await
    }

    /// Records the start of a job's handler, after `starts` earlier ones.
    pub(crate) async fn start(&self, id: &str, starts: u32) -> Result<()> {
        let id = id.to_owned();
        let start = "update job set state = 'running', starts = starts + 1
            where id = ?1 and starts = ?2 and state <> 'done'";
        self.guarded(move |tx| tx.prepare_cached(start)?.execute(params![id, starts])).await
    }

    /// Undoes [`start`](Self::start) before the handler ran; `starts` includes that start.
    pub(crate) async fn cancel_start(&self, id: &str, starts: u32) -> Result<()> {
        let id = id.to_owned();
        let cancel_start = "update job set state = 'queued', starts = starts - 1
            where id = ?1 and starts = ?2 and state = 'running'";
        self.guarded(move |tx| tx.execute(cancel_start, params![id, starts])).await
    }

    /// Postpones a job whose handler failed. `starts` includes the failed start, which no longer counts
    /// afterwards: the limit on starts is for those interrupted by the end of the process.
    pub(crate) async fn postpone(
        &self,
        id: &str,
        starts: u32,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<()> {
        let id = id.to_owned();
        let postpone = "update job set state = 'queued', starts = starts - 1,
                failures = failures + 1, failed_at = coalesce(failed_at, ?3), retry_at = ?4
            where id = ?1 and starts = ?2 and state = 'running'";
        let (now, until) = (now.as_millis(), until.as_millis());
        self.guarded(move |tx| tx.execute(postpone, params![id, starts, now, until])).await
    }

    /// Finishes a job and stores its calls, in one transaction.
    pub(crate) async fn finish(
        &self,
        id: &str,
        starts: u32,
        calls: Vec<NewCall>,
        now: Timestamp,
    ) -> Result<()> {
        self.finish_with(id, starts, Ending { calls, dialogue: None }, now).await
    }

    /// Finishes a job and stores what it leaves, in one transaction.
    pub(crate) async fn finish_with(
        &self,
        id: &str,
        starts: u32,
        ending: Ending,
        now: Timestamp,
    ) -> Result<()> {
        let id = id.to_owned();
        let finish = "update job set state = 'done', done_at = ?3
            where id = ?1 and starts = ?2 and state <> 'done'";
        self.guarded(move |tx| {
            let done = params![id, starts, now.as_millis()];
            let finished = tx.prepare_cached(finish)?.execute(done)?;
            if finished == 1 {
                outbox::insert(tx, &id, &ending.calls, now)?;
                if let Some(change) = &ending.dialogue {
                    dialogues::store(tx, change, now)?;
                }
                tx.prepare_cached("delete from step where job = ?1")?.execute([&id])?;
            }
            Ok(finished)
        })
        .await
    }

    /// Links an order to its escrow. Returns false if the escrow pays for another order.
    pub(crate) async fn tie(&self, id: &str, escrow: &str) -> Result<bool> {
        let (id, escrow) = (id.to_owned(), escrow.to_owned());
        let tie = "update job set escrow = ?2 where id = ?1
            and not exists (select 1 from job where escrow = ?2 and id <> ?1)";
        self.write(move |tx| Ok(tx.execute(tie, [&id, &escrow])? == 1)).await
    }

    /// Changes exactly one row; if there is none, another bot uses this journal.
    async fn guarded(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<usize> + Send + 'static,
    ) -> Result<()> {
        match self.write(work).await? {
            1 => Ok(()),
            _ => Err(Error::journal::<rusqlite::Error>("is used by another bot", None)),
        }
    }
}

/// Stores a job unless it is known.
pub(super) fn insert(tx: &Transaction<'_>, job: &NewJob, now: Timestamp) -> rusqlite::Result<()> {
    let insert = "insert into job (id, kind, conversation, arrived, event, state, created_at)
        values (?1, ?2, ?3, (select coalesce(max(arrived), 0) + 1 from job), ?4, 'queued', ?5)
        on conflict (id) do nothing";
    let NewJob { id, kind, conversation, event } = job;
    let row = params![id, kind.as_str(), conversation, event, now.as_millis()];
    tx.prepare_cached(insert)?.execute(row).map(|_| ())
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Message => "message",
            Self::Channel => "channel",
            Self::Event => "event",
        }
    }

    fn of(word: &str) -> Self {
        match word {
            "request" => Self::Request,
            "message" => Self::Message,
            "channel" => Self::Channel,
            _ => Self::Event,
        }
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
pub(super) mod tests;
