//! Spans as the library sends them.

use opentelemetry::trace::{
    SpanContext, SpanId, SpanKind, Status, TraceFlags, TraceId, TraceState,
};
use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_sdk::trace::{SpanData, SpanEvents, SpanLinks};
use svc_store::trace::{FinishedSpan, Kind, Trace, Value};

/// What names the code that made a span.
const SCOPE: &str = "svc-server";

/// A span as the library sends it.
pub(super) fn span_data(span: FinishedSpan) -> SpanData {
    let FinishedSpan { trace, parent, kind, name, began, ended, attributes, failed } = span;
    SpanData {
        span_context: context(&trace),
        parent_span_id: parent.as_ref().map_or(SpanId::INVALID, |(parent, _)| span_id(parent)),
        parent_span_is_remote: parent.is_some_and(|(_, is_remote)| is_remote),
        span_kind: span_kind(kind),
        name,
        start_time: began,
        end_time: ended,
        attributes: attributes.into_iter().map(|(name, value)| attribute(name, value)).collect(),
        dropped_attributes_count: 0,
        events: SpanEvents::default(),
        links: SpanLinks::default(),
        // An attribute says why.
        status: if failed { Status::error("") } else { Status::Unset },
        instrumentation_scope: InstrumentationScope::builder(SCOPE).build(),
    }
}

fn context(trace: &Trace) -> SpanContext {
    // A valid header has valid ids.
    let id = TraceId::from_hex(trace.id()).unwrap_or(TraceId::INVALID);
    SpanContext::new(id, span_id(trace), TraceFlags::new(trace.flags()), false, TraceState::NONE)
}

fn span_id(trace: &Trace) -> SpanId {
    SpanId::from_hex(trace.span()).unwrap_or(SpanId::INVALID)
}

const fn span_kind(kind: Kind) -> SpanKind {
    match kind {
        Kind::Server => SpanKind::Server,
        Kind::Internal => SpanKind::Internal,
        Kind::Client => SpanKind::Client,
        Kind::Producer => SpanKind::Producer,
        Kind::Consumer => SpanKind::Consumer,
    }
}

fn attribute(name: &'static str, value: Value) -> KeyValue {
    match value {
        Value::Text(text) => KeyValue::new(name, text),
        Value::Number(number) => KeyValue::new(name, number),
    }
}
