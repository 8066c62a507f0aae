//! Replicas: standbys that answer reads which need not be the latest.
//!
//! Each has a queue and readers of its own. A read that its replica cannot answer, for whatever reason, goes
//! on to the primary.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::time::Duration;

use crossbeam_channel::{Sender, TrySendError};

use super::Worker;
use super::idle::Idle;
use super::marks::Marks;
use super::reader::Reader;
use super::session::Session;
use super::target::Target;
use crate::db::engine::{Queue, Thread};
use crate::db::job::{Access, Job, Message};
use crate::db::position::Position;
use crate::db::settings::{DatabaseUrl, ReplicaSettings, Settings};
use crate::db::trouble::Trouble;
use crate::db::tx::Failure;
use crate::error::{Error, Result};

/// The setting that names them.
const SETTING: &str = "database.replicas";

/// Connections to each of them.
const READERS: usize = 8;

/// The replicas of a database. On SQLite there are none.
#[derive(Default)]
pub(in crate::db) struct Replicas {
    all: Vec<(Arc<Replica>, Sender<Message>)>,
    /// Counts reads, so that each is the turn of the next one.
    turn: AtomicUsize,
}

/// One standby, for its readers.
pub(super) struct Replica {
    /// Its place in the setting, from 1.
    pub(super) number: usize,
    target: Target,
    primary: Primary,
    pub(super) marks: Marks,
    pub(super) lag_max: Duration,
    /// One of the states below.
    state: AtomicU8,
}

/// What replicas are copies of.
#[derive(Clone)]
pub(super) struct Primary {
    /// The database that theirs must be.
    pub(super) database: Arc<str>,
    /// Where reads go that they cannot answer.
    pub(super) queue: Sender<Message>,
}

/// What is known of a replica: nothing yet, that it answered lately and was recent, or that it is not read.
const UNKNOWN: u8 = 0;
const FRESH: u8 = 1;
const LEFT_ALONE: u8 = 2;

/// Where the replicas are: one server each.
pub(super) fn targets(settings: &ReplicaSettings) -> Result<Vec<Target>> {
    let target = |url: &DatabaseUrl| match url {
        DatabaseUrl::Postgres(url) => Target::of(SETTING, url),
        _ => Err(Error::setup(format!("{SETTING}: each must be postgres://<user>@<host>/<name>"))),
    };
    let targets: Vec<Target> = settings.urls.iter().map(target).collect::<Result<_>>()?;
    if targets.iter().all(Target::is_single) {
        return Ok(targets);
    }
    Err(Error::setup(format!("{SETTING}: each must name one host, since each is one server")))
}

impl Replicas {
    /// Starts the threads that read these standbys of a primary, each with a copy of `worker`. One more asks
    /// the primary where it is.
    pub(super) fn start(
        targets: Vec<Target>,
        primary: &Primary,
        settings: &Settings,
        worker: &Worker,
        threads: &mut Vec<Thread>,
    ) -> Result<Self> {
        if targets.is_empty() {
            return Ok(Self::default());
        }
        let marks = Marks::default();
        let (marking, marker) = (marks.clone(), worker.with(Idle::default()));
        let stop = Queue::new(1);
        threads.push(stop.serve("db-marks".to_owned(), move |queue| marking.run(marker, queue))?);
        let mut all = Vec::new();
        for (index, target) in targets.into_iter().enumerate() {
            let replica = Arc::new(Replica {
                number: index + 1,
                target,
                primary: primary.clone(),
                marks: marks.clone(),
                lag_max: settings.replicas.lag_max,
                state: AtomicU8::new(UNKNOWN),
            });
            let queue = Queue::new(settings.queue_max);
            threads.extend(serve(&replica, &queue, worker)?);
            all.push((replica, queue.sender));
        }
        Ok(Self { all, turn: AtomicUsize::new(0) })
    }

