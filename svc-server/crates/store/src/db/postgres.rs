//! PostgreSQL: connection threads, one transaction per job.
//!
//! Jobs are synchronous and need threads of their own. A job that met a conflict, or whose connection
//! was lost before its commit was sent, runs again. Every job ends: each round trip, the job with its
//! time in the queue, and COMMIT have a limit.

mod bypass;
mod client;
mod defaults;
mod failure;
mod idle;
mod introduce;
mod marks;
pub(super) mod migrating;
mod outage;
mod queued;
mod reader;
mod replicas;
mod session;
pub(crate) mod signals;
mod standby;
mod target;
mod timeline;
mod tls;
mod verifier;

use std::sync::{Arc, Mutex, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use super::engine::{Engine, Queue, Queues, StorageFull, Thread};
use super::job::{Access, Job, Message};
use super::meter::Meter;
use super::migrate;
use super::settings::{DatabaseUrl, Settings, Statements};
use super::trouble::Trouble;
use super::tx::{self, Failure, Tx};
use crate::clock::Clock;
use crate::error::{Error, Result};

use self::client::present;
pub(super) use self::defaults::LIFTED;
pub(super) use self::failure::{describe, failed};
pub(super) use self::idle::Connections;
use self::idle::{Busy, Idle};
pub(super) use self::marks::SELECT_POSITION;
pub(super) use self::outage::Outage;
use self::replicas::Primary;
pub(super) use self::replicas::Replicas;
pub(super) use self::session::{Session, trouble, value};
pub(super) use self::target::Target;
use self::timeline::Timeline;

/// How often a job runs before it is refused because the database is too busy.
const ATTEMPTS_MAX: u32 = 5;

/// The pause before a job runs again is random, up to twice this and doubling with each run.
const CONFLICT_DELAY_MS: u32 = 10;

/// How long a job may take with its time in the queue, COMMIT apart. Jobs over whole tables have no
/// such limit.
const JOB: Duration = Duration::from_secs(6);

const OLD_PRIMARY: &str =
    "the server is an old primary: its timeline is lower than one that is known";

/// Pause after the first failure to connect; it doubles with each further one.
const RECONNECT_DELAY: Duration = Duration::from_millis(100);

/// Longest pause between two tries to connect.
const RECONNECT_DELAY_MAX: Duration = Duration::from_secs(2);

/// Connects once, migrates, and starts the threads.
pub(super) fn open(url: &str, settings: &Settings, clock: &Clock) -> Result<Engine> {
    let servers = Servers::of(url, settings)?;
    let timeline = Timeline::default();
    let (first, database) = on_own_thread(|| servers.introduce(&timeline, settings, clock))?;
    // One queue: any thread can do any job.
    let queue = Queue::new(settings.queue_max);
    let worker = Worker::new(&servers, timeline, settings, clock);
    let idle = Idle::of(first);
    let mut threads = serve(&queue, &worker, &idle, settings.connections)?;
    let primary = Primary { database, queue: queue.sender.clone() };
    let replicas = Replicas::start(servers.standbys, &primary, settings, &worker, &mut threads)?;
    let queues = Queues { writes: queue.sender.clone(), reads: queue.sender, replicas };
    Ok(Engine {
        url: settings.url.clone(),
        file: None,
        folder: None,
        signals: Some(servers.direct),
        queues: RwLock::new(Some(queues)),
        connections: Some(idle.connections()),
        threads: Mutex::new(threads),
        storage_full: worker.storage_full,
        outage: worker.outage,
        #[cfg(feature = "testing")]
        groups: worker.meter.groups,
    })
}

/// Starts the threads that run jobs, which share their idle connections.
fn serve(queue: &Queue, worker: &Worker, idle: &Idle, connections: usize) -> Result<Vec<Thread>> {
    let serve_one = |number: usize| {
        let worker = worker.with(idle.clone());
        queue.serve(format!("db-{number}"), move |queue| worker.run(queue))
    };
    (0..connections.max(1)).map(serve_one).collect()
}

/// Where a database is.
struct Servers {
    /// What jobs connect to, perhaps a pooler.
    target: Target,
    /// PostgreSQL itself.
    direct: Target,
    standbys: Vec<Target>,
}

impl Servers {
    fn of(url: &str, settings: &Settings) -> Result<Self> {
        let target = Target::of("database_url", url)?;
        let direct = match &settings.direct_url {
            Some(DatabaseUrl::Postgres(url)) => Target::of("database.direct_url", url)?,
            _ => target.clone(),
        };
        Ok(Self { target, direct, standbys: replicas::targets(&settings.replicas)? })
    }

    /// Migrates, or checks that nothing is to be migrated. Returns the first connection of a job, and the
    /// database that the standbys are copies of.
    fn introduce(
        &self,
        timeline: &Timeline,
        settings: &Settings,
        clock: &Clock,
    ) -> Result<(Session, Arc<str>)> {
        let (target, direct) = (&self.target, &self.direct);
        let mut client = direct.connect_for_long()?;
        match (settings.migrate, &settings.direct_url) {
            (true, Some(_)) => bypass::migrate(target, direct, &mut client, clock.now())?,
            (true, None) => migrating::run(&mut client, clock.now())?,
            (false, _) => migrate::refuse_other(migrate::POSTGRES, &mut client)?,
        }
        let connect = || Session::connect(target, settings.statements, clock, 0);
        let first = introduce::first(target, timeline, connect)?;
        let database = standby::check(&self.standbys, &mut client, timeline.is_later())?;
        Ok((first, database))
    }
}

/// Runs `work` on a thread without an async runtime, and waits for it.
pub(crate) fn on_own_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| match scope.spawn(work).join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

/// A thread that runs jobs, on a connection that is made when no idle one is there.
#[derive(Clone)]
struct Worker {
    target: Target,
    statements: Statements,
    /// Whether commits also read their position, for reads of replicas.
    wants_position: bool,
    timeline: Timeline,
    clock: Clock,
    /// How long a read may take that a caller waits for.
    read_time_max: Duration,
    storage_full: StorageFull,
    meter: Meter,
    outage: Outage,
    idle: Idle,
    /// After a failure to connect: when the next try is due.
    reconnect_at: Option<Instant>,
    /// How long to wait after the next failure to connect.
    reconnect_delay: Duration,
}

impl Worker {
    fn new(servers: &Servers, timeline: Timeline, settings: &Settings, clock: &Clock) -> Self {
        Self {
            target: servers.target.clone(),
            statements: settings.statements,
            wants_position: !servers.standbys.is_empty(),
            timeline,
            clock: clock.clone(),
            read_time_max: settings.read_time_max,
            storage_full: StorageFull::default(),
            meter: Meter::default(),
            outage: Outage::default(),
            idle: Idle::default(),
            reconnect_at: None,
            reconnect_delay: RECONNECT_DELAY,
        }
    }

    /// Another thread, which takes its connections from there.
    fn with(&self, idle: Idle) -> Self {
        Self { idle, ..self.clone() }
    }

    fn run(mut self, queue: &Receiver<Message>) {
        while let Ok(Message::Run(access, mut job)) = queue.recv() {
            let end = self.attempts(access, job.as_mut());
            if access == Access::Answer {
                Meter::answered_at("primary");
            }
            self.meter.group(access, 1, queue.len(), 0);
            job.answer(end, 1);
        }
    }

    /// Runs a job again as long as that may help.
    fn attempts(&mut self, access: Access, job: &mut dyn Job) -> Result<(), Trouble> {
        let mut end = self.attempt(access, job);
        for attempt in 1..ATTEMPTS_MAX {
            match end {
                Err(Trouble::Conflict | Trouble::Duplicate) => pause(attempt),
                // Nothing was committed; an idle connection may have died of age.
                Err(Trouble::Lost) => {}
                _ => break,
            }
            end = self.attempt(access, job);
        }
        end
    }

    fn attempt(&mut self, access: Access, job: &mut dyn Job) -> Result<(), Trouble> {
        let deadline = job.queued_at() + JOB;
        if self.outage.is_down() || access != Access::Snapshot && present() >= deadline {
            return Err(Trouble::Unavailable);
        }
        let (mut session, busy) = self.connect()?;
        session.end_by(deadline);
        session.belong_to(job.context().cloned());
        let end = match access {
            Access::Read => self.read(&mut session, job),
            Access::Answer | Access::Recent(_) => self.answer(&mut session, job),
            Access::Snapshot => self.snapshot(&mut session, job),
            Access::Write => self.write(&mut session, job),
        };
        let end = match end {
            // PostgreSQL itself ended a statement of a job that nothing else limits.
            Err(Trouble::TooLong) if access != Access::Answer => Err(Trouble::Unavailable),
            end => end,
        };
        session.belong_to(None);
        self.meter.sent(session.take_trips());
        match end {
            Err(Trouble::Overrun | Trouble::OutcomeUnknown) => self.outage.suspect(&self.target),
            Err(Trouble::Lost) => self.idle.clear(),
            _ if session.is_spent() => {}
            _ => self.idle.put(session, busy),
        }
        end
    }

    /// Runs a read that a caller waits for.
    fn answer(&self, session: &mut Session, job: &mut dyn Job) -> Result<(), Trouble> {
        session.end_statement_at(present() + self.read_time_max);
        self.read(session, job)
    }

    /// Runs a job without a transaction: each statement is one, in one round trip.
    fn read(&self, session: &mut Session, job: &mut dyn Job) -> Result<(), Trouble> {
        let now = session.now(&self.clock);
        let mut tx = Tx::new(tx::Connection::Postgres(session), now);
        job.run(&mut tx);
        self.meter.ran(&tx);
        match tx.trouble() {
            None | Some(Trouble::Statement) => Ok(()),
            Some(trouble) => Err(trouble),
        }
    }

    /// Runs a job on one snapshot of the database.
    fn snapshot(&self, session: &mut Session, job: &mut dyn Job) -> Result<(), Trouble> {
        session.take_long();
        session.begin_snapshot()?;
        match self.read(session, job) {
            // There is nobody to ask.
            Err(Trouble::Overrun) => Err(Trouble::Overrun),
            end => session.roll_back().and(end),
        }
    }

    /// Runs a job in a transaction.
    fn write(&self, session: &mut Session, job: &mut dyn Job) -> Result<(), Trouble> {
        let now = session.begin(&self.clock)?;
        let mut tx = Tx::new(tx::Connection::Postgres(session), now);
        let keep = job.run(&mut tx);
        self.meter.ran(&tx);
        let end = match tx.trouble() {
            None if keep => {
                session.commit(self.wants_position).map(|position| job.committed_at(position))
            }
            None | Some(Trouble::Statement) => return session.roll_back(),
            // The connection is given up, which undoes the transaction.
            Some(Trouble::Overrun) => Err(Trouble::Overrun),
            Some(trouble) => session.roll_back().and(Err(trouble)),
        };
        self.storage_full.note(end);
        end
    }

    /// An idle connection, unless an outage or a failover came since it was made.
    fn idle(&self, epoch: u64) -> Option<(Session, Busy)> {
        loop {
            let (session, busy) = self.idle.take()?;
            if session.epoch() == epoch && self.timeline.accepts(session.timeline()) {
                return Some((session, busy));
            }
        }
    }

    /// A new connection. Of several hosts some may be standbys or an old primary, so others are tried.
    fn try_connect(&self, epoch: u64) -> Result<Session, Failure> {
        let mut tries = 0..self.target.tries();
        loop {
            let connected = Session::connect(&self.target, self.statements, &self.clock, epoch);
            let failure = match connected {
                Ok(session) if self.timeline.accepts(session.timeline()) => return Ok(session),
                Ok(_) => Failure::Row(Error::internal(OLD_PRIMARY)),
                // The server does not answer at all: that is for the probe.
                Err(Failure::Overrun) => return Err(Failure::Overrun),
                Err(failure) => failure,
            };
            if tries.next().is_none() {
                return Err(failure);
            }
        }
    }

    /// An idle connection, or a new one unless the last failure was too recent.
    fn connect(&mut self) -> Result<(Session, Busy), Trouble> {
        let epoch = self.outage.epoch();
        if let Some(taken) = self.idle(epoch) {
            return Ok(taken);
        }
        if self.reconnect_at.is_some_and(|due| present() < due) {
            return Err(Trouble::Unavailable);
        }
        match self.try_connect(epoch) {
            Ok(session) => {
                self.outage.connected();
                self.reconnect_at = None;
                self.reconnect_delay = RECONNECT_DELAY;
                Ok((session, self.idle.busy()))
            }
            Err(error) => {
                self.outage.not_connected(&error);
                if matches!(error, Failure::Overrun) {
                    self.outage.suspect(&self.target);
                }
                self.reconnect_at = Some(present() + self.reconnect_delay);
                self.reconnect_delay = RECONNECT_DELAY_MAX.min(self.reconnect_delay * 2);
                Err(Trouble::Unavailable)
            }
        }
    }
}

/// Waits so that two jobs that met do not meet again.
fn pause(attempt: u32) {
    let longest_ms = CONFLICT_DELAY_MS << attempt;
    let random = getrandom::u32().unwrap_or(0);
    thread::sleep(Duration::from_millis(u64::from(random % longest_ms)));
}
