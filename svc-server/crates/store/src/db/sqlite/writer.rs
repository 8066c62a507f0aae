//! The one writer, with group commit.
//!
//! It takes what waits, runs each job, commits once, and answers after the commit. A failing job is
//! undone alone; a failing commit undoes and refuses its whole group.
//!
//! Jobs run without savepoints, which cost a copy of every page that is changed: most that fail have
//! changed nothing. When one has, the group is undone and runs again with a savepoint for each job,
//! and so do the groups after it for a while.

use std::cell::Cell;
use std::iter;
use std::process;

use crossbeam_channel::Receiver;
use rusqlite::{Connection, ErrorCode};
use tokio::runtime::Handle;

use super::checkpoint::Checkpointer;
use super::prepared::Prepared;
use super::statement::trouble;
use crate::clock::Clock;
use crate::db::engine::{EXIT_CODE, StorageFull};
use crate::db::fault;
use crate::db::job::{Access, Job, Message};
use crate::db::meter::Meter;
use crate::db::trouble::Trouble;
use crate::db::tx::{self, Tx};
use crate::sql;

/// Jobs that share a commit although fewer than twice as many wait: below, commits cost more than
/// the overlap gains.
const GROUP_USUAL: usize = 32;

/// Groups with savepoints after one that had to run again. Where refusals are frequent, few groups
/// run twice.
const CAREFUL_GROUPS: u32 = 64;

/// The one connection that writes.
pub(super) struct Writer {
    pub(super) connection: Connection,
    pub(super) checkpointer: Checkpointer,
    pub(super) clock: Clock,
    /// Most jobs that share a commit, at least 1.
    pub(super) group_max: usize,
    pub(super) storage_full: StorageFull,
    pub(super) meter: Meter,
    /// How many of the next groups run with savepoints.
    pub(super) careful: Cell<u32>,
    /// Where the callers wait, if the database was opened there.
    pub(super) runtime: Option<Handle>,
}

impl Writer {
    /// Runs jobs until the queue says stop or is dropped.
    pub(super) fn run(&self, queue: &Receiver<Message>) {
        let mut statements = Prepared::new(&self.connection);
        let mut stopped = false;
        while !stopped {
            let Ok(Message::Run(_, first)) = queue.recv() else {
                return;
            };
            let mut group = vec![first];
            // What arrives while the group runs still joins it; nobody is waited for. Half of what
            // waits is left for the next group, so that callers of the one are answered, and ask
            // again, while the other runs.
            let most = (queue.len() / 2).max(GROUP_USUAL).min(self.group_max);
            let more = iter::from_fn(|| match queue.try_recv() {
                Ok(Message::Run(_, job)) => Some(job),
                Ok(Message::Stop) => {
                    stopped = true;
                    None
                }
                Err(_) => None,
            });
            let end = self.transaction(&mut statements, &mut group, more.take(most - 1));
            if end.is_err() {
                self.roll_back();
            }
            self.storage_full.note(end);
            let log_pages = self.checkpointer.pages_logged();
            self.meter.group(Access::Write, group.len(), queue.len(), log_pages);
            self.answer(group, end);
            self.checkpointer.after_commit(&self.connection);
        }
    }

    /// Answers a group's callers. On their own runtime that is one wake-up for all; from here it
    /// would be one for each.
    fn answer(&self, group: Vec<Box<dyn Job>>, end: Result<(), Trouble>) {
        let jobs = group.len();
        let answer = move || group.into_iter().for_each(|job| job.answer(end, jobs));
        match &self.runtime {
            Some(runtime) => drop(runtime.spawn(async move { answer() })),
            None => answer(),
        }
    }