    pub(in crate::db) const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Queues a read at the next replica that is fresh. The job comes back if there is none.
    pub(in crate::db) fn offer(
        &self,
        access: Access,
        mut job: Box<dyn Job>,
    ) -> Option<Box<dyn Job>> {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed).checked_rem(self.all.len());
        let turn = turn.unwrap_or_default();
        let (before, from) = self.all.split_at(turn);
        for (replica, queue) in from.iter().chain(before) {
            if !replica.is_fresh() {
                continue;
            }
            let offered = queue.try_send(Message::Run(access, job));
            match offered.map_err(TrySendError::into_inner) {
                Err(Message::Run(_, back)) => job = back,
                _ => return None,
            }
        }
        Some(job)
    }
}

/// Starts the threads that read a replica.
fn serve(replica: &Arc<Replica>, queue: &Queue, worker: &Worker) -> Result<Vec<Thread>> {
    let serve_one = |reader: usize| {
        let name = format!("db-{}-{reader}", replica.number);
        let reader = Reader::of(Arc::clone(replica), worker.with(Idle::default()), reader == 0);
        queue.serve(name, move |queue| reader.run(queue))
    };
    (0..READERS).map(serve_one).collect()
}

impl Replica {
    /// A connection to it.
    pub(super) fn connect(&self, worker: &Worker) -> Result<Session, Failure> {
        Session::to_standby(&self.target, worker.statements, &worker.clock)
    }

    /// Where it is on this connection.
    pub(super) fn ask(&self, session: &Session) -> Result<Position, Failure> {
        let report = session.report()?.map(|report| report.of(&self.primary.database));
        let position = report.unwrap_or(Err("it does not say where it is"));
        position.map_err(|why| Failure::Row(Error::internal(why)))
    }

    /// Whether it answered lately and was recent.
    pub(super) fn is_fresh(&self) -> bool {
        self.state.load(Ordering::Acquire) == FRESH
    }

    /// Notes whether it is. The log says so when that changes, and why.
    pub(super) fn note(&self, is_fresh: bool, failure: Option<&Failure>) {
        let state = if is_fresh { FRESH } else { LEFT_ALONE };
        if self.state.swap(state, Ordering::AcqRel) == state {
            return;
        }
        let replica = self.target.place();
        if is_fresh {
            tracing::info!(replica, "a replica is read");
        } else if let Some(error) = failure {
            tracing::warn!(replica, %error, "a replica does not answer, and is not read until it does");
        } else {
            tracing::warn!(
                replica,
                "a replica lags behind, and is not read until it has caught up"
            );
        }
    }

    /// Lets the primary run a job.
    pub(super) fn pass_on(&self, job: Box<dyn Job>) {
        let Err(error) = self.primary.queue.try_send(Message::Run(Access::Answer, job)) else {
            return;
        };
        let trouble = Trouble::of(&error);
        if let Message::Run(_, job) = error.into_inner() {
            job.answer(Err(trouble), 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::bounded;
    use svc_types::Code;

    use super::*;
    use crate::db::job::task;

    #[test]
    fn a_read_for_which_the_primary_has_no_place_is_refused_as_overload() {
        let (queue, primary) = bounded(1);
        let replica = Replica {
            number: 1,
            target: Target::of(SETTING, "postgres://svc@localhost/svc").unwrap(),
            primary: Primary { database: Arc::default(), queue },
            marks: Marks::default(),
            lag_max: Duration::ZERO,
            state: AtomicU8::new(UNKNOWN),
        };
        let (first, _) = task(Access::Answer, |_| Ok(1), |_| (), None);
        let (second, mut answer) = task(Access::Answer, |_| Ok(2), |_| (), None);
        replica.pass_on(first);
        replica.pass_on(second);
        assert_eq!(primary.len(), 1);
        let answered = answer.try_recv().expect("a refused read is answered");
        assert_eq!(answered.result.unwrap_err().code(), Code::Overloaded);
    }
}
