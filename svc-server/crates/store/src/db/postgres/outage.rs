//! What happens after a round trip that did not end in time.
//!
//! One slow statement is no outage: a new connection decides. If it is not answered either, every
//! connection is given up, and requests are refused at once until a probe succeeds; they would wait
//! in the queue for a server that does not answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::time::timeout;

use super::target::Target;
use super::timeline::TELL_TIMELINE;

/// How long a probe may take, and the pause until the next.
const PROBE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(250);

/// Whether the database answers. Clones share one state.
#[derive(Clone, Default)]
pub(in crate::db) struct Outage(Arc<State>);

#[derive(Default)]
struct State {
    is_down: AtomicBool,
    is_probed: AtomicBool,
    is_closed: AtomicBool,
    /// Counts outages: a connection from before one is given up.
    epoch: AtomicU64,
}

impl Outage {
    /// Whether requests are refused at once.
    pub(in crate::db) fn is_down(&self) -> bool {
        self.0.is_down.load(Ordering::Acquire)
    }

    /// The number of outages so far.
    pub(super) fn epoch(&self) -> u64 {
        self.0.epoch.load(Ordering::Acquire)
    }

    /// Ends a probe that goes on: the database is closed.
    pub(in crate::db) fn close(&self) {
        self.0.is_closed.store(true, Ordering::Release);
    }

    /// Asks the database on a connection of its own, unless that is done already.
    pub(super) fn suspect(&self, target: &Target) {
        metrics::counter!("svc_db_overruns_total").increment(1);
        if self.0.is_probed.swap(true, Ordering::AcqRel) {
            return;
        }
        let (outage, target) = (self.clone(), target.clone());
        let probing = thread::Builder::new().name("db-probe".to_owned());
        if probing.spawn(move || outage.probe(&target)).is_err() {
            self.0.is_probed.store(false, Ordering::Release);
        }
    }

    fn probe(&self, target: &Target) {
        while !self.0.is_closed.load(Ordering::Acquire) && !answers(target) {
            if !self.0.is_down.swap(true, Ordering::AcqRel) {
                tracing::error!("the database does not answer; requests are refused until it does");
                self.0.epoch.fetch_add(1, Ordering::AcqRel);
            }
            thread::sleep(PAUSE);
        }
        if self.0.is_down.swap(false, Ordering::AcqRel) {
            tracing::info!("the database answers again");
        }
        self.0.is_probed.store(false, Ordering::Release);
    }
}

/// Whether a primary answers a new connection in time.
fn answers(target: &Target) -> bool {
    let Ok(runtime) = Builder::new_current_thread().enable_all().build() else { return false };
    let asking = async {
        let (client, connection) = target.connect().await?;
        tokio::select! {
            answered = client.simple_query(TELL_TIMELINE) => answered.map(|_| ()),
            ended = connection => ended,
        }
    };
    runtime.block_on(async { timeout(PROBE, asking).await }).is_ok_and(|answer| answer.is_ok())
}
