//! Schemas and inputs that each fit into an order, and multiply.

use serde_json::{Map, Value, json};

use super::{BYTES_MAX, judge};

/// Bytes of JSON that an order's input has at most.
const INPUT_BYTES_MAX: usize = 40_000;

/// Elements in an array of one-digit numbers of that size.
const ELEMENTS: usize = 19_800;

fn repeated(count: usize, part: impl Fn(usize) -> Value) -> Value {
    (0..count).map(part).collect()
}

fn members(count: usize, part: impl Fn(usize) -> Value) -> Value {
    (0..count).map(|n| (format!("k{n}"), part(n))).collect::<Map<_, _>>().into()
}

/// Branches of which only the last takes a zero.
fn branches(count: usize) -> Value {
    repeated(count, |n| json!({ "const": count - n - 1 }))
}

/// Branches that take no zero.
fn closed_branches(count: usize) -> Value {
    repeated(count, |n| json!({ "const": n + 1 }))
}

/// The parts 0 to `levels` of a schema, each of which refers `fan` times to the one before.
fn fan_of_references(levels: usize, fan: usize) -> Value {
    let mut parts = Map::new();
    parts.insert("l0".to_owned(), json!({ "type": "string", "minLength": 2 }));
    for level in 1..=levels {
        let target = format!("#/$defs/l{}", level - 1);
        let branches = repeated(fan, |_| json!({ "$ref": target }));
        parts.insert(format!("l{level}"), json!({ "anyOf": branches }));
    }
    json!({ "items": { "$ref": format!("#/$defs/l{levels}") }, "$defs": parts })
}

/// Arrays that differ only in where they are nested, which hash alike.
fn nested_otherwise(count: usize) -> Value {
    repeated(count, |n| {
        let (left, right): (Vec<_>, Vec<_>) = (0..16).partition(|bit| n >> bit & 1 == 1);
        json!([left.iter().map(|_| json!([1])).collect::<Value>(), right.len()])
    })
}

/// Name, schema, input.
type Attack = (&'static str, Value, Value);

fn on_many_elements() -> Vec<Attack> {
    let zeros = repeated(ELEMENTS, |_| json!(0));
    let texts = repeated(4_000, |n| json!(format!("t{n:05}")));
    let other_texts = repeated(1_500, |n| json!(format!("u{n:05}")));
    let one_of_every = repeated(1_900, |n| json!({ "uniqueItems": n < 1_900 }));
    [
        ("oneOf", json!({ "items": { "oneOf": branches(900) } }), &zeros),
        ("anyOf", json!({ "items": { "anyOf": closed_branches(900) } }), &zeros),
        ("not", json!({ "items": { "not": { "anyOf": closed_branches(900) } } }), &zeros),
        ("false", json!({ "items": { "not": { "anyOf": vec![false; 1_900] } } }), &zeros),
        ("oneOf around it", json!({ "oneOf": repeated(900, |_| json!({ "type": "null" })) }), &zeros),
        (
            "anyOf around each",
            json!({ "anyOf": repeated(300, |_| json!({ "items": { "not": { "const": 1 } }, "minItems": 20_000 })) }),
            &zeros,
        ),
        ("one error each", json!({ "items": { "type": "string" } }), &zeros),
        ("enum", json!({ "items": { "not": { "enum": repeated(1_900, |n| json!(n + 1)) } } }), &zeros),
        ("enum of texts", json!({ "items": { "not": { "enum": other_texts } } }), &texts),
        ("unique", json!({ "allOf": one_of_every }), &texts),
        (
            "contains",
            json!({ "allOf": repeated(400, |n| json!({ "not": { "contains": { "const": n + 1 } } })) }),
            &zeros,
        ),
        ("references", fan_of_references(8, 2), &zeros),
    ]
    .map(|(name, schema, input)| (name, schema, input.clone()))
    .into()
}

fn on_many_members() -> Vec<Attack> {
    let keys = members(3_000, |_| json!(0));
    let left_over = (0..3).fold(
        json!({ "properties": { "a": {} } }),
        |inner, _| json!({ "anyOf": [inner, { "type": "null" }], "unevaluatedProperties": false }),
    );
    let patterns = repeated(16, |n| json!({ "pattern": format!("^[ab]+c{{{n}}}$") }));
    let of_pattern = members(16, |_| json!({ "anyOf": branches(50) }));
    let dependent = members(200, |_| json!({ "not": { "required": ["x", "y", "z"] } }));
    [
        (
            "branches in branches",
            json!({ "anyOf": repeated(40, |_| json!({ "oneOf": branches(20) })) }),
        ),
        ("names", json!({ "propertyNames": { "not": { "anyOf": branches(900) } } })),
        ("patterns of names", json!({ "propertyNames": { "not": { "anyOf": patterns } } })),
        ("patterns of properties", json!({ "patternProperties": of_pattern })),
        ("schemas of dependents", json!({ "dependentSchemas": dependent })),
        ("what is left over", left_over),
        ("nothing more", json!({ "properties": { "a": {} }, "additionalProperties": false })),
    ]
    .map(|(name, schema)| (name, schema, keys.clone()))
    .into()
}

fn on_long_texts() -> Vec<Attack> {
    let text = json!("ab".repeat(INPUT_BYTES_MAX / 2 - 10));
    let mixed = (0..INPUT_BYTES_MAX - 10).scan(1_u32, |state, _| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from_u32(u32::from(b'a') + (*state >> 16) % 20)
    });
    let mixed = json!(mixed.collect::<String>());
    let name = "n".repeat(INPUT_BYTES_MAX / 2);
    let below_long_name = json!({ name: repeated(9_000, |_| json!(0)) });
    let states = repeated(16, |_| json!({ "not": { "pattern": "[a-q][^u-z]{60}[u-z]" } }));
    let long_names = json!({ "properties": { "n".repeat(40_000): { "anyOf": branches(900) } } });
    let required = repeated(5_000, |n| json!(format!("r{n}")));
    vec![
        ("a pattern of many states", json!({ "allOf": states }), mixed),
        ("lengths", json!({ "allOf": repeated(900, |_| json!({ "minLength": 1 })) }), text),
        (
            "long names in the input",
            json!({ "additionalProperties": { "items": { "anyOf": closed_branches(50) } } }),
            below_long_name,
        ),
        ("long names in the schema", long_names, json!({})),
        (
            "many required",
            json!({ "items": { "not": { "required": required } } }),
            repeated(9_000, |_| json!({})),
        ),
        ("unique, nested otherwise", json!({ "uniqueItems": true }), nested_otherwise(600)),
    ]
}

#[test]
fn no_order_costs_more_memory_than_it_may() {
    let attacks = [on_many_elements(), on_many_members(), on_long_texts()];
    for (name, schema, input) in attacks.into_iter().flatten() {
        assert!(input.to_string().len() <= INPUT_BYTES_MAX, "{name}: {}", input.to_string().len());
        let judged = judge(&schema, &input);
        assert!(judged.bytes < BYTES_MAX, "{name}: {} bytes", judged.bytes);
    }
}
