//! A collector of traces: what it gets, read by the messages of OTLP.

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use svc_core::keys::hex;

use crate::receiver::{Hit, Mode, Receiver};

/// A collector that runs until it is dropped.
pub(crate) struct Collector(pub(crate) Receiver);

impl Collector {
    pub(crate) async fn start() -> Self {
        Self(Receiver::start(Mode::ok()).await)
    }

    /// The setting for it.
    pub(crate) fn endpoint(&self) -> String {
        format!("http://{}", self.0.address)
    }

    /// All spans so far.
    pub(crate) fn spans(&self) -> Vec<Span> {
        spans(&self.0.hits())
    }

    /// The spans of a trace, once there is one of each of these names.
    pub(crate) async fn trace(&self, id: &str, names: &[&str]) -> Vec<Span> {
        let of_trace = |hits: &[Hit]| {
            let mut spans = spans(hits);
            spans.retain(|span| hex(&span.trace_id) == id);
            spans
        };
        let has_all =
            |spans: &[Span]| names.iter().all(|name| spans.iter().any(|span| span.name == *name));
        let came = self.0.comes_to(|hits| has_all(&of_trace(hits))).await;
        let spans = of_trace(&self.0.hits());
        assert!(came, "{names:?} of {:?}", spans.iter().map(|span| &span.name).collect::<Vec<_>>());
        spans
    }
}

/// All requests, decoded.
pub(crate) fn requests(hits: &[Hit]) -> Vec<ExportTraceServiceRequest> {
    hits.iter().map(|hit| ExportTraceServiceRequest::decode(&hit.body[..]).unwrap()).collect()
}

fn spans(hits: &[Hit]) -> Vec<Span> {
    let resources = requests(hits).into_iter().flat_map(|request| request.resource_spans);
    let scopes = resources.flat_map(|resource| resource.scope_spans);
    scopes.flat_map(|scope| scope.spans).collect()
}

/// The only span of this name.
#[track_caller]
pub(crate) fn only<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    let mut found = spans.iter().filter(|span| span.name == name);
    let span = found.next().unwrap_or_else(|| panic!("no {name}"));
    assert!(found.next().is_none(), "several {name}");
    span
}

/// An attribute as a text; empty without one.
pub(crate) fn attribute(attributes: &[KeyValue], name: &str) -> String {
    let found = attributes.iter().find(|attribute| attribute.key == name);
    match found.and_then(|found| found.value.as_ref()?.value.as_ref()) {
        Some(Value::StringValue(text)) => text.clone(),
        Some(Value::IntValue(number)) => number.to_string(),
        _ => String::new(),
    }
}
