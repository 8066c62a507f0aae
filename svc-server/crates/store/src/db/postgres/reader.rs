//! A thread with a connection to a replica, made when the first read needs it.
//!
//! What the replica has is asked on the connection that reads, so it is true also where a load balancer
//! chooses among standbys. It only grows, so it is asked again only when it is not enough.

use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};

use super::Worker;
use super::client::present;
use super::replicas::Replica;
use super::session::Session;
use crate::db::job::{Access, Job, Message};
use crate::db::meter::Meter;
use crate::db::position::Position;
use crate::db::trouble::Trouble;
use crate::db::tx::{self, Failure, Tx};

/// How often the first reader of a replica asks where it is.
const MEASURE_EVERY: Duration = Duration::from_millis(500);

/// How long a replica may take for that, and more than the time of a read until it is left alone.
const ANSWER: Duration = Duration::from_secs(1);

/// A reader of a replica.
pub(super) struct Reader {
    replica: Arc<Replica>,
    /// What it has in common with those of the primary, to which it does not connect.
    worker: Worker,
    session: Option<Session>,
    /// Whether a read has just lost its connection, which a restart of the replica ends, too.
    is_lost: bool,
    /// What the replica had when it was last asked.
    position: Option<Position>,
    /// When to ask without a read, for the first reader.
    measure_at: Option<Instant>,
}

impl Reader {
    pub(super) fn of(replica: Arc<Replica>, worker: Worker, is_first: bool) -> Self {
        let measure_at = is_first.then(present);
        Self { replica, worker, session: None, is_lost: false, position: None, measure_at }
    }

    pub(super) fn run(mut self, queue: &Receiver<Message>) {
        loop {
            if self.measure_at.is_some_and(|due| present() >= due) {
                self.measure_lag();
            }
            match queue.recv_timeout(MEASURE_EVERY) {
                Ok(Message::Run(access, job)) => self.serve(access, job, queue.len()),
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Asks for the position of the replica, and records how old its data is.
    fn measure_lag(&mut self) {
        self.renew();
        let marks = &self.replica.marks;
        let lag = self.position.and_then(|position| marks.age(position));
        let lag = lag.unwrap_or_else(|| marks.oldest());
        let number = self.replica.number.to_string();
        metrics::gauge!("svc_replica_lag_seconds", "replica" => number).set(lag.as_secs_f64());
        self.measure_at = Some(present() + MEASURE_EVERY);
    }

    /// Runs a read, or lets the primary do that.
    fn serve(&mut self, access: Access, mut job: Box<dyn Job>, waiting: usize) {
        let after = match access {
            Access::Recent(after) => after,
            _ => None,
        };
        if self.replica.is_fresh() && self.answers(after, job.as_mut()) {
            Meter::answered_at("replica");
            self.worker.meter.group(access, 1, waiting, 0);
            job.answer(Ok(()), 1);
        } else {
            self.replica.pass_on(job);
        }
        if mem::take(&mut self.is_lost) {
            self.renew();
        }
    }

    /// Whether the replica had what a job must see, and answered. A failure there says nothing of the
    /// primary: a conflict with what is replayed, a table that is not there yet, a server that has gone.
    fn answers(&mut self, after: Option<Position>, job: &mut dyn Job) -> bool {
        let Some(mut session) = self.fresh(after) else { return false };
        let worker = &self.worker;
        session.end_by(present() + worker.read_time_max + ANSWER);
        session.belong_to(job.context().cloned());
        session.end_statement_at(present() + worker.read_time_max);
        let now = session.now(&worker.clock);
        let mut tx = Tx::new(tx::Connection::Postgres(&mut session), now);
        job.run(&mut tx);
        worker.meter.ran(&tx);
        let trouble = tx.trouble();
        session.belong_to(None);
        worker.meter.sent(session.take_trips());
        match trouble {
            Some(Trouble::Overrun) => self.replica.note(false, Some(&Failure::Overrun)),
            Some(Trouble::Lost) => self.is_lost = true,
            _ if session.is_spent() => {}
            _ => self.session = Some(session),
        }
        trouble.is_none()
    }

    /// The connection, if the replica has what a read must see.
    fn fresh(&mut self, after: Option<Position>) -> Option<Session> {
        if self.session.is_none() || !self.has(after) {
            self.renew();
        }
        if self.has(after) { self.session.take() } else { None }
    }

    /// Whether the replica was recent and had this commit when it was last asked.
    fn has(&self, after: Option<Position>) -> bool {
        self.position.is_some_and(|position| {
            let age = self.replica.marks.age(position);
            age.is_some_and(|age| age <= self.replica.lag_max)
                && after.is_none_or(|commit| position.includes(commit))
        })
    }

    /// Asks where the replica is, and notes whether it may be read. Before the first mark nobody knows.
    fn renew(&mut self) {
        let asked = self.ask();
        if asked.is_err() || self.replica.marks.is_any() {
            self.replica.note(asked.is_ok() && self.has(None), asked.as_ref().err());
        }
    }

    /// Asks where the replica is, on a new connection if need be: the replica may have restarted since the old one was
    /// made. One that fails is given up.
    fn ask(&mut self) -> Result<(), Failure> {
        let asked = self.session.take().map(|session| self.ask_on(session));
        match asked {
            Some(Ok(())) => Ok(()),
            // It would keep a new connection waiting, too.
            Some(Err(Failure::Overrun)) => Err(Failure::Overrun),
            Some(Err(_)) | None => {
                let session = self.replica.connect(&self.worker)?;
                self.ask_on(session)
            }
        }
    }

    fn ask_on(&mut self, mut session: Session) -> Result<(), Failure> {
        session.end_by(present() + ANSWER);
        self.position = Some(self.replica.ask(&session)?);
        self.session = Some(session);
        Ok(())
    }
}
