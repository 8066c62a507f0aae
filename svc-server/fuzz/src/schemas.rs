//! Schemas of services with inputs for them, both from strangers.
//!
//! An input is a schema and, in a second line, a value.

use serde_json::{Map, Value};
use svc_types::schema::{STEPS_MAX, Schema};

use crate::text::line;

/// The largest number of faults that are reported.
const FAULTS_MAX: usize = 20;

pub(crate) fn judge(mut input: &[u8]) {
    let Ok(schema) = serde_json::from_slice::<Map<String, Value>>(line(&mut input)) else { return };
    let Ok(value) = serde_json::from_slice::<Value>(input) else { return };
    let schema = match Schema::new(&schema) {
        Ok(schema) => schema,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let steps = schema.steps(&value);
    assert!(steps <= STEPS_MAX + 1, "{steps} steps");
    let faults = schema.faults(&value);
    assert!(faults.len() <= FAULTS_MAX);
    for fault in &faults {
        assert!(fault.message.chars().count() <= 501, "{fault:?}");
        assert!(value.pointer(&fault.pointer).is_some(), "{fault:?} points at nothing");
    }
    // A smaller budget gives up, or comes to the same end.
    for budget in [steps / 2, steps, STEPS_MAX] {
        let within = schema.faults_within(&value, budget);
        assert!(within.is_none_or(|within| within.is_empty() == faults.is_empty()));
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let pairs = [
        (
            r#"{"type":"object","required":["text"],"properties":{"text":{"type":"string","minLength":1,"maxLength":40}},"additionalProperties":false}"#,
            r#"{"text":"a b"}"#,
        ),
        (
            r##"{"$defs":{"n":{"anyOf":[{"type":"null"},{"type":"array","items":{"$ref":"#/$defs/n"}}]}},"$ref":"#/$defs/n"}"##,
            "[[null],[],[[null,1]]]",
        ),
        (
            r#"{"properties":{"a":{"type":"array","items":{"oneOf":[{"const":1},{"const":2},{"enum":["x",3]}]},"uniqueItems":true,"contains":{"const":1},"maxContains":2}}}"#,
            r#"{"a":[1,2,3,"x",0]}"#,
        ),
        (
            r#"{"patternProperties":{"^a+$":{"pattern":"^(a|b)*c$"}},"propertyNames":{"maxLength":3},"unevaluatedProperties":false}"#,
            r#"{"aaa":"abc","b":1}"#,
        ),
        (
            r#"{"if":{"multipleOf":0.1},"then":{"minimum":1e-7},"else":{"not":{"type":"number"}},"dependentSchemas":{"a":{"minProperties":2}}}"#,
            "0.30000000000000004",
        ),
        (
            r#"{"prefixItems":[{"format":"date-time"},{"format":"email"},{"format":"uri"}],"unevaluatedItems":{"type":"integer"},"allOf":[{"minItems":2},{"maxItems":5}]}"#,
            r#"["2026-01-02T03:04:05Z","a@b","x:y",1]"#,
        ),
        (
            r##"{"$id":"https://a.example/s","$anchor":"x","$dynamicAnchor":"d","items":{"$dynamicRef":"#d"}}"##,
            "[[],{}]",
        ),
    ];
    pairs.map(|(schema, value)| format!("{schema}\n{value}").into_bytes()).to_vec()
}
