//! The trace that a request belongs to: the header `traceparent` of W3C Trace Context.

use std::fmt;
use std::sync::Arc;

/// Its name.
pub const HEADER: &str = "traceparent";

/// Length of a `traceparent` of version 00, with which those of later versions begin.
const LENGTH: usize = 55;

/// A valid `traceparent`. The server adds no spans, so it passes it on unchanged.
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

    /// The id of the whole trace.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0[3..35]
    }

    /// The header.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Trace;

    const VALID: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_trace_of_this_or_a_later_version_is_read() {
        let trace = Trace::read(VALID).unwrap();
        assert_eq!((trace.as_str(), trace.id()), (VALID, "4bf92f3577b34da6a3ce929d0e0e4736"));
        for later in [VALID.replacen("00", "01", 1), VALID.replacen("00", "7f", 1) + "-more"] {
            assert_eq!(Trace::read(&later), Some(trace.clone()), "{later}");
        }
    }

    #[test]
    fn what_is_no_trace_is_ignored() {
        let zeros = |length| "0".repeat(length);
        for text in [
            String::new(),
            VALID[1..].to_owned(),
            VALID.to_owned() + "-more",
            VALID.replacen("00", "ff", 1),
            VALID.to_uppercase(),
            VALID.replace("4bf92f3577b34da6a3ce929d0e0e4736", &zeros(32)),
            VALID.replace("00f067aa0ba902b7", &zeros(16)),
            VALID.replace('-', "_"),
            VALID.replacen('f', "é", 1),
            VALID.replacen("00", "01", 1) + "more",
        ] {
            assert_eq!(Trace::read(&text), None, "{text}");
        }
    }
}
