//! A clock that advances only by hand.

use std::future::{poll_fn, ready};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use std::time::Duration;

use svc_types::Timestamp;

use crate::clock::{Clock, Waiting};

/// Initial time of the clock: 2026-01-31T09:30:00Z.
const BEGINNING: Timestamp = Timestamp::from_millis(1_769_851_800_000);

/// A clock that advances only by hand.
///
/// A pause advances it, because a caller in a pause waits for nothing else. An alarm does not: it
/// completes once something else has advanced the clock far enough.
#[derive(Clone, Default)]
pub(crate) struct HandClock(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    elapsed: Duration,
    pauses: Vec<Duration>,
    alarms: Vec<Waker>,
}

impl HandClock {
    pub(crate) fn advance(&self, duration: Duration) {
        let mut state = self.state();
        state.elapsed += duration;
        let alarms = std::mem::take(&mut state.alarms);
        drop(state);
        alarms.into_iter().for_each(Waker::wake);
    }

    pub(crate) fn pauses(&self) -> Vec<Duration> {
        self.state().pauses.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        BEGINNING.plus(self.state().elapsed)
    }

    fn elapsed(&self) -> Duration {
        self.state().elapsed
    }

    fn pause(&self, duration: Duration) -> Waiting {
        self.state().pauses.push(duration);
        self.advance(duration);
        Box::pin(ready(()))
    }

    fn alarm(&self, end: Duration) -> Waiting {
        let clock = self.clone();
        Box::pin(poll_fn(move |cx| {
            let mut state = clock.state();
            if state.elapsed >= end {
                return Poll::Ready(());
            }
            if !state.alarms.iter().any(|alarm| alarm.will_wake(cx.waker())) {
                state.alarms.push(cx.waker().clone());
            }
            Poll::Pending
        }))
    }

    /// Always yields the longest back-off, so that tests can predict it.
    fn dice(&self) -> u8 {
        u8::MAX
    }
}
