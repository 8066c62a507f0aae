//! Clients that answer orders and read statements while members of the cluster fail.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use adya::r#gen::Rng;
use serde_json::Value;
use svc_client::types::Code;
use svc_client::{Error, Outcome};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use super::MEMBERS;
use super::log::Log;
use super::market::{ACCOUNTS, Answer, Market, Member};

/// At each member one that repeats what has no known outcome, and one that does not.
const CLIENTS: usize = 2 * MEMBERS.len();

/// How often each of them asks: 32 times a second in all.
const PACE: Duration = Duration::from_millis(250);

/// How many of their transactions are writes.
const WRITES: f64 = 0.3;

/// How often two clients answer the same order.
const RACES: f64 = 0.15;

/// How long a client repeats a write.
const PATIENCE: Duration = Duration::from_mins(1);

/// Clients at work.
pub(super) struct Clients {
    stop: Arc<AtomicBool>,
    tasks: JoinSet<()>,
    written: Written,
}

/// When the latest acknowledged write of each client began.
type Written = Arc<Mutex<[Option<Instant>; CLIENTS]>>;

/// Which member a client asks.
const fn member_of(client: usize) -> usize {
    client % MEMBERS.len()
}

impl Clients {
    /// Starts clients at these members.
    pub(super) fn start(
        market: &Arc<Market>,
        members: &[Member; MEMBERS.len()],
        log: &Log,
        seed: u64,
    ) -> Self {
        let (stop, written) = (Arc::new(AtomicBool::new(false)), Written::default());
        let mut seeds = Rng::new(seed);
        let client = |number: usize| Client {
            number,
            process: number,
            market: Arc::clone(market),
            member: members[member_of(number)].clone(),
            log: log.clone(),
            rng: Rng::new(seeds.next_u64()),
            is_patient: number < MEMBERS.len(),
            stop: Arc::clone(&stop),
            written: Arc::clone(&written),
        };
        let tasks = (0..CLIENTS).map(client).map(Client::work).collect();
        Self { stop, tasks, written }
    }

    /// Whether each client of these members has made a write that began after this moment.
    pub(super) fn have_written(&self, members: &[&str], since: Instant) -> bool {
        let written = self.written.lock().unwrap();
        let mut asked = written
            .iter()
            .enumerate()
            .filter(|(number, _)| members.contains(&MEMBERS[member_of(*number)]));
        asked.all(|(_, begun)| begun.is_some_and(|begun| begun > since))
    }

    /// Stops them once their requests are answered.
    pub(super) async fn end(self) {
        self.stop.store(true, Ordering::Relaxed);
        self.tasks.join_all().await;
    }
}

struct Client {
    number: usize,
    /// Its number in the history: a process whose transaction may still happen asks nothing more.
    process: usize,
    market: Arc<Market>,
    member: Member,
    log: Log,
    rng: Rng,
    /// Whether it repeats a write whose outcome is unknown, with its key.
    is_patient: bool,
    stop: Arc<AtomicBool>,
    written: Written,
}

/// What is known of a write.
enum Fate {
    Made,
    Refused(Error),
    Unknown(Error),
}

impl Client {
    async fn work(mut self) {
        let mut pace = interval(PACE);
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let accounts = (0..ACCOUNTS).cycle().skip(self.number);
        for account in accounts {
            pace.tick().await;
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let is_raced = self.rng.chance(RACES);
            let answer = self.rng.chance(WRITES).then(|| self.market.answer(is_raced)).flatten();
            match answer {
                Some(answer) => self.write(&answer).await,
                None => drop(self.member.read(&self.log, self.process, account).await),
            }
        }
    }

    async fn write(&mut self, answer: &Answer) {
        let value = self.market.appends(answer);
        self.log.note(self.process, "invoke", &value);
        let begun = Instant::now();
        match self.fate(answer).await {
            Fate::Made => {
                self.log.note(self.process, "ok", &value);
                self.written.lock().unwrap()[self.number] = Some(begun);
            }
            Fate::Refused(error) => self.give_up(answer, ("fail", &value), &error),
            Fate::Unknown(error) => {
                self.give_up(answer, ("info", &value), &error);
                self.process += CLIENTS;
            }
        }
    }

    fn give_up(&self, answer: &Answer, (kind, value): (&str, &[Value]), error: &Error) {
        self.log.note_failure(self.process, kind, value, error);
        if !is_closed(error) {
            self.market.put_back(answer);
        }
    }

    /// Makes a write, and repeats it with its key if the client is patient.
    async fn fate(&self, answer: &Answer) -> Fate {
        let (key, begun) = (answer.element(), Instant::now());
        let mut error = match self.member.answer(answer, &key).await {
            Ok(()) => return Fate::Made,
            Err(error) if self.is_refused(&error) => return Fate::Refused(error),
            Err(error) => error,
        };
        while self.is_patient && !is_closed(&error) && begun.elapsed() < PATIENCE {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            sleep(PACE).await;
            // A refusal of the repetition says nothing of the first request, which may wait for its commit.
            match self.member.answer(answer, &key).await {
                Ok(()) => return Fate::Made,
                Err(again) => error = again,
            }
        }
        Fate::Unknown(error)
    }

    /// Whether nothing happened for sure. That a 503 changes nothing is not taken for granted here.
    fn is_refused(&self, error: &Error) -> bool {
        match error.outcome() {
            Outcome::NotSent => true,
            Outcome::Refused if matches!(error, Error::Unavailable { .. }) => false,
            Outcome::Refused => {
                assert!(is_closed(error), "{error}: {}", self.log.keep());
                true
            }
            _ => false,
        }
    }
}

/// Whether another answer was first.
fn is_closed(error: &Error) -> bool {
    error.code() == Some(&Code::RequestClosed)
}
