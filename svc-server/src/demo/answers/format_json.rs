//! Format JSON: checked, indented, with its keys in order.

use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::{Map, Value, json};

use super::input::{number, text};
use super::{Fault, Made};

pub(super) fn make(input: &Map<String, Value>) -> Made {
    let read: Value = serde_json::from_str(text(input, "json"))
        .map_err(|error| Fault::Fails(format!("the text is not JSON: {error}")))?;
    let indent = vec![b' '; number(input, "indent", 2)];
    Ok(json!({ "code": written(&read, &indent), "values": values(&read) }))
}

fn written(value: &Value, indent: &[u8]) -> String {
    let mut bytes = Vec::new();
    let mut writer = Serializer::with_formatter(&mut bytes, PrettyFormatter::with_indent(indent));
    // Writing to memory does not fail.
    drop(serde::Serialize::serialize(value, &mut writer));
    String::from_utf8(bytes).unwrap_or_default()
}

/// How many texts, numbers and so on it has.
fn values(value: &Value) -> usize {
    let (mut left, mut count) = (vec![value], 0);
    while let Some(value) = left.pop() {
        match value {
            Value::Array(values) => left.extend(values),
            Value::Object(members) => left.extend(members.values()),
            _ => count += 1,
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::super::{fault, made_well as made};
    use super::*;

    #[test]
    fn json_is_indented() {
        let made = made(make, &json!({ "json": "{\"b\":[1,2],\"a\":null}", "indent": 4 }));
        let code = "{\n    \"a\": null,\n    \"b\": [\n        1,\n        2\n    ]\n}";
        assert_eq!((made["code"].as_str().unwrap(), &made["values"]), (code, &json!(3)));
    }

    #[test]
    fn what_is_no_json_fails_with_its_place() {
        let said = fault(make, &json!({ "json": "{\"a\":1,}" }));
        assert!(said.contains("line 1 column 8"), "{said}");
    }
}
