//! The trace that work belongs to (W3C Trace Context), and the spans of it that this server records.
//!
//! | module | what it holds |
//! |---|---|
//! | here | [`Trace`], the header |
//! | `context` | what work belongs to, found by the code below without being handed down |
//! | `round` | what background work did, which decides whether it is recorded |
//! | `span` | spans, and where finished ones go |
//! | `tracer` | which requests, messages and rounds are recorded |

mod context;
mod round;
mod span;
#[cfg(test)]
mod tests;
mod tracer;

pub use self::context::{Context, current, within};
pub use self::span::{FinishedSpan, Kind, Span, SpanSink, Value};
pub use self::tracer::{SPANS_MAX, Tracer};

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::db::{self, Bind};

/// The name of the header, and of the user property in MQTT.
pub const HEADER: &str = "traceparent";

/// Length of a `traceparent` of version 00, with which those of later versions begin.
const LENGTH: usize = 55;

/// Where its parts are.
const TRACE_ID: Range<usize> = 3..35;
const SPAN_ID: Range<usize> = 36..52;
const FLAGS: Range<usize> = 53..55;

/// The flag of a trace that is recorded.
const SAMPLED: u8 = 0x01;

/// A valid `traceparent`: a trace, one of its spans, and whether it is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace(Arc<str>);

impl Trace {
    /// Reads a header; what is malformed is ignored, as the standard says.
    #[must_use]
    pub fn read(header: &str) -> Option<Self> {
        let (text, rest) = header.split_at_checked(LENGTH)?;
        let parts: Vec<&str> = text.split('-').collect();
        let [version, trace, span, flags] = parts[..] else { return None };
        let is_hex = |part: &str, length| {
            part.len() == length && part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        };
        let is_id = |part: &str, length| is_hex(part, length) && part.bytes().any(|b| b != b'0');
        let is_known = match version {
            "00" => rest.is_empty(),
            "ff" => false,
            _ => is_hex(version, 2) && (rest.is_empty() || rest.starts_with('-')),
        };
        let is_valid = is_known && is_id(trace, 32) && is_id(span, 16) && is_hex(flags, 2);
        is_valid.then(|| Self(format!("00-{trace}-{span}-{flags}").into()))
    }

    /// A new trace that is recorded, for this share of those that could be.
    fn sampled(share: f64) -> Option<Self> {
        let low = random();
        let place = f64::from(u32::try_from(low >> 32).unwrap_or(u32::MAX));
        let is_sampled = place < share * (f64::from(u32::MAX) + 1.0);
        is_sampled.then(|| {
            let (high, span) = (random(), random());
            Self(format!("00-{high:016x}{low:016x}-{span:016x}-{SAMPLED:02x}").into())
        })
    }

    /// The same trace at a new span.
    fn child(&self) -> Self {
        let (before, after) = (&self.0[..SPAN_ID.start], &self.0[SPAN_ID.end..]);
        Self(format!("{before}{:016x}{after}", random()).into())
    }

    /// The id of the whole trace.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0[TRACE_ID]
    }

    /// The id of the span.
    #[must_use]
    pub fn span(&self) -> &str {
        &self.0[SPAN_ID]
    }

    /// The flags.
    #[must_use]
    pub fn flags(&self) -> u8 {
        u8::from_str_radix(&self.0[FLAGS], 16).unwrap_or_default()
    }

    /// Whether who began the trace records it.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        self.flags() & SAMPLED != 0
    }

    /// The header.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Bind for Trace {
    fn bind(&self) -> db::Value<'_> {
        db::Value::Text(&self.0)
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An id, which is never zero.
fn random() -> u64 {
    getrandom::u64().expect("the operating system gives random bytes").max(1)
}
