//! Hints when to poll for events.

use std::pin::Pin;
use std::time::Duration;

use svc_client::types::api::connect::Event;
use tokio::time::Instant;

/// Why a wait ended.
#[derive(Debug)]
pub(super) enum Hint {
    /// The time elapsed.
    Elapsed,
    /// There may be events to read.
    Poll,
    /// An event arrived.
    Event(Box<Event>),
    /// A channel may have new messages.
    Channel,
}

pub(super) type Waiting<'a> = Pin<Box<dyn Future<Output = Hint> + Send + 'a>>;

/// A source of hints. A hint may be lost or repeated; that affects only latency.
pub(super) trait Hints: Send {
    /// Waits for a hint, for at most this long.
    fn wait(&mut self, at_most: Duration) -> Waiting<'_>;

    /// Whether hints arrive as events happen, so that polling at the longest interval is enough.
    fn is_live(&self) -> bool;
}

/// No hints: polls only by time.
pub(super) struct Polling;

impl Hints for Polling {
    fn wait(&mut self, at_most: Duration) -> Waiting<'_> {
        Box::pin(async move {
            tokio::time::sleep(at_most).await;
            Hint::Elapsed
        })
    }

    fn is_live(&self) -> bool {
        false
    }
}

/// When a listener looks at the latest. It outlasts a wait that is given up or that a hint ends, so that
/// neither puts the look off.
#[derive(Default)]
pub(super) struct Deadline(Option<Instant>);

impl Deadline {
    /// How long it is until then: this long, if it is not set yet.
    pub(super) fn left(&mut self, at_first: Duration) -> Duration {
        let now = Instant::now();
        self.0.get_or_insert(now + at_first).saturating_duration_since(now)
    }

    /// Begins again with the next wait.
    pub(super) const fn clear(&mut self) {
        self.0 = None;
    }
}
