//! The checksum of JSON, independent of the order of members.

use serde_json::Value;
use sha2::{Digest, Sha256};
use svc_client::types::Checksum;

/// SHA-256 of a value as compact JSON with the members of each object sorted by name.
///
/// Other languages produce the same bytes, for example Python with `sort_keys` and no spaces, except
/// for very small and very large numbers: those are as `serde_json` writes them.
pub(crate) fn checksum(value: &Value) -> Checksum {
    let mut text = String::new();
    write(value, &mut text);
    let mut written = "sha256:".to_owned();
    for byte in Sha256::digest(&text) {
        let digit = |half: u8| char::from_digit(half.into(), 16).expect("half a byte is a digit");
        written.extend([digit(byte >> 4), digit(byte & 15)]);
    }
    written.into()
}

/// The recursion is bounded, because parsed JSON is nested at most 128 levels deep.
fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
            sorted.sort_unstable_by_key(|(name, _)| *name);
            text.push('{');
            for (index, (name, value)) in sorted.into_iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write(value, text);
            }
            text.push('}');
        }
        Value::Array(values) => {
            text.push('[');
            for (index, value) in values.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                write(value, text);
            }
            text.push(']');
        }
        plain => text.push_str(&plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_checksum_is_that_of_compact_sorted_json() {
        // python3: hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":"),
        // ensure_ascii=False).encode()).hexdigest()
        let value = json!({ "b": [1, 2.5, null, true], "a": { "d": "\u{e4}\n", "c": [] } });
        let expected = "sha256:45727d89f353610d57813ef85d45814d443301d351ef894ce6a70733678ec738";
        assert_eq!(checksum(&value).as_str(), expected);
    }

    #[test]
    fn numbers_have_one_form_in_all_kits() {
        // Python and TypeScript write some of them in other ways; their kits for bots write these.
        let value = serde_json::from_str(
            r#"{"n": [3e-5, 3.25e-5, 1e-6, 1.5e-6, 1e-7, 2.5e-10, 0.0001, -1.5e300, 1e22, 0.1, 1,
            20000000000000000000, -9223372036854776000, 18446744073709551616]}"#,
        );
        // {"n":[0.00003,0.0000325,1e-6,1.5e-6,1e-7,2.5e-10,0.0001,-1.5e+300,1e+22,0.1,1,2e+19,
        // -9.223372036854776e+18,1.8446744073709552e+19]}
        let expected = "sha256:6aa9bf65eb7acb1f7dba9e3c05f4aba678cfa35dc5f33c0e408cdbe186c13ac3";
        assert_eq!(checksum(&value.unwrap()).as_str(), expected);
        // TypeScript writes each of these as an integer.
        let value = serde_json::from_str(r#"{"n": [1e15, 1e16, -0.0, 1.0]}"#);
        // {"n":[1000000000000000.0,1e+16,-0.0,1.0]}
        let expected = "sha256:0c8b9ffd4b4633f708b92c4a97e9f8a6afe2fef5c0aaf96d9294ac752250034d";
        assert_eq!(checksum(&value.unwrap()).as_str(), expected);
    }

    #[test]
    fn another_value_has_another_checksum() {
        assert_ne!(checksum(&json!({ "a": 1 })), checksum(&json!({ "a": "1" })));
    }
}
