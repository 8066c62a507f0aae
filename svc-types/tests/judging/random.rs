//! Random schemas and inputs: what is judged within the budget is judged as the checker alone
//! judges it, word by word, and no pair takes more memory than it may.

use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use svc_types::schema::{STEPS_MAX, Schema};

use super::{BYTES_MAX, judge};

/// Most faults that are reported.
const FAULTS_MAX: usize = 20;

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({})),
        Just(json!(true)),
        Just(json!(false)),
        prop::sample::select(vec!["string", "integer", "object", "array", "null", "boolean"])
            .prop_map(|name| json!({ "type": name })),
        (0..4_i64).prop_map(|n| json!({ "const": n })),
        (0..4_i64).prop_map(|n| json!({ "minimum": n, "multipleOf": 2 })),
        (0..4_u64).prop_map(|n| json!({ "minLength": n, "maxLength": n + 1 })),
        (0..3_u64).prop_map(|n| json!({ "minItems": n, "maxProperties": n })),
        Just(json!({ "enum": [0, "a", [1], { "a": 1 }] })),
        Just(json!({ "required": ["a", "b"], "dependentRequired": { "b": ["c"] } })),
        Just(json!({ "uniqueItems": true, "pattern": "^a+b?$" })),
    ]
}

/// How often a part is repeated: rarely often enough to multiply.
fn fan() -> impl Strategy<Value = usize> {
    prop_oneof![8 => 1..4_usize, 1 => Just(60)]
}

fn schema() -> impl Strategy<Value = Value> {
    let part = leaf().prop_recursive(4, 40, 4, |part| {
        let parts = (prop::collection::vec(part.clone(), 1..4), fan()).prop_map(|(parts, fan)| {
            parts.iter().cycle().take(parts.len() * fan).cloned().collect()
        });
        let parts = parts.boxed();
        prop_oneof![
            (prop::sample::select(vec!["allOf", "anyOf", "oneOf", "prefixItems"]), parts.clone())
                .prop_map(|(word, parts): (_, Vec<Value>)| json!({ word: parts })),
            (
                prop::sample::select(vec![
                    "items",
                    "contains",
                    "not",
                    "propertyNames",
                    "additionalProperties",
                    "if",
                    "unevaluatedProperties",
                    "unevaluatedItems",
                ]),
                part.clone(),
                part.clone(),
            )
                .prop_map(|(word, part, beside)| json!({ word: part, "then": beside })),
            (
                prop::sample::select(vec!["properties", "patternProperties", "dependentSchemas"]),
                prop::collection::btree_map("[abc]", part, 1..4),
            )
                .prop_map(|(word, parts)| json!({ word: parts })),
        ]
    });
    // The parts are siblings, so that keywords interact.
    prop::collection::vec(part, 1..3).prop_map(|parts| {
        parts
            .into_iter()
            .filter_map(|part| part.as_object().cloned())
            .flatten()
            .collect::<Map<_, _>>()
            .into()
    })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0..5_i64).prop_map(Value::from),
        "[abc]{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 30, 5, |part| {
        let part = part.boxed();
        prop_oneof![
            (
                prop::collection::vec(part.clone(), 0..5),
                prop_oneof![9 => Just(1_usize), 1 => Just(300)]
            )
                .prop_map(|(parts, fan)| parts
                    .iter()
                    .cycle()
                    .take(parts.len() * fan)
                    .cloned()
                    .collect()),
            prop::collection::btree_map("[abc]{1,2}", part, 0..5)
                .prop_map(|members| members.into_iter().collect::<Map<_, _>>().into()),
        ]
    })
}

/// What the checker says when nothing is metered.
fn unmetered(schema: &Value, value: &Value) -> Vec<(String, String)> {
    let checker: Validator = jsonschema::draft202012::new(schema).unwrap();
    let errors = checker.iter_errors(value).take(FAULTS_MAX);
    errors.map(|error| (error.instance_path().to_string(), error.masked().to_string())).collect()
}

/// Steps that judging takes.
fn steps(schema: &Value, value: &Value) -> usize {
    Schema::new(schema.as_object().unwrap()).unwrap().steps(value)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_metered_check_agrees_in_little_memory(schema in schema(), value in value()) {
        let judged = judge(&schema, &value);
        prop_assert!(judged.bytes < BYTES_MAX, "{} bytes", judged.bytes);
        if let Some(faults) = judged.faults && steps(&schema, &value) < STEPS_MAX {
            let all = unmetered(&schema, &value);
            prop_assert_eq!(faults.is_empty(), all.is_empty());
            // What takes too many errors to explain is explained in part.
            for (fault, (pointer, message)) in faults.iter().zip(&all) {
                prop_assert_eq!(&fault.pointer, pointer);
                // The checker alone would repeat the items that are left over.
                if !message.starts_with("Unevaluated items") {
                    prop_assert!(message.starts_with(fault.message.trim_end_matches('…')));
                }
            }
        }
    }

    #[test]
    fn a_short_check_agrees_with_a_long_one(
        schema in schema(),
        value in value(),
        steps in 0..5_000_usize,
    ) {
        let schema = Schema::new(schema.as_object().unwrap());
        if let Ok(schema) = schema
            && let Some(faults) = schema.faults_within(&value, steps)
        {
            prop_assert_eq!(faults, schema.faults(&value));
        }
    }
}
