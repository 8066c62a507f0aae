//! Which requests are recorded.

use std::sync::Arc;

use super::Trace;
use super::context::{Context, Recorder};
use super::span::{Kind, Span, SpanSink};

/// Most spans below that of a request, and of each delivery of its events.
pub const SPANS_MAX: usize = 64;

/// Begins the spans of requests, if this server records any.
#[derive(Clone, Debug, Default)]
pub struct Tracer(Option<Arc<Recording>>);

#[derive(Debug)]
struct Recording {
    sink: Arc<dyn SpanSink>,
    share: f64,
}

impl Tracer {
    /// Hands spans to a sink: those of traces that their callers record, and those of this share of
    /// other requests.
    pub fn new(sink: Arc<dyn SpanSink>, share: f64) -> Self {
        Self(Some(Arc::new(Recording { sink, share })))
    }

    /// Begins the span of a request, in the trace that its caller named or in a new one.
    pub fn request(&self, given: Option<&Trace>, name: impl FnOnce() -> String) -> Option<Span> {
        if let Some(given) = given {
            return self.resume(given)?.begin(Kind::Server, name());
        }
        let Recording { sink, share } = self.0.as_deref()?;
        let trace = Trace::sampled(*share)?;
        let context = Context::recorded(trace, false, Recorder::new(Arc::clone(sink)));
        Some(Span::begin(context, None, Kind::Server, name().into()))
    }

    /// A trace that came from elsewhere, if it is recorded.
    pub fn resume(&self, trace: &Trace) -> Option<Context> {
        let recording = self.0.as_deref().filter(|_| trace.is_sampled())?;
        let recorder = Recorder::new(Arc::clone(&recording.sink));
        Some(Context::recorded(trace.clone(), true, recorder))
    }
}
