//! Why a signature does not match a body.

use super::refused::{Cause, Refused};

/// The probable cause; `signs` says whether the signature matches another body.
pub(super) fn of(body: &[u8], signs: impl Fn(&[u8]) -> bool) -> Refused {
    let cause = if body.is_empty() {
        Cause::EmptyBody
    } else if signs(&without_space(body)) || signs(body.trim_ascii()) {
        Cause::Reserialized
    } else {
        Cause::Unknown
    };
    Refused::WrongSignature { cause }
}

/// JSON without whitespace between tokens, as the platform sends it.
fn without_space(json: &[u8]) -> Vec<u8> {
    let (mut in_text, mut is_escaped) = (false, false);
    let keeps = |byte: &u8| {
        if in_text {
            in_text = is_escaped || *byte != b'"';
            is_escaped = !is_escaped && *byte == b'\\';
            return true;
        }
        in_text = *byte == b'"';
        !byte.is_ascii_whitespace()
    };
    json.iter().copied().filter(keeps).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whitespace_is_removed_except_in_strings() {
        let pretty = b"{\n  \"a b\": \"c \\\" d\\\\\",\n  \"e\" : [ 1, 2 ]\n}\n";
        assert_eq!(without_space(pretty), br#"{"a b":"c \" d\\","e":[1,2]}"#);
    }
}
