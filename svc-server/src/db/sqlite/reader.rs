//! A reader: each job sees one snapshot.

use crossbeam_channel::Receiver;
use rusqlite::Connection;

use super::statement::step;
use crate::clock::Clock;
use crate::db::job::{Job, Message};
use crate::db::meter;
use crate::db::trouble::Trouble;
use crate::db::tx::{self, Tx};

/// A connection that reads.
pub(super) struct Reader {
    pub(super) connection: Connection,
    pub(super) clock: Clock,
}

impl Reader {
    /// Runs jobs until the queue says stop or is dropped.
    pub(super) fn run(&self, queue: &Receiver<Message>) {
        while let Ok(Message::Run(access, mut job)) = queue.recv() {
            let end = self.transaction(job.as_mut());
            meter::jobs(access, 1, queue.len());
            job.answer(end);
        }
    }

    /// Runs a job on one snapshot.
    fn transaction(&self, job: &mut dyn Job) -> Result<(), Trouble> {
        step(&self.connection, "begin")?;
        job.run(&mut Tx::new(tx::Connection::Sqlite(&self.connection), self.clock.now()));
        if self.connection.is_autocommit() { Ok(()) } else { step(&self.connection, "rollback") }
    }
}
