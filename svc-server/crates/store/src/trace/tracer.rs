//! Which requests, messages and rounds of background work are recorded.

use std::borrow::Cow;
use std::sync::Arc;

use super::Trace;
use super::context::{Context, Recorder};
use super::span::{Kind, Span, SpanSink};

/// Most spans below that of a request, a message or a round, and of each delivery of their events.
pub const SPANS_MAX: usize = 64;

/// Begins the first spans of traces, if this server records any.
#[derive(Clone, Debug, Default)]
pub struct Tracer(Option<Arc<Recording>>);

#[derive(Debug)]
struct Recording {
    sink: Arc<dyn SpanSink>,
    share: f64,
}

impl Tracer {
    /// Hands spans to a sink: those of traces that their callers record, and those of this share of
    /// what no caller has decided on.
    pub fn new(sink: Arc<dyn SpanSink>, share: f64) -> Self {
        Self(Some(Arc::new(Recording { sink, share })))
    }

    /// Begins the span of a request, in the trace that its caller named or in a new one.
    pub fn request(&self, given: Option<&Trace>, name: impl FnOnce() -> String) -> Option<Span> {
        match given {
            Some(given) => self.resume(given)?.begin(Kind::Server, name()),
            None => self.root(Kind::Server, Recorder::new, || name().into()),
        }
    }

    /// Begins the span of a message that a client published.
    pub fn message(&self, name: impl FnOnce() -> String) -> Option<Span> {
        self.root(Kind::Consumer, Recorder::new, || name().into())
    }

    /// Begins the span of a round of background work, which is recorded only if the round does something.
    pub fn round(&self, task: &'static str) -> Option<Span> {
        let mut span = self.root(Kind::Internal, Recorder::of_round, || task.into())?;
        span.note("svc.task", task);
        Some(span)
    }

    /// Begins a trace.
    fn root(
        &self,
        kind: Kind,
        recorder: fn(Arc<dyn SpanSink>) -> Recorder,
        name: impl FnOnce() -> Cow<'static, str>,
    ) -> Option<Span> {
        let Recording { sink, share } = self.0.as_deref()?;
        let trace = Trace::sampled(*share)?;
        let context = Context::recorded(trace, false, recorder(Arc::clone(sink)));
        Some(Span::begin(context, None, kind, name()))
    }

    /// A trace that came from elsewhere, if it is recorded.
    pub fn resume(&self, trace: &Trace) -> Option<Context> {
        let recording = self.0.as_deref().filter(|_| trace.is_sampled())?;
        let recorder = Recorder::new(Arc::clone(&recording.sink));
        Some(Context::recorded(trace.clone(), true, recorder))
    }
}
