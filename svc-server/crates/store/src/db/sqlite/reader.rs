//! A reader: each job sees one snapshot.

use crossbeam_channel::Receiver;
use rusqlite::Connection;

use super::prepared::Prepared;
use super::time_limit::TimeLimit;
use crate::clock::Clock;
use crate::db::job::{Access, Job, Message};
use crate::db::meter::Meter;
use crate::db::tx::{self, Tx};
use crate::sql;

/// A connection that reads.
pub(super) struct Reader {
    pub(super) connection: Connection,
    pub(super) limit: TimeLimit,
    pub(super) clock: Clock,
    pub(super) meter: Meter,
}

/// Most jobs that share a snapshot.
const GROUP_MAX: usize = 8;

impl Reader {
    /// Runs jobs until the queue says stop or is dropped.
    ///
    /// Jobs that wait together share a snapshot, which is taken after they came: each sees what
    /// was committed before it was asked.
    pub(super) fn run(&self, queue: &Receiver<Message>) {
        let mut statements = Prepared::new(&self.connection);
        let mut jobs = Vec::with_capacity(GROUP_MAX);
        while let Ok(Message::Run(access, job)) = queue.recv() {
            jobs.push((access, job));
            let mut stop = false;
            // A snapshot job is the last of its group, so that no other job waits behind it.
            let mut is_long = access == Access::Snapshot;
            while jobs.len() < GROUP_MAX
                && !is_long
                && let Ok(message) = queue.try_recv()
            {
                match message {
                    Message::Run(access, job) => {
                        is_long = access == Access::Snapshot;
                        jobs.push((access, job));
                    }
                    Message::Stop => {
                        stop = true;
                        break;
                    }
                }
            }
            self.snapshot(&mut statements, &mut jobs, access, queue.len());
            if stop {
                return;
            }
        }
    }

    /// Runs the jobs on one snapshot; a failed statement ends it only for its own job.
    fn snapshot(
        &self,
        statements: &mut Prepared<'_>,
        jobs: &mut Vec<(Access, Box<dyn Job>)>,
        kind: Access,
        waiting: usize,
    ) {
        let count = jobs.len();
        let mut begun = statements.step(sql!("begin"));
        for (number, (access, mut job)) in jobs.drain(..).enumerate() {
            if begun.is_ok() && self.connection.is_autocommit() {
                begun = statements.step(sql!("begin"));
            }
            if begun.is_ok() {
                self.limit.begin(access == Access::Answer);
                let connection = tx::Connection::Sqlite(statements);
                let mut tx = Tx::new(connection, self.clock.now());
                job.run(&mut tx);
                self.meter.ran(&tx);
            }
            // Before the last answer, so that its receiver finds the work counted.
            if number + 1 == count {
                self.meter.group(kind, count, waiting, 0);
            }
            job.answer(begun, count);
        }
        if !self.connection.is_autocommit() && statements.step(sql!("rollback")).is_err() {
            tracing::error!("a snapshot could not be ended");
        }
    }
}
