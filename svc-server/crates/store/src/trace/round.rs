//! A round of background work: its spans are recorded only if it did something.

use std::mem;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Trace;
use super::span::FinishedSpan;

/// The attribute that says how much was done: transactions that changed rows, and calls of other hosts.
const DONE: &str = "svc.task.done";

/// What a round did, and its spans until it ends.
#[derive(Debug, Default)]
pub(super) struct Round {
    done: AtomicI64,
    /// How many spans found no room.
    missed: AtomicU64,
    spans: Mutex<Vec<FinishedSpan>>,
}

impl Round {
    pub(super) fn note_done(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn note_missed(&self) {
        self.missed.fetch_add(1, Ordering::Relaxed);
    }

    /// Forgets the spans below this one, and says how many they were.
    pub(super) fn forget_below(&self, above: &Trace) -> usize {
        let is_below = |span: &FinishedSpan| {
            span.parent.as_ref().is_some_and(|(parent, _)| parent.span() == above.span())
        };
        let mut spans = self.spans();
        let before = spans.len();
        spans.retain(|span| !is_below(span));
        before - spans.len()
    }

    /// Holds a span back. That of the round itself comes last: if the round did something, all of them are
    /// the answer.
    pub(super) fn take(&self, mut span: FinishedSpan) -> Vec<FinishedSpan> {
        let mut spans = self.spans();
        if span.parent.is_some() {
            spans.push(span);
            return Vec::new();
        }
        let mut all = mem::take(&mut *spans);
        let done = self.done.load(Ordering::Relaxed);
        if done == 0 {
            return Vec::new();
        }
        count_missed(self.missed.load(Ordering::Relaxed));
        span.attributes.push((DONE, done.into()));
        all.push(span);
        all
    }

    fn spans(&self) -> MutexGuard<'_, Vec<FinishedSpan>> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts spans that found no room.
pub(super) fn count_missed(count: u64) {
    metrics::counter!("svc_trace_spans_dropped_total", "reason" => "limit").increment(count);
}
