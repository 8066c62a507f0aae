//! The hash that identifies what an order asks for.

use serde_json::{Map, Value, json};
use svc_client::types::Checksum;

use crate::checksum::checksum;

/// SHA-256 of provider, service and input as compact JSON with sorted members.
///
/// It does not cover price and payment method: the journal keeps both, and a resumed order keeps
/// them.
pub(super) fn hash(provider: &str, service: &str, input: &Map<String, Value>) -> Checksum {
    checksum(&json!({ "provider": provider, "service": service, "input": input }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(provider: &str, service: &str, input: &str) -> Checksum {
        hash(provider, service, &serde_json::from_str(input).unwrap())
    }

    #[test]
    fn the_order_of_members_and_whitespace_do_not_matter() {
        let one = of("wordbot", "count", r#"{ "b": [1, {"d": 1, "c": 2}], "a": "ä" }"#);
        let other = of("wordbot", "count", r#"{"a":"\u00e4","b":[1,{"c":2,"d":1}]}"#);
        assert_eq!(one, other);
        // python3: sha256(b'{"input":{},"provider":"wordbot","service":"count"}')
        let plain = "sha256:e9b070f658b9480e7c24bab0f9578b394c71207ab0d6490a3235c71880b70428";
        assert_eq!(of("wordbot", "count", "{}").as_str(), plain);
    }

    #[test]
    fn provider_service_and_input_change_the_hash() {
        let one = of("wordbot", "count", "{}");
        for other in [
            of("paintbot", "count", "{}"),
            of("wordbot", "report", "{}"),
            of("wordbot", "count", r#"{"a":1}"#),
        ] {
            assert_ne!(one, other);
        }
    }
}
