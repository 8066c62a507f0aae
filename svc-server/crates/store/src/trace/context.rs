//! What work belongs to.
//!
//! A request's task carries it, so that database jobs and calls of other hosts find it wherever they
//! are made. A task that is spawned does not.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Trace;
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

/// Records the spans of one request.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    sink: Arc<dyn SpanSink>,
    /// How many more it may have.
    left: Arc<AtomicUsize>,
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

    pub(super) fn record(&self, span: FinishedSpan) {
        if let Some(recorder) = &self.recorder {
            recorder.sink.take(span);
        }
    }
}

impl Recorder {
    pub(super) fn new(sink: Arc<dyn SpanSink>) -> Self {
        Self { sink, left: Arc::new(AtomicUsize::new(SPANS_MAX)) }
    }

    fn has_room(&self) -> bool {
        let less = |left: usize| left.checked_sub(1);
        let has_room = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok();
        if !has_room {
            metrics::counter!("svc_trace_spans_dropped_total", "reason" => "limit").increment(1);
        }
        has_room
    }
}