    /// Runs the first job and as many more as there are, and commits them together.
    fn transaction(
        &self,
        statements: &mut Prepared<'_>,
        group: &mut Vec<Box<dyn Job>>,
        mut more: impl Iterator<Item = Box<dyn Job>>,
    ) -> Result<(), Trouble> {
        statements.step(sql!("begin immediate"))?;
        let mut is_careful = self.careful.get() > 0;
        self.careful.set(self.careful.get().saturating_sub(1));
        while let Some(job) = group.last_mut() {
            if is_careful {
                self.savepoint(statements, job.as_mut())?;
            } else if self.attempt(statements, job.as_mut())? == Attempt::Undone {
                is_careful = true;
                self.careful.set(CAREFUL_GROUPS);
                self.run_again(statements, group)?;
            }
            match more.next() {
                Some(job) => group.push(job),
                None => break,
            }
        }
        self.commit()
    }

    /// Runs one job. If it fails after a change, the whole transaction is undone.
    fn attempt(
        &self,
        statements: &mut Prepared<'_>,
        job: &mut dyn Job,
    ) -> Result<Attempt, Trouble> {
        let before = self.connection.total_changes();
        if self.run_job(statements, job)? || self.connection.total_changes() == before {
            return Ok(Attempt::Done);
        }
        statements.step(sql!("rollback"))?;
        Ok(Attempt::Undone)
    }

    /// Runs jobs again whose transaction was undone, each in a savepoint.
    fn run_again(
        &self,
        statements: &mut Prepared<'_>,
        group: &mut [Box<dyn Job>],
    ) -> Result<(), Trouble> {
        statements.step(sql!("begin immediate"))?;
        group.iter_mut().try_for_each(|job| self.savepoint(statements, job.as_mut()))
    }

    /// Runs one job so that its failure is undone alone.
    fn savepoint(&self, statements: &mut Prepared<'_>, job: &mut dyn Job) -> Result<(), Trouble> {
        statements.step(sql!("savepoint job"))?;
        if !self.run_job(statements, job)? {
            statements.step(sql!("rollback to job"))?;
        }
        statements.step(sql!("release job"))
    }

    /// Runs one job; `true` when its changes are to be committed.
    fn run_job(&self, statements: &mut Prepared<'_>, job: &mut dyn Job) -> Result<bool, Trouble> {
        let mut tx = Tx::new(tx::Connection::Sqlite(statements), self.clock.now());
        let keep = job.run(&mut tx);
        self.meter.ran(&tx);
        match tx.trouble() {
            None | Some(Trouble::Statement) => {}
            Some(trouble) => return Err(trouble),
        }
        if self.connection.is_autocommit() {
            // After some errors SQLite rolls everything back, the jobs before this one too.
            return Err(Trouble::Unavailable);
        }
        Ok(keep)
    }

    fn commit(&self) -> Result<(), Trouble> {
        fault::reach(fault::BEFORE_COMMIT);
        let Err(error) = self.connection.execute_batch("commit") else {
            fault::reach(fault::AFTER_COMMIT);
            return Ok(());
        };
        match error.sqlite_error_code() {
            Some(
                ErrorCode::DiskFull | ErrorCode::DatabaseBusy | ErrorCode::ConstraintViolation,
            ) => {
                tracing::warn!(%error, "a commit failed");
                Err(trouble(&error))
            }
            _ => give_up(&error),
        }
    }

    fn roll_back(&self) {
        if self.connection.is_autocommit() {
            return;
        }
        if let Err(error) = self.connection.execute_batch("rollback") {
            give_up(&error);
        }
    }
}

/// The outcome of a job that ran without a savepoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attempt {
    /// It is to be committed, or it failed and has changed nothing.
    Done,
    /// It failed, and the transaction was undone with all that ran before it.
    Undone,
}

/// Ends the process, because the file is in an unknown state.
///
/// After a failed fsync the system may drop the data and report success the next time, so neither
/// this commit nor a later one could be promised. The next start recovers from the log.
fn give_up(error: &rusqlite::Error) -> ! {
    tracing::error!(%error, "the database could not commit; the server ends");
    process::exit(EXIT_CODE);
}
