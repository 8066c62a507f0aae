//! When to look for events.

use std::pin::Pin;
use std::time::Duration;

use svc_client::types::api::connect::Event;

/// Why a wait is over.
#[derive(Debug)]
pub(super) enum Hint {
    /// Its time is over.
    Time,
    /// Something may have been missed.
    Look,
    /// This has happened.
    #[cfg_attr(
        not(any(test, feature = "mqtt")),
        expect(
            dead_code,
            reason = "without the feature mqtt nothing tells more than when to look"
        )
    )]
    Event(Box<Event>),
}

pub(super) type Waiting<'a> = Pin<Box<dyn Future<Output = Hint> + Send + 'a>>;

/// Tells when to look. A hint may be lost or come twice; nothing depends on it but speed.
pub(super) trait Hints: Send {
    /// Waits for a hint, at most this long.
    fn wait(&mut self, at_most: Duration) -> Waiting<'_>;

    /// Whether it tells of events by itself, so that looking now and then is enough.
    fn is_live(&self) -> bool;
}

/// No hints but the time.
pub(super) struct Polling;

impl Hints for Polling {
    fn wait(&mut self, at_most: Duration) -> Waiting<'_> {
        Box::pin(async move {
            tokio::time::sleep(at_most).await;
            Hint::Time
        })
    }

    fn is_live(&self) -> bool {
        false
    }
}
