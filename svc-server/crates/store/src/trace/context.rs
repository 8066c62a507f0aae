//! What work belongs to.
//!
//! The task of a request or of background work carries it, so that database jobs and calls of other hosts
//! find it wherever they are made. A task that is spawned does not.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Trace;
use super::round::{Round, count_missed};
use super::span::{FinishedSpan, Kind, Span, SpanSink};
use super::tracer::SPANS_MAX;

tokio::task_local! {
    static CURRENT: Option<Context>;
}

/// What the present task belongs to.
pub fn current() -> Option<Context> {
    CURRENT.try_with(Clone::clone).ok().flatten()
}

/// Does work that belongs to this.
pub fn within<F: Future>(context: Option<Context>, work: F) -> impl Future<Output = F::Output> {
    CURRENT.scope(context, work)
}

/// A trace at one of its spans, and where further spans go if this server records them.
#[derive(Clone, Debug)]
pub struct Context {
    trace: Trace,
    /// Whether the span may be another program's.
    is_remote: bool,
    recorder: Option<Recorder>,
}

/// Records the spans of one request, or of one round of background work.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    sink: Arc<dyn SpanSink>,
    /// How many more it may have.
    left: Arc<AtomicUsize>,
    /// What holds those of a round back.
    round: Option<Arc<Round>>,
}

impl Context {
    /// A trace that is passed on as it came.
    pub const fn unrecorded(trace: Trace) -> Self {
        Self { trace, is_remote: true, recorder: None }
    }

    /// A trace at a span of this server, or at one that came from elsewhere.
    pub(super) const fn recorded(trace: Trace, is_remote: bool, recorder: Recorder) -> Self {
        Self { trace, is_remote, recorder: Some(recorder) }
    }

    /// The trace.
    pub const fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Begins a span below; none if this server does not record the trace, or enough of it.
    pub fn begin(&self, kind: Kind, name: impl Into<Cow<'static, str>>) -> Option<Span> {
        let recorder = self.recorder.as_ref().filter(|recorder| recorder.has_room())?;
        let child = Self::recorded(self.trace.child(), false, recorder.clone());
        Some(Span::begin(child, Some((&self.trace, self.is_remote)), kind, name.into()))
    }

    /// Notes that something was done. A round of background work that did nothing is not recorded.
    pub fn note_done(&self) {
        if let Some(round) = self.recorder.as_ref().and_then(|recorder| recorder.round.as_ref()) {
            round.note_done();
        }
    }

    /// In a round, gives the places of this span and those below it back, and says so.
    pub(super) fn give_back(&self) -> bool {
        let Some(Recorder { left, round: Some(round), .. }) = &self.recorder else { return false };
        left.fetch_add(round.forget_below(&self.trace) + 1, Ordering::Relaxed);
        true
    }

    pub(super) fn record(&self, span: FinishedSpan) {
        let Some(Recorder { sink, round, .. }) = &self.recorder else { return };
        match round {
            None => sink.take(span),
            Some(round) => round.take(span).into_iter().for_each(|span| sink.take(span)),
        }
    }
}

impl Recorder {
    pub(super) fn new(sink: Arc<dyn SpanSink>) -> Self {
        Self { sink, left: Arc::new(AtomicUsize::new(SPANS_MAX)), round: None }
    }

    pub(super) fn of_round(sink: Arc<dyn SpanSink>) -> Self {
        Self { round: Some(Arc::default()), ..Self::new(sink) }
    }

    fn has_room(&self) -> bool {
        let less = |left: usize| left.checked_sub(1);
        let has_room = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok();
        match &self.round {
            _ if has_room => {}
            None => count_missed(1),
            Some(round) => round.note_missed(),
        }
        has_room
    }
}
