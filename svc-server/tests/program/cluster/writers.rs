//! Writers that go on after failures, and note when each attempt began and ended.

use std::collections::BTreeSet;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use svc_client::{Client, Error};
use svc_server::testing::until;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use super::row::Cluster;
use crate::load::{Ledger, WRITERS, World};

/// How often each of them writes: a hundred times a second in all.
const PACE: Duration = Duration::from_millis(80);

/// A longer time without the end of a write is an outage.
const PAUSE: Duration = Duration::from_secs(1);

/// Writes before the fault.
const BEFORE: usize = 100;

/// Writers at work.
pub(super) struct Writers {
    stop: Arc<AtomicBool>,
    tasks: JoinSet<Ledger>,
    attempts: Arc<Mutex<Vec<Attempt>>>,
    /// What earlier writers were answered.
    ledger: Ledger,
}

/// One request.
pub(super) struct Attempt {
    begun: Instant,
    ended: Instant,
    failure: Option<String>,
}

impl Attempt {
    fn took(&self) -> Duration {
        self.ended - self.begun
    }
}

impl Writers {
    /// Starts them and waits until they have written.
    pub(super) async fn start(cluster: &Cluster, world: &World, name: &str) -> Self {
        let (stop, attempts) = (Arc::default(), Arc::default());
        let tasks = (0..WRITERS).map(|number| {
            let (world, ada) = (world.clone(), world.ada(cluster));
            let (stop, attempts) = (Arc::clone(&stop), Arc::clone(&attempts));
            write(world, ada, format!("{name}-{number}"), stop, attempts)
        });
        let tasks = tasks.collect();
        let writers = Self { stop, tasks, attempts, ledger: Ledger::default() };
        until("the writers have written", async || {
            sleep(PACE).await;
            writers.attempts.lock().unwrap().len() >= BEFORE
        })
        .await;
        writers
    }

    /// Takes over what others were answered.
    pub(super) fn add(&mut self, (ledger, attempts): (Ledger, Vec<Attempt>)) {
        self.ledger.add(ledger);
        self.attempts.lock().unwrap().extend(attempts);
    }

    /// How long after this moment the last write failed, or the longest time that one took since then.
    pub(super) fn outage_since(&self, fault: Instant) -> Duration {
        let attempts = self.attempts.lock().unwrap();
        let since = attempts.iter().filter(|attempt| attempt.ended >= fault);
        let outage = since.map(|attempt| match attempt.failure {
            Some(_) => attempt.ended - fault,
            None => attempt.took(),
        });
        outage.max().unwrap_or_default()
    }

    /// The longest time that a failing write took which began after this moment.
    pub(super) fn slowest_failure_after(&self, moment: Instant) -> Duration {
        let attempts = self.attempts.lock().unwrap();
        let failed = attempts.iter().filter(|attempt| attempt.failure.is_some());
        failed
            .filter(|attempt| attempt.begun >= moment)
            .map(Attempt::took)
            .max()
            .unwrap_or_default()
    }

    pub(super) fn slowest(&self) -> Duration {
        self.attempts.lock().unwrap().iter().map(Attempt::took).max().unwrap_or_default()
    }

    /// Each way in which writes failed that began after this moment.
    pub(super) fn failures_after(&self, moment: Instant) -> BTreeSet<String> {
        let attempts = self.attempts.lock().unwrap();
        let since = attempts.iter().filter(|attempt| attempt.begun >= moment);
        let failures = since.filter_map(|attempt| attempt.failure.as_deref());
        // Without the id of the request.
        failures.map(|failure| failure.split(", request").next().unwrap().to_owned()).collect()
    }

    /// Whether all writes of this time until now succeeded, without a pause between them.
    pub(super) fn flow_for(&self, length: Duration) -> bool {
        let (now, attempts) = (Instant::now(), self.attempts.lock().unwrap());
        let mut last = now - length;
        let since = attempts.iter().filter(|attempt| attempt.ended >= now - length);
        let mut ends: Vec<_> = since.map(|attempt| (attempt.ended, &attempt.failure)).collect();
        ends.sort_by_key(|(ended, _)| *ended);
        ends.push((now, &None));
        ends.into_iter().all(|(ended, failure)| {
            failure.is_none() && ended - mem::replace(&mut last, ended) <= PAUSE
        })
    }

    /// Stops them.
    pub(super) async fn end(self) -> (Ledger, Vec<Attempt>) {
        self.stop.store(true, Ordering::Relaxed);
        let mut all = self.ledger;
        for ledger in self.tasks.join_all().await {
            all.add(ledger);
        }
        let attempts = mem::take(&mut *self.attempts.lock().unwrap());
        (all, attempts)
    }
}

/// Writes at a steady pace. What has no known outcome is repeated with its key, as clients should.
async fn write(
    world: World,
    ada: Client,
    name: String,
    stop: Arc<AtomicBool>,
    attempts: Arc<Mutex<Vec<Attempt>>>,
) -> Ledger {
    let mut ledger = Ledger::default();
    let mut pace = interval(PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut number = 0;
    while !stop.load(Ordering::Relaxed) {
        pace.tick().await;
        let repeated = ledger.unknown.pop();
        let is_repeated = repeated.is_some();
        let text = repeated.unwrap_or_else(|| {
            number += 1;
            format!("{name}-{number}")
        });
        let begun = Instant::now();
        let answer = world.write(&ada, &text).await;
        let failure = answer.as_ref().err().map(Error::to_string);
        attempts.lock().unwrap().push(Attempt { begun, ended: Instant::now(), failure });
        if is_repeated && answer.is_err() {
            // That says nothing of the first request, which may wait for its commit.
            ledger.unknown.push(text);
        } else {
            ledger.note(&text, answer);
        }
    }
    ledger
}
