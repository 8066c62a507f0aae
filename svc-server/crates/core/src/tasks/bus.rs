//! What other processes commit: received over the bus, and found by looking.
//!
//! Rights that ended are read before anything that other nodes committed is passed on, so a node that
//! can't read the database passes nothing on.

use std::collections::{BTreeSet, HashSet};
use std::mem;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use svc_store::db::{Pair, Signal};
use svc_store::error::{Error, Result};
use svc_store::panics::caught;
use svc_store::{sql, values};
use svc_types::Timestamp;
use tokio::sync::{Mutex, mpsc};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::bus::{self, Carrier, Hints};
use crate::services::{api_key, revocation};
use crate::tasks::{FailureLog, Task};

/// Reads the rights that ended.
const REVOCATIONS: Task = Task {
    name: "revocations",
    every: Duration::from_millis(500),
    failure: "failed to read which rights ended",
};

/// Looks for events that no hint named.
const EVENTS: Task = Task {
    name: "events",
    every: Duration::from_secs(1),
    failure: "failed to look for events of other nodes",
};

/// A node whose last read of ended rights is older than this reads them before it looks for events.
const AWAY: Duration = Duration::from_secs(2);

/// Looks for keys that expired.
const EXPIRED_KEYS: Task = Task {
    name: "expired_keys",
    every: Duration::from_secs(10),
    failure: "failed to read the keys that expired",
};

/// Streams that one statement reads.
const STREAMS_AT_ONCE: usize = 1_000;

/// Pause before a carrier that panicked listens again.
const PAUSE: Duration = Duration::from_millis(500);

/// Texts of the bus that wait to be read, and that are read at once.
const TEXTS_MAX: usize = 1_024;

/// The number of the latest event of each of these streams.
const HEADS: Pair = Pair::new(
    sql!(
        "select stream, last_seq from event_head
         where stream in (select value from json_each($1))"
    ),
    sql!(
        "select stream, last_seq from event_head
         where stream = any(array(
            select jsonb_array_elements_text(cast(cast($1 as text) as jsonb))))"
    ),
);

/// What this node knows of the others.
pub struct Follower {
    app: Arc<App>,
    /// None if the node is alone.
    carrier: Option<Box<dyn Carrier>>,
    applied: Mutex<Applied>,
}

/// Rights that ended lately and were applied, and when they were read.
struct Applied {
    nonces: HashSet<String>,
    read_at: Timestamp,
}

impl Follower {
    /// A node that begins now: what ended before concerns none of its connections. Its hints go by this
    /// carrier, or else by the database if that is the bus.
    pub async fn start(app: &Arc<App>, carrier: Option<Box<dyn Carrier>>) -> Result<Self> {
        let read_at = app.clock.now();
        let read = app.read(|ctx| revocation::unknown(ctx, &HashSet::new(), Duration::ZERO));
        let (_, nonces) = read.await?;
        let carrier = carrier.or_else(|| bus::of_database(app));
        let applied = Mutex::new(Applied { nonces, read_at });
        Ok(Self { app: Arc::clone(app), carrier, applied })
    }

    /// Follows until `stop` is cancelled, which comes after the last commit.
    pub async fn run(self, stop: CancellationToken) {
        let app = &self.app;
        let expired_since = std::sync::Mutex::new(app.clock.now());
        tokio::join!(
            self.send(&stop),
            self.receive(&stop),
            REVOCATIONS.repeat(app, &stop, || self.revoke()),
            EVENTS.repeat(app, &stop, || self.find_missed()),
            EXPIRED_KEYS.repeat(app, &stop, || self.end_expired(&expired_since)),
        );
    }

    /// Sends the hints of this node's commits. A bus that is down is logged once.
    async fn send(&self, stop: &CancellationToken) {
        let Some(carrier) = &self.carrier else { return };
        let holder = &self.app.node.holder;
        let mut is_failing = false;
        while let Some(texts) = stop.run_until_cancelled(self.app.bus.texts(holder)).await {
            match caught(carrier.send(&texts)).await {
                Ok(()) => is_failing = false,
                Err(error) => {
                    metrics::counter!("svc_bus_failed_total").increment(1);
                    if !mem::replace(&mut is_failing, true) {
                        tracing::warn!(%error, "failed to send hints to other nodes");
                    }
                }
            }
        }
    }

    /// Follows the hints of other nodes.
    async fn receive(&self, stop: &CancellationToken) {
        let Some(carrier) = &self.carrier else { return };
        let (out, mut received) = mpsc::channel(TEXTS_MAX);
        let follow = async {
            let (mut batch, mut failures) = (Vec::new(), FailureLog::default());
            while received.recv_many(&mut batch, TEXTS_MAX).await > 0 {
                let followed = caught(self.follow(mem::take(&mut batch))).await;
                if let Some(error) = failures.filter(&followed) {
                    tracing::warn!(%error, "failed to follow hints of other nodes");
                }
            }
        };
        let both = async { tokio::join!(listen(carrier.as_ref(), out), follow) };
        stop.run_until_cancelled(both).await;
    }

    async fn follow(&self, batch: Vec<Signal>) -> Result<()> {
        let (mut hints, mut is_new) = (Hints::default(), false);
        for signal in batch {
            match signal {
                Signal::Connected => is_new = true,
                Signal::Text(text) => {
                    self.app.bus.measure_lag(&text, &self.app.node.holder);
                    hints.read(&text, &self.app.node.holder);
                }
            }
        }
        if hints.count() > 0 {
            self.revoke().await?;
            self.pass_on(hints);
        }
        if is_new {
            self.revoke().await?;
            self.find_missed().await?;
        }
        Ok(())
    }

    /// Applies rights that other processes ended.
    async fn revoke(&self) -> Result<()> {
        let mut applied = self.applied.lock().await;
        let now = self.app.clock.now();
        let (before, away) = (applied.nonces.clone(), now.since(applied.read_at));
        let read = self.app.read(move |ctx| revocation::unknown(ctx, &before, away));
        let (effects, nonces) = read.await?;
        self.app.live.revoke(&effects);
        self.app.post_commit.listeners.check(effects.ended.iter().chain(&effects.checked));
        *applied = Applied { nonces, read_at: now };
        Ok(())
    }

    /// Finds events of local streams that no hint named.
    async fn find_missed(&self) -> Result<()> {
        let read_at = self.applied.lock().await.read_at;
        if self.app.clock.now().since(read_at) > AWAY {
            self.revoke().await?;
        }
        let mut streams: BTreeSet<String> = self.app.live.streams().into_iter().collect();
        streams.extend(self.app.post_commit.listeners.ids());
        let streams: Vec<String> = streams.into_iter().collect();
        let mut hints = Hints { is_look: true, ..Hints::default() };
        for part in streams.chunks(STREAMS_AT_ONCE) {
            let asked = serde_json::to_string(part).map_err(Error::internal)?;
            let heads = self.app.read(move |ctx| ctx.tx.all_pair(HEADS, values![asked]));
            hints.heads.extend(heads.await?);
        }
        self.pass_on(hints);
        Ok(())
    }

    fn pass_on(&self, hints: Hints) {
        for (stream, seq) in &hints.heads {
            self.app.post_commit.listeners.call(stream, *seq);
        }
        if self.app.bus.is_shared() && self.app.live.is_on() {
            self.app.post_commit.pass_on(hints);
        }
    }

    /// Lets streams of accounts whose keys expired since the last time authenticate again.
    async fn end_expired(&self, since: &std::sync::Mutex<Timestamp>) -> Result<()> {
        let from: Timestamp = *since.lock().unwrap_or_else(PoisonError::into_inner);
        let read = self.app.read(move |ctx| Ok((api_key::expired_since(ctx, from)?, ctx.now())));
        let (accounts, now) = read.await?;
        self.app.post_commit.listeners.check(accounts.iter());
        *since.lock().unwrap_or_else(PoisonError::into_inner) = now;
        Ok(())
    }
}

/// Listens until `out` is closed. After a panic the carrier connects again and says so, and what was lost is read.
async fn listen(carrier: &dyn Carrier, out: mpsc::Sender<Signal>) {
    loop {
        let listening = async {
            carrier.listen(out.clone()).await;
            Ok(())
        };
        let Err(error) = caught(listening).await else { return };
        tracing::warn!(%error, "failed to listen to other nodes");
        sleep(PAUSE).await;
    }
}
